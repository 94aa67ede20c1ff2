/* SPDX-License-Identifier: MIT */
/*
 * bench_formulas [--mib N] [--dtype NAME]
 *
 * Sums of expressions over data in GPU memory. NVRTC's kernel sums the values,
 * or stores those of a tile for the kernel of sums, as it does for other
 * operations. Beside them the sum of x, and reading alone. Medians of 7 runs
 * after 2.
 */
#include <stdio.h>
#include <string.h>

#include "backend/cuda/formulas.h"
#include "bench_device.h"
#include "kernels/common/launch.h"

struct work {
    struct gpu_result *result;
    void *scratch, *values;
    struct formula_counts *counts;
    struct cuda_formulas *formulas; /* NULL: the elements themselves */
    size_t tile;                    /* elements */
    enum dtype dtype;               /* of what is summed */
    bool is_fused;                  /* the kernel sums the values */
};

static void run_tile(struct bench *b, struct work *w, uint64_t first)
{
    uint64_t n = b->n - first < w->tile ? b->n - first : w->tile;
    void *data = b->data + first * dtype_size(b->dtype), *nan = NULL;
    struct gpu_sum *sums = w->result->sum;
    void *arguments[] = {
        &data,     &n, &first, &w->values, w->is_fused ? (void *)&sums : &nan,
        &w->counts};
    const struct gpu_chunk chunk = {.data = w->formulas ? w->values : data,
                                    .n = n,
                                    .result = w->result,
                                    .scratch = w->scratch};
    struct error e;
    if (w->formulas &&
        !cuda_formulas_launch(w->formulas, n, arguments, b->stream, &e))
        bench_check(cudaErrorUnknown, e.text);
    if (!w->is_fused)
        bench_check(gpu_launch(MONOID_BIT(sum), w->dtype, &chunk, b->stream),
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

/* Compiles an expression of x, the value to sum or the condition. */
static struct cuda_formulas *compile(enum dtype dtype, const char *text,
                                     bool is_condition, bool is_fused)
{
    const struct expr_source source = {"--map", text, strlen(text), false};
    struct formula_input input = {FORMULA_ELEMENTS, 0};
    uint8_t of_group = is_condition ? FORMULA_NONE : 0;
    enum expr_type type = dtype_is_float(dtype) ? EXPR_FLOAT : EXPR_INTEGER;
    const struct expr_names names = {find, &type};
    struct expr x;
    struct formulas f = {.expr = &x,
                         .count = 1,
                         .has_condition = is_condition,
                         .input = &input,
                         .inputs = 1,
                         .of_group = &of_group};
    struct cuda_formulas *c = NULL;
    struct error e = {.text = "no NVRTC"};
    if (!cuda_formulas_missing() &&
        expr_parse(&x, source, is_condition, &names, &e) &&
        !formulas_kernel(&f, dtype, false, 0))
        c = cuda_formulas_start(&f, is_fused ? "EXACT_VALUE" : NULL, 0, &e);
    if (!c || !cuda_formulas_ready(c, &e))
        bench_check(cudaErrorUnknown, e.text);
    return c;
}

static void row(struct bench *b, struct work *w, const char *what)
{
    bench_row(b, what, bench_time(b, run, w));
    printf(" |\n");
    fflush(stdout);
}

static void bench_rows(struct bench *b, struct work *w)
{
    *w = (struct work){w->result, w->scratch,   w->values,
                       w->counts, .tile = b->n, .dtype = b->dtype};
    row(b, w, "sum of x");
    w->dtype = FORMULA_DTYPE;
    w->is_fused = true;
    w->formulas = compile(b->dtype, "x*x", false, true);
    row(b, w, "sum of x*x, one kernel");
    w->formulas = compile(b->dtype, "x > 0 ? sqrt(x) : -x", false, true);
    row(b, w, "sum of x > 0 ? sqrt(x) : -x, one kernel");
    if (dtype_is_float(b->dtype)) {
        w->formulas = compile(b->dtype, "x > 0", true, true);
        row(b, w, "sum where x > 0, one kernel");
    }
    w->is_fused = false;
    w->formulas = compile(b->dtype, "x*x", false, false);
    w->tile = ((size_t)256 << 20) / dtype_size(b->dtype);
    row(b, w, "sum of x*x, values stored, tiles of 256 MiB");
}

int main(int argc, char **argv)
{
    static const enum dtype dtypes[] = {DTYPE_f32, DTYPE_f64, DTYPE_i32};
    struct bench b;
    struct work w = {0};
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
        bench_rows(&b, &w);
    }
    return 0;
}
