/* SPDX-License-Identifier: MIT */
/*
 * Compares every backend, dtype and monoid with a plain reference, bit for bit,
 * on data of many sizes and classes.
 *
 *   check_backends [--backend loops|cpu|gpu] [--seed N] [--long] [--cases N]
 *                  [--dtype NAME]
 *
 * Exit status 77: --backend gpu was given and there is no GPU.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/registry.h"
#include "subjects.h"

struct options {
    bool loops, cpu, gpu;
    bool gpu_asked; /* --backend gpu was given */
    bool is_long;
    uint64_t seed, cases;
    enum dtype first, end; /* of the dtypes that are checked */
};

struct run {
    const struct options *options;
    struct score tally;
    struct random random;
    enum dtype dtype;
    bool has_cpu, has_gpu;
    struct contexts cpu, gpu;
    unsigned char *bytes;
};

/* Sizes around every boundary of vectors, counters and blocks. */
static const size_t small_sizes[] = {
    0,   1,   2,   3,   4,   5,   7,   8,   9,   15,  16,   17,   31,
    32,  33,  63,  64,  65,  100, 127, 128, 129, 254, 255,  256,  257,
    287, 288, 289, 510, 511, 512, 513, 767, 768, 769, 1023, 1024, 1025};

/* Sizes around the boundaries of chunks and leaves. Each class is tested with a
 * few of them in turn. */
static const size_t sizes[] = {1500,  2047,  2048,  2049,  4095,  4096,  4097,
                               8191,  8192,  8193,  8447,  8448,  8449,  12289,
                               16383, 16384, 16385, 24577, 32767, 32768, 32769,
                               40000, 65535, 65536, 65537};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void check_one(struct run *run, const struct data_class *kind, size_t n)
{
    struct reference want;
    struct dataset d = {run->dtype, kind,      n, random_next(&run->random),
                        0,          run->bytes};
    /* An arbitrary first index must not change the tree of the product, which
     * always starts at index 0. */
    if (d.seed % 2)
        d.first = random_below(&run->random, 1 << 12) << 40;
    dataset_make(&d);
    reference_run(&want, d.dtype, d.bytes, n, d.first);
    if (run->options->loops)
        loops_check(&run->tally, &d, &want);
    if (run->has_cpu)
        contexts_check(&run->cpu, &run->tally, &d, &want);
    if (run->has_gpu)
        contexts_check(&run->gpu, &run->tally, &d, &want);
}

static void check_fixed_sizes(struct run *run)
{
    const struct data_class *kind = data_classes(run->dtype);
    size_t turn = run->dtype;
    for (; kind->name; kind++) {
        for (size_t i = 0; i < COUNT(small_sizes); i++)
            check_one(run, kind, small_sizes[i]);
        for (int i = 0; i < 3; i++, turn += 7)
            check_one(run, kind, sizes[turn % COUNT(sizes)]);
    }
    kind = data_classes(run->dtype);
    check_one(run, &kind[random_below(&run->random, 3)],
              run->has_gpu ? 3000017 : 300007);
}

/* Mostly small sizes; some around a multiple of a leaf. */
static size_t random_size(struct random *r)
{
    uint64_t kind = random_below(r, 64);
    if (kind == 0)
        return 8192 * (1 + random_below(r, 16)) + random_below(r, 3) - 1;
    if (kind == 1)
        return random_below(r, 40000);
    return random_below(r, 2ull << random_below(r, 11));
}

static void check_random_sizes(struct run *run, uint64_t until)
{
    const struct data_class *classes = data_classes(run->dtype);
    size_t count = 0;
    while (classes[count].name)
        count++;
    while (run->tally.cases < until) {
        size_t which = random_below(&run->random, count);
        check_one(run, &classes[which], random_size(&run->random));
    }
}

static bool open_contexts(struct run *run)
{
    struct error e;
    uint64_t seed = random_next(&run->random);
    if ((run->has_cpu &&
         !contexts_open(&run->cpu, &backend_cpu, run->dtype, seed, &e)) ||
        (run->has_gpu &&
         !contexts_open(&run->gpu, &backend_cuda, run->dtype, seed, &e))) {
        printf("FAILED: a context cannot be opened: %s\n", e.text);
        return false;
    }
    return true;
}

/* Returns false if the run cannot continue. */
static bool check_dtype(struct run *run, enum dtype dtype)
{
    uint64_t share = run->options->cases / DTYPES_END;
    run->dtype = dtype;
    run->random.state = random_hash(run->options->seed, dtype);
    if (!open_contexts(run))
        return false;
    check_fixed_sizes(run);
    check_random_sizes(run, share * (dtype + 1u));
    if (run->has_cpu)
        contexts_close(&run->cpu);
    if (run->has_gpu)
        contexts_close(&run->gpu);
    return true;
}

static int check_all(const struct options *o)
{
    struct run run = {.options = o, .has_cpu = o->cpu};
    struct error e;
    bool ok = true;
    run.tally.seed = o->seed;
    run.has_gpu = o->gpu && backend_cuda.probe(0, &e);
    if (o->gpu && !run.has_gpu)
        printf("gpu skipped: %s\n", e.text);
    if (o->gpu_asked && !run.has_gpu)
        return 77;
    run.bytes = malloc(DATASET_MAX * 8);
    printf("seed 0x%" PRIx64 "\n", o->seed);
    for (enum dtype i = o->first; ok && run.bytes && i < o->end; i++)
        ok = check_dtype(&run, i);
    free(run.bytes);
    printf("%" PRIu64 " cases compared, %" PRIu64 " wrong\n", run.tally.cases,
           run.tally.failures);
    return ok && run.tally.failures == 0 ? 0 : 1;
}

static bool parse_backend(const char *name, struct options *o)
{
    o->loops = strcmp(name, "loops") == 0;
    o->cpu = strcmp(name, "cpu") == 0;
    o->gpu = o->gpu_asked = strcmp(name, "gpu") == 0;
    return o->loops || o->cpu || o->gpu;
}

static bool parse_dtype(const char *name, struct options *o)
{
    bool big;
    if (!dtype_find(name, &o->first, &big) || o->first >= DTYPES_END)
        return false;
    o->end = o->first + 1;
    return true;
}

static bool parse(int argc, char **argv, struct options *o)
{
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--long") == 0) {
            o->is_long = true;
            continue;
        }
        if (!value)
            return false;
        if (strcmp(argv[i], "--seed") == 0)
            o->seed = strtoull(value, NULL, 0);
        else if (strcmp(argv[i], "--cases") == 0)
            o->cases = strtoull(value, NULL, 0);
        else if (strcmp(argv[i], "--backend") == 0
                     ? !parse_backend(value, o)
                     : strcmp(argv[i], "--dtype") != 0 ||
                           !parse_dtype(value, o))
            return false;
        i++;
    }
    /* The loops make many cases of each dataset, so their target is higher. */
    if (o->is_long)
        o->cases = o->loops ? 1 << 24 : 1 << 21;
    return true;
}

int main(int argc, char **argv)
{
    struct options o = {.loops = true,
                        .cpu = true,
                        .gpu = true,
                        .seed = 0x67707572,
                        .end = DTYPES_END};
    if (!parse(argc, argv, &o)) {
        fprintf(stderr, "usage: check_backends [--backend loops|cpu|gpu] "
                        "[--seed N] [--long] [--cases N] [--dtype NAME]\n");
        return 2;
    }
    return check_all(&o);
}
