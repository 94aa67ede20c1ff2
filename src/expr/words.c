/* SPDX-License-Identifier: MIT */
#include "expr/words.h"

#include <string.h>

#include "base/element.h"

#define CONVERT(storage, to, made)                   \
    for (size_t i = 0; i < n; i++) {                 \
        const storage x = ELEMENT_AT(storage, p, i); \
        const to y = made;                           \
        memcpy(&words[i], &y, sizeof y);             \
    }

/* Converts values of the other dtypes one by one. Returns 1 if an integer has
 * over 63 bits, else 0. */
static uint64_t convert_any(enum dtype dtype, enum expr_type type,
                            const char *p, size_t n, int64_t *words)
{
    const size_t size = dtype_info(dtype)->size;
    const unsigned left = 64 - 8 * (unsigned)size;
    uint64_t beyond = 0;
    for (size_t i = 0; i < n; i++) {
        const uint64_t bits = dtype_load(dtype, p + i * size);
        const double x = dtype_to_double(dtype, bits);
        if (type == EXPR_FLOAT) {
            memcpy(&words[i], &x, sizeof x);
        } else if (dtype_is_signed(dtype)) {
            words[i] = (int64_t)(bits << left) >> left;
        } else {
            words[i] = (int64_t)bits;
            beyond |= bits >> 63;
        }
    }
    return beyond;
}

bool expr_words(enum dtype dtype, enum expr_type type, const void *values,
                size_t n, int64_t *words)
{
    const char *p = values;
    uint64_t beyond = 0;
    if (n == 0)
        return true; /* there may be no memory: a NULL pointer */
    if (dtype == DTYPE_f64 || dtype == DTYPE_i64) {
        memcpy(words, p, n * sizeof *words);
    } else if (dtype == DTYPE_f32) {
        CONVERT(float, double, (double)x)
    } else if (dtype == DTYPE_i32) {
        CONVERT(int32_t, int64_t, x)
    } else {
        beyond = convert_any(dtype, type, p, n, words);
    }
    for (size_t i = 0; type == EXPR_BOOL && i < n; i++)
        beyond |= (uint64_t)words[i] > 1;
    return beyond == 0;
}
