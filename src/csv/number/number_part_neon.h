/* SPDX-License-Identifier: MIT */
/* The operations on parts of batches that GNU C's operators cannot express,
 * with NEON: see number_part_avx2.h. A part holds two texts of 8 bytes, one of
 * 16 or half of one of 32. */
#pragma once

#include "csv/number/number_batch_parts.h"

#ifdef __aarch64__
#define HAVE_PARTS

#define PART_BITS 1, 2
#define PART_ROWS 0, 1, 2, 3
#define PART_PLACES 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16
#define PART_TEXT(k) ((k) / 2)

/* The low halves of the lanes of a, then of b. */
BATCH_VALUE(uint32x4_t, part_evens, (batch_part a, batch_part b),
            vuzp1q_u32((uint32x4_t)a, (uint32x4_t)b))
BATCH_VALUE(batch_part, part_multiply32, (batch_part a, batch_part b),
            vmull_u32(vmovn_u64((uint64x2_t)a), vmovn_u64((uint64x2_t)b)))
BATCH_VALUE(batch_text, part_no_digit, (batch_text text),
            vcgtq_u8(vsubq_u8(text, vdupq_n_u8('0')), vdupq_n_u8(9)))
BATCH_VALUE(batch_part, part_above, (batch_part a, batch_part b),
            (batch_part)(a > b))
BATCH_VALUE(batch_part, part_select,
            (batch_part m, batch_part yes, batch_part no),
            vbslq_u64((uint64x2_t)m, (uint64x2_t)yes, (uint64x2_t)no))

BATCH_INLINE unsigned part_bits(const batch_part *m)
{
    const uint16x8_t each = {1, 2, 4, 8, 16, 32, 64, 128};
    uint16x8_t x = vuzp1q_u16((uint16x8_t)part_evens(m[0], m[1]),
                              (uint16x8_t)part_evens(m[2], m[3]));
    return vaddvq_u16(vandq_u16(x, each));
}

BATCH_VALUE(bool, part_any, (batch_part x), vmaxvq_u32((uint32x4_t)x) != 0)

BATCH_INLINE batch_part part_load(const void *const *at)
{
    uint64x2_t x = vdupq_n_u64(0);
    x = vld1q_lane_u64(at[0], x, 0);
    return (batch_part)vld1q_lane_u64(at[1], x, 1);
}

BATCH_VALUE(batch_part, part_gather, (const uint64_t *table, batch_part i),
            (batch_part){table[i[0]], table[i[1]]})

/* The conversion of x to an integer is exact and below 2^64, since w has at
 * most 19 digits. */
BATCH_INLINE batch_real part_split(batch_part w, batch_real *rest)
{
    float64x2_t x = vcvtq_f64_u64((uint64x2_t)w);
    uint64x2_t less = (uint64x2_t)(w - (batch_part)vcvtq_u64_f64(x));
    *rest = (batch_real)vcvtq_f64_s64((int64x2_t)less);
    return (batch_real)x;
}

BATCH_VALUE(batch_real, part_remainder,
            (batch_real q, batch_real b, batch_real a),
            vfmsq_f64((float64x2_t)a, (float64x2_t)q, (float64x2_t)b))

BATCH_INLINE batch_real part_times(batch_real x, batch_part e, int bit,
                                   double power)
{
    uint64x2_t is_set = vtstq_u64((uint64x2_t)e, vdupq_n_u64(1ull << bit));
    return x *
           (batch_real)vbslq_f64(is_set, vdupq_n_f64(power), vdupq_n_f64(1));
}

BATCH_INLINE batch_text part_spread(batch_part x)
{
    const uint8x16_t each = {0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 8, 8, 8, 8, 8};
    return (batch_text)vqtbl1q_u8((uint8x16_t)x, each);
}

BATCH_INLINE batch_real part_tens(batch_part e)
{
    const uint8x16_t each = {0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7};
    const uint8x16x4_t table = vld1q_u8_x4((const uint8_t *)batch_powers);
    uint8x16_t power = (uint8x16_t)(part_spread(e) & 7);
    return (batch_real)vqtbl4q_u8(table, vsliq_n_u8(each, power, 3));
}

BATCH_INLINE void part_store_4(batch_part a, batch_part b, uint32_t *to)
{
    vst1q_u32(to, part_evens(a, b));
}

