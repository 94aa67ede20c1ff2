/* SPDX-License-Identifier: MIT */
#include "engine/identities.h"

#include <stdlib.h>
#include <string.h>

static bool have_room(struct identities *x, size_t bytes)
{
    if (bytes <= x->room)
        return true;
    free(x->values);
    x->values = malloc(bytes);
    x->room = x->values ? bytes : 0;
    return x->values;
}

bool identities_fill(struct identities *x, const struct column *column,
                     const struct mask *mask, size_t rows, bool fills,
                     struct column *out)
{
    const size_t size = dtype_info(column->dtype)->size;
    const uint64_t one =
        dtype_is_float(column->dtype) ? dtype_from_double(column->dtype, 1) : 1;
    size_t next = 0, wides = 0, n = 0;
    *out = (struct column){.dtype = column->dtype};
    if (!have_room(x, rows * size + 1))
        return false;
    char *to = x->values;
    for (size_t row = 0; row < rows; row++) {
        const bool has_value =
            next < column->n &&
            (column->rows ? column->rows[next] : next) == row;
        const bool is_wide =
            wides < column->wides && column->wide[wides].index == row;
        const bool is_out = mask && !mask->selected[row];
        const double rounded =
            is_wide ? wide_nearest(&column->wide[wides++]) : 1;
        if (has_value)
            memcpy(to + n++ * size,
                   (const char *)column->values + next++ * size, size);
        else if (is_wide)
            memcpy(to + n++ * size, &rounded, size);
        else if (is_out || fills)
            memcpy(to + n++ * size, &one, size);
    }
    out->values = to;
    out->n = n;
    return true;
}
