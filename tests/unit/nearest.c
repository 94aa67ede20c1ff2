/* SPDX-License-Identifier: MIT */
#include "nearest.h"

#include <float.h>
#include <math.h>

/* Compares m * 2^k with the number that is_nearest checks: -1, 0 or 1. */
static int compare(uint64_t m, int k, const struct big *n, const struct big *d,
                   int exponent, bool root)
{
    struct big left, right = *n;
    big_set(&left, m);
    if (root) {
        big_times(&left, m);
        k *= 2;
    }
    big_multiply(&left, d);
    if (k > exponent)
        big_shift(&left, (unsigned)(k - exponent));
    else
        big_shift(&right, (unsigned)(exponent - k));
    return big_compare(&left, &right);
}

bool is_nearest(double x, const struct big *n, const struct big *d,
                int exponent, bool root)
{
    struct big magnitude = *n;
    magnitude.negative = false;
    if (isnan(x) || (signbit(x) && !n->negative) ||
        (!signbit(x) && n->negative))
        return false;
    /* |x| = m * 2^k with all bits of its binade. Inf is treated as the double
     * that would follow the last one. */
    int k = DBL_MAX_EXP - DBL_MANT_DIG + 1;
    uint64_t m = 1ull << 52;
    if (!isinf(x)) {
        int e;
        frexp(x, &e);
        k = e - DBL_MANT_DIG;
        if (x == 0 || k < -1074)
            k = -1074;
        m = (uint64_t)ldexp(fabs(x), -k);
    }
    bool tie_is_mine = m % 2 == 0;
    if (!isinf(x)) {
        int above = compare(2 * m + 1, k - 1, &magnitude, d, exponent, root);
        if (above < 0 || (above == 0 && !tie_is_mine))
            return false;
    }
    if (m == 0)
        return true;
    /* Below a power of two doubles are twice as dense. */
    bool power = m == 1ull << 52 && k > -1074;
    int below = power
                    ? compare(4 * m - 1, k - 2, &magnitude, d, exponent, root)
                    : compare(2 * m - 1, k - 1, &magnitude, d, exponent, root);
    return below < 0 || (below == 0 && tie_is_mine);
}
