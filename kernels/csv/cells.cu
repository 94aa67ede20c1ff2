// SPDX-License-Identifier: MIT
// Parses the wanted cells into numbers.
#include "csv/number/number.h"
#include "kernels/csv/tiles.cuh"
#include "kernels/common/source.cuh"

// How cells of a float type are parsed and stored; below, those of integers.
template <enum dtype D> struct float_cells {
    static DEVICE enum number_kind parse(const struct gpu_csv_spec &spec,
                                         const char *p, const char *end,
                                         uint64_t *bits)
    {
        return number_float(D, p, end, spec.powers, bits);
    }

    // Whether the cell may be an integer that f64 cannot hold; the host reads
    // those.
    static DEVICE bool is_wide(const unsigned char *p, const unsigned char *end)
    {
        return D == DTYPE_f64 && end - p >= NUMBER_WIDE_DIGITS &&
               number_is_integer((const char *)p, (const char *)end);
    }

    static DEVICE void put(void *value, size_t at, uint64_t bits, enum dtype)
    {
        typedef storage_of<D> S;
        ((S *)value)[at] = (S)bits;
    }
};

struct integer_cells {
    static DEVICE enum number_kind parse(const struct gpu_csv_spec &spec,
                                         const char *p, const char *end,
                                         uint64_t *bits)
    {
        return number_integer(spec.dtype, p, end, bits);
    }

    static DEVICE bool is_wide(const unsigned char *, const unsigned char *)
    {
        return false;
    }

    static DEVICE void put(void *value, size_t at, uint64_t bits,
                           enum dtype dtype)
    {
        switch (dtype) {
        case DTYPE_i8:
        case DTYPE_u8:
            ((uint8_t *)value)[at] = (uint8_t)bits;
            break;
        case DTYPE_i16:
        case DTYPE_u16:
            ((uint16_t *)value)[at] = (uint16_t)bits;
            break;
        case DTYPE_i32:
        case DTYPE_u32:
            ((uint32_t *)value)[at] = (uint32_t)bits;
            break;
        default:
            ((uint64_t *)value)[at] = bits;
        }
    }
};

// Parses a cell, stores its value if it is a number, and returns its kind.
template <class CELLS, bool NOTATION>
static DEVICE enum gpu_csv_kind
take_cell(const struct gpu_csv_spec &spec, const struct gpu_csv_chunk &chunk,
          const struct gpu_csv_cell &cell, bool last)
{
    const unsigned char *p = chunk.text + cell.offset, *end = p + cell.length;
    if (!csv_cell_text(&p, &end, last, spec.dialect))
        return GPU_CSV_LISTED;
    const enum gpu_csv_kind kind =
        NOTATION ? gpu_csv_kind_in(&spec.notation, &spec.words, p, end)
                 : gpu_csv_kind_of(&spec.words, p, end);
    if (kind != GPU_CSV_NUMBER)
        return kind;
    if (NOTATION) {
        // In place: the host has its own copy of the text.
        char *plain = (char *)p;
        const size_t n = csv_make_plain(&spec.notation, (const char *)p,
                                        (const char *)end, plain);
        end = p + n;
        if (n == 0)
            return GPU_CSV_LISTED;
    }
    uint64_t bits;
    if (CELLS::parse(spec, (const char *)p, (const char *)end, &bits) !=
        NUMBER_OK)
        return GPU_CSV_LISTED;
    if (CELLS::is_wide(p, end))
        return GPU_CSV_LISTED;
    CELLS::put(chunk.to.value, cell.column * chunk.to.pitch + cell.row, bits,
               spec.dtype);
    return GPU_CSV_NUMBER;
}

// Appends to the list the cells of the lanes where `listed` is true. The whole
// warp calls it.
static DEVICE void list_cell(struct gpu_csv_buffers to,
                             const gpu_csv_cell &cell, bool listed)
{
    const unsigned lane = threadIdx.x % 32;
    const unsigned lanes = __ballot_sync(~0u, listed);
    if (lanes == 0)
        return;
    unsigned at = 0;
    if (lane == 0)
        at = atomicAdd(&to.totals->listed, __popc(lanes));
    at = __shfl_sync(~0u, at, 0) + __popc(lanes & ((1u << lane) - 1));
    if (listed && at < to.room.listed)
        to.list[at] = cell;
}

