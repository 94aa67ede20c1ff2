/* SPDX-License-Identifier: MIT */
/* The host's part of sets: memory, growth, and adding to them. */
#include "kernels/distinct/distinct.h"

#include "kernels/distinct/set_state.h"

cudaError_t gpu_set_clear(struct gpu_set *s, cudaStream_t stream)
{
    const cudaError_t code =
        cudaMemsetAsync(s->tally, 0, sizeof *s->tally, stream);
    s->is_fresh = true;
    s->most = 0;
    return code == cudaSuccess ? cudaStreamSynchronize(stream) : code;
}

cudaError_t gpu_set_open(struct gpu_set *s, enum dtype dtype,
                         cudaStream_t stream)
{
    *s = (struct gpu_set){.dtype = dtype, .many = SET_MANY};
    cudaError_t code = cudaMalloc((void **)&s->tally, sizeof *s->tally);
    if (code == cudaSuccess && set_size(s) == 4)
        code = cudaMalloc(&s->at, SET_BITS_32 / 8);
    return code == cudaSuccess ? gpu_set_clear(s, stream) : code;
}

static void free_room(struct gpu_set *s)
{
    cudaFree(s->room);
    s->room = NULL;
    s->room_bytes = 0;
}

void gpu_set_close(struct gpu_set *s)
{
    free_room(s);
    cudaFree(s->at);
    cudaFree(s->tally);
    s->at = NULL;
    s->tally = NULL;
}

/* Moves a table with keys to a larger one. */
static cudaError_t move_to(struct gpu_set *s, void *to, uint32_t parts)
{
    cudaError_t code =
        cudaMemset(to, 0, (size_t)parts * SET_SLOTS * sizeof(uint64_t));
    if (code == cudaSuccess)
        code = gpu_set64_move(s->at, s->parts, to, parts, s->tally, NULL);
    return code == cudaSuccess ? cudaDeviceSynchronize() : code;
}

static cudaError_t take_slots(void **to, uint32_t parts)
{
    const cudaError_t code =
        cudaMalloc(to, (size_t)parts * SET_SLOTS * sizeof(uint64_t));
    if (code != cudaSuccess)
        cudaGetLastError(); /* clears it: the next launch would report it */
    return code;
}

static cudaError_t grow(struct gpu_set *s, uint64_t keys)
{
    const uint32_t twice = 2 * s->parts, need = set_parts_for(keys);
    uint32_t parts = need > twice ? need : twice;
    void *to = NULL;
    cudaError_t code = take_slots(&to, parts);
    if (code == cudaErrorMemoryAllocation && s->room) {
        free_room(s);
        code = take_slots(&to, parts);
    }
    if (code == cudaErrorMemoryAllocation && parts > need) {
        parts = need;
        code = take_slots(&to, parts);
    }
    if (code == cudaSuccess && !s->is_fresh)
        code = move_to(s, to, parts);
    if (code != cudaSuccess) {
        cudaFree(to);
        return code;
    }
    cudaFree(s->at);
    s->at = to;
    s->parts = parts;
    return cudaSuccess;
}

/* Empties a bitmap, or a table's slots, that no kernel has written. */
static cudaError_t freshen(struct gpu_set *s)
{
    const size_t bytes =
        set_size(s) == 4 ? SET_BITS_32 / 8 : set_slots(s) * sizeof(uint64_t);
    cudaError_t code = cudaMemset(s->at, 0, bytes);
    if (code == cudaSuccess)
        code = cudaDeviceSynchronize();
    s->is_fresh = code != cudaSuccess;
    return code;
}

static bool has_room(const struct gpu_set *s, size_t n)
{
    return s->parts > 0 && s->most + n <= set_room(s->parts);
}

/* Makes a table have room for n keys more. */
static cudaError_t make_room(struct gpu_set *s, size_t n)
{
    struct gpu_set_tally tally;
    cudaError_t code = cudaSuccess;
    if (!has_room(s, n)) {
        code = set_fetch_tally(s, &tally);
        if (code == cudaSuccess)
            s->most = tally.n;
        if (code == cudaSuccess && !has_room(s, n))
            code = grow(s, s->most + n);
    }
    if (code == cudaSuccess)
        s->most += n;
    return code;
}

