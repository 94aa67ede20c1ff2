/* SPDX-License-Identifier: MIT */
/*
 * The engine against the plain reference. Any number of threads, chunk size and
 * spread over files must give the same bits. When a backend or a file fails,
 * the engine must return the right error.
 *
 *   check_engine [--backend gpu] [--seed N] [--long] [--half 0|1]
 *
 * With --backend gpu no faults are injected, and exit status 77 says that there
 * is no GPU.
 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend/registry.h"
#include "engine_fixture.h"

enum { ELEMENTS_MAX = 3 << 19, LONG_ROUNDS = 15 };

struct options {
    bool gpu;
    uint64_t seed;
    int rounds;
    int first, step; /* test every step-th dtype from the first on */
};

static struct fixture fixture;
static char folder[4096];

static void on_alarm(int signal)
{
    static const char text[] = "FAILED: the engine does not come back\n";
    (void)signal;
    if (write(STDOUT_FILENO, text, sizeof text - 1) < 0)
        _exit(3);
    _exit(1);
}

static void run_once(const char *how, const struct backend *backend)
{
    struct reduced got;
    struct error e;
    struct setting s = fixture_setting(&fixture);
    s.backend = backend;
    if (random_below(&fixture.random, 3) == 0)
        fixture_set_beside(&fixture, &s);
    if (fixture_open(&fixture, &s, &e) && fixture_run(&fixture, &s, &got, &e))
        fixture_compare(&fixture, &s, how, &got);
    else
        fixture_fail(&fixture, &s, how, e.text);
}

static void run_fake(const char *how, uint64_t straggler)
{
    struct fake_plan plan = rig_fake(&fixture.random);
    plan.straggler = straggler;
    run_once(how, fake_backend(&plan));
    if (fake_complaint()) {
        printf("FAILED: %s: %s\n", how, fake_complaint());
        fixture.tally.failures++;
    }
}

static size_t random_size(void)
{
    struct random *r = &fixture.random;
    switch (random_below(r, 12)) {
    case 0:
        return random_below(r, 3);
    case 1:
        return random_below(r, 9000);
    case 2:
        return 8192 * random_below(r, 40);
    default:
        return random_below(r, 150000);
    }
}

static void check_layout(const struct options *o, const struct layout *layout,
                         enum dtype dtype)
{
    fixture_make(&fixture, dtype, NULL, layout, random_size());
    if (o->gpu) {
        for (int i = 0; i < 3; i++)
            run_once(layout->name, &backend_cuda);
    } else {
        run_once(layout->name, &backend_cpu);
        run_once(layout->name, &backend_cpu);
        run_fake(layout->name, FAKE_NEVER);
        run_fake(layout->name, random_below(&fixture.random, 60));
    }
    fixture_remove(&fixture);
}

/* In Fortran order the order of indexes differs from that of the file. Every
 * class is tested, since each may put the first NaN or the first of equal
 * values late in the file. */
static void check_orders(const struct options *o, enum dtype dtype)
{
    const struct layout *fortran = layouts;
    while (strcmp(fortran->name, "fortran") != 0)
        fortran++;
    const struct data_class *kind = data_classes(dtype);
    for (; kind->name; kind++) {
        fixture_make(&fixture, dtype, kind, fortran, 40000);
        run_once("orders", o->gpu ? &backend_cuda : &backend_cpu);
        fixture_remove(&fixture);
    }
}

/* Files large enough to be mapped, in the layouts that have one file. */
static void check_mapped(const struct options *o, enum dtype dtype)
{
    size_t n = (5u << 18) / dtype_info(dtype)->size;
    for (int i = 0; i < 3; i++) {
        fixture_make(&fixture, dtype, NULL, &layouts[i],
                     n + random_below(&fixture.random, 9999));
        run_once("large", o->gpu ? &backend_cuda : &backend_cpu);
        if (!o->gpu) {
            run_fake("large", FAKE_NEVER);
            (i == 0 ? check_cut : check_failures)(&fixture);
        }
        fixture_remove(&fixture);
    }
}

