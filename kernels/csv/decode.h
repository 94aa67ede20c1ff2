/* SPDX-License-Identifier: MIT */
/*
 * CSV on the device, a C header: a chunk's text becomes columns of numbers.
 *
 * gpu_csv_decode finds fields and records, parses the wanted cells and leaves
 * a report. The host waits for it, decides what the device has not, and has
 * gpu_csv_compact make columns without gaps of those that have some. Whatever
 * the report says is odd about a whole chunk is a chunk for the CPU.
 */
#pragma once

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#include "csv/cell/notation.h"
#include "kernels/csv/cell.h"
#include "kernels/common/launch.h"

struct powers; /* csv/number/powers.h */

/* The same for all chunks of a run. */
struct gpu_csv_spec {
    enum dtype dtype; /* f32, f64 or an integer */
    struct csv_dialect dialect;
    struct csv_notation notation;
    unsigned fields;  /* of every record */
    unsigned columns; /* the wanted ones; a column is its number there */
    const unsigned *field_of;    /* device, [columns]: from 0, in any order */
    const struct powers *powers; /* device; floats only */
    struct gpu_csv_words words;
};

/* How large a chunk may be. */
struct gpu_csv_room {
    size_t bytes;    /* of text: below 2^28 */
    unsigned rows;   /* a chunk with more is not decoded: `overflow` */
    unsigned listed; /* cells kept for the host */
};

/* A cell that the host decides, the field as it is: quotes, blanks, the line
 * end's CR. In no order. */
struct gpu_csv_cell {
    uint32_t row, column, offset, length; /* offset in the text */
};

/* A cell that the host has found to be a number, the bits in the low bytes. */
struct gpu_csv_number {
    uint32_t row, column;
    uint64_t bits;
};

/* `rows` is right where there is no stray quote. Where that, `overflow` or
 * more than room.listed in `listed` is said, the rest means nothing. Rows from
 * `ragged` on are not decoded and not in the columns' counts. */
struct gpu_csv_totals {
    unsigned rows;
    unsigned ragged; /* first row of other than `fields` fields; ~0u: none */
    unsigned stray;  /* or a quote left open: not to be read by parity */
    unsigned overflow;
    unsigned listed; /* all, not only those kept */
    unsigned ticket, unused[2];
};

struct gpu_csv_tile {
    uint32_t ends, rows; /* before it */
    uint32_t inside;     /* whether it begins inside quotes */
};

struct gpu_csv_tile_count {
    uint32_t count[2]; /* ends, and rows << 16: if begun outside, inside */
    uint32_t flags;
};

/* Device memory of a slot, cut by gpu_csv_cut. A column's row r is at
 * [column * pitch + r]; its bytes begin aligned to 16 bytes. */
struct gpu_csv_buffers {
    size_t pitch; /* in rows: a multiple of 32, at least room.rows */
    struct gpu_csv_room room;
    /* The report, one piece for the host to copy: gpu_csv_report_bytes. */
    struct gpu_csv_totals *totals;
    struct gpu_csv_column *column; /* [columns] */
    struct gpu_csv_cell *list;     /* [room.listed] */
    void *value; /* [columns][pitch]: set where the bit in `used` is */
    void *dense; /* [columns][pitch]: from gpu_csv_compact, the used ones */
    uint32_t *row_of; /* [columns][pitch]: and their rows */
    /* Inner ones. */
    uint32_t *used;      /* [columns][pitch / 32]: bit r % 32 of [r / 32] */
    uint32_t *field_end; /* [fields of the room]: offsets, row by row */
    uint32_t *row_begin; /* [room.rows] */
    size_t ends;         /* the room in field_end */
    struct gpu_csv_tile *tile;
    struct gpu_csv_tile_count *tile_count;
};

/*
 * `text` is in device memory, aligned to 16 bytes, with 64 readable bytes
 * behind it; it begins where a record does and ends with an LF outside quotes.
 * 1 <= bytes <= room.bytes.
 */
struct gpu_csv_chunk {
    const unsigned char *text;
    size_t bytes;
    struct gpu_csv_buffers to;
};

/* Fills *b with parts of the block, and says how long the block must be; it is
 * aligned to 256 bytes. With block NULL only the length means something. */
EXTERN_C size_t gpu_csv_cut(struct gpu_csv_buffers *b,
                            const struct gpu_csv_spec *spec,
                            const struct gpu_csv_room *room, void *block);

/* The bytes from `totals` to the end of `column`. */
EXTERN_C size_t gpu_csv_report_bytes(const struct gpu_csv_spec *spec);

/* Clears the report and decodes: a memset and three kernels. */
EXTERN_C cudaError_t gpu_csv_decode(const struct gpu_csv_spec *spec,
                                    const struct gpu_csv_chunk *chunk,
                                    cudaStream_t stream);

/*
 * Puts in the numbers that the host found in the list (a device array, each
 * cell once), and makes `dense` and `row_of`, in the rows' order, of columns
 * with fewer used cells than `rows`, the report's. A column that has all of
 * them is in `value`, and its `dense` is not set. A kernel; two with numbers.
 */
EXTERN_C cudaError_t gpu_csv_compact(const struct gpu_csv_spec *spec,
                                     const struct gpu_csv_chunk *chunk,
                                     unsigned rows,
                                     const struct gpu_csv_number *numbers,
                                     size_t n, cudaStream_t stream);
