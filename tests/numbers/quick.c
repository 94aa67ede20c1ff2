/* SPDX-License-Identifier: MIT */
/* The quick functions of one instruction set, LOOPS. Compiled once for each
 * set. */
#include "csv/number/number_fast.h"

#include "subjects.h"

#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)
#define TEXT2(a) #a
#define TEXT(a) TEXT2(a)

static bool read_quickly(enum dtype dtype, const char *p, size_t length,
                         const struct powers *t, uint64_t *bits)
{
    if (dtype == DTYPE_f64)
        return number_quick_f64(p, length, t, bits);
    if (dtype == DTYPE_f32)
        return number_quick_f32(p, length, t, bits);
    return number_quick_integer(dtype, p, length, bits);
}

/* The call is inlined, as in a caller that needs speed. */
#define COLUMN(name, call)                                       \
    static size_t column_##name(const struct column_of_texts *c, \
                                const struct powers *t)          \
    {                                                            \
        size_t undecided = 0;                                    \
        for (size_t i = 0; i < c->n; i++) {                      \
            const char *p = c->text + i * COLUMN_STRIDE;         \
            undecided += !call;                                  \
        }                                                        \
        (void)t;                                                 \
        return undecided;                                        \
    }
COLUMN(f64, number_quick_f64(p, c->length[i], t, &c->bits[i]))
COLUMN(f32, number_quick_f32(p, c->length[i], t, &c->bits[i]))
COLUMN(i64, number_quick_integer(DTYPE_i64, p, c->length[i], &c->bits[i]))

static size_t read_column(enum dtype dtype, const struct column_of_texts *c,
                          const struct powers *t)
{
    if (dtype == DTYPE_f64)
        return column_f64(c, t);
    if (dtype == DTYPE_f32)
        return column_f32(c, t);
    return column_i64(c, t);
}

extern const struct quick JOIN(quick_, LOOPS);
const struct quick JOIN(quick_, LOOPS) = {TEXT(LOOPS), read_quickly,
                                          read_column};
