/* SPDX-License-Identifier: MIT */
/*
 * bench_formulas [--mib N] [--dtype NAME]
 *
 * The sum of x*x over data in GPU memory: NVRTC's kernel stores the values of a
 * tile, and the kernel of sums reads them, tile after tile. Beside it the sum
 * of x, and reading alone. Medians of 7 runs after 2.
 */
#include <stdio.h>
#include <string.h>

#include "backend/cuda/formulas.h"
#include "bench_device.h"
#include "kernels/common/launch.h"

struct work {
    struct cuda_formulas *formulas; /* NULL: the elements themselves */
    size_t tile;                    /* elements */
    struct gpu_result *result;
    void *scratch, *values;
    struct formula_counts *counts;
};

static void run_tile(struct bench *b, struct work *w, uint64_t first)
{
    uint64_t n = b->n - first < w->tile ? b->n - first : w->tile;
    void *data = b->data + first * dtype_size(b->dtype), *nan = NULL;
    void *arguments[] = {&data, &n, &first, &w->values, &nan, &w->counts};
    const struct gpu_chunk chunk = {.data = w->formulas ? w->values : data,
                                    .n = n,
                                    .result = w->result,
                                    .scratch = w->scratch};
    struct error e;
    if (w->formulas &&
        !cuda_formulas_launch(w->formulas, n, arguments, b->stream, &e))
        bench_check(cudaErrorUnknown, e.text);
    bench_check(gpu_launch(MONOID_BIT(sum),
                           w->formulas ? FORMULA_DTYPE : b->dtype, &chunk,
                           b->stream),
                "sum");
}

static void run(struct bench *b, void *more)
{
    struct work *w = more;
    for (uint64_t at = 0; at < b->n; at += w->tile)
        run_tile(b, w, at);
}

static bool find(void *context, const struct expr_name *name,
                 struct expr_column *column, struct error *why)
{
    (void)name, (void)why;
    column->index = 0;
    column->type = *(const enum expr_type *)context;
    return true;
}

/* Compiles x*x. */
static struct cuda_formulas *compile(enum dtype dtype)
{
    static const struct expr_source source = {"--map", "x*x", 3, false};
    struct formula_input input = {FORMULA_ELEMENTS, 0};
    uint8_t of_group = 0;
    enum expr_type type = dtype_is_float(dtype) ? EXPR_FLOAT : EXPR_INTEGER;
    const struct expr_names names = {find, &type};
    struct expr x;
    struct formulas f = {.expr = &x,
                         .count = 1,
                         .input = &input,
                         .inputs = 1,
                         .of_group = &of_group};
    struct cuda_formulas *c = NULL;
    struct error e = {.text = "no NVRTC"};
    if (!cuda_formulas_missing() && expr_parse(&x, source, false, &names, &e) &&
        !formulas_kernel(&f, dtype, false, 0))
        c = cuda_formulas_start(&f, 0, &e);
    if (!c || !cuda_formulas_ready(c, &e))
        bench_check(cudaErrorUnknown, e.text);
    return c;
}

static void bench_tiles(struct bench *b, struct work *w)
{
    const size_t size = dtype_size(b->dtype);
    w->formulas = NULL;
    w->tile = b->n;
    bench_row(b, "sum of x", bench_time(b, run, w));
    printf(" |\n");
    w->formulas = compile(b->dtype);
    for (size_t mib = 4; mib <= 256; mib *= 2) {
        char what[40];
        w->tile = (mib << 20) / size;
        snprintf(what, sizeof what, "sum of x*x, tiles of %zu MiB", mib);
        bench_row(b, what, bench_time(b, run, w));
        printf(" |\n");
    }
    fflush(stdout);
}

int main(int argc, char **argv)
{
    static const enum dtype dtypes[] = {DTYPE_f32, DTYPE_f64, DTYPE_i32};
    struct bench b;
    struct work w = {.formulas = NULL};
    bench_open(&b, argc, argv);
    bench_check(cudaMalloc((void **)&w.result, sizeof *w.result), "memory");
    bench_check(cudaMemset(w.result, 0, sizeof *w.result), "memory");
    bench_check(cudaMalloc(&w.scratch, gpu_scratch_bytes(1)), "memory");
    bench_check(cudaMalloc(&w.values, (size_t)512 << 20), "memory");
    bench_check(cudaMalloc((void **)&w.counts, sizeof *w.counts), "memory");
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++) {
        if (!bench_wants(&b, "", dtypes[i]))
            continue;
        bench_fill(&b, dtypes[i], DATA_NORMAL, 0);
        bench_tiles(&b, &w);
    }
    return 0;
}
