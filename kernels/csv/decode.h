/* SPDX-License-Identifier: MIT */
/*
 * CSV on the device: the C interface that turns a chunk's text into columns of
 * numbers.
 *
 * gpu_csv_decode finds fields and records, parses the wanted cells and writes a
 * report. The host waits for the report, reads the cells that the device has
 * listed, and calls gpu_csv_compact to close the gaps of columns that have
 * some. If the report shows stray quotes, ragged records or an overflow, the
 * CPU reduces the whole chunk instead.
 */
#pragma once

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#include "csv/cell/notation.h"
#include "kernels/by/by.h"
#include "kernels/csv/cell.h"
#include "kernels/common/launch.h"

struct powers; /* csv/number/powers.h */

/* The same for all chunks of a run. */
struct gpu_csv_spec {
    enum dtype dtype; /* f32, f64 or an integer */
    struct csv_dialect dialect;
    struct csv_notation notation;
    unsigned fields;             /* in every record */
    unsigned columns;            /* fields that are wanted, as columns */
    const unsigned *field_of;    /* device, [columns]: from 0, in any order */
    const struct powers *powers; /* device; of floats only */
    struct gpu_csv_words words;
};

/* The keys of a run's rows. Their dictionary is of one device; chunks on
 * several streams may use it. */
struct gpu_csv_keys {
    unsigned columns;         /* of a key */
    const unsigned *field_of; /* device, [columns]: fields from 0 */
    /* Texts that mean a missing key. With `missing_is_error`, such a key is
     * refused, and so are keys that the host has to read. */
    struct gpu_csv_words words;
    bool missing_is_error;
    struct gpu_by_dictionary dictionary;
    uint32_t *number; /* device, [rows]: of the rows' keys, or GPU_BY_NONE */
};

/* How large a chunk may be. */
struct gpu_csv_room {
    size_t bytes;    /* of text: below 2^28 */
    unsigned rows;   /* if there are more, sets `overflow`, decodes nothing */
    unsigned listed; /* cells that fit the list */
};

/* A cell that the host has to read: the field with its quotes, blanks and the
 * line end's CR. The list has no order. */
struct gpu_csv_cell {
    /* offset and length are bytes in the text. */
    uint32_t row, column, offset, length;
};

/* A cell that the host has read as a number; its bits are the low bytes of
 * `bits`. */
struct gpu_csv_number {
    uint32_t row, column;
    uint64_t bits;
};

/* `rows` is valid unless `stray` is set. If `stray` or `overflow` is set or
 * `listed` exceeds room.listed, nothing else is valid. Rows from `ragged` on
 * are neither decoded nor counted in the columns. */
struct gpu_csv_totals {
    unsigned rows;
    unsigned ragged; /* first row without exactly `fields` fields; or ~0u */
    /* A quote is stray or left open, so that quotes cannot be read by parity;
     * or CSV_GAP_MAX blanks or more precede a step. */
    unsigned stray;
    unsigned overflow;
    unsigned listed; /* all listed cells, also those beyond the list's room */
    unsigned ticket;
    unsigned unkeyed; /* some row has the number GPU_BY_NONE */
    unsigned unused;
};

struct gpu_csv_tile {
    uint32_t ends, rows; /* fields and records that end before the tile */
    uint32_t inside;     /* whether it begins inside quotes */
};

struct gpu_csv_tile_count {
    /* field ends | row ends << 16, if the tile begins outside quotes, [0], and
     * inside, [1] */
    uint32_t count[2];
    uint32_t flags;
};

/* The device memory of a slot, which gpu_csv_cut divides. Row r of a column is
 * at [column * pitch + r]; each column is aligned to 16 bytes. */
struct gpu_csv_buffers {
    size_t pitch; /* in rows: a multiple of 32, at least room.rows */
    struct gpu_csv_room room;
    /* The report, which the host copies in one piece of
     * gpu_csv_report_bytes. */
    struct gpu_csv_totals *totals;
    struct gpu_csv_column *column; /* [columns] */
    struct gpu_csv_cell *list;     /* [room.listed] */
    void *value; /* [columns][pitch]: valid if the row's bit in `used` is set */
    void *dense; /* [columns][pitch]: the used values, by gpu_csv_compact */
    uint32_t *row_of; /* [columns][pitch]: the rows of those */
    /* Passed between the kernels only. */
    uint32_t *used;      /* [columns][pitch / 32]: bit r % 32 of [r / 32] */
    uint32_t *field_end; /* [ends]: offsets, row by row */
    uint32_t *row_begin; /* [room.rows]: offsets */
    size_t ends;         /* size of field_end */
    struct gpu_csv_tile *tile;
    struct gpu_csv_tile_count *tile_count;
};

/*
 * `text` is in device memory, aligned to 16 bytes, with 64 readable bytes after
 * its end. It begins where a record does and ends with a line end outside
 * quotes. 1 <= bytes <= room.bytes. With a notation, decoding overwrites cells.
 */
struct gpu_csv_chunk {
    const unsigned char *text;
    size_t bytes;
    struct gpu_csv_buffers to;
};

/* Fills *b with pointers into the block, which is aligned to 256 bytes, and
 * returns how many bytes the block must have. With block NULL, only the return
 * value is valid. */
EXTERN_C size_t gpu_csv_cut(struct gpu_csv_buffers *b,
                            const struct gpu_csv_spec *spec,
                            const struct gpu_csv_room *room, void *block);

/* The bytes from `totals` to the end of `column`. */
EXTERN_C size_t gpu_csv_report_bytes(const struct gpu_csv_spec *spec);

/* Clears the report and decodes the chunk; keys may be NULL. Starts a memset
 * and three kernels, or four. */
EXTERN_C cudaError_t gpu_csv_decode(const struct gpu_csv_spec *spec,
                                    const struct gpu_csv_keys *keys,
                                    const struct gpu_csv_chunk *chunk,
                                    cudaStream_t stream);

/*
 * Stores the n numbers that the host has read from the list (a device array,
 * each cell once). Then fills `dense` and `row_of`, in the order of the rows,
 * for each column with fewer used cells than `rows`, the report's. A column
 * without gaps stays in `value`; its `dense` is not set. Starts a kernel, or
 * two if n > 0.
 */
EXTERN_C cudaError_t gpu_csv_compact(const struct gpu_csv_spec *spec,
                                     const struct gpu_csv_chunk *chunk,
                                     unsigned rows,
                                     const struct gpu_csv_number *numbers,
                                     size_t n, cudaStream_t stream);
