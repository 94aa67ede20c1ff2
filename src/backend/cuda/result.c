/* SPDX-License-Identifier: MIT */
#include "backend/cuda/result.h"

#include "kernels/reduce/settle.h"

/* The data from which a state is made. */
struct source {
    const struct gpu_result *result;
    const struct chunk *chunk;
    const struct prod_node *node;
    enum dtype dtype;
};

/* Turns an index in the chunk into one of the dataset. */
static void make_global(uint64_t *index, uint64_t first)
{
    if (*index != INDEX_NONE)
        *index += first;
}

/* The take functions: each sets *state. The last argument is `which` of the
 * monoid's row in `rows`. */
static void take_count(union state *state, const struct source *from, int which)
{
    (void)which;
    settle_count(&state->count, &from->result->count);
    make_global(&state->count.first_nan, from->chunk->first);
}

static void take_sum(union state *state, const struct source *from, int map)
{
    struct exact *x = &state->exact;
    const struct gpu_sum *sum = &from->result->sum[map];
    const size_t limbs = 2 * (size_t)x->words;
    settle_specials(x, sum, from->chunk->n, dtype_is_float(from->dtype));
    for (size_t i = 0; i < GPU_SUMS(limbs); i++)
        exact_add_limbs(x, &sum->limb[i * GPU_SUM_STRIDE(limbs)], limbs);
}

static void take_extremes(union state *state, const struct source *from,
                          int magnitudes)
{
    struct extrema *x = &state->extrema;
    settle_extrema(x, &from->result->extrema[magnitudes], from->chunk->n,
                   gpu_packing_of(from->dtype), magnitudes);
    make_global(&x->first_nan, from->chunk->first);
    make_global(&x->min.index, from->chunk->first);
    make_global(&x->max.index, from->chunk->first);
}

static void take_prod(union state *state, const struct source *from, int which)
{
    const struct gpu_prod *prod = &from->result->prod;
    const struct chunk *chunk = from->chunk;
    struct prod *p = &state->prod;
    (void)which;
    p->zeros = prod->zeros;
    p->infs = prod->infs;
    p->nans = prod->nans;
    if (!dtype_is_float(from->dtype))
        p->integer = prod->integer;
    for (size_t i = 0; from->node && i * PROD_LEAF < chunk->n; i++)
        prod_push(p, chunk->first / PROD_LEAF + i, from->node[i], 0);
}

/* Only monoids of GPU_MONOIDS have rows. */
static const struct {
    void (*take)(union state *state, const struct source *from, int which);
    int which;
} rows[MONOIDS_END] = {
    [MONOID_count] = {take_count, 0},
    [MONOID_sum] = {take_sum, EXACT_VALUE},
    [MONOID_sumabs] = {take_sum, EXACT_MAGNITUDE},
    [MONOID_sumsq] = {take_sum, EXACT_SQUARE},
    [MONOID_prod] = {take_prod, 0},
    [MONOID_extrema] = {take_extremes, false},
    [MONOID_absextrema] = {take_extremes, true},
};

void cuda_read_state(enum monoid monoid, enum dtype dtype, union state *state,
                     const struct gpu_result *r, const struct chunk *chunk,
                     const struct prod_node *node)
{
    const struct source from = {r, chunk, dtype_is_float(dtype) ? node : NULL,
                                dtype};
    monoids[monoid].init(state, dtype);
    rows[monoid].take(state, &from, rows[monoid].which);
}
