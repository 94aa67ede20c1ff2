/* SPDX-License-Identifier: MIT */
/* -O npy: the results of one op as an array. */
#include "output/npy.h"
#include "output/number.h"
#include "run/printer.h"

static struct npy_dtype dtype_of(const struct printer *p,
                                 const struct answers_part *part)
{
    return npy_dtype_of(p->op[0]->name, part->dtype,
                        part->input->is_bool && !part->names);
}

/* Values that are written at a time, if they are real numbers. */
enum { PIECE = 1024 };

union piece {
    double real[PIECE];
    uint64_t whole[PIECE];
};

static size_t piece_at(const struct answers_part *part, size_t row)
{
    const size_t left = part->rows - row;
    return left < PIECE ? left : PIECE;
}

/* Whether a piece is all real numbers, or all integers that an i64 has. */
static bool has_piece(const struct printer *p, const struct answers_part *part,
                      struct npy_dtype dtype, size_t row, union piece *to)
{
    const struct values *values = &p->answers->values;
    const size_t ops = p->answers->plan->ops, n = piece_at(part, row);
    const size_t first = (part->first + row) * ops + p->index[0];
    if (row % PIECE > 0)
        return false;
    if (dtype.type == NPY_FLOAT)
        return values_reals(values, first, ops, n, to->real);
    return dtype.type == NPY_SIGNED && dtype.size == 8 &&
           values_wholes(values, first, ops, n, to->whole);
}

bool npy_check(const struct printer *p, struct error *e)
{
    const struct answers_part *part = p->answers->part;
    const struct npy_dtype dtype = dtype_of(p, part);
    char text[NUMBER_MAX];
    union piece piece;
    for (size_t row = 0; row < part->rows; row++) {
        if (has_piece(p, part, dtype, row, &piece)) {
            row += piece_at(part, row) - 1;
            continue;
        }
        const struct value value = printer_value(p, part, row, p->index[0]);
        if (npy_fits(dtype, &value))
            continue;
        number_text(text, &value);
        return error_set(e, ERROR_DATA,
                         "-O npy: %s is %.200s, which a NumPy array "
                         "cannot hold; -O json prints it",
                         p->op[0]->name,
                         value.kind == VALUE_NONE   ? "undefined"
                         : value.kind == VALUE_TEXT ? "a text"
                                                    : text);
    }
    return true;
}

void print_npy(struct printer *p, const struct answers_part *part)
{
    const struct npy_dtype dtype = dtype_of(p, part);
    uint64_t size[RANK_MAX] = {part->rows};
    unsigned rank = p->by_column;
    if (part->has_axes)
        geometry_result(&part->geometry, &rank, size);
    npy_header(&p->to, dtype, size, rank);
    union piece piece;
    for (size_t row = 0; row < part->rows; row++) {
        if (has_piece(p, part, dtype, row, &piece)) {
            if (dtype.type == NPY_FLOAT)
                npy_reals(&p->to, dtype, piece.real, piece_at(part, row));
            else
                writer_put(&p->to, (const char *)piece.whole,
                           piece_at(part, row) * sizeof piece.whole[0]);
            row += piece_at(part, row) - 1;
            continue;
        }
        const struct value value = printer_value(p, part, row, p->index[0]);
        npy_element(&p->to, dtype, &value);
    }
}
