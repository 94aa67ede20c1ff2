/* SPDX-License-Identifier: MIT */
/*
 * The fast path of the exact sum, shared by CPU and GPU.
 *
 * Let M = 1.5 * 2^(52 + low), and x a double of about |x| < 2^(51 + low). Then
 * t = x + M is in M's binade, whose ulp is 2^low, so the addition rounds x to a
 * multiple of 2^low. bits(t) - bits(M) is that multiple as an integer, and such
 * integers are summed. r = x - (t - M) is exactly what was rounded away
 * (Sterbenz), with |r| <= 2^(low - 1). It goes to the next window, 51 bits
 * lower.
 *
 * x fits if t has M's sign and exponent and nothing is left below the last
 * window. NaN, Inf and large x do not fit. Elements that do not fit take the
 * slow path. Each thread, block of data or device may choose its own windows,
 * since the sum does not depend on them.
 */
#pragma once

#include "reduce/float_format.h"
#include "reduce/hd.h"

enum {
    WINDOW_BITS = 51,
    WINDOWS_MAX = 3,
    /* |bits(t) - bits(M)| <= 2^51, so an int64 holds the sum of so many. */
    WINDOW_ADDENDS = 1 << 11,
};

/* M's own sum must not overflow: 52 + low <= 1022. */
#define WINDOW_LOW_MAX 970
#define WINDOW_LOW_MIN (-1074)

struct sum_windows {
    int low[WINDOWS_MAX];      /* window i counts multiples of 2^low[i] */
    double magic[WINDOWS_MAX]; /* M of window i */
};

HD double window_magic(int low)
{
    /* 1.5 * 2^(52 + low) is normal for every allowed low. */
    return double_of_bits((uint64_t)(52 + low + 1023) << 52 | 1ull << 51);
}

/* `count` adjoining windows for |x| < 2^top, or the nearest that are allowed:
 * the lowest need not reach below `least`, the lsb of the data, and must not
 * reach below the least subnormal. */
HD struct sum_windows windows_below(int top, int count, int least)
{
    struct sum_windows w;
    int low = top - WINDOW_BITS;
    int floor = least > WINDOW_LOW_MIN ? least : WINDOW_LOW_MIN;
    int span = (count - 1) * WINDOW_BITS;
    int i;
    if (low - span < floor)
        low = floor + span;
    if (low > WINDOW_LOW_MAX)
        low = WINDOW_LOW_MAX;
    for (i = 0; i < WINDOWS_MAX; i++) {
        int at = low - i * WINDOW_BITS;
        w.low[i] = at < WINDOW_LOW_MIN ? WINDOW_LOW_MIN : at;
        w.magic[i] = window_magic(w.low[i]);
    }
    return w;
}

/* For squares, fma(x, x, -x*x) is the exact error of x*x only if it does not
 * underflow. For |x| >= 2^e its last bit is at least 2^(2 (e - 52)), which is
 * 2^-1074 for this exponent. Smaller x, except 0, must not take the fast path.
 */
#define WINDOW_SQUARE_EXPONENT (-485)

/*
 * A value of up to 63 bits times 2^position, cut into 32-bit parts for three
 * adjoining limbs (see exact_add_limbs). Each part is below 2^32 in magnitude,
 * so 2^31 deposits fit a limb.
 */
struct deposit {
    unsigned limb;
    int64_t part[3];
};

HD struct deposit deposit_split(int64_t value, unsigned position)
{
    struct deposit d;
    uint64_t u = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    unsigned s = position & 31;
    uint64_t high = s ? u >> (64 - s) : 0;
    u <<= s;
    d.limb = position >> 5;
    d.part[0] = (int64_t)(u & 0xffffffff);
    d.part[1] = (int64_t)(u >> 32);
    d.part[2] = (int64_t)high;
    if (value < 0) {
        d.part[0] = -d.part[0];
        d.part[1] = -d.part[1];
        d.part[2] = -d.part[2];
    }
    return d;
}

/* A finite double, a multiple of 2^lsb, as value * 2^(position + lsb). */
struct scaled {
    int64_t value;
    unsigned position;
};

HD struct scaled scaled_of(double x, int lsb)
{
    uint64_t bits = bits_of_double(x);
    unsigned exponent = (unsigned)(bits >> 52) & 0x7ff;
    int64_t mantissa = (int64_t)(bits & 0xfffffffffffff);
    struct scaled s;
    /* Subnormals have the exponent of the least normals. */
    s.value = exponent ? mantissa | 1ll << 52 : mantissa;
    s.position = (exponent ? exponent : 1) - 1;
    s.value = bits >> 63 ? -s.value : s.value;
    if (lsb != -1074) {
        /* x is a multiple of 2^lsb, so only zeros are shifted out. */
        int at = (int)s.position - 1074 - lsb;
        if (at < 0)
            s.value = at > -63 ? s.value / (1ll << -at) : 0;
        s.position = at < 0 ? 0 : (unsigned)at;
    }
    return s;
}
