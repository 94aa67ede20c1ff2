/* SPDX-License-Identifier: MIT */
/* Extremes of lanes. */
#include "axis/lanes.h"

static void set_extremum(struct lanes *l, enum lane_side side, size_t lane,
                         int64_t key, uint64_t at)
{
    if (l->size == 8) {
        ((int64_t *)l->key[side])[lane] = key;
        l->at[side][lane] = at;
    } else {
        ((int32_t *)l->key[side])[lane] = (int32_t)key;
        ((uint32_t *)l->at[side])[lane] = (uint32_t)at;
    }
}

/* A narrow column was split into `times` lanes: merges their extremes. Step i
 * of lane k is step i * times + k of its column. */
static void fold_extrema(struct lanes *l, enum lane_side side, size_t lanes,
                         size_t times)
{
    for (size_t i = 0; i < lanes; i++) {
        int64_t best = lane_key(l, side, i);
        uint64_t at = lane_step(l, side, i) * times;
        for (size_t k = 1; k < times; k++) {
            const int64_t key = lane_key(l, side, i + k * lanes);
            const uint64_t step = lane_step(l, side, i + k * lanes) * times + k;
            const bool beats = side == LANE_LEAST ? key < best : key > best;
            if (beats || (key == best && step < at)) {
                best = key;
                at = step;
            }
        }
        set_extremum(l, side, i, best, at);
    }
}

void lanes_extremum(struct lanes *l, enum lane_side side,
                    const struct lane_block *b, bool is_rows)
{
    lane_extrema_fn *const run =
        (is_rows ? l->loops->extrema_rows : l->loops->extrema)[side];
    const struct lane_extrema x = {l->key[side], l->at[side]};
    /* For whole vectors of elements of 2 bytes; at most half of the steps. */
    const size_t times = 2 * lanes_times(b->lanes);
    if (is_rows || !lanes_are_narrow(l, b)) {
        run(&x, b);
        return;
    }
    /* Some of the last steps are compared twice, which changes nothing. */
    const struct lane_block wide = {b->data, b->steps / times, times * b->lanes,
                                    times * b->pitch};
    const size_t from = b->steps - times;
    const struct lane_block last = {b->data + from * b->pitch, times, b->lanes,
                                    b->pitch};
    int64_t key[LANES_NARROW];
    uint64_t at[LANES_NARROW];
    run(&x, &wide);
    fold_extrema(l, side, b->lanes, times);
    for (size_t i = 0; i < b->lanes; i++) {
        key[i] = lane_key(l, side, i);
        at[i] = lane_step(l, side, i);
    }
    run(&x, &last);
    for (size_t i = 0; i < b->lanes; i++) {
        const int64_t other = lane_key(l, side, i);
        const bool beats = side == LANE_LEAST ? other < key[i] : other > key[i];
        set_extremum(l, side, i, beats ? other : key[i],
                     beats ? from + lane_step(l, side, i) : at[i]);
    }
}
