// SPDX-License-Identifier: MIT
//
// bench_kernels [MIB [DTYPE|sizes]]
//
// Times every monoid and dtype on data in GPU memory, beside CUB's reductions
// and beside reading alone (the xor of everything, 16-byte loads); then some of
// them for many sizes. With `sizes` only the latter, up to MIB. Prints medians
// of 9 runs after 2 for warming up, and the spread: the difference between the
// slowest and the fastest of the 9, as a share of the median.
#include "device_timing.cuh"
#include "peers.h"

struct bench {
    struct gpu_chunk chunk;
    struct peer_chunk peer;
    char *data;
    size_t bytes;   /* of the data */
    double ceiling; /* B/s */
    struct device_timer timer;
};

enum kind { RANDOM, HOSTILE, ASCENDING, SOME_NAN };

// Uniform floats in [-1, 1), integers of random bits.
static __device__ uint64_t random_bits(uint64_t bits, enum dtype dtype)
{
    const double v = (double)(int64_t)bits * 0x1p-63;
    switch (dtype) {
    case DTYPE_f64:
        return bits_of_double(v);
    case DTYPE_f32:
        return bits_of_float((float)v);
    case DTYPE_f16:
        return small_from_double(v, {10, 5, 1});
    case DTYPE_bf16:
        return small_from_double(v, {7, 8, 1});
    default:
        return bits;
    }
}

// Makes f32 and f64 with exponents over 200 and 1200 binades.
static __device__ uint64_t hostile_bits(uint64_t bits, enum dtype dtype)
{
    if (dtype == DTYPE_f64)
        return (bits & 0x800fffffffffffff) | (400 + mix(bits) % 1200) << 52;
    return (bits & 0x807fffff) | (20 + mix(bits) % 200) << 23;
}

static __global__ void fill(char *data, size_t n, enum dtype dtype, int size,
                            enum kind kind)
{
    const size_t step = (size_t)gridDim.x * blockDim.x;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += step) {
        uint64_t bits = mix(i);
        if (kind == ASCENDING)
            bits =
                random_bits((uint64_t)((double)i / (double)n * 0x1p63), dtype);
        else if (kind == SOME_NAN && bits % 100 == 0)
            bits = ~0ull;
        else if (kind == HOSTILE)
            bits = hostile_bits(bits, dtype);
        else
            bits = random_bits(bits, dtype);
        memcpy(data + i * size, &bits, size);
    }
}

static struct timing timed_monoids(struct bench *b, unsigned monoids,
                                   enum dtype dtype, int repeats)
{
    check(cudaMemset(b->chunk.result, 0, sizeof *b->chunk.result));
    return timed(&b->timer, repeats, [&](cudaStream_t stream) {
        return gpu_launch(monoids, dtype, &b->chunk, stream);
    });
}

static struct timing timed_peer(struct bench *b, const struct peer *peer,
                                int repeats)
{
    b->peer.n = b->chunk.n;
    return timed(&b->timer, repeats, [&](cudaStream_t stream) {
        return peer->run(&b->peer, stream);
    });
}

static void make_data(struct bench *b, size_t n, enum dtype dtype,
                      enum kind kind)
{
    b->chunk.n = n;
    fill<<<132 * 16, 256>>>(b->data, n, dtype, dtype_info(dtype)->size, kind);
    check(cudaDeviceSynchronize());
}

static void print_cell(struct bench *b, enum dtype dtype, const char *label,
                       unsigned monoids, const char *name, enum monoid monoid)
{
    const double bytes = (double)b->chunk.n * dtype_info(dtype)->size;
    struct timing t = timed_monoids(b, monoids, dtype, 1);
    printf("| %s%s | %s | %.0f | %.1f | %.3f |", dtype_info(dtype)->name, label,
           name, 1e-9 * bytes / t.seconds, 100 * t.spread,
           bytes / t.seconds / b->ceiling);
    const struct peer *peer = peers_of(monoid, dtype);
    for (; peer->name; peer++) {
        struct timing p = timed_peer(b, peer, 1);
        printf(" %s %.0f, x %.2f;", peer->name, 1e-9 * bytes / p.seconds,
               p.seconds / t.seconds);
    }
    printf(" |\n");
    fflush(stdout);
}

static void bench_dtype(struct bench *b, enum dtype dtype, enum kind kind,
                        const char *label)
{
    make_data(b, b->bytes / dtype_info(dtype)->size, dtype, kind);
    for (int m = 0; m < MONOIDS_END; m++)
        print_cell(b, dtype, label, 1u << m, monoids[m].name,
                   kind == RANDOM ? (enum monoid)m : MONOID_count);
    if (dtype_is_float(dtype))
        print_cell(b, dtype, label, MONOID_BIT(sum) | MONOID_BIT(sumsq),
                   "sum+sumsq", MONOID_count);
}

