/* SPDX-License-Identifier: MIT */
/* Exact results rounded to decimals, ties to even. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "reduce/bigint.h"

enum {
    /* The last decimal that an f64 can have. */
    DECIMALS_DIGITS = 1074,
    /* A sign, the digits of the greatest f64, a point, decimals and a NUL. */
    DECIMALS_MAX = 1 + 309 + 1 + DECIMALS_DIGITS + 1,
};

/* A result as text, with so many digits after the point. */
struct decimals {
    unsigned digits;
    char text[DECIMALS_MAX];
};

/* above * 2^exponent / below, or its square root. `below` is not 0. Only the
 * words of the integers count, not `low` or the sign. */
struct ratio {
    const struct bigint *above, *below;
    int exponent;
    bool root;
};

/* Writes the number, which must be below 2^1024, rounded to to->digits
 * decimals. A negative number has its sign even if it rounds to 0. */
void decimals_put(struct decimals *to, const struct ratio *x, bool negative);

/* Writes a finite f64 likewise. */
void decimals_put_double(struct decimals *to, double x);
