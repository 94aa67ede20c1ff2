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

bool npy_check(const struct printer *p, struct error *e)
{
    const struct answers_part *part = p->answers->part;
    const struct npy_dtype dtype = dtype_of(p, part);
    char text[NUMBER_MAX];
    for (size_t row = 0; row < part->rows; row++) {
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
    for (size_t row = 0; row < part->rows; row++) {
        const struct value value = printer_value(p, part, row, p->index[0]);
        npy_element(&p->to, dtype, &value);
    }
}
