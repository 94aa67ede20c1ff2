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

/* Values that are written at a time, if they are of a kind. */
enum { PIECE = 32 << 10 };

static size_t piece_at(const struct answers_part *part, size_t row)
{
    const size_t left = part->rows - row;
    return left < PIECE ? left : PIECE;
}

static size_t place_of(const struct printer *p, const struct answers_part *part,
                       size_t row)
{
    return (part->first + row) * p->answers->plan->ops + p->index[0];
}

/* Whether a piece is all real numbers, or all integers that an i64 has. */
static bool is_piece(const struct printer *p, const struct answers_part *part,
                     struct npy_dtype dtype, size_t row)
{
    const struct values *values = &p->answers->values;
    const size_t ops = p->answers->plan->ops, n = piece_at(part, row);
    const size_t first = place_of(p, part, row);
    if (row % PIECE > 0)
        return false;
    if (dtype.type == NPY_FLOAT)
        return values_are_reals(values, first, ops, n);
    return dtype.type == NPY_SIGNED && dtype.size == 8 &&
           values_are_wholes(values, first, ops, n);
}

bool npy_check(const struct printer *p, struct error *e)
{
    const struct answers_part *part = p->answers->part;
    const struct npy_dtype dtype = dtype_of(p, part);
    char text[NUMBER_MAX];
    for (size_t row = 0; row < part->rows; row++) {
        if (is_piece(p, part, dtype, row)) {
            row += piece_at(part, row) - 1;
            continue;
        }
        const struct value value = printer_value(p, part, row, p->index[0]);
        if (npy_fits(dtype, &value))
            continue;
        number_text(text, &value);
        return error_set(e, ERROR_DATA,
                         "-O npy: %s is %.200s, which no array of NumPy's "
                         "has; -O json prints it",
                         p->op[0]->name,
                         value.kind == VALUE_NONE   ? "undefined"
                         : value.kind == VALUE_TEXT ? "a text"
                                                    : text);
    }
    return true;
}

static void put_piece(struct printer *p, const struct answers_part *part,
                      struct npy_dtype dtype, size_t row)
{
    uint64_t copied[PIECE];
    const size_t n = piece_at(part, row);
    const uint64_t *word =
        values_words(&p->answers->values, place_of(p, part, row),
                     p->answers->plan->ops, n, copied);
    if (dtype.size == 8)
        writer_put(&p->to, (const char *)word, n * sizeof *word);
    else
        npy_reals(&p->to, dtype, word, n);
}

void print_npy(struct printer *p, const struct answers_part *part)
{
    const struct npy_dtype dtype = dtype_of(p, part);
    uint64_t size[RANK_MAX] = {part->rows};
    unsigned rank = p->by_column;
    if (part->has_axes)
        geometry_result(&part->geometry, &rank, size);
    npy_header(&p->to, dtype, size, rank);
    for (size_t row = 0; row < part->rows; row++) {
        if (is_piece(p, part, dtype, row)) {
            put_piece(p, part, dtype, row);
            row += piece_at(part, row) - 1;
            continue;
        }
        const struct value value = printer_value(p, part, row, p->index[0]);
        npy_element(&p->to, dtype, &value);
    }
}
