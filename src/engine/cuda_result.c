/* SPDX-License-Identifier: MIT */
#include "engine/cuda_result.h"

/* What a state is made of. */
struct source {
    const struct gpu_result *result;
    const struct chunk *chunk;
    const struct prod_node *node;
    enum dtype dtype;
};

static void take_count(union state *state, const struct source *from)
{
    const struct gpu_count *c = &from->result->count;
    state->count.nan = c->nan;
    state->count.inf = c->inf;
    state->count.nonzero = c->nonzero;
    if (c->nan)
        state->count.first_nan = from->chunk->first + ~c->first_nan;
}

static void take_sum(union state *state, const struct source *from,
                     enum exact_map map)
{
    struct exact *x = &state->exact;
    const struct gpu_sum *sum = &from->result->sum[map];
    bool is_float = dtype_is_float(from->dtype);
    size_t limbs = 2 * (size_t)x->words;
    x->nan = sum->nan;
    x->plus_inf = sum->plus_inf;
    x->minus_inf = sum->minus_inf;
    x->not_negative_zero = !is_float && from->chunk->n > 0;
    for (size_t i = 0; i < GPU_SUMS(limbs); i++) {
        const int64_t *limb = &sum->limb[i * GPU_SUM_STRIDE(limbs)];
        exact_add_limbs(x, limb, limbs);
        if (is_float && limb[limbs] != 0)
            x->not_negative_zero = true;
    }
}

static void take_values(union state *state, const struct source *from)
{
    take_sum(state, from, EXACT_VALUE);
}

static void take_magnitudes(union state *state, const struct source *from)
{
    take_sum(state, from, EXACT_MAGNITUDE);
}

static void take_squares(union state *state, const struct source *from)
{
    take_sum(state, from, EXACT_SQUARE);
}

/* What is in a packed word (struct gpu_extrema). */
static void unpack(struct extremum *to, uint64_t packed, bool greatest,
                   enum dtype dtype, bool magnitude)
{
    if (packed == 0)
        return;
    bool is_float = dtype_is_float(dtype);
    unsigned bits = 8 * dtype_info(dtype)->size;
    uint64_t ones = ~0ull >> (64 - bits), sign = ones / 2 + 1;
    uint64_t key = ~packed >> (64 - bits);
    bool negative_zero = ~packed & 1;
    if (greatest)
        key ^= ones;
    to->index = ~packed << bits >> (bits + 1);
    if (is_float || (dtype_is_signed(dtype) && !magnitude)) {
        to->key = key_of_signed((int64_t)(key - sign));
        to->bits = key ^ sign;
        if (is_float && to->bits & sign)
            to->bits ^= sign - 1;
        if (negative_zero)
            to->bits = sign;
    } else {
        to->key = to->bits = key;
    }
}

static uint64_t most_of(const struct gpu_extrema *from, int i)
{
    uint64_t most = 0;
    for (int row = 0; row < GPU_SUMS_MAX; row++) {
        if (from->packed[row][i] > most)
            most = from->packed[row][i];
    }
    return most;
}

static void take_extremes(union state *state, const struct source *from,
                          bool magnitudes)
{
    const struct gpu_extrema *found = &from->result->extrema[magnitudes];
    const uint64_t first = from->chunk->first, n = from->chunk->n;
    struct extrema *x = &state->extrema;
    if (n == 0)
        return;
    x->nans = found->nans;
    if (found->first_nan)
        x->first_nan = first + ~found->first_nan;
    if (gpu_extrema_packed(dtype_info(from->dtype)->size, n)) {
        unpack(&x->min, most_of(found, 0), false, from->dtype, magnitudes);
        unpack(&x->max, most_of(found, 1), true, from->dtype, magnitudes);
    } else {
        x->min = found->found[0];
        x->max = found->found[1];
    }
    if (x->min.index != INDEX_NONE) {
        x->min.index += first;
        x->max.index += first;
    }
}

static void take_extrema(union state *state, const struct source *from)
{
    take_extremes(state, from, false);
}

static void take_absextrema(union state *state, const struct source *from)
{
    take_extremes(state, from, true);
}

static void take_prod(union state *state, const struct source *from)
{
    const struct gpu_prod *prod = &from->result->prod;
    const struct chunk *chunk = from->chunk;
    struct prod *p = &state->prod;
    p->zeros = prod->zeros;
    p->infs = prod->infs;
    p->nans = prod->nans;
    if (!dtype_is_float(from->dtype))
        p->integer = prod->integer;
    for (size_t i = 0; from->node && i * PROD_LEAF < chunk->n; i++)
        prod_push(p, chunk->first / PROD_LEAF + i, from->node[i], 0);
}

/* Those of GPU_MONOIDS. */
static void (*const take[MONOIDS_END])(union state *state,
                                       const struct source *from) = {
    [MONOID_count] = take_count,
    [MONOID_sum] = take_values,
    [MONOID_sumabs] = take_magnitudes,
    [MONOID_sumsq] = take_squares,
    [MONOID_prod] = take_prod,
    [MONOID_extrema] = take_extrema,
    [MONOID_absextrema] = take_absextrema,
};

void cuda_take_state(enum monoid monoid, enum dtype dtype, union state *state,
                     const struct gpu_result *r, const struct chunk *chunk,
                     const struct prod_node *node)
{
    const struct source from = {r, chunk, dtype_is_float(dtype) ? node : NULL,
                                dtype};
    monoids[monoid].init(state, dtype);
    take[monoid](state, &from);
}
