/* SPDX-License-Identifier: MIT */
#include "compare/number.h"

#include <math.h>

struct compare_number compare_number_of(enum dtype dtype, const void *element)
{
    const uint64_t bits = dtype_load(dtype, element);
    const unsigned unused = 64 - 8 * dtype_info(dtype)->size;
    struct compare_number x = {.is_integer = !dtype_is_float(dtype)};
    if (!x.is_integer)
        x.real = dtype_to_double(dtype, bits);
    else if (dtype_is_signed(dtype))
        x.integer = (int64_t)(bits << unused) >> unused;
    else
        x.integer = bits;
    return x;
}

struct compare_number compare_number_of_wide(const struct wide_integer *w)
{
    const __int128 magnitude = w->magnitude;
    return (struct compare_number){
        .is_integer = true, .integer = w->negative ? -magnitude : magnitude};
}

double compare_number_real(const struct compare_number *x)
{
    return x->is_integer ? (double)x->integer : x->real;
}

/* |integer - x|, rounded once; x is finite. */
static double difference_of(__int128 integer, double x)
{
    /* The last bit of such a float weighs more than twice any integer: the
     * integer changes nothing. */
    if (fabs(x) >= 0x1p126)
        return fabs(x);
    const double whole = trunc(x), rest = x - whole;
    __int128 d = integer - (__int128)whole;
    const bool is_exact = rest == 0;
    const __int128 limit = (__int128)1 << 53;
    if (is_exact || (d <= limit && d >= -limit))
        return fabs((double)d - rest);
    /* The floats near d are integers, and so are the midpoints between them:
     * any fraction rounds as one half does. */
    d = 2 * d - (rest > 0 ? 1 : -1);
    return fabs((double)d) / 2;
}

double compare_difference(const struct compare_number *a,
                          const struct compare_number *b)
{
    if (a->is_integer && b->is_integer)
        return fabs((double)(a->integer - b->integer));
    if (!a->is_integer && !b->is_integer)
        return a->real == b->real || a->real != a->real || b->real != b->real
                   ? 0
                   : fabs(a->real - b->real);
    const double real = a->is_integer ? b->real : a->real;
    if (isnan(real))
        return 0;
    return isinf(real)
               ? (double)INFINITY
               : difference_of(a->is_integer ? a->integer : b->integer, real);
}

double compare_quotient(uint64_t a, uint64_t b)
{
    const uint64_t exact = 1ull << 53;
    if (a == 0 || (a <= exact && b <= exact))
        return (double)a / (double)b;
    const int shift = __builtin_clzll(a);
    const unsigned __int128 dividend = (unsigned __int128)(a << shift) << 64;
    /* The quotient has at least 64 bits; its last bit is also set if there is a
     * remainder. */
    const unsigned __int128 quotient = dividend / b;
    return ldexp((double)(quotient | (dividend % b != 0)), -64 - shift);
}
