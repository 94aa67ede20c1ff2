/* SPDX-License-Identifier: MIT */
/*
 * Compares the kernels over axes with exact references on the host: every
 * dtype, monoid and form, random shapes, all classes of data, plans of a large
 * and of a tiny device.
 *
 *   check_axis [--seed N] [--shapes N] [--small]
 *
 * --shapes: of each class of data; --small: without arrays of millions. Exit
 * status 77: there is no GPU.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "axis_compare.h"
#include "data.h"

/* The most elements of an array; memory for them is allocated once. */
enum { ELEMENTS_SMALL = 4000, ELEMENTS_LARGE = 1 << 21 };

struct check {
    struct axis_device device;
    struct random random;
    unsigned char *data;
    struct axis_verdict verdict;
    uint64_t shapes, runs, results;
};

/* The tuning of a tiny device, so that little data need many blocks, tiles and
 * partial results; or that of the real one. */
static struct axis_tuning draw_tuning(struct check *c, int form)
{
    struct axis_tuning t = axis_tuning_default(c->device.multiprocessors);
    struct random *r = &c->random;
    t.form = form;
    if (random_below(r, 4) == 0)
        return t;
    t.multiprocessors = 1 + (unsigned)random_below(r, 3);
    t.resident = 1 + (unsigned)random_below(r, 2);
    t.waves = 1 + (unsigned)random_below(r, 3);
    t.column_waves = 1 + (unsigned)random_below(r, 3);
    t.warp_bytes = random_below(r, 2) ? 64 : 1 << 20;
    t.piece_bytes = 16u << random_below(r, 10);
    t.column_rows = 1 + (unsigned)random_below(r, 40);
    t.lanes_log = (int)random_below(r, 7) - 1;
    return t;
}

static void run_form(struct check *c, enum dtype dtype,
                     const struct axis_shape *shape, enum axis_monoid monoid,
                     int form)
{
    const struct axis_tuning t = draw_tuning(c, form);
    struct axis_run r = {.monoid = monoid, .dtype = dtype, .shape = *shape};
    if (!axis_plan(&r.plan, shape, dtype_info(dtype)->size, &t)) {
        axis_complain(&c->verdict, &r, 0, "plan");
        return;
    }
    if (form >= 0 && r.plan.form != (enum axis_form)form)
        return; /* the form cannot reduce this shape */
    if (dtype_is_float(dtype)) {
        r.mean = monoid == AXIS_SUM && random_below(&c->random, 2);
        r.skip = random_below(&c->random, 4) == 0;
    }
    if (!axis_device_run(&c->device, &r))
        axis_complain(&c->verdict, &r, 0, "memory beyond the results");
    axis_compare(&c->verdict, &r);
    c->runs++;
    c->results += r.plan.outputs;
}

static void check_array(struct check *c, enum dtype dtype,
                        const struct data_class *kind,
                        const struct axis_shape *s)
{
    const uint64_t slab = s->length * s->inner;
    const struct dataset d = {
        dtype, kind, s->outer * slab, random_next(&c->random), 0, c->data};
    c->verdict.kind = kind->name;
    if (d.n > c->device.elements) {
        fprintf(stderr, "check_axis: no room for an array of %zu elements\n",
                d.n);
        exit(1);
    }
    dataset_make(&d);
    axis_device_load(&c->device, c->data, dataset_size(&d));
    for (uint64_t i = 0; i < s->outer * s->inner; i++)
        axis_answer_of(&c->verdict.answer[i], dtype, c->data,
                       i / s->inner * slab + i % s->inner, s->length, s->inner);
    for (int m = 0; m < AXIS_MONOIDS_END; m++) {
        for (int form = -1; form < AXIS_FORMS_END; form++) {
            if (axis_is_supported((enum axis_monoid)m, dtype))
                run_form(c, dtype, s, (enum axis_monoid)m, form);
        }
    }
}

