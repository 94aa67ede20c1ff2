/* SPDX-License-Identifier: MIT */
/* Backends through their table, as the engine uses it. */
#include <string.h>

#include "subjects.h"

enum { SLOTS_MAX = 8, POISON = 8192 };

bool lanes_open(struct lanes *l, const struct backend *backend,
                enum dtype dtype, uint64_t seed, struct error *e)
{
    static const size_t leaves[LANES] = {1, 3, 120};
    const unsigned all = (1u << MONOIDS_END) - 1;
    *l = (struct lanes){.backend = backend, .random = {seed}};
    for (unsigned i = 0; i < LANES; i++) {
        struct job *job = &l->job[i];
        job->dtype = dtype;
        /* One lane takes some of the monoids. */
        job->monoids =
            i != 1 ? all : 1 + (unsigned)random_below(&l->random, all);
        job->chunk_bytes = leaves[i] * CHUNK_ELEMENTS * dtype_info(dtype)->size;
        l->lane[i] = backend->open(job, e);
        if (!l->lane[i]) {
            lanes_close(l);
            return false;
        }
    }
    return true;
}

void lanes_close(struct lanes *l)
{
    for (unsigned i = 0; i < LANES; i++) {
        if (l->lane[i])
            l->backend->close(l->lane[i]);
    }
}

/* A dataset on its way through a lane. */
struct pass {
    const struct backend *backend;
    struct lane *lane;
    const struct job *job;
    const struct dataset *data;
    struct chunk chunk[SLOTS_MAX];
    bool busy[SLOTS_MAX];
    struct partial total;
    bool miscounted;
    struct error error;
};

static bool collect(struct pass *p, unsigned slot)
{
    struct partial part;
    if (!p->busy[slot])
        return true;
    p->busy[slot] = false;
    if (!p->backend->wait(p->lane, slot, &part, &p->error))
        return false;
    p->miscounted |= part.n != p->chunk[slot].n;
    partial_merge(&p->total, &part, p->job);
    return true;
}

/* Fills and submits a slot; past the chunk's end lies what must not count. */
static bool feed(struct pass *p, unsigned slot, size_t at, size_t n)
{
    size_t size = dtype_info(p->job->dtype)->size;
    size_t rest = p->job->chunk_bytes - n * size;
    char *to = p->backend->slot(p->lane, slot);
    memcpy(to, p->data->bytes + at * size, n * size);
    memset(to + n * size, at & CHUNK_ELEMENTS ? 0x7f : 0xff,
           rest < POISON ? rest : POISON);
    p->chunk[slot] = (struct chunk){.sequence = at / CHUNK_ELEMENTS,
                                    .first = p->data->first + at,
                                    .n = n,
                                    .data = to};
    p->busy[slot] =
        p->backend->submit(p->lane, slot, &p->chunk[slot], &p->error);
    return p->busy[slot];
}

/* All chunks, with all slots under way; *slot is the one to begin with. */
static bool run(struct pass *p, unsigned *slot)
{
    size_t step = p->job->chunk_bytes / dtype_info(p->job->dtype)->size;
    size_t n = p->data->n;
    bool ok = true;
    for (size_t at = 0; ok && at < n; at += step) {
        ok = collect(p, *slot) &&
             feed(p, *slot, at, n - at < step ? n - at : step);
        *slot = (*slot + 1) % p->backend->slots;
    }
    for (unsigned i = 0; i < p->backend->slots; i++) {
        ok = collect(p, *slot) && ok;
        *slot = (*slot + 1) % p->backend->slots;
    }
    return ok;
}

static void check_lane(struct lanes *l, unsigned i, struct tally *t,
                       const struct dataset *d, const struct reference *want)
{
    static const char *const chunks[LANES] = {
        "in chunks of 1 leaf", "in chunks of 3 leaves, some monoids",
        "in chunks of 120 leaves"};
    struct subject s = {l->backend->name, chunks[i], d};
    struct pass p = {.backend = l->backend,
                     .lane = l->lane[i],
                     .job = &l->job[i],
                     .data = d};
    partial_init(&p.total, p.job);
    if (!run(&p, &l->slot[i])) {
        compare_fail(t, &s, p.error.text);
        return;
    }
    if (p.miscounted || p.total.n != d->n)
        compare_fail(t, &s, "a partial's n is not its chunk's");
    for (int m = 0; m < MONOIDS_END; m++) {
        if (p.job->monoids >> m & 1)
            compare_state(t, &s, want, &p.total.state[m]);
    }
}

void lanes_check(struct lanes *l, struct tally *t, const struct dataset *d,
                 const struct reference *want)
{
    /* What is one chunk for all lanes goes to one of them. */
    unsigned some = (unsigned)random_below(&l->random, LANES);
    for (unsigned i = 0; i < LANES; i++) {
        if (i == some || d->n > CHUNK_ELEMENTS)
            check_lane(l, i, t, d, want);
    }
}
