/* SPDX-License-Identifier: MIT */
/* A result: a real number of a dtype, an integer of any size that a reduction
 * can have, or a text. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reduce/dtype.h"

enum { VALUE_WORDS = 4 };

/* VALUE_NONE: the op has no value for this data. */
enum value_kind { VALUE_REAL, VALUE_INTEGER, VALUE_TEXT, VALUE_NONE };

struct value {
    enum value_kind kind;
    enum dtype
        dtype; /* of a real: printed so that it reads back in this dtype */
    double real;
    const char *text; /* real: as decimals, borrowed; NULL: they were not asked
                       * for, or it is not finite. Text: its bytes, borrowed */
    size_t bytes;     /* of a text */
    bool negative;    /* integer: sign and magnitude, little-endian */
    uint64_t word[VALUE_WORDS];
};

/* Whether both are the same to the last bit. All NaN are the same. */
bool value_same(const struct value *a, const struct value *b);

struct value value_none(void);
struct value value_text(const char *text, size_t bytes);
struct value value_real(double x, enum dtype dtype);
struct value value_unsigned(uint64_t x);
struct value value_integer(bool negative, uint64_t low, uint64_t high);
