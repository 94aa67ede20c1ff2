/* SPDX-License-Identifier: MIT */
#include "by/sum.h"

#include <math.h>

bool by_sum_add_any(char *sum, uint64_t bits)
{
    const unsigned shift =
        (unsigned)(bits >> 52 & 0x7ff) - (unsigned)(1075 + BY_SUM_LSB);
    if (shift > BY_SUM_SHIFT)
        return bits == 0;
    return by_sum_add_term(sum, by_sum_mantissa(bits), (__int128)1 << shift);
}

void by_sum_add_exact(struct exact *to, double x)
{
    const uint64_t bits = bits_of_double(x);
    const int e = (int)(bits >> 52 & 0x7ff);
    if (isnan(x) || isinf(x)) {
        to->nan += isnan(x) != 0;
        to->plus_inf += isinf(x) && x > 0;
        to->minus_inf += isinf(x) && x < 0;
        return;
    }
    __int128 value = bits & 0xfffffffffffff;
    int position = (e > 0 ? e : 1) - 1075 - to->lsb;
    value |= e > 0 ? (__int128)1 << 52 : 0;
    if (position < 0) { /* a sum of f32: the bits shifted out are 0 */
        value >>= -position;
        position = 0;
    }
    exact_add_shifted(to, x < 0 ? -value : value, (unsigned)position);
}

void by_sum_widen(struct exact *to, const char *sum, bool is_float)
{
    __int128 value;
    memcpy(&value, sum, sizeof value);
    if (value != 0)
        exact_add_shifted(to, value,
                          (unsigned)((is_float ? BY_SUM_LSB : 0) - to->lsb));
}