/* Draws a size near a boundary of vectors, warps, blocks or tiles. */
static uint64_t draw_extent(struct check *c, uint64_t most)
{
    static const uint64_t some[] = {1,   1,   2,   3,    4,    5,    7,   8,
                                    15,  16,  17,  31,   32,   33,   64,  100,
                                    127, 128, 129, 255,  256,  257,  300, 511,
                                    512, 513, 777, 1000, 1024, 2047, 4096};
    const uint64_t n = sizeof some / sizeof some[0];
    uint64_t x = some[random_below(&c->random, n)];
    if (random_below(&c->random, 4) == 0)
        x = 1 + random_below(&c->random, most);
    return x < most ? x : most;
}

static struct axis_shape draw_shape(struct check *c)
{
    const uint64_t kind = random_below(&c->random, 3);
    struct axis_shape s = {1, 1, 1};
    s.length = draw_extent(c, ELEMENTS_SMALL);
    if (kind != 0)
        s.inner = draw_extent(c, ELEMENTS_SMALL / s.length);
    if (kind != 1)
        s.outer = draw_extent(c, ELEMENTS_SMALL / (s.length * s.inner));
    return s;
}

static void check_small(struct check *c)
{
    for (int dtype = 0; dtype < DTYPES_END; dtype++) {
        const struct data_class *kind = data_classes((enum dtype)dtype);
        for (; kind->name; kind++) {
            for (uint64_t i = 0; i < c->shapes; i++) {
                const struct axis_shape s = draw_shape(c);
                check_array(c, (enum dtype)dtype, kind, &s);
            }
        }
    }
}

static void check_large(struct check *c)
{
    static const struct axis_shape shapes[] = {{1, ELEMENTS_LARGE - 1, 1},
                                               {ELEMENTS_LARGE / 31, 31, 1},
                                               {130, 15001, 1},
                                               {1, ELEMENTS_LARGE / 3, 3},
                                               {1, 201, 10007},
                                               {200, 100, 100}};
    static const enum dtype dtypes[] = {DTYPE_f32, DTYPE_f64, DTYPE_i8};
    for (size_t d = 0; d < sizeof dtypes / sizeof dtypes[0]; d++) {
        for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
            check_array(c, dtypes[d], data_classes(dtypes[d]), &shapes[s]);
    }
}

static bool parse(int argc, char **argv, struct check *c, bool *small)
{
    c->random.state = 1;
    c->shapes = 2;
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--small") == 0) {
            *small = true;
            continue;
        }
        if (!value)
            return false;
        if (strcmp(argv[i], "--seed") == 0)
            c->random.state = strtoull(value, NULL, 0);
        else if (strcmp(argv[i], "--shapes") == 0)
            c->shapes = strtoull(value, NULL, 0);
        else
            return false;
        i++;
    }
    return true;
}

int main(int argc, char **argv)
{
    struct check c = {0};
    bool small = false;
    if (!parse(argc, argv, &c, &small)) {
        fprintf(stderr,
                "usage: check_axis [--seed N] [--shapes N] [--small]\n");
        return 2;
    }
    const uint64_t seed = c.random.state;
    setvbuf(stdout, NULL, _IOLBF, 0); /* a crash keeps what was printed */
    const size_t elements = small ? ELEMENTS_SMALL : ELEMENTS_LARGE;
    if (!axis_device_open(&c.device, elements)) {
        printf("skipped: no GPU\n");
        return 77;
    }
    c.data = malloc(8 * elements);
    c.verdict.answer = malloc(elements * sizeof *c.verdict.answer);
    if (!c.data || !c.verdict.answer)
        return 1;
    check_small(&c);
    if (!small)
        check_large(&c);
    axis_device_close(&c.device);
    free(c.data);
    free(c.verdict.answer);
    printf("%" PRIu64 " runs, %" PRIu64 " results, %" PRIu64
           " doubtful, %" PRIu64 " wrong, seed %" PRIu64 "\n",
           c.runs, c.results, c.verdict.doubtful, c.verdict.wrong, seed);
    return c.verdict.wrong > 0 || c.runs == 0;
}
