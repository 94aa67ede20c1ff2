/* SPDX-License-Identifier: MIT */
/* Makes states of the results of a chunk or a column. The host and the device
 * call the same functions. Indexes stay those of struct gpu_result. */
#pragma once

#include "kernels/common/launch.h"

/* The properties of a dtype on which packed words depend. */
struct gpu_packing {
    unsigned bits;
    bool is_float, is_signed;
};

static inline struct gpu_packing gpu_packing_of(enum dtype dtype)
{
    const struct gpu_packing p = {8u * dtype_info(dtype)->size,
                                  dtype_is_float(dtype),
                                  dtype_is_signed(dtype)};
    return p;
}

/* Unpacks a word of struct gpu_extrema. A word of 0 leaves *to as it is. */
HD void settle_packed(struct extremum *to, uint64_t packed, bool greatest,
                      struct gpu_packing p, bool magnitude)
{
    const uint64_t ones = ~0ull >> (64 - p.bits), sign = ones / 2 + 1;
    const bool negative_zero = ~packed & 1;
    uint64_t key = ~packed >> (64 - p.bits);
    if (packed == 0)
        return;
    if (greatest)
        key ^= ones;
    to->index = ~packed << p.bits >> (p.bits + 1);
    to->key = to->bits = key;
    if (!p.is_float && (!p.is_signed || magnitude))
        return;
    to->key = key_of_signed((int64_t)(key - sign));
    to->bits = key ^ sign;
    if (p.is_float && to->bits & sign)
        to->bits ^= sign - 1;
    if (negative_zero)
        to->bits = sign;
}

/* The greatest word [i] of all rows. */
HD uint64_t settle_most(const struct gpu_extrema *from, int i)
{
    uint64_t most = 0;
    for (int row = 0; row < GPU_SUMS_MAX; row++)
        most = from->packed[row][i] > most ? from->packed[row][i] : most;
    return most;
}

/* Makes *x the extremes of n elements. */
HD void settle_extrema(struct extrema *x, const struct gpu_extrema *from,
                       size_t n, struct gpu_packing p, bool magnitude)
{
    extrema_init(x);
    if (n == 0)
        return;
    x->nans = from->nans;
    if (from->first_nan)
        x->first_nan = ~from->first_nan;
    if (gpu_extrema_packed(p.bits / 8, n)) {
        settle_packed(&x->min, settle_most(from, 0), false, p, magnitude);
        settle_packed(&x->max, settle_most(from, 1), true, p, magnitude);
    } else {
        x->min = from->found[0];
        x->max = from->found[1];
    }
}

HD void settle_count(struct count *c, const struct gpu_count *from)
{
    count_init(c);
    c->nan = from->nan;
    c->inf = from->inf;
    c->nonzero = from->nonzero;
    if (from->nan)
        c->first_nan = ~from->first_nan;
}

/* Adds to *x the counts of a sum of n elements, and whether an addend was not
 * -0. */
HD void settle_specials(struct exact *x, const struct gpu_sum *from, size_t n,
                        bool is_float)
{
    const unsigned limbs = 2 * x->words;
    x->nan += from->nan;
    x->plus_inf += from->plus_inf;
    x->minus_inf += from->minus_inf;
    if (!is_float && n > 0)
        x->not_negative_zero = true;
    for (unsigned i = 0; is_float && i < GPU_SUMS(limbs); i++) {
        if (from->limb[i * GPU_SUM_STRIDE(limbs) + limbs] != 0)
            x->not_negative_zero = true;
    }
}
