/* SPDX-License-Identifier: MIT */
/* Divides a slot's device memory for CSV. */
#include "kernels/csv/decode.h"
#include "kernels/csv/marks.h"

/* As in tiles.cuh. */
enum { TILE = 256 * CSV_STEP };

/* Returns the next part of the block, of which *used bytes are taken, or NULL
 * without a block. */
static void *cut(char *block, size_t *used, size_t bytes)
{
    void *part = block ? block + *used : NULL;
    *used += (bytes + 255) / 256 * 256;
    return part;
}

size_t gpu_csv_report_bytes(const struct gpu_csv_spec *spec)
{
    return sizeof(struct gpu_csv_totals) +
           spec->columns * sizeof(struct gpu_csv_column);
}

size_t gpu_csv_cut(struct gpu_csv_buffers *b, const struct gpu_csv_spec *spec,
                   const struct gpu_csv_room *room, void *block)
{
    const size_t tiles = (room->bytes + TILE - 1) / TILE;
    const size_t pitch = ((size_t)room->rows + 31) / 32 * 32;
    const size_t cells = spec->columns * pitch;
    const size_t value = cells * dtype_info(spec->dtype)->size;
    size_t used = 0;
    b->pitch = pitch;
    b->room = *room;
    /* Each field ends with a byte of its own, so the text has at most as many
     * fields as bytes. */
    b->ends = (size_t)room->rows * spec->fields;
    if (b->ends > room->bytes)
        b->ends = room->bytes;
    b->totals = cut(block, &used, gpu_csv_report_bytes(spec));
    b->column = block ? (struct gpu_csv_column *)(b->totals + 1) : NULL;
    b->list = cut(block, &used, room->listed * sizeof *b->list);
    b->value = cut(block, &used, value);
    b->dense = cut(block, &used, value);
    b->row_of = cut(block, &used, cells * sizeof *b->row_of);
    b->used = cut(block, &used, cells / 32 * sizeof *b->used);
    b->field_end = cut(block, &used, b->ends * sizeof *b->field_end);
    b->row_begin = cut(block, &used, room->rows * sizeof *b->row_begin);
    b->tile = cut(block, &used, tiles * sizeof *b->tile);
    b->tile_count = cut(block, &used, tiles * sizeof *b->tile_count);
    return used;
}
