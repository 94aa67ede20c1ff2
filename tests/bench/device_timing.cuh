// SPDX-License-Identifier: MIT
//
// Shared by the benchmarks of kernels: launches timed on the device, and the
// ceiling, reading alone.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime_api.h>

struct device_timer {
    cudaStream_t stream;
    cudaEvent_t start, end;
};

struct timing {
    double seconds, spread; /* of a launch */
};

static void check(cudaError_t code)
{
    if (code != cudaSuccess) {
        fprintf(stderr, "bench: %s\n", cudaGetErrorString(code));
        exit(1);
    }
}

static inline void open_timer(struct device_timer *t)
{
    check(cudaStreamCreateWithFlags(&t->stream, cudaStreamNonBlocking));
    check(cudaEventCreate(&t->start));
    check(cudaEventCreate(&t->end));
}

static __device__ uint64_t mix(uint64_t x)
{
    x = (x + 1) * 0x9e3779b97f4a7c15ull;
    x ^= x >> 31;
    x *= 0xbf58476d1ce4e5b9ull;
    return x ^ x >> 29;
}

static __device__ void take(uint4 *a, const uint4 &x)
{
    a->x ^= x.x;
    a->y ^= x.y;
    a->z ^= x.z;
    a->w ^= x.w;
}

static __global__ void only_read(const uint4 *p, size_t n, unsigned *out)
{
    uint4 a = {0, 0, 0, 0};
    size_t step = (size_t)gridDim.x * blockDim.x;
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    for (; i + 3 * step < n; i += 4 * step) {
        uint4 x = __ldcs(p + i), y = __ldcs(p + i + step);
        uint4 z = __ldcs(p + i + 2 * step), w = __ldcs(p + i + 3 * step);
        take(&a, x);
        take(&a, y);
        take(&a, z);
        take(&a, w);
    }
    for (; i < n; i += step)
        take(&a, __ldcs(p + i));
    if ((a.x ^ a.y ^ a.z ^ a.w) == 0x12345678)
        *out = 1;
}

// Times a launch. A graph replays it `repeats` times, so the time is the
// device's and does not depend on how fast the host launches. Returns the
// median of 9 runs after 2 to warm up, and the spread: slowest minus fastest,
// as a share of the median.
template <class F>
static struct timing timed(const struct device_timer *t, int repeats, F launch)
{
    enum { RUNS = 9, WARM = 2 };
    std::vector<double> seconds;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    check(cudaStreamBeginCapture(t->stream, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < repeats; i++)
        check(launch(t->stream));
    check(cudaStreamEndCapture(t->stream, &graph));
    check(cudaGraphInstantiate(&exec, graph, 0));
    for (int r = 0; r < WARM + RUNS; r++) {
        float ms;
        check(cudaEventRecord(t->start, t->stream));
        check(cudaGraphLaunch(exec, t->stream));
        check(cudaEventRecord(t->end, t->stream));
        check(cudaEventSynchronize(t->end));
        check(cudaEventElapsedTime(&ms, t->start, t->end));
        if (r >= WARM)
            seconds.push_back(1e-3 * ms / repeats);
    }
    check(cudaGraphExecDestroy(exec));
    check(cudaGraphDestroy(graph));
    std::sort(seconds.begin(), seconds.end());
    const double median = seconds[RUNS / 2];
    return {median, (seconds.back() - seconds.front()) / median};
}

// Returns the best time of several grids. `out` is a word in device memory.
static struct timing timed_read(const struct device_timer *t, const void *data,
                                size_t bytes, int repeats, unsigned *out)
{
    struct timing best = {1e9, 0};
    int multiprocessors = 1;
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    /* At most one vector for each thread. */
    const size_t most = bytes / 16 / 256 + 1;
    for (int times = 1; times <= 32; times *= 2) {
        const size_t blocks = (size_t)multiprocessors * times;
        struct timing now = timed(t, repeats, [&](cudaStream_t stream) {
            only_read<<<(unsigned)std::min(blocks, most), 256, 0, stream>>>(
                (const uint4 *)data, bytes / 16, out);
            return cudaGetLastError();
        });
        best = now.seconds < best.seconds ? now : best;
    }
    return best;
}
