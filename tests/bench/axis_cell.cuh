// SPDX-License-Identifier: MIT
//
// Measures one reduction along an axis and prints its row of the table.
#pragma once

#include <cstring>

#include "axis_peer.h"
#include "device_timing.cuh"
#include "kernels/axis/launch.h"
#include "reduce/float_format.h"

struct bench {
    struct device_timer timer;
    struct axis_tuning tuning;
    char *data, *results, *scratch, *peer;
    unsigned *out;
    uint64_t *doubtful_count;
    size_t bytes, results_bytes, scratch_bytes, peer_bytes;
    double read, write; /* B/s */
    double worst;       /* least rate so far, as a share of reading alone */
    double worst_bus;
    enum dtype filled;
};

struct cell {
    enum axis_monoid monoid;
    enum dtype dtype;
    struct axis_shape shape;
};

static const char *const monoid_names[] = {"sum",   "sumabs",  "sumsq",
                                           "count", "extrema", "absextrema"};
static const char *const form_names[] = {"tiles", "rows", "columns", "shallow"};

// Uniform floats in [-1, 1), integers of random bits.
static __device__ uint64_t random_bits(uint64_t bits, enum dtype dtype)
{
    const double v = (double)(int64_t)bits * 0x1p-63;
    if (dtype == DTYPE_f64)
        return bits_of_double(v);
    if (dtype == DTYPE_f32)
        return bits_of_float((float)v);
    if (dtype == DTYPE_f16)
        return small_from_double(v, {10, 5, 1});
    return dtype == DTYPE_bf16 ? small_from_double(v, {7, 8, 1}) : bits;
}

static __global__ void fill(char *data, size_t n, enum dtype dtype,
                            unsigned size)
{
    const size_t step = (size_t)gridDim.x * blockDim.x;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += step) {
        const uint64_t bits = random_bits(mix(i), dtype);
        memcpy(data + i * size, &bits, size);
    }
}

static void make_data(struct bench *b, enum dtype dtype)
{
    const unsigned size = dtype_size(dtype);
    if (b->filled == dtype)
        return;
    b->filled = dtype;
    fill<<<132 * 16, 256>>>(b->data, b->bytes / size, dtype, size);
    check(cudaDeviceSynchronize());
}

// Returns the bytes of one result, in all arrays together.
static unsigned result_bytes(const struct cell *c)
{
    const unsigned size = dtype_size(c->dtype);
    if (c->monoid == AXIS_COUNT)
        return 12;
    if (c->monoid > AXIS_COUNT)
        return 2 * size + 12;
    return !dtype_is_float(c->dtype) && axis_sum_is_wide(c->monoid, c->dtype)
               ? 16
               : 8;
}

static struct axis_results place_results(const struct bench *b,
                                         const struct cell *c, uint64_t outputs)
{
    struct axis_results r = {};
    // Each array begins after the end of the one before it, at a multiple of
    // 256.
    char *at = b->results;
    const auto place = [&](unsigned size) {
        char *here = at;
        at += (outputs * size + 255) / 256 * 256;
        return here;
    };
    const unsigned size = dtype_size(c->dtype);
    r.doubtful_count = b->doubtful_count;
    if (c->monoid == AXIS_COUNT) {
        r.nan = (uint32_t *)place(4);
        r.inf = (uint32_t *)place(4);
        r.nonzero = (uint32_t *)place(4);
    } else if (c->monoid > AXIS_COUNT) {
        r.least = place(size);
        r.greatest = place(size);
        r.least_at = (uint32_t *)place(4);
        r.greatest_at = (uint32_t *)place(4);
        r.first_nan = (uint32_t *)place(4);
    } else {
        r.integer = r.value = (double *)place(result_bytes(c));
    }
    return r;
}

static void need(char **memory, size_t *have, size_t bytes)
{
    if (bytes <= *have)
        return;
    check(cudaFree(*memory));
    check(cudaMalloc((void **)memory, bytes));
    *have = bytes;
}

struct measured {
    struct timing t;
    uint64_t doubtful;
};

