/* SPDX-License-Identifier: MIT */
/*
 * All CPU loops of one instruction set. LOOPS is the name of their table. Each
 * included header is a template for one family of monoids; vector.h has what
 * they share.
 */
#include "reduce/cpu/vector.h"

#include "reduce/cpu/loops_count.h"
#include "reduce/cpu/loops_extrema.h"
#include "reduce/cpu/loops_lanes.h"
#include "reduce/cpu/loops_long.h"
#include "reduce/cpu/loops_prod.h"
#include "reduce/cpu/loops_product.h"
#include "reduce/cpu/loops_ranks.h"
#include "reduce/cpu/loops_sum_float.h"
#include "reduce/cpu/loops_sum_integer.h"
#include "reduce/cpu/loops_sum_power.h"

/* The rows of lanes, by dtype. */
#define LANE_SUMS(dtype, kind)                            \
    {                                                     \
        lane_##dtype##_v_##kind, lane_##dtype##_m_##kind, \
            lane_##dtype##_s_##kind                       \
    }
#define LANE_BOTH(name)                                       \
    {lane_##name##_least, lane_##name##_greatest},            \
    {                                                         \
        lane_##name##_least_rows, lane_##name##_greatest_rows \
    }
#define LANE_ROW_INTEGER(dtype, T)                                         \
    [DTYPE_##                                                              \
        dtype] = {{lane_##dtype##_v_add}, {lane_##dtype##_v_rows}, {NULL}, \
                  LANE_BOTH(dtype),       lane_turn_##T,           0}
#define LANE_ROW_FLOAT(dtype, T)                                      \
    [DTYPE_##dtype] = {LANE_SUMS(dtype, add), LANE_SUMS(dtype, rows), \
                       LANE_SUMS(dtype, all), LANE_BOTH(dtype),       \
                       lane_turn_##T,         (int64_t)INF_BITS(dtype)}

#define LANE_ROWS                                                         \
    LANE_ROW_FLOAT(f16, uint16_t), LANE_ROW_FLOAT(bf16, uint16_t),        \
        LANE_ROW_FLOAT(f32, uint32_t), LANE_ROW_FLOAT(f64, uint64_t),     \
        LANE_ROW_INTEGER(i8, uint8_t), LANE_ROW_INTEGER(i16, uint16_t),   \
        LANE_ROW_INTEGER(i32, uint32_t), LANE_ROW_INTEGER(i64, uint64_t), \
        LANE_ROW_INTEGER(u8, uint8_t), LANE_ROW_INTEGER(u16, uint16_t),   \
        LANE_ROW_INTEGER(u32, uint32_t), LANE_ROW_INTEGER(u64, uint64_t)

const struct cpu_loops JOIN(cpu_loops_, LOOPS) = {
    .name = TEXT(LOOPS),
    .run =
        {
#define ROW(dtype, long_name, class, storage)                \
    [MONOID_count][DTYPE_##dtype] = count_##dtype,           \
    [MONOID_sum][DTYPE_##dtype] = sum_##dtype,               \
    [MONOID_sumabs][DTYPE_##dtype] = sumabs_##dtype,         \
    [MONOID_sumsq][DTYPE_##dtype] = sumsq_##dtype,           \
    [MONOID_prod][DTYPE_##dtype] = prod_##dtype,             \
    [MONOID_extrema][DTYPE_##dtype] = extrema_##dtype,       \
    [MONOID_absextrema][DTYPE_##dtype] = absextrema_##dtype, \
    [MONOID_ends][DTYPE_##dtype] = accumulator_ends,         \
    [MONOID_sumcube][DTYPE_##dtype] = sumcube_##dtype,       \
    [MONOID_sumfourth][DTYPE_##dtype] = sumfourth_##dtype,   \
    [MONOID_ranks][DTYPE_##dtype] = ranks_##dtype,
            DTYPES(ROW)
#undef ROW
        },
    .products = products,
    .lanes = {LANE_ROWS},
};
