/* SPDX-License-Identifier: MIT */
/*
 * All CPU loops of one instruction set: LOOPS names the table. The pieces are
 * templates, one a family of monoids; what they share is in vector.h.
 */
#include "reduce/cpu/accumulator.h"

#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)
#define TEXT2(a) #a
#define TEXT(a) TEXT2(a)

#include "reduce/cpu/loops_count.h"
#include "reduce/cpu/loops_extrema.h"
#include "reduce/cpu/loops_lanes.h"
#include "reduce/cpu/loops_prod.h"
#include "reduce/cpu/loops_product.h"
#include "reduce/cpu/loops_sum_float.h"
#include "reduce/cpu/loops_sum_integer.h"
#include "reduce/cpu/loops_sum_power.h"

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
    [MONOID_wide][DTYPE_##dtype] = accumulator_nothing,      \
    [MONOID_sumcube][DTYPE_##dtype] = sumcube_##dtype,       \
    [MONOID_sumfourth][DTYPE_##dtype] = sumfourth_##dtype,   \
    [MONOID_sumb][DTYPE_##dtype] = accumulator_nothing,      \
    [MONOID_sumsqb][DTYPE_##dtype] = accumulator_nothing,    \
    [MONOID_sumab][DTYPE_##dtype] = accumulator_nothing,     \
    [MONOID_sumaab][DTYPE_##dtype] = accumulator_nothing,
            DTYPES(ROW)
#undef ROW
        },
    .products = products,
    .lanes = {LANE_ROWS},
};
