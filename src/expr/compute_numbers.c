/* SPDX-License-Identifier: MIT */
/* Arithmetic of integers, exact or an error, and of floats. */
#include <math.h>

#include "expr/compute.h"

static const char too_long[] = "";
static const char by_zero[] = "an integer has no remainder of division by 0";

#define INTEGER(name, compute)                                         \
    const char *integers_##name(__int128 a, __int128 b, __int128 *out) \
    {                                                                  \
        (void)b;                                                       \
        return compute ? too_long : NULL;                              \
    }

INTEGER(same, __builtin_add_overflow(a, 0, out))
INTEGER(negate, __builtin_sub_overflow((__int128)0, a, out))
INTEGER(abs, __builtin_mul_overflow(a, (__int128)(a < 0 ? -1 : 1), out))
INTEGER(add, __builtin_add_overflow(a, b, out))
INTEGER(subtract, __builtin_sub_overflow(a, b, out))
INTEGER(multiply, __builtin_mul_overflow(a, b, out))
INTEGER(min, __builtin_add_overflow(b < a ? b : a, 0, out))
INTEGER(max, __builtin_add_overflow(b > a ? b : a, 0, out))

/* The result has the sign of the dividend. The least integer % -1 would
 * overflow. */
const char *integers_rest(__int128 a, __int128 b, __int128 *out)
{
    if (b == 0)
        return by_zero;
    *out = b == -1 ? 0 : a % b;
    return NULL;
}

/* The result has the sign of the divisor. */
const char *integers_mod(__int128 a, __int128 b, __int128 *out)
{
    const char *wrong = integers_rest(a, b, out);
    if (!wrong && *out != 0 && (*out < 0) != (b < 0))
        *out += b;
    return wrong;
}

/* The difference of two odd numbers is even, and keeps their common divisor. */
static uint64_t gcd_of_odd(uint64_t a, uint64_t b)
{
    while (a != b) {
        const uint64_t more = a > b ? a - b : b - a;
        b = a < b ? a : b;
        a = more >> __builtin_ctzll(more);
    }
    return a;
}

const char *integers_gcd(__int128 a, __int128 b, __int128 *out)
{
    unsigned __int128 x = (unsigned __int128)(a < 0 ? -a : a);
    unsigned __int128 y = (unsigned __int128)(b < 0 ? -b : b);
    while (y > UINT64_MAX || (x > UINT64_MAX && y > 0)) {
        const unsigned __int128 rest = x % y;
        x = y;
        y = rest;
    }
    const uint64_t p = (uint64_t)x, q = (uint64_t)y;
    *out = (__int128)(x | y);
    if (p && q)
        *out = (__int128)gcd_of_odd(p >> __builtin_ctzll(p),
                                    q >> __builtin_ctzll(q))
               << __builtin_ctzll(p | q);
    return NULL;
}

#define REAL(name, compute)                 \
    double reals_##name(double a, double b) \
    {                                       \
        (void)b;                            \
        return compute;                     \
    }

REAL(negate, -a)
REAL(same, a)
REAL(add, a + b)
REAL(subtract, a - b)
REAL(multiply, a *b)
REAL(divide, a / b)
REAL(rest, fmod(a, b))
REAL(pow, pow(a, b))
REAL(abs, fabs(a))
REAL(sqrt, sqrt(a))
REAL(floor, floor(a))
REAL(ceil, ceil(a))
REAL(trunc, trunc(a))
REAL(round, round(a))
REAL(rint, rint(a))
REAL(exp, exp(a))
REAL(log, log(a))
REAL(log2, log2(a))
REAL(log10, log10(a))
REAL(sin, sin(a))
REAL(cos, cos(a))
REAL(tan, tan(a))
REAL(atan2, atan2(a, b))
REAL(hypot, hypot(a, b))
/* NaN if either operand is NaN. If both are equal, the first one. */
REAL(min, b != b || b < a ? b : a)
REAL(max, b != b || b > a ? b : a)

/* As in Python: the result has the sign of the divisor, even if it is 0. */
double reals_mod(double a, double b)
{
    double rest = fmod(a, b);
    if (rest == 0)
        return copysign(0, b);
    return (rest < 0) != (b < 0) && rest == rest ? rest + b : rest;
}

/* NaN unless both floats are integers. fmod is exact, so the result is too. */
double reals_gcd(double a, double b)
{
    if (isinf(a) || isinf(b) || trunc(a) != a || trunc(b) != b)
        return NAN;
    while (b != 0) {
        const double rest = fmod(a, b);
        a = b;
        b = rest;
    }
    return fabs(a);
}

double reals_power(double a, __int128 n)
{
    enum { CHAIN_MAX = 64 };
    double product = 1, square = a;
    if (n > CHAIN_MAX || n < -CHAIN_MAX)
        return pow(a, (double)n);
    for (int left = (int)(n < 0 ? -n : n); left > 0; left >>= 1) {
        product = left & 1 ? product * square : product;
        square *= square;
    }
    return n < 0 ? 1 / product : product;
}
