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

/* The rows of lanes. */
#define LANE_SUMS(dtype, kind)                            \
    {                                                     \
        lane_##dtype##_v_##kind, lane_##dtype##_m_##kind, \
            lane_##dtype##_s_##kind                       \
    }
#define LANE_ROW(dtype, T, sums, row_sums, all_sums)                          \
    [DTYPE_##                                                                 \
        dtype] = {.add = sums,                                                \
                  .add_rows = row_sums,                                       \
                  .add_all = all_sums,                                        \
                  .extrema = {lane_##dtype##_least, lane_##dtype##_greatest}, \
                  .extrema_rows = {lane_##dtype##_least_rows,                 \
                                   lane_##dtype##_greatest_rows},             \
                  .turn = lane_turn_##T}
#define LANE_FLOAT_ROW(dtype, T)                                      \
    LANE_ROW(dtype, T, LANE_SUMS(dtype, add), LANE_SUMS(dtype, rows), \
             LANE_SUMS(dtype, all))
#define LANE_INTEGER_ROW(dtype, T) \
    LANE_ROW(dtype, T, {lane_##dtype##_v_add}, {lane_##dtype##_v_rows}, {NULL})

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
    .lanes = {LANE_FLOAT_ROW(f16, uint16_t), LANE_FLOAT_ROW(bf16, uint16_t),
              LANE_FLOAT_ROW(f32, uint32_t), LANE_FLOAT_ROW(f64, uint64_t),
              LANE_INTEGER_ROW(i8, uint8_t), LANE_INTEGER_ROW(i16, uint16_t),
              LANE_INTEGER_ROW(i32, uint32_t), LANE_INTEGER_ROW(i64, uint64_t),
              LANE_INTEGER_ROW(u8, uint8_t), LANE_INTEGER_ROW(u16, uint16_t),
              LANE_INTEGER_ROW(u32, uint32_t), LANE_INTEGER_ROW(u64, uint64_t)},
};
