/* SPDX-License-Identifier: MIT */
/*
 * The algorithm is Schubfach: R. Giulietti, "The Schubfach way to render
 * doubles" (2020), which proves that 128 bits of a power of ten are enough for
 * f64. At some of f64's exponents the narrower types have fewer significands,
 * so the proof holds for them, too.
 */
#include "output/shortest.h"

#include <stdbool.h>

#include "csv/number/powers.h"
#include "reduce/float_format.h"

typedef unsigned __int128 u128;

/* significand * 2^exponent. */
struct binary {
    uint64_t significand;
    int exponent;
    bool is_power; /* a power of two: the neighbour below is nearer */
};

static struct binary take_apart(double x, enum dtype dtype)
{
    static const struct {
        int fraction, least; /* 2^least is the least subnormal */
    } formats[DTYPES_ALL_END] = {
#define FORMAT(name, fraction, exponent, has_inf) \
    [DTYPE_##name] = {fraction, LSB_##name},
        FLOATS(FORMAT)
#undef FORMAT
    };
    const int fraction = formats[dtype].fraction;
    const uint64_t bits = dtype_from_double(dtype, x), one = 1ull << fraction;
    const uint64_t low = bits & (one - 1);
    const int field = (int)(bits >> fraction);
    return (struct binary){.significand = field > 0 ? low | one : low,
                           .exponent = (field > 0 ? field - 1 : 0) +
                                       formats[dtype].least,
                           .is_power = low == 0 && field > 1};
}

/* 10^n / 2^(floor(log2(10^n)) - 127), rounded up. */
static u128 power_of_ten(int n)
{
    const struct power *p = &number_powers()->five[n - POWERS_FIRST];
    /* In this range the table's rows are exact or rounded up already. The other
     * rows are rounded down, so 1 is added. */
    const bool is_up = n >= -27 && n <= 55;
    return ((u128)p->high << 64 | p->low) + !is_up;
}

/* floor(x * power / 2^128), with the last bit set if that is not exact. So it
 * compares with any even number like the exact product. */
static uint64_t multiply_to_odd(uint64_t x, u128 power)
{
    const u128 low = (u128)x * (uint64_t)power >> 64;
    const u128 product = (u128)x * (uint64_t)(power >> 64) + low;
    return (uint64_t)(product >> 64) | ((uint64_t)product > 1);
}

/* Not inlined, so that hundredths need not save the registers that it uses. */
static __attribute__((noinline)) struct decimal schubfach(double x,
                                                          enum dtype dtype)
{
    const struct binary b = take_apart(x, dtype);
    /* The numbers that read back as x form an interval of some width, and 10^k
     * <= width < 10^(k + 1). It holds a multiple of 10^k, and at most one of
     * 10^(k + 1). The quotients below are log10(2) and log10(3/4), whose floors
     * are right at every exponent of f64; so is that of log2(10). */
    const int k = (b.exponent * 1262611 - (b.is_power ? 524031 : 0)) >> 22;
    const int shift = b.exponent + (-k * 1741647 >> 19) + 1;
    const u128 power = power_of_ten(-k);
    /* x and both ends of the interval, in quarters of 10^k. */
    const uint64_t four = 4 * b.significand;
    const uint64_t at = multiply_to_odd(four << shift, power);
    /* then the ends of the interval do not read as x */
    const bool is_odd = b.significand & 1;
    const uint64_t low =
        multiply_to_odd((four - 2 + b.is_power) << shift, power) + is_odd;
    const uint64_t high = multiply_to_odd((four + 2) << shift, power) - is_odd;
    const uint64_t unit = at / 4, ten = unit / 10;
    bool below = low <= 40 * ten, above = 40 * ten + 40 <= high;
    /* For the smallest subnormals 10^k is the first digit, and ten is not
     * shorter. */
    if (ten > 0 && below != above)
        return (struct decimal){ten + above, k + 1};
    below = low <= 4 * unit;
    above = 4 * unit + 4 <= high;
    if (below == above) /* takes the nearer one, or at a tie the even one */
        above = at > 4 * unit + 2 || (at == 4 * unit + 2 && unit & 1);
    return (struct decimal){unit + above, k};
}

/* Whether x reads back from a number of hundredths below 10^15. No other
 * decimal of at most 15 digits reads as the same f64. */
static bool is_hundredths(double x, uint64_t *n)
{
    const double hundredths = 100 * x;
    *n = hundredths < 1e15 ? (uint64_t)(hundredths + 0.5) : 0;
    return (double)*n / 100 == x;
}

struct decimal shortest_decimal(double x, enum dtype dtype)
{
    uint64_t n;
    if (dtype == DTYPE_f64 && is_hundredths(x, &n))
        return (struct decimal){n, -2};
    return schubfach(x, dtype);
}
