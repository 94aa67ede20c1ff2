// SPDX-License-Identifier: MIT
//
// bench_kernels [MIB]
//
// Every monoid x dtype on data that is resident on the device, beside the
// read-only ceiling (the xor of everything, 16-byte loads) of the same run.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "launch.h"

static void check(cudaError_t code)
{
    if (code != cudaSuccess) {
        fprintf(stderr, "bench_kernels: %s\n", cudaGetErrorString(code));
        exit(1);
    }
}

static __device__ uint64_t mix(uint64_t x)
{
    x = (x + 1) * 0x9e3779b97f4a7c15ull;
    x ^= x >> 31;
    x *= 0xbf58476d1ce4e5b9ull;
    return x ^ x >> 29;
}

// Uniform floats in [-1, 1), integers of random bits; hostile: any exponent.
static __global__ void fill(char *data, size_t n, enum dtype dtype, int size,
                            bool hostile)
{
    size_t step = (size_t)gridDim.x * blockDim.x;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += step) {
        uint64_t bits = mix(i);
        double v = (double)(int64_t)bits * 0x1p-63;
        if (dtype == DTYPE_f64)
            bits = hostile ? (bits & 0x800fffffffffffff) |
                                 (400 + mix(bits) % 1200) << 52
                           : bits_of_double(v);
        else if (dtype == DTYPE_f32)
            bits = hostile ? (bits & 0x807fffff) |
                                 (20 + mix(bits) % 200) << 23
                           : bits_of_float((float)v);
        else if (dtype == DTYPE_f16)
            bits = small_from_double(v, 10, 15);
        else if (dtype == DTYPE_bf16)
            bits = small_from_double(v, 7, 127);
        memcpy(data + i * size, &bits, size);
    }
}

static __global__ void only_read(const uint4 *p, size_t n, unsigned *out)
{
    uint4 a = {0, 0, 0, 0};
    size_t step = (size_t)gridDim.x * blockDim.x;
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    for (; i + 3 * step < n; i += 4 * step) {
        uint4 x = __ldcs(p + i), y = __ldcs(p + i + step);
        uint4 z = __ldcs(p + i + 2 * step), w = __ldcs(p + i + 3 * step);
        a.x ^= x.x ^ y.x ^ z.x ^ w.x;
        a.y ^= x.y ^ y.y ^ z.y ^ w.y;
        a.z ^= x.z ^ y.z ^ z.z ^ w.z;
        a.w ^= x.w ^ y.w ^ z.w ^ w.w;
    }
    if ((a.x ^ a.y ^ a.z ^ a.w) == 0x12345678)
        *out = 1;
}

// Median seconds of a launch.
template <class F> static double timed(F launch)
{
    std::vector<float> ms;
    cudaEvent_t a, b;
    check(cudaEventCreate(&a));
    check(cudaEventCreate(&b));
    for (int r = 0; r < 11; r++) {
        float t;
        check(cudaEventRecord(a));
        launch();
        check(cudaEventRecord(b));
        check(cudaEventSynchronize(b));
        check(cudaEventElapsedTime(&t, a, b));
        if (r >= 2)
            ms.push_back(t);
    }
    std::sort(ms.begin(), ms.end());
    cudaEventDestroy(a);
    cudaEventDestroy(b);
    return 1e-3 * ms[ms.size() / 2];
}

int main(int argc, char **argv)
{
    size_t mib = argc > 1 ? (size_t)atoi(argv[1]) : 4096, bytes = mib << 20;
    struct gpu_chunk c = {};
    char *data;
    check(cudaMalloc((void **)&data, bytes));
    check(cudaMalloc((void **)&c.result, sizeof *c.result));
    check(cudaMalloc(&c.scratch, GPU_SCRATCH_BYTES));
    check(cudaMalloc((void **)&c.node, (bytes / PROD_LEAF + 1) * sizeof *c.node));
    check(cudaMemset(data, 1, bytes));
    double ceiling = 0;
    for (int waves = 8; waves <= 32; waves *= 2) {
        double t = timed([&] {
            only_read<<<132 * waves, 256>>>((uint4 *)data, bytes / 16,
                                            (unsigned *)c.scratch);
        });
        ceiling = std::max(ceiling, 1e-9 * (double)bytes / t);
    }
    printf("%zu MiB resident, only reading: %.0f GB/s; GB/s and share\n\n",
           mib, ceiling);
    printf("| dtype |");
    for (int m = 0; m < MONOIDS_END; m++)
        printf(" %s |", monoid_name((enum monoid)m));
    printf(" sum+sumsq |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (int row = 0; row < DTYPES_END + 2; row++) {
        bool hostile = row >= DTYPES_END;
        enum dtype d = hostile ? (row == DTYPES_END ? DTYPE_f32 : DTYPE_f64)
                               : (enum dtype)row;
        int size = dtype_info(d)->size;
        c.data = data;
        c.n = bytes / size;
        fill<<<132 * 16, 256>>>(data, c.n, d, size, hostile);
        check(cudaDeviceSynchronize());
        printf("| %s%s |", dtype_info(d)->name, hostile ? " hostile" : "");
        for (int m = 0; m <= MONOIDS_END; m++) {
            const unsigned monoids =
                m < MONOIDS_END ? 1u << m : MONOID_BIT(sum) | MONOID_BIT(sumsq);
            check(cudaMemset(c.result, 0, sizeof *c.result));
            double t = timed([&] {
                check(cudaMemsetAsync(c.result->ticket, 0,
                                      sizeof c.result->ticket));
                check(gpu_launch(monoids, d, &c, 0));
            });
            double rate = 1e-9 * (double)bytes / t;
            printf(" %4.0f %4.2f |", rate, rate / ceiling);
        }
        printf("\n");
        fflush(stdout);
    }
    return 0;
}
