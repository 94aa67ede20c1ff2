/* SPDX-License-Identifier: MIT */
/* Random floats, printed so that they read back. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

/* Returns a subnormal with a fraction of any length, or one of the two largest
 * exponents. */
static uint64_t extreme(uint64_t bits, unsigned fraction, uint64_t top,
                        struct random *r)
{
    uint64_t part = bits & ((1ull << fraction) - 1);
    if (random_below(r, 4) == 0)
        return part | (top - 1 - random_below(r, 2)) << fraction;
    return part >> random_below(r, fraction);
}

uint64_t float_bits(enum dtype dtype, enum float_kind kind, struct random *r)
{
    unsigned fraction = dtype == DTYPE_f64 ? 52 : 23;
    unsigned width = dtype == DTYPE_f64 ? 64 : 32;
    uint64_t top = (1ull << (width - 1 - fraction)) - 1; /* inf and nan */
    uint64_t bits, exponent;
    do {
        bits = random_next(r) >> (64 - width);
        exponent = bits >> fraction & top;
        if (kind == FLOAT_EVERYDAY) {
            bits &= ~(top << fraction);
            bits |= (top / 2 - 20 + exponent % 64) << fraction;
        } else if (kind == FLOAT_EXTREME) {
            bits = extreme(bits, fraction, top, r) | (bits >> (width - 1))
                                                         << (width - 1);
        }
    } while ((bits >> fraction & top) == top);
    return bits;
}

int float_print(char *to, enum dtype dtype, uint64_t bits, bool shortest)
{
    int all = dtype == DTYPE_f64 ? 17 : 9, n;
    double x;
    float y;
    memcpy(&x, &bits, sizeof x);
    memcpy(&y, &bits, sizeof y);
    for (int digits = shortest ? 1 : all;; digits++) {
        n = snprintf(to, FLOAT_TEXT, "%.*g", digits,
                     dtype == DTYPE_f64 ? x : (double)y);
        if (digits == all || (dtype == DTYPE_f64 ? strtod(to, NULL) == x
                                                 : strtof(to, NULL) == y))
            return n;
    }
}

int float_print_middle(char *to, enum dtype dtype, struct random *r)
{
    int digits = 9 + (int)random_below(r, 22);
    uint64_t bits = random_next(r);
    double x, x_next;
    float y, y_next;
    if (dtype == DTYPE_f64) {
        bits = bits >> 12 | (1023 + bits % 60) << 52;
        memcpy(&x, &bits, sizeof x);
        x_next = nextafter(x, HUGE_VAL);
        return snprintf(to, FLOAT_TEXT, "%.*Lg", digits,
                        ((long double)x + (long double)x_next) / 2);
    }
    uint32_t low = (uint32_t)(bits >> 41 | (127 + bits % 30) << 23);
    memcpy(&y, &low, sizeof y);
    y_next = nextafterf(y, HUGE_VALF);
    if (digits > 17)
        digits = 15;
    return snprintf(to, FLOAT_TEXT, "%.*g", digits,
                    ((double)y + (double)y_next) / 2);
}
