// SPDX-License-Identifier: MIT
// Finds the numbers of the rows' keys. The text of a key is that of by/key.h,
// as on the CPU.
#include "kernels/by/dictionary.cuh"
#include "kernels/common/source.cuh"
#include "kernels/csv/tiles.cuh"

// Appends a byte. Returns false if the key is full.
static DEVICE bool append(struct gpu_by_key *key, unsigned char byte)
{
    if (key->bytes == GPU_BY_BYTES)
        return false;
    key->word[key->bytes / 8] |= (uint64_t)byte << 8 * (key->bytes % 8);
    key->bytes++;
    return true;
}

// Narrows a cell to its text, which is empty if it is missing. False: the host
// has to read it.
static DEVICE bool find_text(const struct gpu_csv_spec &spec,
                             const struct gpu_csv_keys &keys, bool is_last,
                             const unsigned char **from,
                             const unsigned char **to)
{
    if (!csv_cell_text(from, to, is_last, spec.dialect))
        return false;
    const enum gpu_csv_kind kind = gpu_csv_kind_of(&keys.words, *from, *to);
    if (kind == GPU_CSV_MISSING)
        *to = *from;
    return kind != GPU_CSV_LISTED &&
           (kind != GPU_CSV_MISSING || !keys.missing_is_error);
}

// Appends a column's text, with its length unless it is the last one. A quote
// that remains is a doubled one: returns false, and the CPU takes the chunk.
static DEVICE bool append_text(struct gpu_by_key *key, const unsigned char *p,
                               const unsigned char *end, bool is_last,
                               struct csv_dialect dialect)
{
    static_assert(GPU_BY_BYTES < 128, "a length is one byte");
    if (end - p > GPU_BY_BYTES)
        return false;
    bool ok = is_last || append(key, (unsigned char)(end - p));
    for (; ok && p < end; p++)
        ok = append(key, *p) && !(dialect.quotes && *p == dialect.quote);
    return ok;
}

static DEVICE bool read_key(const struct gpu_csv_spec &spec,
                            const struct gpu_csv_keys &keys,
                            const struct gpu_csv_chunk &chunk, unsigned row,
                            struct gpu_by_key *key)
{
    bool ok = true;
    *key = {};
    for (unsigned k = 0; ok && k < keys.columns; k++) {
        const unsigned field = keys.field_of[k];
        const struct gpu_csv_cell cell =
            find_cell(spec, chunk.to, row, 0, field);
        const unsigned char *p = chunk.text + cell.offset;
        const unsigned char *end = p + cell.length;
        ok = find_text(spec, keys, field == spec.fields - 1, &p, &end) &&
             append_text(key, p, end, k + 1 == keys.columns, spec.dialect);
    }
    return ok;
}

static __global__ __launch_bounds__(THREADS) void csv_keys_kernel(
    const __grid_constant__ struct gpu_csv_spec spec,
    const __grid_constant__ struct gpu_csv_keys keys,
    const __grid_constant__ struct gpu_csv_chunk chunk)
{
    const struct gpu_csv_buffers &to = chunk.to;
    if (to.totals->stray || to.totals->overflow || to.totals->ragged != ~0u)
        return;
    bool lacks = false;
    for (unsigned row = blockIdx.x * THREADS + threadIdx.x;
         row < to.totals->rows; row += gridDim.x * THREADS) {
        struct gpu_by_key key;
        unsigned number = (unsigned)GPU_BY_NONE;
        if (read_key(spec, keys, chunk, row, &key))
            number = find_key(keys.dictionary, key);
        keys.number[row] = number;
        lacks |= number == (unsigned)GPU_BY_NONE;
    }
    if (lacks)
        atomicOr(&to.totals->unkeyed, 1u);
}

cudaError_t csv_find_keys(const struct gpu_csv_spec *spec,
                          const struct gpu_csv_keys *keys,
                          const struct gpu_csv_chunk *chunk,
                          cudaStream_t stream)
{
    csv_keys_kernel<<<grid_for(chunk->bytes, 1, 1, 8), THREADS, 0, stream>>>(
        *spec, *keys, *chunk);
    return cudaGetLastError();
}
