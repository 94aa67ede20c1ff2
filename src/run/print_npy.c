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

static size_t piece_at(const struct answers_part *part, size_t row)
{
    const size_t left = part->rows - row;
    return left < PIECE ? left : PIECE;
}

static bool has_reals(const struct printer *p, const struct answers_part *part,
                      size_t row, double *to)
{
    const size_t ops = p->answers->plan->ops;
    return !p->answers->plan->has_digits &&
           values_reals(&p->answers->values,
                        (part->first + row) * ops + p->index[0], ops,
                        piece_at(part, row), to);
}

bool npy_check(const struct printer *p, struct error *e)
{
    const struct answers_part *part = p->answers->part;
    const struct npy_dtype dtype = dtype_of(p, part);
    char text[NUMBER_MAX];
    double reals[PIECE];
    for (size_t row = 0; row < part->rows; row++) {
        if (row % PIECE == 0 && dtype.type == NPY_FLOAT &&
            has_reals(p, part, row, reals)) {
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

void print_npy(struct printer *p, const struct answers_part *part)
{
    const struct npy_dtype dtype = dtype_of(p, part);
    uint64_t size[RANK_MAX] = {part->rows};
    unsigned rank = p->by_column;
    if (part->has_axes)
        geometry_result(&part->geometry, &rank, size);
    npy_header(&p->to, dtype, size, rank);
    double reals[PIECE];
    for (size_t row = 0; row < part->rows; row++) {
        if (row % PIECE == 0 && dtype.type == NPY_FLOAT &&
            has_reals(p, part, row, reals)) {
            npy_reals(&p->to, dtype, reals, piece_at(part, row));
            row += piece_at(part, row) - 1;
            continue;
        }
        const struct value value = printer_value(p, part, row, p->index[0]);
        npy_element(&p->to, dtype, &value);
    }
}
