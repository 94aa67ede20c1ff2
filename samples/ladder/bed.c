/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bed.h"
#include "backend/cuda/result.h"
#include "kernels/common/launch.h"
#include "reduce/finish.h"

enum { WARM_UP = 2 };

static void fail(const char *why)
{
    fprintf(stderr, "ladder: %s\n", why);
    exit(1);
}

void must(cudaError_t code)
{
    if (code != cudaSuccess)
        fail(cudaGetErrorString(code));
}

static void *device_room(size_t bytes)
{
    void *p;
    must(cudaMalloc(&p, bytes));
    return p;
}

static void *host_room(size_t bytes)
{
    void *p = malloc(bytes);
    if (!p)
        fail("no memory");
    return p;
}

void bed_open(struct bed *bed, size_t n)
{
    struct work *w = &bed->work;
    *bed = (struct bed){.work.n = n};
    for (int s = 0; s < SHAPES_END; s++) {
        const size_t answers = shape_extent(s, n).answers;
        bed->most = answers > bed->most ? answers : bed->most;
    }
    must(cudaDeviceGetAttribute(&w->multiprocessors,
                                cudaDevAttrMultiProcessorCount, 0));
    w->in = device_room(n * sizeof *w->in);
    bed->pristine = device_room(n * sizeof *w->in);
    w->out = device_room(bed->most * sizeof *w->out);
    for (int i = 0; i < 2; i++)
        w->partial[i] = device_room(n / 512 * sizeof *w->in);
    w->result = device_room(sizeof *w->result);
    w->scratch = device_room(gpu_scratch_bytes(1));
    bed->answer = host_room(bed->most * sizeof *bed->answer);
    must(cudaEventCreate(&bed->start));
    must(cudaEventCreate(&bed->stop));
}

void bed_close(struct bed *bed)
{
    struct work *w = &bed->work;
    void *device[] = {w->in,         w->out,    w->partial[0], w->partial[1],
                      bed->pristine, w->result, w->scratch};
    for (size_t i = 0; i < sizeof device / sizeof *device; i++)
        cudaFree(device[i]);
    cudaEventDestroy(bed->start);
    cudaEventDestroy(bed->stop);
    free(bed->answer);
    data_close(&bed->data);
}

static void restore(struct bed *bed)
{
    must(cudaMemcpyAsync(bed->work.in, bed->pristine,
                         bed->work.n * sizeof *bed->work.in,
                         cudaMemcpyDeviceToDevice, 0));
}

void bed_load(struct bed *bed, enum data_kind kind)
{
    const size_t columns = bed->work.n / LONG_ROWS;
    float *row = host_room(columns * sizeof *row);
    data_close(&bed->data);
    if (!data_open(&bed->data, kind, bed->work.n))
        fail("no memory");
    for (size_t r = 0; r < LONG_ROWS; r++) {
        data_row(&bed->data, r, row);
        must(cudaMemcpy(bed->pristine + r * columns, row, columns * sizeof *row,
                        cudaMemcpyHostToDevice));
    }
    free(row);
    restore(bed);
}

/* Seconds of a run, in an order that leaves the input as it was. */
static double run(struct bed *bed, const struct rung *rung, size_t *chain)
{
    const struct extent extent = shape_extent(rung->shape, bed->work.n);
    float ms;
    bed->work.rows = extent.rows;
    bed->work.columns = extent.columns;
    must(cudaEventRecord(bed->start, 0));
    must(rung->launch(&bed->work, chain));
    must(cudaEventRecord(bed->stop, 0));
    if (rung->spoils)
        restore(bed);
    must(cudaDeviceSynchronize());
    must(cudaEventElapsedTime(&ms, bed->start, bed->stop));
    return 1e-3 * ms;
}