BATCH_INLINE void part_store_f32(batch_real a, batch_real b, float *to)
{
    vst1q_f32(to,
              vcvt_high_f32_f64(vcvt_f32_f64((float64x2_t)a), (float64x2_t)b));
}

BATCH_VALUE(batch_text, part_spread_16, (batch_part x, int k),
            (batch_text)(k == 0 ? vdupq_laneq_u8((uint8x16_t)x, 0)
                                : vdupq_laneq_u8((uint8x16_t)x, 8)))
BATCH_VALUE(batch_text, part_load_16, (const char *const *end),
            vld1q_u8((const uint8_t *)end[0] - 16))
BATCH_VALUE(batch_text, part_late_16, (batch_text x),
            vextq_u8(vdupq_n_u8(0), (uint8x16_t)x, 15))
BATCH_VALUE(batch_part, part_sum, (batch_text x),
            vpaddlq_u32(vpaddlq_u16(vpaddlq_u8((uint8x16_t)x))))
BATCH_VALUE(batch_part, part_firsts, (batch_part a, batch_part b),
            vzip1q_u64((uint64x2_t)a, (uint64x2_t)b))
BATCH_VALUE(batch_part, part_lasts, (batch_part a, batch_part b),
            vzip2q_u64((uint64x2_t)a, (uint64x2_t)b))

BATCH_INLINE batch_part part_sum_16(batch_text a, batch_text b)
{
    uint16x8_t x =
        vpaddq_u16(vpaddlq_u8((uint8x16_t)a), vpaddlq_u8((uint8x16_t)b));
    return (batch_part)vpaddlq_u32(vpaddlq_u16(x));
}

BATCH_VALUE(batch_part, part_any_16, (batch_text a, batch_text b),
            vpmaxq_u8((uint8x16_t)a, (uint8x16_t)b))

BATCH_INLINE batch_part part_join(batch_text x)
{
    const uint8x16_t ten = (uint8x16_t)vdupq_n_u16(1 << 8 | 10);
    const uint16x8_t hundred = (uint16x8_t)vdupq_n_u32(1 << 16 | 100);
    const uint32x4_t many = (uint32x4_t)vdupq_n_u64(1ull << 32 | 10000);
    uint16x8_t twos = vpaddlq_u8(vmulq_u8((uint8x16_t)x, ten));
    uint32x4_t fours = vpaddlq_u16(vmulq_u16(twos, hundred));
    return (batch_part)vpaddlq_u32(vmulq_u32(fours, many));
}

BATCH_INLINE batch_part part_join_16(batch_text a, batch_text b)
{
    uint8x16_t even = vuzp1q_u8((uint8x16_t)a, (uint8x16_t)b);
    uint8x16_t odd = vuzp2q_u8((uint8x16_t)a, (uint8x16_t)b);
    /* The last two digits first. A lane then has half * 2^bits + other half. */
    uint16x8_t twos =
        (uint16x8_t)vrev64q_u8(vmlaq_u8(odd, even, vdupq_n_u8(10)));
    uint32x4_t fours = (uint32x4_t)vmlsq_u16(twos, vshrq_n_u16(twos, 8),
                                             vdupq_n_u16(256 - 100));
    uint64x2_t eights = (uint64x2_t)vmlsq_u32(fours, vshrq_n_u32(fours, 16),
                                              vdupq_n_u32(65536 - 10000));
    return (batch_part)vmlsl_u32(eights, vshrn_n_u64(eights, 32),
                                 vdup_n_u32((1ull << 32) - 100000000));
}

BATCH_VALUE(batch_text, part_place_32, (int k),
            (batch_text){PART_PLACES} + (uint8_t)(16 * (k & 1)))
BATCH_VALUE(batch_text, part_load_32, (const char *const *end, int k),
            vld1q_u8((const uint8_t *)end[k / 2] - 32 + 16 * (k & 1)))
BATCH_VALUE(batch_text, part_late_32, (batch_text before, batch_text x),
            vextq_u8((uint8x16_t)before, (uint8x16_t)x, 15))
BATCH_VALUE(batch_text, part_spread_32, (batch_part x, int k),
            part_spread_16(x, k))

#endif
