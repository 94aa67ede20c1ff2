/* SPDX-License-Identifier: MIT */
/* The quick ways of one instruction set, LOOPS. */
#include "csv/number_fast.h"

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

extern const struct quick JOIN(quick_, LOOPS);
const struct quick JOIN(quick_, LOOPS) = {TEXT(LOOPS), read_quickly};