/* Bytes of buckets for n elements; 0 if they cannot be added from buckets. */
static size_t bucket_bytes(const struct gpu_set *s, size_t n)
{
    const uint32_t parts = set_size(s) == 4 ? SET_PARTS_32 : s->parts;
    if (n < s->many || parts > SET_PARTS_MOST ||
        (set_size(s) == 8 && !gpu_set64_fits()))
        return 0;
    const struct set_buckets b = set_buckets_for(n, parts);
    return set_buckets_bytes(&b, set_size(s));
}

/* Makes room for buckets of n elements if memory allows. */
static void reserve_buckets(struct gpu_set *s, size_t n)
{
    const size_t bytes = bucket_bytes(s, n);
    if (bytes <= s->room_bytes)
        return;
    free_room(s);
    if (cudaMalloc(&s->room, bytes) == cudaSuccess)
        s->room_bytes = bytes;
    else
        cudaGetLastError(); /* clears it: the next launch would report it */
}

cudaError_t gpu_set_reserve(struct gpu_set *s, size_t n)
{
    cudaError_t code = cudaSuccess;
    if (set_size(s) < 4 || n == 0)
        return cudaSuccess;
    if (set_size(s) == 8)
        code = make_room(s, n);
    if (code == cudaSuccess && s->is_fresh)
        code = freshen(s);
    if (code == cudaSuccess)
        reserve_buckets(s, n);
    return code;
}

static cudaError_t add_singly(struct gpu_set *s, const void *data, size_t n,
                              cudaStream_t stream)
{
    return set_size(s) == 4
               ? gpu_set32_add(s->dtype, data, n, s->at, &s->tally->n, stream)
               : gpu_set64_add(s->dtype, data, n, s->at, s->parts, s->tally,
                               stream);
}

static cudaError_t add_buckets(struct gpu_set *s, const void *data, size_t n,
                               cudaStream_t stream)
{
    cudaError_t code = cudaDeviceSynchronize();
    if (code != cudaSuccess)
        return code;
    code = set_size(s) == 4
               ? gpu_set32_add_many(s->dtype, data, n, s->room, s->at, stream)
               : gpu_set64_add_many(s->dtype, data, n, s->room, s->at, s->parts,
                                    s->tally, stream);
    return code == cudaSuccess ? cudaDeviceSynchronize() : code;
}

static cudaError_t fetch_added(const struct gpu_set *s, uint64_t *n)
{
    return cudaMemcpy(n, &s->tally->n, sizeof *n, cudaMemcpyDeviceToHost);
}

/* Adds n elements one by one, and sets whether most were new. Waits for them.
 * Other streams may add at the same time, which makes it imprecise. */
static cudaError_t add_sample(struct gpu_set *s, const void *data, size_t n,
                              bool *are_new, cudaStream_t stream)
{
    uint64_t before, after;
    cudaError_t code = fetch_added(s, &before);
    if (code == cudaSuccess)
        code = add_singly(s, data, n, stream);
    if (code == cudaSuccess)
        code = cudaStreamSynchronize(stream);
    if (code == cudaSuccess)
        code = fetch_added(s, &after);
    *are_new = code == cudaSuccess && after - before > n / 2;
    return code;
}

cudaError_t gpu_set_add(struct gpu_set *s, const void *data, size_t n,
                        cudaStream_t stream)
{
    const unsigned size = set_size(s);
    if (n == 0)
        return cudaSuccess;
    if (size < 4)
        return gpu_bits16_add(data, n * size, s->tally->narrow, stream);
    const size_t sample = s->many / 64, bytes = bucket_bytes(s, n);
    const char *rest = (const char *)data + sample * size;
    if (bytes == 0 || bytes > s->room_bytes)
        return add_singly(s, data, n, stream);
    bool are_new;
    const cudaError_t code = add_sample(s, data, sample, &are_new, stream);
    if (code != cudaSuccess)
        return code;
    return (are_new ? add_buckets : add_singly)(s, rest, n - sample, stream);
}