/* Reads the result of the exact kernel as the tool does, and rounds it once. */
static double exact_answer(const struct work *w)
{
    struct gpu_result r;
    union state sum;
    const struct chunk chunk = {.n = w->n};
    must(cudaMemcpy(&r, w->result, sizeof r, cudaMemcpyDeviceToHost));
    cuda_take_state(MONOID_sum, DTYPE_f32, &sum, &r, &chunk, NULL);
    return finish_quotient(&sum.exact, 1);
}

/* The answers of the last run to bed->answer. */
static void read_answers(struct bed *bed, const struct rung *rung)
{
    const size_t n = shape_extent(rung->shape, bed->work.n).answers;
    if (rung->exact) {
        bed->answer[0] = exact_answer(&bed->work);
        return;
    }
    float *out = host_room(n * sizeof *out);
    must(cudaMemcpy(out, bed->work.out, n * sizeof *out,
                    cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < n; i++)
        bed->answer[i] = out[i];
    free(out);
}

/* Clears what a run writes, so that it cannot be right by what another left. */
static void forget(struct bed *bed)
{
    must(cudaMemset(bed->work.out, 0xff, bed->most * sizeof *bed->work.out));
    must(cudaMemset(bed->work.result, 0xff, sizeof *bed->work.result));
}

struct verdict bed_judge(struct bed *bed, const struct rung *rung)
{
    const struct truth *truth = bed->data.truth[rung->shape];
    const size_t n = shape_extent(rung->shape, bed->work.n).answers;
    struct verdict v = {.right = true};
    size_t chain;
    forget(bed);
    run(bed, rung, &chain);
    read_answers(bed, rung);
    /* k additions, each within half a unit in the last place of 24 bits, leave
     * an error of at most k u / (1 - k u) of the magnitudes, u = 2^-24. The
     * true sum's own rounding, 2^-53, is nothing beside that. */
    const double ku = 0x1p-24 * (double)chain;
    const double bound = bed->data.kind == DATA_WHOLE ? 0 : ku / (1 - ku);
    for (size_t i = 0; i < n; i++) {
        const double magnitude = (double)truth[i].magnitude * bed->data.unit;
        const double sum = (double)truth[i].sum * bed->data.unit;
        const double error = fabs(bed->answer[i] - sum);
        v.right = v.right && error <= bound * magnitude; /* not if NaN */
        v.error = fmax(v.error, error / magnitude);
    }
    return v;
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bed_time(struct bed *bed, const struct rung *rung, int runs)
{
    double *seconds = host_room((size_t)runs * sizeof *seconds);
    size_t chain;
    for (int r = -WARM_UP; r < runs; r++) {
        const double s = run(bed, rung, &chain);
        if (r >= 0)
            seconds[r] = s;
    }
    qsort(seconds, (size_t)runs, sizeof *seconds, compare_doubles);
    const double median = seconds[runs / 2];
    free(seconds);
    return median;
}

double bed_ceiling(struct bed *bed, int runs)
{
    const struct rung reading = {.shape = SHAPE_FLAT,
                                 .launch = launch_only_read};
    double best = INFINITY;
    for (bed->work.waves = 8; bed->work.waves <= 32; bed->work.waves *= 2)
        best = fmin(best, bed_time(bed, &reading, runs));
    return best;
}

struct spread bed_spread(struct bed *bed, const struct rung *rung, int runs)
{
    double *answer = host_room((size_t)runs * sizeof *answer);
    size_t chain;
    for (int r = 0; r < runs; r++) {
        run(bed, rung, &chain);
        read_answers(bed, rung);
        answer[r] = bed->answer[0];
    }
    qsort(answer, (size_t)runs, sizeof *answer, compare_doubles);
    struct spread s = {1, answer[0], answer[runs - 1]};
    for (int r = 1; r < runs; r++)
        s.different += answer[r] != answer[r - 1];
    free(answer);
    return s;
}

double bed_truth(const struct bed *bed)
{
    return (double)bed->data.truth[SHAPE_FLAT]->sum * bed->data.unit;
}
