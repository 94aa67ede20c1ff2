/* SPDX-License-Identifier: MIT */
/* Drives backends through their function tables, as the engine does. */
#include <string.h>

#include "subjects.h"

enum { SLOTS_MAX = 8, POISON = 8192 };

bool contexts_open(struct contexts *l, const struct backend *backend,
                   enum dtype dtype, uint64_t seed, struct error *e)
{
    static const size_t leaves[CONTEXTS] = {1, 3, 120};
    const unsigned all = MONOIDS_ALL;
    *l = (struct contexts){.backend = backend, .random = {seed}};
    for (unsigned i = 0; i < CONTEXTS; i++) {
        struct job *job = &l->job[i];
        job->dtype = dtype;
        job->reading = &reading_elements;
        /* The context in the middle gets a random subset of the monoids. */
        job->monoids =
            i != 1 ? all : 1 + (unsigned)random_below(&l->random, all);
        job->chunk_bytes = leaves[i] * CHUNK_ELEMENTS * dtype_info(dtype)->size;
        l->context[i] = backend->contexts(job)->open(job, e);
        if (!l->context[i]) {
            contexts_close(l);
            return false;
        }
    }
    return true;
}

void contexts_close(struct contexts *l)
{
    for (unsigned i = 0; i < CONTEXTS; i++) {
        if (l->context[i])
            l->backend->contexts(&l->job[i])->close(l->context[i]);
    }
}

/* A dataset that passes through a context. */
struct pass {
    const struct context_kind *kind;
    struct context *context;
    const struct job *job;
    const struct dataset *data;
    struct chunk chunk[SLOTS_MAX];
    bool busy[SLOTS_MAX];
    struct owner owner;
    union state product; /* of floats, merged in order */
    bool miscounted;
    struct error error;
};

static bool collect(struct pass *p, unsigned slot)
{
    uint64_t before = p->owner.own.tally[0].n;
    if (!p->busy[slot])
        return true;
    p->busy[slot] = false;
    if (!p->kind->wait(p->context, slot, &p->owner, &p->error))
        return false;
    p->miscounted |= p->owner.own.tally[0].n - before != p->chunk[slot].n;
    p->miscounted |= !p->owner.part != !job_ordered(p->job);
    if (p->owner.part)
        prod_merge(&p->product.prod, &p->owner.part->prod);
    product_part_free(p->owner.part);
    p->owner.part = NULL;
    return true;
}

/* Fills a slot and submits it. Poison follows the chunk's end, which the
 * backend must not count. */
static bool feed(struct pass *p, unsigned slot, size_t at, size_t n)
{
    size_t size = dtype_info(p->job->dtype)->size;
    size_t rest = p->job->chunk_bytes - n * size;
    char *to = p->kind->slot(p->context, slot);
    memcpy(to, p->data->bytes + at * size, n * size);
    memset(to + n * size, at & CHUNK_ELEMENTS ? 0x7f : 0xff,
           rest < POISON ? rest : POISON);
    p->chunk[slot] = (struct chunk){.sequence = at / CHUNK_ELEMENTS,
                                    .first = p->data->first + at,
                                    .n = n,
                                    .data = to};
    p->busy[slot] =
        p->kind->submit(p->context, slot, &p->chunk[slot], &p->error);
    return p->busy[slot];
}

/* Submits all chunks, with all slots in use. *slot is the first slot to use,
 * and on return the next one. */
static bool run(struct pass *p, unsigned *slot)
{
    size_t step = p->job->chunk_bytes / dtype_info(p->job->dtype)->size;
    size_t n = p->data->n;
    bool ok = true;
    for (size_t at = 0; ok && at < n; at += step) {
        ok = collect(p, *slot) &&
             feed(p, *slot, at, n - at < step ? n - at : step);
        *slot = (*slot + 1) % p->kind->slots;
    }
    for (unsigned i = 0; i < p->kind->slots; i++) {
        ok = collect(p, *slot) && ok;
        *slot = (*slot + 1) % p->kind->slots;
    }
    return ok;
}

static void check_context(struct contexts *l, unsigned i, struct score *t,
                          const struct dataset *d, const struct reference *want)
{
    static const char *const chunks[CONTEXTS] = {
        "in chunks of 1 leaf", "in chunks of 3 leaves, some monoids",
        "in chunks of 120 leaves"};
    struct subject s = {l->backend->name, chunks[i], d};
    struct pass p = {.kind = l->backend->contexts(&l->job[i]),
                     .context = l->context[i],
                     .job = &l->job[i],
                     .data = d};
    prod_init(&p.product.prod);
    if (!owner_open(&p.owner, NULL, p.job, &p.error) || !run(&p, &l->slot[i])) {
        compare_fail(t, &s, p.error.text);
        owner_close(&p.owner);
        return;
    }
    if (p.miscounted || p.owner.own.tally[0].n != d->n)
        compare_fail(t, &s, "what a chunk added is not what it has");
    for (int m = 0; m < MONOIDS_END; m++) {
        bool is_ordered = job_ordered(p.job) >> m & 1;
        if (p.job->monoids >> m & 1)
            compare_state(t, &s, want, (enum monoid)m,
                          is_ordered ? &p.product
                                     : states_at(&p.owner.own, 0, m));
    }
    owner_close(&p.owner);
}

void contexts_check(struct contexts *l, struct score *t,
                    const struct dataset *d, const struct reference *want)
{
    /* A dataset of one chunk looks the same to all contexts, so only one gets
     * it. */
    unsigned some = (unsigned)random_below(&l->random, CONTEXTS);
    for (unsigned i = 0; i < CONTEXTS; i++) {
        if (i == some || d->n > CHUNK_ELEMENTS)
            check_context(l, i, t, d, want);
    }
}
