/* SPDX-License-Identifier: MIT */
#include "by/step_block.h"

#include "reduce/float_format.h"

#define LOAD(U)                                                    \
    for (size_t i = 0; i < b->n; i++) {                            \
        const size_t value = b->which ? b->which[i] : b->from + i; \
        b->bits_room[i] = ELEMENT_AT(U, values, value);            \
    }

static void load_bits(struct block *b)
{
    const char *values = b->addend->column->values;
    const unsigned size = dtype_size(b->layout->dtype);
    b->bits = (const char *)b->bits_room;
    if (size == 8 && !b->which)
        b->bits = values + b->from * size;
    else if (size == 8)
        LOAD(uint64_t)
    else if (size == 4)
        LOAD(uint32_t)
    else if (size == 2)
        LOAD(uint16_t)
    else
        LOAD(uint8_t)
}

static void widen(struct block *b)
{
    const enum dtype dtype = b->layout->dtype;
    const unsigned shift = 64 - 8 * dtype_size(dtype);
    const bool is_signed = dtype_class(dtype) == 'i';
    b->wide = shift ? (const char *)b->wide_room : b->bits;
    for (size_t i = 0; i < b->n && shift; i++) {
        const uint64_t x = b->bits_room[i];
        if (dtype_is_float(dtype))
            b->wide_room[i] = bits_of_double(dtype_to_double(dtype, x));
        else if (is_signed)
            b->wide_room[i] = (uint64_t)((int64_t)(x << shift) >> shift);
        else
            b->wide_room[i] = x;
    }
}

void block_fill(struct block *b, const uint32_t *which, size_t from, size_t n)
{
    const struct by_addend *a = b->addend;
    const size_t column = b->layout->first + a->number * b->layout->stride;
    b->n = n;
    b->from = from;
    b->which = which ? which + from : NULL;
    load_bits(b);
    widen(b);
    if (!which && !a->column->rows) {
        for (size_t i = 0; i < n; i++)
            b->at[i] = table_record(a->table, a->id[from + i]) + column;
        return;
    }
    for (size_t i = 0; i < n; i++) {
        b->at[i] = table_record(a->table, a->id[row_of(b, i)]) + column;
        __builtin_prefetch(b->at[i], 1);
    }
}
