/* SPDX-License-Identifier: MIT */
/*
 * Compares how a backend turns text into values and states with random tables
 * of known contents, bit for bit, and its errors word for word.
 *
 *   check_text --backend cpu|gpu|loops [--long] [--seed N] [--chunks N]
 *              [--round-trips N] [--threads N]
 *
 * With --chunks or --round-trips, only these parts run. Exit status 77:
 * --backend gpu was given and there is no GPU.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../numbers/subjects.h"
#include "backend/registry.h"
#include "text_subjects.h"

enum { SUBJECTS_MAX = 4, CASE_CHUNKS = 24 };

struct options {
    bool loops, cpu, gpu;
    uint64_t seed, chunks, trips;
    unsigned threads;
};

struct run {
    const struct options *options;
    struct text_tally tally;
    struct text_chunk chunk[TEXT_CHUNKS];
    struct text_context context[SUBJECTS_MAX];
    size_t contexts;
};

/* Draws a dtype, a float more often than an integer. */
static enum dtype any_dtype(struct random *r)
{
    switch (random_below(r, 3)) {
    case 0:
        return DTYPE_f64;
    case 1:
        return DTYPE_f32;
    default:
        return (enum dtype)(DTYPE_i8 + random_below(r, DTYPES_END - DTYPE_i8));
    }
}

static size_t any_bytes(struct random *r, size_t chunk_bytes)
{
    uint64_t kind = random_below(r, 100);
    if (kind >= 97)
        return chunk_bytes - random_below(r, chunk_bytes / 2 + 1);
    return random_below(r, kind < 50 ? 300 : kind < 85 ? 20000 : 60000);
}

static struct job any_job(struct random *r)
{
    static const size_t sizes[] = {1, 4096, 65536, 1 << 20, 4 << 20, 4 << 20};
    const unsigned all = MONOIDS_ALL;
    struct job job = {.monoids = all, .chunk_bytes = sizes[random_below(r, 6)]};
    if (random_below(r, 8) == 0)
        job.monoids = 1 + (unsigned)random_below(r, all);
    return job;
}

/* Opens the contexts of a case: one of a backend, or one for each set of
 * loops. */
static bool open_contexts(struct run *run, const struct text_case *text_case,
                          const struct job *job, uint64_t seed)
{
    const struct options *o = run->options;
    struct job portable = *job;
    struct text_context *context = run->context;
    bool ok = true;
    portable.portable = true;
    if (o->gpu)
        ok = text_context_open(context++, &backend_cuda, "gpu", text_case, job,
                               seed);
    if (o->cpu)
        ok = text_context_open(context++, &backend_cpu, "cpu", text_case, job,
                               seed) &&
             text_context_open(context++, &backend_cpu, "cpu, portable",
                               text_case, &portable, seed);
    const struct csv_loops *set;
    for (size_t i = 0; o->loops && ok && (set = csv_loops(i)); i++) {
        text_sets_use(set);
        ok = text_context_open(context++, &backend_cpu, set->name, text_case,
                               job, seed);
        text_sets_use(NULL);
    }
    run->contexts = (size_t)(context - run->context);
    return ok;
}

static bool check_chunks(struct run *run, const struct text_case *text_case,
                         struct random *r, uint64_t n, size_t chunk_bytes)
{
    struct text_tally *t = &run->tally;
    struct random guards = {random_next(r)};
    /* All backends get the same chunks. */
    for (uint64_t i = 0; i < n && t->failures == 0; i++) {
        struct text_chunk *c = &run->chunk[i % TEXT_CHUNKS];
        struct text_order order = {any_bytes(r, chunk_bytes),
                                   random_below(r, 3) == 0};
        text_chunk_make(c, text_case, random_next(r), &order);
        c->number = i;
        for (size_t k = 0; k < run->contexts; k++)
            text_context_feed(&run->context[k], t, c);
        if (run->options->loops)
            text_loops_check(t, c, &guards);
    }
    for (size_t k = 0; k < run->contexts; k++)
        text_context_finish(&run->context[k], t);
    return t->failures == 0;
}

static bool check_text_case(struct run *run, uint64_t number, uint64_t n)
{
    struct random r = {random_hash(run->options->seed, number)};
    struct text_case text_case;
    struct job job = any_job(&r);
    text_case_make(&text_case, any_dtype(&r), &r);
    bool ok = open_contexts(run, &text_case, &job, random_next(&r)) &&
              check_chunks(run, &text_case, &r, n, job.chunk_bytes);
    if (!ok)
        printf("    case %" PRIu64 ", chunks of %zu bytes\n", number,
               job.chunk_bytes);
    for (size_t i = 0; i < run->contexts; i++)
        text_context_close(&run->context[i]);
    text_case_free(&text_case);
    return ok;
}

