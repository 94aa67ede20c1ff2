/* SPDX-License-Identifier: MIT */
/*
 * The engine against the plain reference: any threads, chunks and spreading
 * over files must give the same bits; and it must come back with the right
 * error where a backend or a file fails.
 *
 *   check_engine [--backend gpu] [--seed N] [--long]
 *
 * With the GPU, which is not made to fail, exit status 77 says that there is
 * none.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend/registry.h"
#include "engine_bed.h"

enum { ELEMENTS_MAX = 3 << 19, LONG_ROUNDS = 15 };

struct options {
    bool gpu;
    uint64_t seed;
    int rounds;
};

static struct bed bed;
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
    struct setting s = bed_setting(&bed);
    s.backend = backend;
    if (random_below(&bed.random, 3) == 0)
        bed_set_beside(&bed, &s);
    if (bed_open(&bed, &s, &e) && bed_run(&bed, &s, &got, &e))
        bed_compare(&bed, &s, how, &got);
    else
        bed_fail(&bed, &s, how, e.text);
}

static void run_fake(const char *how, uint64_t straggler)
{
    struct fake_plan plan = bed_fake(&bed);
    plan.straggler = straggler;
    run_once(how, fake_backend(&plan));
    if (fake_complaint()) {
        printf("FAILED: %s: %s\n", how, fake_complaint());
        bed.tally.failures++;
    }
}

static size_t random_size(void)
{
    struct random *r = &bed.random;
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
    bed_make(&bed, dtype, NULL, layout, random_size());
    if (o->gpu) {
        for (int i = 0; i < 3; i++)
            run_once(layout->name, &backend_cuda);
    } else {
        run_once(layout->name, &backend_cpu);
        run_once(layout->name, &backend_cpu);
        run_fake(layout->name, FAKE_NEVER);
        run_fake(layout->name, random_below(&bed.random, 60));
    }
    bed_remove(&bed);
}

/* Where the order of the indexes is not that of the data, each class may put
 * the first NaN or the first of equals late. */
static void check_orders(const struct options *o, enum dtype dtype)
{
    const struct layout *fortran = layouts;
    while (strcmp(fortran->name, "fortran") != 0)
        fortran++;
    const struct data_class *kind = data_classes(dtype);
    for (; kind->name; kind++) {
        bed_make(&bed, dtype, kind, fortran, 40000);
        run_once("orders", o->gpu ? &backend_cuda : &backend_cpu);
        bed_remove(&bed);
    }
}

/* Files large enough to be mapped: the layouts of one file. */
static void check_mapped(const struct options *o, enum dtype dtype)
{
    size_t n = (5u << 18) / dtype_info(dtype)->size;
    for (int i = 0; i < 3; i++) {
        bed_make(&bed, dtype, NULL, &layouts[i],
                 n + random_below(&bed.random, 9999));
        run_once("large", o->gpu ? &backend_cuda : &backend_cpu);
        if (!o->gpu) {
            run_fake("large", FAKE_NEVER);
            (i == 0 ? check_cut : check_failures)(&bed);
        }
        bed_remove(&bed);
    }
}

static void check_many_chunks(void)
{
    bed_make(&bed, DTYPE_u8, NULL, &layouts[0], ELEMENTS_MAX - 5);
    check_stuck(&bed);
    check_failures(&bed);
    bed_remove(&bed);
}

static bool refuse_late(int gpu, struct error *e)
{
    (void)gpu;
    usleep(20000);
    return error_set(e, ERROR_DEVICE, "there is none");
}

static struct lane *refuse_lane(const struct job *job, struct error *e)
{
    (void)job;
    error_set(e, ERROR_DEVICE, "it has no memory");
    return NULL;
}

static const struct lane_kind *no_lanes(const struct job *job)
{
    static const struct lane_kind kind = {.slots = 1, .open = refuse_lane};
    (void)job;
    return &kind;
}

static double crawl(int gpu)
{
    (void)gpu;
    return 1;
}

/* A slow first team, beside which one waits. */
static void check_joining_of(const struct backend *beside, unsigned threads,
                             const char *how, bool joins)
{
    struct reduced got;
    struct error e;
    struct fake_plan plan = bed_fake(&bed);
    plan.delay_us = 5000;
    struct setting s = bed_setting(&bed);
    s.threads = threads;
    s.leaves = 1;
    s.backend = fake_backend(&plan);
    bed_set_beside(&bed, &s);
    s.beside.backend = beside;
    s.beside.waits = true;
    s.beside.workers = 2;
    uint64_t before = bed.joined;
    if (bed_open(&bed, &s, &e) && bed_run(&bed, &s, &got, &e))
        bed_compare(&bed, &s, how, &got);
    else
        bed_fail(&bed, &s, how, e.text);
    if ((bed.joined > before) != joins)
        bed_fail(&bed, &s, how, joins ? "nobody joined" : "somebody joined");
    if (bed.done != bed.data.n * dtype_info(bed.data.dtype)->size)
        bed_fail(&bed, &s, how, "the teams' bytes are not the data's");
}

/* A team that waits joins, takes the places of the first's workers, or cannot
 * and gives the one back that was kept for it; nobody sees it in the result. */
static void check_joining(void)
{
    struct backend none = backend_cpu, full = backend_cpu, slow = backend_cpu;
    none.probe = refuse_late;
    full.lanes = no_lanes;
    slow.speed = crawl;
    bed_make(&bed, DTYPE_f32, NULL, &layouts[0], ELEMENTS_MAX - 5);
    for (unsigned threads = 1; threads <= 4; threads++) {
        check_joining_of(&backend_cpu, threads, "joining", true);
        check_joining_of(&none, threads, "refused", false);
        check_joining_of(&full, threads, "no lanes", false);
        check_joining_of(&slow, threads, "slow bus", false);
    }
    bed_remove(&bed);
}

static void check_round(const struct options *o)
{
    for (const struct layout *layout = layouts; layout->name; layout++) {
        for (int i = 0; i < DTYPES_END; i++) {
            check_layout(o, layout, (enum dtype)i);
            if (o->gpu)
                continue;
            bed_make(&bed, (enum dtype)i, NULL, layout, random_size());
            check_failures(&bed);
            bed_remove(&bed);
        }
    }
    for (int i = 0; i < DTYPES_END; i++) {
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
    bed.seed = bed.random.state = bed.tally.seed = o->seed;
    bed.data.bytes = malloc(ELEMENTS_MAX * 8);
    bed.sources.stored = malloc(ELEMENTS_MAX * 8);
    printf("seed 0x%" PRIx64 "\n", o->seed);
    bool ok = bed.data.bytes && bed.sources.stored;
    for (int i = 0; ok && i < o->rounds; i++)
        check_round(o);
    free(bed.data.bytes);
    free(bed.sources.stored);
    printf("%" PRIu64 " cases compared, %" PRIu64 " wrong\n", bed.tally.cases,
           bed.tally.failures);
    if (chdir("/") != 0 || rmdir(folder) != 0)
        perror(folder);
    return ok && bed.tally.failures == 0 ? 0 : 1;
}

static bool parse(int argc, char **argv, struct options *o)
{
    for (int i = 1; i < argc; i++) {
        bool more = i + 1 < argc;
        if (strcmp(argv[i], "--long") == 0)
            o->rounds = LONG_ROUNDS;
        else if (more && strcmp(argv[i], "--seed") == 0)
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
    struct options o = {.seed = 0x67707572, .rounds = 1};
    struct error e;
    if (!parse(argc, argv, &o)) {
        fprintf(stderr,
                "usage: check_engine [--backend gpu] [--seed N] [--long]\n");
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
