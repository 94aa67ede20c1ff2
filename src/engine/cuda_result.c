/* SPDX-License-Identifier: MIT */
#include "engine/cuda_result.h"

static void take_count(struct count *c, const struct gpu_count *from,
                       uint64_t first)
{
    c->nan = from->nan;
    c->inf = from->inf;
    c->nonzero = from->nonzero;
    if (from->nan)
        c->first_nan = first + ~from->first_nan;
}

static void take_sum(struct exact *x, const struct gpu_sum *from, uint64_t n,
                     bool is_float)
{
    size_t limbs = 2 * (size_t)x->words;
    x->nan = from->nan;
    x->plus_inf = from->plus_inf;
    x->minus_inf = from->minus_inf;
    x->not_negative_zero = !is_float && n > 0;
    for (size_t i = 0; i < GPU_SUMS(limbs); i++) {
        const int64_t *limb = &from->limb[i * GPU_SUM_STRIDE(limbs)];
        exact_add_limbs(x, limb, limbs);
        if (is_float && limb[limbs] != 0)
            x->not_negative_zero = true;
    }
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

static void take_extrema(struct state *state, const struct gpu_extrema *from,
                         uint64_t first)
{
    struct extrema *x = &state->of.extrema;
    extrema_init(x);
    if (state->n == 0)
        return;
    x->nans = from->nans;
    if (from->first_nan)
        x->first_nan = first + ~from->first_nan;
    if (gpu_extrema_packed(dtype_info(state->dtype)->size, state->n)) {
        bool magnitude = state->monoid == MONOID_absextrema;
        unpack(&x->min, most_of(from, 0), false, state->dtype, magnitude);
        unpack(&x->max, most_of(from, 1), true, state->dtype, magnitude);
    } else {
        x->min = from->found[0];
        x->max = from->found[1];
    }
    if (x->min.index != INDEX_NONE) {
        x->min.index += first;
        x->max.index += first;
    }
}

static void take_prod(struct prod *p, const struct gpu_prod *from,
                      const struct chunk *chunk, const struct prod_node *node,
                      bool is_float)
{
    p->zeros = from->zeros;
    p->infs = from->infs;
    p->nans = from->nans;
    if (!is_float) {
        p->integer = from->integer;
        return;
    }
    for (size_t i = 0; node && i * PROD_LEAF < chunk->n; i++)
        prod_push(p, chunk->first / PROD_LEAF + i, node[i], 0);
}

void cuda_take_state(struct state *state, const struct gpu_result *r,
                     const struct chunk *chunk, const struct prod_node *node)
{
    bool is_float = dtype_is_float(state->dtype);
    state->n = chunk->n;
    switch (state->monoid) {
    case MONOID_count:
        take_count(&state->of.count, &r->count, chunk->first);
        break;
    case MONOID_prod:
        take_prod(&state->of.prod, &r->prod, chunk, node, is_float);
        break;
    case MONOID_extrema:
        take_extrema(state, &r->extrema[0], chunk->first);
        break;
    case MONOID_absextrema:
        take_extrema(state, &r->extrema[1], chunk->first);
        break;
    default:
        take_sum(&state->of.exact, &r->sum[monoid_map(state->monoid)], state->n,
                 is_float);
        break;
    }
}