// A warp parses 32 rows of one column, whose texts are about equally long.
// Neighbouring warps take the next columns, which share its cache lines.
template <class CELLS, bool NOTATION>
static __global__ __launch_bounds__(THREADS) void csv_cells_kernel(
    const __grid_constant__ struct gpu_csv_spec spec,
    const __grid_constant__ struct gpu_csv_chunk chunk)
{
    const struct gpu_csv_buffers &to = chunk.to;
    if (to.totals->stray || to.totals->overflow)
        return;
    const unsigned rows = min(to.totals->rows, to.totals->ragged);
    const unsigned lane = threadIdx.x % 32, warps = THREADS / 32;
    const uint64_t parts = (uint64_t)((rows + 31) / 32) * spec.columns;
    for (uint64_t part = blockIdx.x * warps + threadIdx.x / 32; part < parts;
         part += gridDim.x * warps) {
        const unsigned group = (unsigned)part / spec.columns;
        const unsigned column = (unsigned)part % spec.columns;
        const unsigned field = spec.field_of[column];
        const unsigned row = 32 * group + lane;
        struct gpu_csv_cell cell = {};
        enum gpu_csv_kind kind = GPU_CSV_NUMBER;
        if (row < rows) {
            cell = find_cell(spec, to, row, column, field);
            kind = take_cell<CELLS, NOTATION>(spec, chunk, cell,
                                              field == spec.fields - 1);
        }
        const bool in = row < rows;
        const unsigned used = __ballot_sync(~0u, in && kind == GPU_CSV_NUMBER);
        const unsigned missing = __ballot_sync(~0u, kind == GPU_CSV_MISSING);
        if (lane == 0) {
            to.used[column * (to.pitch / 32) + group] = used;
            atomicAdd(&to.column[column].used, __popc(used));
            if (missing)
                atomicAdd(&to.column[column].missing, __popc(missing));
        }
        list_cell(to, cell, kind == GPU_CSV_LISTED);
    }
}

template <class CELLS>
static void read_cells(const struct gpu_csv_spec *spec,
                       const struct gpu_csv_chunk *chunk, cudaStream_t stream)
{
    const int blocks = grid_for(chunk->bytes, 1, 1, 8);
    if (spec->notation.used)
        csv_cells_kernel<CELLS, true>
            <<<blocks, THREADS, 0, stream>>>(*spec, *chunk);
    else
        csv_cells_kernel<CELLS, false>
            <<<blocks, THREADS, 0, stream>>>(*spec, *chunk);
}

cudaError_t csv_find_fields(const struct gpu_csv_spec *spec,
                            const struct gpu_csv_chunk *chunk,
                            cudaStream_t stream);
cudaError_t csv_find_keys(const struct gpu_csv_spec *spec,
                          const struct gpu_csv_keys *keys,
                          const struct gpu_csv_chunk *chunk,
                          cudaStream_t stream);

cudaError_t gpu_csv_decode(const struct gpu_csv_spec *spec,
                           const struct gpu_csv_keys *keys,
                           const struct gpu_csv_chunk *chunk,
                           cudaStream_t stream)
{
    cudaError_t code =
        cudaMemsetAsync(chunk->to.totals, 0, sizeof *chunk->to.totals, stream);
    if (code == cudaSuccess)
        code = csv_find_fields(spec, chunk, stream);
    // Before the cells, which a notation overwrites.
    if (code == cudaSuccess && keys)
        code = csv_find_keys(spec, keys, chunk, stream);
    if (code != cudaSuccess)
        return code;
    if (spec->dtype == DTYPE_f64)
        read_cells<float_cells<DTYPE_f64>>(spec, chunk, stream);
    else if (spec->dtype == DTYPE_f32)
        read_cells<float_cells<DTYPE_f32>>(spec, chunk, stream);
    else
        read_cells<integer_cells>(spec, chunk, stream);
    return cudaGetLastError();
}