static void check_many_chunks(void)
{
    fixture_make(&fixture, DTYPE_u8, NULL, &layouts[0], ELEMENTS_MAX - 5);
    check_stuck(&fixture);
    check_failures(&fixture);
    fixture_remove(&fixture);
}

static bool refuse_late(int gpu, struct error *e)
{
    (void)gpu;
    usleep(20000);
    return error_set(e, ERROR_DEVICE, "there is none");
}

static struct context *refuse_context(const struct job *job, struct error *e)
{
    (void)job;
    error_set(e, ERROR_DEVICE, "it has no memory");
    return NULL;
}

static const struct context_kind *no_contexts(const struct job *job)
{
    static const struct context_kind kind = {.slots = 1,
                                             .open = refuse_context};
    (void)job;
    return &kind;
}

static double crawl(int gpu)
{
    (void)gpu;
    return 1;
}

/* How many threads can still start. Whether this thread's next calloc fails, or
 * the next thread that it starts. */
static atomic_int threads_left = INT_MAX;
static _Thread_local bool no_memory, no_threads;

/* The linker puts these in place of the calls of libc. */
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *a,
                          void *(*run)(void *), void *arg);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *a,
                          void *(*run)(void *), void *arg);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *a,
                          void *(*run)(void *), void *arg)
{
    bool fails = no_threads || atomic_fetch_sub(&threads_left, 1) <= 0;
    no_threads = false;
    return fails ? EAGAIN : __real_pthread_create(thread, a, run, arg);
}

void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size)
{
    bool fails = no_memory;
    no_memory = false;
    return fails ? NULL : __real_calloc(n, size);
}

/* These run in the thread that watches, before it starts the team. */
static bool probe_memory(int gpu, struct error *e)
{
    (void)gpu, (void)e;
    no_memory = true;
    return true;
}

static bool probe_threads(int gpu, struct error *e)
{
    (void)gpu, (void)e;
    no_threads = true;
    return true;
}

enum joins { JOINS_NOT, JOINS, JOINS_PERHAPS };

/* Runs a slow first team while a second team waits to join. `joins`: whether
 * the second team must join. `why`: a part of the reason why it did not, or
 * NULL. */
static void check_joining_of(const struct backend *beside, unsigned threads,
                             const char *how, enum joins joins, const char *why)
{
    struct reduced got;
    struct error e;
    struct fake_plan plan = rig_fake(&fixture.random);
    plan.delay_us = 5000;
    struct setting s = fixture_setting(&fixture);
    s.threads = threads;
    s.leaves = 1;
    s.backend = fake_backend(&plan);
    fixture_set_beside(&fixture, &s);
    s.beside.backend = beside;
    s.beside.waits = true;
    s.beside.workers = 2;
    uint64_t before = fixture.joined;
    if (fixture_open(&fixture, &s, &e) && fixture_run(&fixture, &s, &got, &e))
        fixture_compare(&fixture, &s, how, &got);
    else
        fixture_fail(&fixture, &s, how, e.text);
    if (joins != JOINS_PERHAPS && (fixture.joined > before) != joins)
        fixture_fail(&fixture, &s, how,
                     joins ? "nobody joined" : "somebody joined");
    if (fixture.done != fixture.data.n * dtype_info(fixture.data.dtype)->size)
        fixture_fail(&fixture, &s, how, "the teams' bytes are not the data's");
    if (why && !strstr(fixture.reason, why))
        fixture_fail(&fixture, &s, how, fixture.reason);
}

/* A waiting team joins and takes the places of the first team's workers. If it
 * cannot, workers of the first team continue in the places that were kept for
 * it. The result must be the same. */
