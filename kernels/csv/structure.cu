// SPDX-License-Identifier: MIT
// Finds the fields and records of a chunk.
//
// Whether a tile begins inside quotes depends on the quotes of all tiles before
// it. The first kernel therefore counts each tile for both cases, and its last
// block computes where each tile begins and how much precedes it. A second
// kernel writes the offsets.
#include "kernels/csv/tiles.cuh"

// Flags of a tile: it has an odd number of quotes; it has a stray quote if it
// begins outside quotes (STRAY), or inside (STRAY << 1).
enum { ODD = 1, STRAY = 2 };

static DEVICE uint32_t pack(uint32_t ends, uint32_t rows)
{
    return __popc(ends) | __popc(rows) << ROW_COUNT;
}

static DEVICE uint32_t ends_of(uint32_t count)
{
    return count & ((1u << ROW_COUNT) - 1);
}

// A tile's count with room for the sum of many: ends | rows << 32.
static DEVICE uint64_t widen(uint32_t count)
{
    return ends_of(count) | (uint64_t)(count >> ROW_COUNT) << 32;
}

static __device__ struct gpu_csv_tile_count count_tile(struct csv_marks m)
{
    __shared__ uint64_t shared[THREADS / 32];
    unsigned odd;
    const unsigned before = block_odd(__popc(m.quote) & 1, &odd);
    const uint32_t inside = csv_inside(m.quote, before);
    const uint32_t outside_count =
        pack(m.field_end & ~inside, m.row_end & ~inside);
    const uint32_t inside_count =
        pack(m.field_end & inside, m.row_end & inside);
    // csv_inside counts an opening quote as inside.
    const int stray = __syncthreads_or((m.stray & inside) != 0 || m.unsure);
    const int stray_inside =
        __syncthreads_or((m.stray & ~inside) != 0 || m.unsure);
    const uint64_t counts =
        block_sum(outside_count | (uint64_t)inside_count << 32, shared);
    return {{(uint32_t)counts, (uint32_t)(counts >> 32)},
            (odd ? ODD : 0u) | (stray ? STRAY : 0u) |
                (stray_inside ? STRAY << 1 : 0u)};
}

// Computes where each tile begins, and the totals. One block calls it; each
// thread has a run of tiles.
static __device__ void place_tiles(unsigned tiles, unsigned columns,
                                   const struct gpu_csv_buffers &to)
{
    const struct gpu_csv_tile_count *count = to.tile_count;
    const unsigned run = (tiles + THREADS - 1) / THREADS;
    const unsigned first = min(threadIdx.x * run, tiles);
    const unsigned end = min(first + run, tiles);
    unsigned odd = 0, left_open;
    for (unsigned t = first; t < end; t++)
        odd ^= __ldcg(&count[t].flags) & ODD;
    const unsigned begin_inside = block_odd(odd, &left_open);

    uint64_t sum = 0, all;
    unsigned inside = begin_inside, stray = left_open;
    for (unsigned t = first; t < end; t++) {
        const unsigned flags = __ldcg(&count[t].flags);
        sum += widen(__ldcg(&count[t].count[inside]));
        stray |= flags & STRAY << inside;
        inside ^= flags & ODD;
    }
    sum = block_before(sum, &all);
    inside = begin_inside;
    for (unsigned t = first; t < end; t++) {
        to.tile[t] = {(uint32_t)sum, (uint32_t)(sum >> 32), inside};
        sum += widen(__ldcg(&count[t].count[inside]));
        inside ^= __ldcg(&count[t].flags) & ODD;
    }

    for (unsigned c = threadIdx.x; c < columns; c += THREADS)
        to.column[c] = {0, 0};
    stray = __syncthreads_or(stray);
    if (threadIdx.x == 0) {
        const unsigned rows = (unsigned)(all >> 32);
        to.totals->rows = rows;
        to.totals->ragged = ~0u;
        to.totals->stray = stray != 0;
        to.totals->overflow = rows > to.room.rows;
    }
}

static __global__ __launch_bounds__(THREADS) void csv_count_kernel(
    const unsigned char *__restrict__ text, unsigned bytes,
    struct csv_dialect dialect, unsigned columns, struct gpu_csv_buffers to)
{
    const unsigned at = blockIdx.x * TILE + threadIdx.x * CSV_STEP;
    const struct gpu_csv_tile_count count =
        count_tile(marks_at(text, bytes, at, dialect));
    if (threadIdx.x == 0)
        to.tile_count[blockIdx.x] = count;
    if (last_block(&to.totals->ticket))
        place_tiles(gridDim.x, columns, to);
}

// Writes where fields end and rows begin. A record is ragged if its end is not
// field end number (row + 1) * fields. Every field of the records before the
// first ragged one is in its place.
static __global__ __launch_bounds__(THREADS) void csv_fields_kernel(
    const unsigned char *__restrict__ text, unsigned bytes,
    struct csv_dialect dialect, unsigned fields, struct gpu_csv_buffers to)
{
    if (to.totals->stray)
        return;
    const unsigned at = blockIdx.x * TILE + threadIdx.x * CSV_STEP;
    const struct csv_marks m = marks_at(text, bytes, at, dialect);
    const struct gpu_csv_tile tile = to.tile[blockIdx.x];
    unsigned odd;
    uint32_t all;
    const unsigned before = block_odd(__popc(m.quote) & 1, &odd);
    const uint32_t inside = csv_inside(m.quote, before ^ tile.inside);
    const uint32_t ends = m.field_end & ~inside, row_ends = m.row_end & ~inside;
    // A row begins only if the byte before it is outside quotes.
    const uint32_t begins = m.row_begin & ~(inside ^ m.quote);
    const uint32_t sum = block_before(pack(ends, row_ends), &all);
    uint32_t end = tile.ends + ends_of(sum);
    uint32_t row = tile.rows + (sum >> ROW_COUNT), ragged = ~0u;
    for (uint32_t left = ends | begins; left; left &= left - 1) {
        const uint32_t i = __ffs(left) - 1;
        if (begins >> i & 1 && row < to.room.rows)
            to.row_begin[row] = at + i;
        if (ends >> i & 1 && end < to.ends)
            to.field_end[end] = at + i;
        end += ends >> i & 1;
        if (row_ends >> i & 1) {
            if (end != (row + 1) * (uint64_t)fields)
                ragged = min(ragged, row);
            row++;
        }
    }
    if (ragged < *(volatile unsigned *)&to.totals->ragged)
        atomicMin(&to.totals->ragged, ragged);
}

cudaError_t csv_find_fields(const struct gpu_csv_spec *spec,
                            const struct gpu_csv_chunk *chunk,
                            cudaStream_t stream)
{
    const unsigned bytes = (unsigned)chunk->bytes;
    const unsigned tiles = (bytes + TILE - 1) / TILE;
    csv_count_kernel<<<tiles, THREADS, 0, stream>>>(
        chunk->text, bytes, spec->dialect, spec->columns, chunk->to);
    csv_fields_kernel<<<tiles, THREADS, 0, stream>>>(
        chunk->text, bytes, spec->dialect, spec->fields, chunk->to);
    return cudaGetLastError();
}