static void bench_all(struct bench *b, const char *only)
{
    const size_t mib = b->bytes >> 20;
    make_data(b, b->bytes / 4, DTYPE_f32, RANDOM);
    struct timing t =
        timed_read(&b->timer, b->data, b->bytes, 1, (unsigned *)b->peer.out);
    b->ceiling = (double)b->bytes / t.seconds;
    printf("%zu MiB resident, only reading: %.0f GB/s, spread %.1f %%\n\n", mib,
           1e-9 * b->ceiling, 100 * t.spread);
    printf("| data | monoid | GB/s | spread, %% | of reading | CUB: GB/s, and "
           "our rate by its |\n| --- | --- | --- | --- | --- | --- |\n");
    for (int d = 0; d < DTYPES_END; d++) {
        if (!only || strcmp(only, dtype_info((enum dtype)d)->name) == 0)
            bench_dtype(b, (enum dtype)d, RANDOM, "");
    }
    if (only)
        return;
    bench_dtype(b, DTYPE_f32, HOSTILE, " hostile");
    bench_dtype(b, DTYPE_f64, HOSTILE, " hostile");
    bench_dtype(b, DTYPE_f32, ASCENDING, " ascending");
    bench_dtype(b, DTYPE_f32, SOME_NAN, " 1 % NaN");
}

/* Data that fit in the cache stay there, for our kernels and for the peers. */
static void bench_sizes(struct bench *b, size_t bytes)
{
    static const struct {
        enum dtype dtype;
        enum monoid monoid;
    } rows[] = {{DTYPE_f32, MONOID_sum},     {DTYPE_f64, MONOID_sum},
                {DTYPE_i8, MONOID_sum},      {DTYPE_f32, MONOID_extrema},
                {DTYPE_f64, MONOID_extrema}, {DTYPE_i64, MONOID_sum}};
    printf("\n| data | monoid | elements | us | reading, us | CUB: us, and our "
           "rate by its |\n| --- | --- | --- | --- | --- | --- |\n");
    for (const auto &row : rows) {
        const int size = dtype_info(row.dtype)->size;
        for (int log = 10; log <= 32 && ((size_t)size << log) <= bytes;
             log += log < 28 ? 2 : 4) {
            const int repeats = log < 26 ? 20 : 1;
            make_data(b, (size_t)1 << log, row.dtype, RANDOM);
            struct timing t =
                timed_monoids(b, 1u << row.monoid, row.dtype, repeats);
            struct timing read =
                timed_read(&b->timer, b->data, (size_t)size << log, repeats,
                           (unsigned *)b->peer.out);
            printf("| %s | %s | 2^%d | %.2f | %.2f |",
                   dtype_info(row.dtype)->name, monoids[row.monoid].name, log,
                   1e6 * t.seconds, 1e6 * read.seconds);
            const struct peer *peer = peers_of(row.monoid, row.dtype);
            for (; peer->name; peer++) {
                struct timing p = timed_peer(b, peer, repeats);
                printf(" %s %.2f, x %.2f;", peer->name, 1e6 * p.seconds,
                       p.seconds / t.seconds);
            }
            printf(" |\n");
            fflush(stdout);
        }
    }
}

int main(int argc, char **argv)
{
    const size_t mib = argc > 1 ? (size_t)atoi(argv[1]) : 4096;
    const char *only = argc > 2 ? argv[2] : NULL;
    const bool sizes = only && strcmp(only, "sizes") == 0;
    struct bench b = {};
    size_t room, total, most;
    b.bytes = mib << 20;
    check(cudaMemGetInfo(&room, &total));
    /* Sizes go up to 2^32 f64 if they fit into half of the free memory. The
     * rest has room for the nodes of products, which are few. */
    most = std::min((size_t)8 << 32, room / 2);
    most = only ? b.bytes : std::max(most, b.bytes);
    check(cudaMalloc((void **)&b.data, most));
    check(cudaMalloc((void **)&b.chunk.result, sizeof *b.chunk.result));
    check(cudaMalloc(&b.chunk.scratch, gpu_scratch_bytes(1)));
    check(cudaMalloc((void **)&b.chunk.node,
                     (b.bytes / PROD_LEAF + 1) * sizeof *b.chunk.node));
    check(cudaMalloc(&b.peer.temporary, PEER_BYTES));
    check(cudaMalloc(&b.peer.out, 64));
    check(cudaMalloc(&b.peer.out_index, 64));
    open_timer(&b.timer);
    b.chunk.data = b.peer.data = b.data;
    if (!sizes)
        bench_all(&b, only);
    if (!only || sizes)
        bench_sizes(&b, most);
    return 0;
}