static void check_joining(void)
{
    struct backend none = backend_cpu, full = backend_cpu, slow = backend_cpu;
    struct backend poor = backend_cpu, alone = backend_cpu;
    none.probe = refuse_late;
    full.contexts = no_contexts;
    slow.speed = crawl;
    poor.probe = probe_memory;
    alone.probe = probe_threads;
    fixture_make(&fixture, DTYPE_f32, NULL, &layouts[0], ELEMENTS_MAX - 5);
    for (unsigned threads = 1; threads <= 4; threads++) {
        check_joining_of(&backend_cpu, threads, "joining", JOINS, NULL);
        check_joining_of(&none, threads, "refused", JOINS_NOT, NULL);
        check_joining_of(&full, threads, "no contexts", JOINS_NOT, NULL);
        check_joining_of(&slow, threads, "slow bus", JOINS_NOT, NULL);
        check_joining_of(&poor, threads, "no memory", JOINS_NOT, NULL);
        check_joining_of(&alone, threads, "no threads", JOINS_NOT,
                         "; but no more threads");
    }
    /* Three threads of the first team, the one that watches, two that join. */
    for (int left = 0; left < 7; left++) {
        atomic_store(&threads_left, left);
        check_joining_of(&backend_cpu, 4, "few threads", JOINS_PERHAPS, NULL);
    }
    atomic_store(&threads_left, INT_MAX);
    fixture_remove(&fixture);
}

static void check_round(const struct options *o)
{
    for (const struct layout *layout = layouts; layout->name; layout++) {
        for (int i = o->first; i < DTYPES_END; i += o->step) {
            check_layout(o, layout, (enum dtype)i);
            if (o->gpu)
                continue;
            fixture_make(&fixture, (enum dtype)i, NULL, layout, random_size());
            check_failures(&fixture);
            fixture_remove(&fixture);
        }
    }
    for (int i = o->first; i < DTYPES_END; i += o->step) {
        check_orders(o, (enum dtype)i);
        check_mapped(o, (enum dtype)i);
    }
    if (!o->gpu) {
        check_many_chunks();
        check_joining();
    }
}

static bool enter_folder(void)
{
    const char *parent = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/check_engine.XXXXXX",
             parent && *parent ? parent : "/tmp");
    if (mkdtemp(folder) && chdir(folder) == 0)
        return true;
    perror(folder);
    return false;
}

static int check_all(const struct options *o)
{
    if (!enter_folder())
        return 2;
    fixture.seed = fixture.random.state = fixture.tally.seed = o->seed;
    fixture.data.bytes = malloc(ELEMENTS_MAX * 8);
    fixture.sources.stored = malloc(ELEMENTS_MAX * 8);
    printf("seed 0x%" PRIx64 "\n", o->seed);
    bool ok = fixture.data.bytes && fixture.sources.stored;
    for (int i = 0; ok && i < o->rounds; i++)
        check_round(o);
    free(fixture.data.bytes);
    free(fixture.sources.stored);
    printf("%" PRIu64 " cases compared, %" PRIu64 " wrong\n",
           fixture.tally.cases, fixture.tally.failures);
    if (chdir("/") != 0 || rmdir(folder) != 0)
        perror(folder);
    return ok && fixture.tally.failures == 0 ? 0 : 1;
}

static bool parse(int argc, char **argv, struct options *o)
{
    for (int i = 1; i < argc; i++) {
        bool more = i + 1 < argc;
        if (strcmp(argv[i], "--long") == 0)
            o->rounds = LONG_ROUNDS;
        else if (more && strcmp(argv[i], "--half") == 0) {
            o->step = 2;
            o->first = atoi(argv[++i]) % 2;
        } else if (more && strcmp(argv[i], "--seed") == 0)
            o->seed = strtoull(argv[++i], NULL, 0);
        else if (more && strcmp(argv[i], "--backend") == 0 &&
                 strcmp(argv[i + 1], "gpu") == 0)
            o->gpu = ++i;
        else
            return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    struct options o = {.seed = 0x67707572, .rounds = 1, .step = 1};
    struct error e;
    if (!parse(argc, argv, &o)) {
        fprintf(stderr,
                "usage: check_engine [--backend gpu] [--seed N] [--long] "
                "[--half 0|1]\n");
        return 2;
    }
    if (o.gpu && !backend_cuda.probe(0, &e)) {
        printf("gpu skipped: %s\n", e.text);
        return 77;
    }
    signal(SIGPIPE, SIG_IGN);
    signal(SIGALRM, on_alarm);
    return check_all(&o);
}
