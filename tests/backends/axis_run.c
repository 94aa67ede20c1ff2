/* SPDX-License-Identifier: MIT */
#include "axis_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* SLOT: the most bytes that a result has in one array. GAP: bytes after each
 * array, which kernels must not write. */
enum { SLOT = 16, ARRAYS = 10, GAP = 256, FILL = 0xa5, SURROUNDING = 0xff };

static void check(cudaError_t code, const char *what)
{
    if (code == cudaSuccess)
        return;
    fprintf(stderr, "check_axis: %s: %s\n", what, cudaGetErrorString(code));
    exit(1);
}

static size_t array_bytes(size_t elements)
{
    return elements * SLOT + GAP;
}

bool axis_device_open(struct axis_device *d, size_t elements)
{
    int count = 0, multiprocessors = 0;
    *d = (struct axis_device){.elements = elements};
    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0)
        return false;
    check(cudaDeviceGetAttribute(&multiprocessors,
                                 cudaDevAttrMultiProcessorCount, 0),
          "multiprocessors");
    d->multiprocessors = (unsigned)multiprocessors;
    d->host = malloc(ARRAYS * array_bytes(elements));
    if (!d->host)
        check(cudaErrorMemoryAllocation, "host memory");
    check(cudaMalloc(&d->data, 8 * elements + GAP), "memory for data");
    check(cudaMalloc(&d->results, ARRAYS * array_bytes(elements)),
          "memory for results");
    return true;
}

void axis_device_close(struct axis_device *d)
{
    cudaFree(d->data);
    cudaFree(d->results);
    cudaFree(d->scratch);
    free(d->host);
}

/* Fills the bytes beyond the data so that floats are NaN and integers -1. */
void axis_device_load(struct axis_device *d, const void *data, size_t bytes)
{
    check(cudaMemcpy(d->data, data, bytes, cudaMemcpyHostToDevice), "data");
    check(cudaMemset((char *)d->data + bytes, SURROUNDING, GAP), "data");
}

static void make_scratch(struct axis_device *d, const struct axis_plan *plan)
{
    const size_t bytes = axis_scratch_bytes(plan);
    if (bytes > d->scratch_bytes) {
        cudaFree(d->scratch);
        check(cudaMalloc(&d->scratch, bytes), "scratch memory");
        d->scratch_bytes = bytes;
    }
    if (bytes)
        check(cudaMemset(d->scratch, SURROUNDING, bytes), "scratch memory");
}

static unsigned result_size(const struct axis_run *run, int array)
{
    const unsigned size = dtype_info(run->dtype)->size;
    const unsigned sizes[ARRAYS] = {
        8,    axis_sum_is_wide(run->monoid, run->dtype) ? 16 : 8,
        4,    4,
        4,    4,
        4,    4,
        size, size};
    return sizes[array];
}

/* Whether an array has results of this monoid. */
static bool has_array(const struct axis_run *run, int array)
{
    const bool sum = run->monoid <= AXIS_SUMSQ;
    const bool is_float = dtype_is_float(run->dtype);
    return array == 0   ? sum && is_float
           : array == 1 ? sum && !is_float
           : array < 5  ? run->monoid == AXIS_COUNT
                        : !sum && run->monoid != AXIS_COUNT;
}

static struct axis_results place_results(struct axis_device *d, char *at)
{
    const size_t step = array_bytes(d->elements);
    struct axis_results r = {.value = (double *)at, .integer = at + step};
    r.nan = (uint32_t *)(at + 2 * step);
    r.inf = (uint32_t *)(at + 3 * step);
    r.nonzero = (uint32_t *)(at + 4 * step);
    r.least_at = (uint32_t *)(at + 5 * step);
    r.greatest_at = (uint32_t *)(at + 6 * step);
    r.first_nan = (uint32_t *)(at + 7 * step);
    r.least = at + 8 * step;
    r.greatest = at + 9 * step;
    return r;
}

static bool is_untouched(const struct axis_device *d,
                         const struct axis_run *run)
{
    const size_t step = array_bytes(d->elements);
    for (int array = 0; array < ARRAYS; array++) {
        size_t from = has_array(run, array)
                          ? run->plan.outputs * result_size(run, array)
                          : 0;
        for (; from < run->plan.outputs * SLOT + GAP; from++) {
            if (d->host[array * step + from] != FILL)
                return false;
        }
    }
    return true;
}

static void fetch(struct axis_device *d, struct axis_run *run,
                  const uint64_t *doubtful, uint64_t room)
{
    static uint64_t *list;
    const size_t step = array_bytes(d->elements);
    const size_t bytes = run->plan.outputs * SLOT + GAP;
    for (int array = 0; array < ARRAYS; array++)
        check(cudaMemcpy(d->host + array * step,
                         (char *)d->results + array * step, bytes,
                         cudaMemcpyDeviceToHost),
              "results");
    free(list);
    list = malloc((room + 1) * sizeof *list);
    if (!list)
        check(cudaErrorMemoryAllocation, "host memory");
    check(cudaMemcpy(list, doubtful, (room + 1) * sizeof *list,
                     cudaMemcpyDeviceToHost),
          "doubtful results");
    run->doubtful_count = list[0];
    run->doubtful = list + 1;
    const struct axis_results r = place_results(d, (char *)d->host);
    run->value = r.value;
    run->integer = r.integer;
    run->nan = r.nan;
    run->inf = r.inf;
    run->nonzero = r.nonzero;
    run->least_at = r.least_at;
    run->greatest_at = r.greatest_at;
    run->first_nan = r.first_nan;
    run->least = r.least;
    run->greatest = r.greatest;
}

bool axis_device_run(struct axis_device *d, struct axis_run *run)
{
    const uint64_t room = run->plan.outputs;
    struct axis_job job = {.data = d->data,
                           .shape = run->shape,
                           .plan = run->plan,
                           .divisor = run->mean ? (double)run->shape.length : 0,
                           .skip_nan = run->skip};
    uint64_t *doubtful;
    check(cudaMalloc((void **)&doubtful, (room + 1) * sizeof *doubtful),
          "memory for doubtful results");
    check(cudaMemset(doubtful, 0, (room + 1) * sizeof *doubtful), "memory");
    check(cudaMemset(d->results, FILL, ARRAYS * array_bytes(d->elements)),
          "results");
    make_scratch(d, &run->plan);
    job.results = place_results(d, d->results);
    job.results.doubtful_count = doubtful;
    job.results.doubtful = doubtful + 1;
    job.results.doubtful_room = room;
    job.scratch = d->scratch;
    check(gpu_axis(run->monoid, run->dtype, &job, NULL), "launch");
    check(cudaDeviceSynchronize(), "kernel");
    fetch(d, run, doubtful, room);
    cudaFree(doubtful);
    return is_untouched(d, run);
}