static bool check_tables(struct run *run)
{
    uint64_t chunks = run->options->chunks, number = 0;
    bool ok = true;
    while (ok && chunks > 0) {
        uint64_t n = chunks < CASE_CHUNKS ? chunks : CASE_CHUNKS;
        ok = check_text_case(run, number++, n);
        chunks -= n;
    }
    for (int i = 0; i < TEXT_CHUNKS; i++)
        text_chunk_free(&run->chunk[i]);
    return ok;
}

static bool check_trips(struct run *run)
{
    const struct options *o = run->options;
    const struct csv_loops *set;
    size_t sets = 0;
    bool ok = true;
    if (!o->loops)
        return text_trips(&run->tally, o->gpu ? &backend_cuda : &backend_cpu,
                          o->trips, o->seed, o->threads);
    while (csv_loops(sets))
        sets++;
    for (size_t i = 0; ok && i < sets; i++) {
        text_sets_use(NULL);
        set = csv_loops(i);
        text_sets_use(set);
        ok = text_trips(&run->tally, &backend_cpu, (o->trips + sets - 1) / sets,
                        random_hash(o->seed, i), o->threads);
    }
    text_sets_use(NULL);
    return ok;
}

static void report(const struct text_tally *t, bool loops)
{
    printf("%" PRIu64 " chunks of %" PRIu64 " bytes, %" PRIu64
           " with stray quotes; cells: %" PRIu64 " numbers, %" PRIu64
           " missing, %" PRIu64 " bad\n",
           t->chunks, t->bytes, t->strays, t->used, t->missing, t->bad);
    printf(
        "compared: %" PRIu64 " values, %" PRIu64 " states; errors: %" PRIu64
        " ragged, %" PRIu64 " too long, %" PRIu64 " missing, %" PRIu64 " bad\n",
        t->values, t->states.cases, t->wrong[WRONG_RAGGED],
        t->wrong[WRONG_TOO_LONG], t->wrong[WRONG_MISSING], t->wrong[WRONG_BAD]);
    if (loops)
        printf("loops: %" PRIu64 " stretches scanned, %" PRIu64
               " numbers parsed\n",
               t->spans, t->parsed);
    printf("round trips: %" PRIu64 " of f64, %" PRIu64 " of f32; %" PRIu64
           " wrong\n",
           t->trips[0], t->trips[1], t->failures);
}

static int check_all(const struct options *o)
{
    static struct run run;
    struct error e;
    run.options = o;
    run.tally.states.seed = o->seed;
    if (o->gpu && !backend_cuda.probe(0, &e)) {
        printf("gpu skipped: %s\n", e.text);
        return 77;
    }
    printf("seed 0x%" PRIx64 "\n", o->seed);
    bool ok = check_tables(&run) && check_trips(&run);
    report(&run.tally, o->loops);
    oracle_free();
    return ok ? 0 : 1;
}

static bool parse_backend(const char *name, struct options *o)
{
    o->loops = strcmp(name, "loops") == 0;
    o->cpu = strcmp(name, "cpu") == 0;
    o->gpu = strcmp(name, "gpu") == 0;
    return o->loops || o->cpu || o->gpu;
}

static bool parse(int argc, char **argv, struct options *o)
{
    bool chosen = false, has_chunks = false, has_trips = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--long") == 0) {
            o->chunks = 30000;
            o->trips = 10000000;
            continue;
        }
        const char *name = argv[i], *value = argv[++i];
        if (!value)
            return false;
        uint64_t number = strtoull(value, NULL, 0);
        if (strcmp(name, "--seed") == 0)
            o->seed = number;
        else if (strcmp(name, "--threads") == 0)
            o->threads = number > 0 ? (unsigned)number : 1;
        else if (strcmp(name, "--chunks") == 0)
            has_chunks = (o->chunks = number, true);
        else if (strcmp(name, "--round-trips") == 0)
            has_trips = (o->trips = number, true);
        else if (strcmp(name, "--backend") == 0)
            chosen = parse_backend(value, o);
        else
            return false;
    }
    if (has_chunks != has_trips)
        *(has_chunks ? &o->trips : &o->chunks) = 0;
    return chosen;
}

int main(int argc, char **argv)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    struct options o = {
        .seed = 0x74657874, .chunks = 1000, .trips = 150000, .threads = 2};
    if (cores > 2)
        o.threads = cores < 16 ? (unsigned)cores : 16;
    setvbuf(stdout, NULL, _IOLBF, 0); /* a crash then loses no line */
    if (!parse(argc, argv, &o)) {
        fprintf(stderr, "usage: check_text --backend cpu|gpu|loops [--long] "
                        "[--seed N] [--chunks N] [--round-trips N] "
                        "[--threads N]\n");
        return 2;
    }
    return check_all(&o);
}
