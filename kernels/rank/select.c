/* SPDX-License-Identifier: MIT */
/* The host's part of a search among elements that are on the device. */
#include "kernels/rank/rank.h"

#include <string.h>

enum { SEEDS = 2, BITS_MOST = 12 };

/* What is left of a search by counting. */
struct counted {
    enum dtype dtype; /* of the elements, or of the keys gathered */
    const void *data;
    size_t n;
    struct gpu_range range;
    uint64_t rank, in_range;
};

/* In the first bytes of a search's memory. */
static uint64_t *counters_in(void *room)
{
    return (uint64_t *)((char *)room + 256);
}

static cudaError_t fetch(void *to, const void *from, size_t bytes,
                         cudaStream_t stream)
{
    const cudaError_t code =
        cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream);
    return code == cudaSuccess ? cudaStreamSynchronize(stream) : code;
}

/* A pass that counts. A rank that is not in the range is that of NaN: then the
 * range becomes all that is not a number. */
static cudaError_t count_pass(struct counted *s, unsigned bits, void *room,
                              const struct gpu_rank_way *way,
                              cudaStream_t stream)
{
    uint64_t count[RANK_COUNTERS];
    struct gpu_ranges ranges = {.n = 0};
    gpu_ranges_add(&ranges, s->range.low, s->range.span, bits);
    const size_t bytes = ranges.bins * sizeof *count;
    cudaError_t code = cudaMemsetAsync(counters_in(room), 0, bytes, stream);
    if (code == cudaSuccess)
        code = gpu_rank_count(s->dtype, s->data, s->n, &ranges,
                              counters_in(room), &way->tuning, stream);
    if (code == cudaSuccess)
        code = fetch(count, counters_in(room), bytes, stream);
    if (code != cudaSuccess)
        return code;
    s->range = ranges.at[0];
    const uint64_t bin = gpu_range_bin(&s->range, count, &s->rank);
    s->in_range = bin < ranges.bins ? count[bin] : 0;
    if (s->in_range > 0)
        gpu_range_enter(&s->range, bin);
    return cudaSuccess;
}

/* Of the range's width: its keys are elements of that type. */
static enum dtype dtype_of_keys(enum dtype dtype)
{
    const unsigned size = dtype_size(dtype);
    return size == 1   ? DTYPE_u8
           : size == 2 ? DTYPE_u16
           : size == 4 ? DTYPE_u32
                       : DTYPE_u64;
}

static cudaError_t gather_pass(struct counted *s, void *room,
                               cudaStream_t stream)
{
    struct gpu_ranges ranges = {.n = 1, .at = {s->range}};
    void *keys = (char *)room + RANK_HEAD;
    uint64_t *used = counters_in(room);
    cudaError_t code = cudaMemsetAsync(used, 0, sizeof *used, stream);
    if (code == cudaSuccess)
        code = gpu_rank_gather(s->dtype, s->data, s->n, &ranges, keys,
                               s->in_range, used, stream);
    s->data = keys;
    s->n = s->in_range;
    s->dtype = dtype_of_keys(s->dtype);
    return code;
}

/* Sets *key; beyond the numbers where the rank is that of NaN. */
static cudaError_t count_to_key(struct counted *s, size_t keys, uint64_t *key,
                                void *room, struct gpu_rank_way *way,
                                cudaStream_t stream)
{
    const unsigned bits =
        way->bits && way->bits < BITS_MOST ? way->bits : BITS_MOST;
    const void *all = s->data;
    cudaError_t code = cudaSuccess;
    s->in_range = s->n;
    while (code == cudaSuccess && s->in_range > 0 && s->range.span > 0) {
        way->passes += s->data == all;
        code = count_pass(s, bits, room, way, stream);
        if (code == cudaSuccess && s->data == all && s->range.span > 0 &&
            s->in_range > 0 && s->in_range <= keys && s->in_range < s->n / 2) {
            way->passes++;
            code = gather_pass(s, room, stream);
        }
    }
    *key = s->in_range > 0 ? s->range.low : UINT64_MAX;
    return code;
}

static cudaError_t select_by_counting(enum dtype dtype, const void *data,
                                      size_t n, const uint64_t rank[2],
                                      uint64_t bits[2], void *room,
                                      struct gpu_rank_way *way,
                                      cudaStream_t stream)
{
    const struct key_order order = key_order(dtype);
    const size_t bytes = gpu_rank_bytes(dtype, n) - RANK_HEAD;
    cudaError_t code = cudaSuccess;
    uint64_t alike = 0; /* elements from rank[0] on with one key */
    for (unsigned i = 0; code == cudaSuccess && i < 2; i++) {
        struct counted s = {.dtype = dtype,
                            .data = data,
                            .n = n,
                            .range = {order.least, order.span, 0, 0},
                            .rank = rank[i]};
        uint64_t key;
        if (i > 0 && rank[1] - rank[0] < alike) {
            bits[1] = bits[0];
            break;
        }
        code = count_to_key(&s, bytes / dtype_size(dtype), &key, room, way,
                            stream);
        bits[i] = key_undo(&order, key);
        alike = s.in_range > 0 ? s.in_range - s.rank : n - rank[i];
    }
    return code;
}

/* Sets *found; the bits of what was found, else, are not. */
static cudaError_t select_by_bracket(enum dtype dtype, const void *data,
                                     size_t n, const uint64_t rank[2],
                                     uint64_t bits[2], uint64_t seed,
                                     void *room, struct gpu_rank_way *way,
                                     bool *found, cudaStream_t stream)
{
    const struct key_order order = key_order(dtype);
    struct rank_target target = {.n = n, .rank = {rank[0], rank[1]}};
    struct rank_target *const on_device = room;
    cudaError_t code = cudaMemcpyAsync(on_device, &target, sizeof target,
                                       cudaMemcpyHostToDevice, stream);
    if (code == cudaSuccess)
        code = gpu_rank_search(dtype, data, n, on_device, seed, room,
                               &way->tuning, stream);
    if (code == cudaSuccess)
        code = fetch(&target, on_device, sizeof target, stream);
    way->passes++;
    *found =
        code == cudaSuccess && !target.has_failed && target.known == RANK_BOTH;
    for (unsigned i = 0; i < 2; i++)
        bits[i] = key_undo(&order, target.key[i] + order.least);
    return code;
}

cudaError_t gpu_rank_select(enum dtype dtype, const void *data, size_t n,
                            const uint64_t rank[2], uint64_t bits[2],
                            void *room, struct gpu_rank_way *way,
                            cudaStream_t stream)
{
    struct gpu_rank_way best = {.bits = 0};
    bool found = false;
    /* Of single bytes, one pass counts every value. */
    const bool by_counting =
        (way && way->by_counting) || dtype_size(dtype) == 1;
    way = way ? way : &best;
    way->passes = 0;
    for (uint64_t i = 0; !found && !by_counting && i < SEEDS; i++) {
        const cudaError_t code = select_by_bracket(
            dtype, data, n, rank, bits, i, room, way, &found, stream);
        if (code != cudaSuccess)
            return code;
    }
    return found ? cudaSuccess
                 : select_by_counting(dtype, data, n, rank, bits, room, way,
                                      stream);
}
