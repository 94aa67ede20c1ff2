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

bool by_sum_narrow(char *sum, const struct exact *from, bool is_float)
{
    const unsigned position =
                       (unsigned)((is_float ? BY_SUM_LSB : 0) - from->lsb),
                   first = position / 64, shift = position % 64;
    const uint64_t sign = exact_is_negative(from) ? UINT64_MAX : 0;
    uint64_t part[3]; /* the bits that the sum can have are among these */
    for (unsigned i = 0; i < 3; i++)
        part[i] = first + i < from->first ? 0
                  : first + i < from->first + from->room
                      ? exact_words(from)[first + i - from->first]
                      : sign;
    const unsigned __int128 low = (unsigned __int128)part[1] << 64 | part[0];
    const __int128 value = (__int128)(low >> shift | (unsigned __int128)part[2]
                                                         << 1 << (127 - shift));
    const bool is_whole = (part[0] & (((uint64_t)1 << shift) - 1)) == 0;
    const int64_t above = (int64_t)part[2] >> shift;
    if (!from->not_negative_zero || from->nan || from->plus_inf ||
        from->minus_inf)
        return false;
    if (from->room > 0 &&
        (from->first < first || from->first + from->room > first + 3 ||
         !is_whole || above != (value < 0 ? -1 : 0)))
        return false;
    memcpy(sum, &value, sizeof value);
    return true;
}