static struct measured measure(struct bench *b, const struct cell *c,
                               const struct axis_plan *plan)
{
    struct axis_job job = {};
    uint64_t doubtful = 0;
    need(&b->results, &b->results_bytes,
         plan->outputs * result_bytes(c) + 4096);
    need(&b->scratch, &b->scratch_bytes, axis_scratch_bytes(plan));
    make_data(b, c->dtype);
    job.data = b->data;
    job.shape = c->shape;
    job.plan = *plan;
    job.results = place_results(b, c, plan->outputs);
    job.scratch = b->scratch;
    check(cudaMemset(b->doubtful_count, 0, 8));
    check(gpu_axis(c->monoid, c->dtype, &job, NULL));
    check(cudaDeviceSynchronize());
    check(cudaMemcpy(&doubtful, b->doubtful_count, 8, cudaMemcpyDeviceToHost));
    const struct timing t = timed(&b->timer, 1, [&](cudaStream_t stream) {
        return gpu_axis(c->monoid, c->dtype, &job, stream);
    });
    return {t, doubtful};
}

// Returns the seconds that CUB takes, or 0 if CUB cannot do this reduction.
static double peer_seconds(struct bench *b, const struct cell *c)
{
    if (c->monoid != AXIS_SUM || c->dtype != DTYPE_f32 || c->shape.inner != 1)
        return 0;
    const auto run = [&](void *temporary, size_t *bytes, cudaStream_t stream) {
        return axis_peer_sum(temporary, bytes, (const float *)b->data,
                             (float *)b->results, c->shape.outer,
                             c->shape.length, stream);
    };
    size_t bytes = 0;
    if (run(NULL, &bytes, NULL) != cudaSuccess)
        return 0;
    need(&b->peer, &b->peer_bytes, bytes ? bytes : 1);
    bytes = b->peer_bytes;
    return timed(&b->timer, 1,
                 [&](cudaStream_t stream) {
                     return run(b->peer, &bytes, stream);
                 })
        .seconds;
}

static void print_plan(const struct cell *c, const struct axis_plan *p)
{
    struct axis_cost cost = {};
    check(gpu_axis_cost(c->monoid, c->dtype, p, &cost));
    printf(" %s", form_names[p->form]);
    if (p->form == AXIS_TILES)
        printf(", %u lanes, pad %u", 1u << p->lanes_log, p->pad);
    else if (p->form == AXIS_ROWS)
        printf(", team %u", p->team);
    else
        printf(", pack %u", p->pack);
    printf(", %u blocks, parts %llu, %d registers, %d local, %d resident |",
           p->blocks, (unsigned long long)p->partials, cost.registers,
           cost.local, cost.resident);
}

static void print_cell(struct bench *b, const struct cell *c,
                       const struct axis_tuning *tuning, bool peer)
{
    struct axis_plan plan;
    if (!axis_is_supported(c->monoid, c->dtype) ||
        !gpu_axis_plan(&plan, c->monoid, c->dtype, &c->shape, tuning))
        return;
    const struct measured m = measure(b, c, &plan);
    const double bytes = (double)plan.elements * dtype_size(c->dtype);
    const double written = (double)plan.outputs * result_bytes(c);
    const double of_reading = bytes / m.t.seconds / b->read;
    const double of_bus = (bytes / b->read + written / b->write) / m.t.seconds;
    printf("| %s %s | %llu x %llu x %llu | %.1f | %.0f | %.1f | %.3f | %.3f |",
           dtype_info(c->dtype)->name, monoid_names[c->monoid],
           (unsigned long long)c->shape.outer,
           (unsigned long long)c->shape.length,
           (unsigned long long)c->shape.inner, 1e6 * m.t.seconds,
           1e-9 * bytes / m.t.seconds, 100 * m.t.spread, of_reading, of_bus);
    const double p = peer ? peer_seconds(b, c) : 0;
    if (p > 0)
        printf(" %.0f, x %.2f |", 1e-9 * bytes / p, p / m.t.seconds);
    else
        printf(" |");
    printf(" %llu |", (unsigned long long)m.doubtful);
    print_plan(c, &plan);
    printf("\n");
    fflush(stdout);
    b->worst = std::min(b->worst, of_reading);
    b->worst_bus = std::min(b->worst_bus, of_bus);
}

static void print_head(const char *what)
{
    printf("\n%s\n\n| data | outer x length x inner | us | GB/s | spread, %% | "
           "of reading | of the bus | CUB: GB/s, and our rate by its | "
           "doubtful | plan |\n"
           "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
           what);
}
