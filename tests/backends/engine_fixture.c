/* SPDX-License-Identifier: MIT */
#include "backend/registry.h"
#include "engine_fixture.h"

#include <stdio.h>

static const struct data_class *any_class(struct fixture *b, enum dtype dtype)
{
    const struct data_class *kind = data_classes(dtype);
    size_t count = 0;
    while (kind[count].name)
        count++;
    return &kind[random_below(&b->random, count)];
}

void fixture_make(struct fixture *b, enum dtype dtype,
                  const struct data_class *kind, const struct layout *layout,
                  size_t n)
{
    b->data.dtype = dtype;
    b->data.kind = kind ? kind : any_class(b, dtype);
    b->data.n = n;
    b->data.seed = random_next(&b->random);
    dataset_make(&b->data);
    sources_write(&b->sources, &b->data, layout, &b->random);
    b->has_want = false;
}

/* Computes the references of the data, if no run has needed them yet. */
static void fixture_expect(struct fixture *b)
{
    const struct dataset *d = &b->data;
    if (b->has_want)
        return;
    b->has_want = true;
    reference_run(&b->want, d->dtype, d->bytes, d->n, 0);
    if (b->sources.reordered)
        reference_run(&b->want_stored, d->dtype, b->sources.stored, d->n, 0);
    else
        b->want_stored = b->want;
}

void fixture_remove(struct fixture *b)
{
    sources_remove(&b->sources);
}

struct setting fixture_setting(struct fixture *b)
{
    static const unsigned threads[] = {1, 2, 3, 8};
    static const size_t leaves[] = {1, 2, 5, 16};
    /* Distinct values take as long as all other monoids together, so they are
     * left out. tests/unit/distinct.c and the tests of the command line check
     * them with threads. */
    const unsigned set =
        MONOIDS_ALL & ~(MONOID_BIT(distinct) | MONOID_BIT(tallies));
    struct random *r = &b->random;
    struct setting s = {.threads = threads[random_below(r, 4)],
                        .leaves = leaves[random_below(r, 4)],
                        .monoids = set,
                        .may_defer = random_below(r, 2)};
    if (random_below(r, 4) == 0)
        s.monoids =
            ((1 + (unsigned)random_below(r, set)) & set) | MONOID_BIT(count);
    return s;
}

void fixture_set_beside(struct fixture *b, struct setting *s)
{
    struct random *r = &b->random;
    /* Of several equal magnitudes in Fortran order the GPU may choose another
     * one than the CPU, so a run on both cannot be compared. */
    if (b->sources.reordered && s->backend == &backend_cuda)
        return;
    const unsigned workers = 1 + (unsigned)random_below(r, 4);
    const size_t leaves = 1 + random_below(r, 9);
    s->beside = rig_beside(workers, leaves, random_below(r, 2));
}

bool fixture_open(struct fixture *b, const struct setting *s, struct error *e)
{
    return sources_open(&b->sources, s->may_defer, e);
}

bool fixture_run(struct fixture *b, const struct setting *s,
                 struct reduced *out, struct error *e)
{
    struct sources *f = &b->sources;
    struct engine_report report;
    struct job job = {.dtype = b->data.dtype,
                      .monoids = s->monoids,
                      .reading = &reading_elements};
    size_t leaf = CHUNK_ELEMENTS * dtype_info(job.dtype)->size;
    const struct team first = {.backend = s->backend,
                               .workers = s->threads,
                               .chunk_bytes = s->leaves * leaf,
                               .chunk_least = s->least * leaf};
    struct team beside = s->beside;
    beside.chunk_bytes *= leaf;
    bool ok =
        rig_run(&job, &first, &beside, f->input, f->count, out, &report, e);
    b->done = report.bytes;
    memcpy(b->reason, report.reason, sizeof b->reason);
    b->joined += ok && s->beside.waits && report.team[1].bytes > 0;
    sources_close(f);
    return ok;
}

static struct subject subject_of(const struct fixture *b,
                                 const struct setting *s, const char *how,
                                 char *text, size_t size)
{
    snprintf(text, size, "%s, %u threads, chunks of %zu leaves, %zu files", how,
             s->threads, s->leaves, b->sources.count);
    return (struct subject){s->backend->name, text, &b->data};
}

/* Returns the reference for a monoid. The product follows the order of the
 * file. So does absextrema on the GPU in Fortran order: which of equal
 * magnitudes it reports is not specified, and it takes the first in the
 * file. */
static const struct reference *want_of(const struct fixture *b,
                                       const struct setting *s, int monoid)
{
    bool in_file = monoid == MONOID_prod ||
                   (monoid == MONOID_absextrema && s->backend == &backend_cuda);
    return in_file ? &b->want_stored : &b->want;
}

void fixture_compare(struct fixture *b, const struct setting *s,
                     const char *how, struct reduced *got)
{
    const struct states *states = &got->states;
    char text[128];
    struct subject subject = subject_of(b, s, how, text, sizeof text);
    fixture_expect(b);
    if (states->tally[0].n != b->data.n)
        compare_fail(&b->tally, &subject, "n is wrong");
    for (int m = 0; m < MONOIDS_END; m++) {
        if (s->monoids >> m & 1)
            compare_state(&b->tally, &subject, want_of(b, s, m), (enum monoid)m,
                          states_at(states, 0, m));
    }
    states_close(&got->states);
}

void fixture_fail(struct fixture *b, const struct setting *s, const char *how,
                  const char *what)
{
    char text[128];
    struct subject subject = subject_of(b, s, how, text, sizeof text);
    compare_fail(&b->tally, &subject, what);
}
