/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
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

void fixture_open(struct fixture *fixture, size_t n)
{
    struct work *w = &fixture->work;
    *fixture = (struct fixture){.work.n = n};
    for (int s = 0; s < SHAPES_END; s++) {
        const size_t answers = shape_extent(s, n).answers;
        fixture->answers_max =
            answers > fixture->answers_max ? answers : fixture->answers_max;
    }
    must(cudaDeviceGetAttribute(&w->multiprocessors,
                                cudaDevAttrMultiProcessorCount, 0));
    w->in = device_room(n * sizeof *w->in);
    fixture->pristine = device_room(n * sizeof *w->in);
    w->out = device_room(fixture->answers_max * sizeof *w->out);
    for (int i = 0; i < 2; i++)
        w->partial[i] = device_room(n / 512 * sizeof *w->in);
    w->result = device_room(sizeof *w->result);
    w->scratch = device_room(gpu_scratch_bytes(1));
    fixture->answer = host_room(fixture->answers_max * sizeof *fixture->answer);
    must(cudaEventCreate(&fixture->start));
    must(cudaEventCreate(&fixture->stop));
}

void fixture_close(struct fixture *fixture)
{
    struct work *w = &fixture->work;
    void *device[] = {
        w->in,     w->out,    w->partial[0], w->partial[1], fixture->pristine,
        w->result, w->scratch};
    for (size_t i = 0; i < sizeof device / sizeof *device; i++)
        cudaFree(device[i]);
    cudaEventDestroy(fixture->start);
    cudaEventDestroy(fixture->stop);
    free(fixture->answer);
    data_close(&fixture->data);
}

static void restore(struct fixture *fixture)
{
    must(cudaMemcpyAsync(fixture->work.in, fixture->pristine,
                         fixture->work.n * sizeof *fixture->work.in,
                         cudaMemcpyDeviceToDevice, 0));
}

void fixture_load(struct fixture *fixture, enum data_kind kind)
{
    const size_t columns = fixture->work.n / LONG_ROWS;
    float *row = host_room(columns * sizeof *row);
    data_close(&fixture->data);
    if (!data_open(&fixture->data, kind, fixture->work.n))
        fail("no memory");
    for (size_t r = 0; r < LONG_ROWS; r++) {
        data_row(&fixture->data, r, row);
        must(cudaMemcpy(fixture->pristine + r * columns, row,
                        columns * sizeof *row, cudaMemcpyHostToDevice));
    }
    free(row);
    restore(fixture);
}

/* Runs a rung and returns its seconds. Restores the input if the rung
 * overwrites it. */
static double run(struct fixture *fixture, const struct rung *rung,
                  size_t *chain)
{
    const struct extent extent = shape_extent(rung->shape, fixture->work.n);
    float ms;
    fixture->work.rows = extent.rows;
    fixture->work.columns = extent.columns;
    must(cudaEventRecord(fixture->start, 0));
    must(rung->launch(&fixture->work, chain));
    must(cudaEventRecord(fixture->stop, 0));
    if (rung->overwrites_input)
        restore(fixture);
    must(cudaDeviceSynchronize());
    must(cudaEventElapsedTime(&ms, fixture->start, fixture->stop));
    return 1e-3 * ms;
}

/* Reads the result of the exact kernel as the tool does, and rounds it once. */
static double exact_answer(const struct work *w)
{
    struct gpu_result r;
    union state sum;
    const struct chunk chunk = {.n = w->n};
    must(cudaMemcpy(&r, w->result, sizeof r, cudaMemcpyDeviceToHost));
    cuda_read_state(MONOID_sum, DTYPE_f32, &sum, &r, &chunk, NULL);
    return finish_quotient(&sum.exact, 1, false, NULL);
}

/* Copies the answers of the last run to fixture->answer. */
static void read_answers(struct fixture *fixture, const struct rung *rung)
{
    const size_t n = shape_extent(rung->shape, fixture->work.n).answers;
    if (rung->exact) {
        fixture->answer[0] = exact_answer(&fixture->work);
        return;
    }
    float *out = host_room(n * sizeof *out);
    must(cudaMemcpy(out, fixture->work.out, n * sizeof *out,
                    cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < n; i++)
        fixture->answer[i] = out[i];
    free(out);
}

/* Overwrites all outputs, so that a rung cannot pass with the answers of
 * another. */
static void clear_outputs(struct fixture *fixture)
{
    must(cudaMemset(fixture->work.out, 0xff,
                    fixture->answers_max * sizeof *fixture->work.out));
    must(cudaMemset(fixture->work.result, 0xff, sizeof *fixture->work.result));
}

struct verdict fixture_judge(struct fixture *fixture, const struct rung *rung)
{
    const struct exact_sum *expected = fixture->data.expected[rung->shape];
    const size_t n = shape_extent(rung->shape, fixture->work.n).answers;
    struct verdict v = {.right = true};
    size_t chain;
    clear_outputs(fixture);
    run(fixture, rung, &chain);
    read_answers(fixture, rung);
    /* k additions, each within half a unit in the last place of 24 bits, leave
     * an error of at most k u / (1 - k u) of the magnitudes, u = 2^-24. The
     * true sum itself is rounded by 2^-53, which is negligible. */
    const double ku = 0x1p-24 * (double)chain;
    const double bound = fixture->data.kind == DATA_WHOLE ? 0 : ku / (1 - ku);
    for (size_t i = 0; i < n; i++) {
        const double magnitude =
            (double)expected[i].magnitude * fixture->data.unit;
        const double sum = (double)expected[i].sum * fixture->data.unit;
        const double error = fabs(fixture->answer[i] - sum);
        v.right = v.right && error <= bound * magnitude; /* false for NaN */
        v.error = fmax(v.error, error / magnitude);
    }
    return v;
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double fixture_time(struct fixture *fixture, const struct rung *rung, int runs)
{
    double *seconds = host_room((size_t)runs * sizeof *seconds);
    size_t chain;
    for (int r = -WARM_UP; r < runs; r++) {
        const double s = run(fixture, rung, &chain);
        if (r >= 0)
            seconds[r] = s;
    }
    qsort(seconds, (size_t)runs, sizeof *seconds, compare_doubles);
    const double median = seconds[runs / 2];
    free(seconds);
    return median;
}

double fixture_ceiling(struct fixture *fixture, int runs)
{
    const struct rung reading = {.shape = SHAPE_FLAT,
                                 .launch = launch_only_read};
    double best = INFINITY;
    for (fixture->work.waves = 8; fixture->work.waves <= 32;
         fixture->work.waves *= 2)
        best = fmin(best, fixture_time(fixture, &reading, runs));
    return best;
}

struct spread fixture_spread(struct fixture *fixture, const struct rung *rung,
                             int runs)
{
    double *answer = host_room((size_t)runs * sizeof *answer);
    size_t chain;
    for (int r = 0; r < runs; r++) {
        run(fixture, rung, &chain);
        read_answers(fixture, rung);
        answer[r] = fixture->answer[0];
    }
    qsort(answer, (size_t)runs, sizeof *answer, compare_doubles);
    struct spread s = {1, answer[0], answer[runs - 1]};
    for (int r = 1; r < runs; r++)
        s.different += answer[r] != answer[r - 1];
    free(answer);
    return s;
}

double fixture_exact_sum(const struct fixture *fixture)
{
    return (double)fixture->data.expected[SHAPE_FLAT]->sum * fixture->data.unit;
}
