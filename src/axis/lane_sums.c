/* SPDX-License-Identifier: MIT */
/* Sums of lanes: plain ones first, then compensated ones, which keep what
 * rounding loses. */
#include "axis/lanes.h"

#include <math.h>
#include <string.h>

#include "reduce/cpu/inexact.h"

enum {
    PARTS = 16, /* partial sums of a row */
    /* Longer rows are left to states, which add them just as fast, and exactly.
     */
    LONG_ROW = 1 << 15,
    /* Steps that are summed plainly: sums of more steps round more often. */
    PIECE_STEPS = 512,
};

/* Sets n sums to -0, and the first `rests` rests and bounds to 0. */
static void zero(const struct lane_sums *s, size_t n, size_t rests)
{
    for (size_t i = 0; i < n; i++)
        s->sum[i] = -0.0;
    memset(s->rest, 0, rests * sizeof *s->rest);
    memset(s->bound, 0, rests * sizeof *s->bound);
}

/* a + b = *sum + the result, exactly (Knuth). */
static double two_sum(double *sum, double a, double b)
{
    const double t = a + b, z = t - a;
    *sum = t;
    return (a - (t - z)) + (b - z);
}

/* Adds n sums to others, with the rounding errors. */
static void add_up(const struct lane_sums *to, const struct lane_sums *from,
                   size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const double e = two_sum(&to->sum[i], to->sum[i], from->sum[i]);
        double lost = fabs(two_sum(&to->rest[i], to->rest[i], e));
        lost += fabs(two_sum(&to->rest[i], to->rest[i], from->rest[i]));
        to->bound[i] += from->bound[i] + lost;
    }
}

/* Adds up `times` partial sums of each lane, which are `lanes` apart, into the
 * first ones, and sets the lanes of *to to these. Adds in pairs, so that few
 * additions wait for the one before. */
static void fold(const struct lane_sums *part, size_t lanes, size_t times,
                 const struct lane_sums *to)
{
    for (size_t half; times > 1; times -= half) {
        half = times / 2;
        const size_t from = (times - half) * lanes;
        const struct lane_sums more = {part->sum + from, part->rest + from,
                                       part->bound + from};
        add_up(part, &more, half * lanes);
    }
    memcpy(to->sum, part->sum, lanes * sizeof *to->sum);
    memcpy(to->rest, part->rest, lanes * sizeof *to->rest);
    memcpy(to->bound, part->bound, lanes * sizeof *to->bound);
}

/* Sums one row as if it were several columns, then adds up these. */
static void add_row(const struct lanes *l, lane_sum_fn *add,
                    const struct lane_sums *to, const char *data, size_t n)
{
    double sum[PARTS], rest[PARTS], bound[PARTS];
    const struct lane_sums part = {sum, rest, bound};
    const struct lane_block main = {data, n / PARTS, PARTS, PARTS * l->size};
    const struct lane_block last = {data + n / PARTS * PARTS * l->size, 1,
                                    n % PARTS, 0};
    for (size_t i = 0; i < PARTS; i++) {
        sum[i] = -0.0;
        rest[i] = bound[i] = 0;
    }
    add(&part, &main);
    add(&part, &last);
    fold(&part, 1, PARTS, to);
}

/* Adds up partial sums, as fold does, in a copy. False if that rounds. */
static bool fold_exactly(const double *part, size_t lanes, size_t times,
                         double *to)
{
    double sum[LANES_WIDE];
    memcpy(sum, part, times * lanes * sizeof *sum);
    inexact_begin();
    for (size_t half; times > 1; times -= half) {
        half = times / 2;
        const double *restrict more = sum + (times - half) * lanes;
        for (size_t i = 0; i < half * lanes; i++)
            sum[i] += more[i];
    }
    const bool ok = !inexact_end(sum, 1);
    memcpy(to, sum, lanes * sizeof *to);
    return ok;
}

/* The steps that are summed side by side: fewer than lanes_times if whole
 * vectors hold 64 elements. Then the next ones are prefetched in small bursts.
 */
static size_t times_of(size_t lanes)
{
    const bool are_whole = lanes >= 8 && lanes % 8 == 0;
    return are_whole ? 64 / lanes : lanes_times(lanes);
}

/* Sums narrow columns: splits each into lanes, sums these, and adds up the sums
 * of each column. Without has_rests, `add` computes no rests and no bounds. */
static bool add_narrow(lane_sum_fn *add, const struct lane_sums *s,
                       const struct lane_block *b, bool has_rests)
{
    double sum[LANES_WIDE], rest[LANES_WIDE], bound[LANES_WIDE];
    const struct lane_sums part = {sum, rest, bound};
    const size_t times = times_of(b->lanes), main = b->steps / times;
    const size_t lanes = times * b->lanes;
    const struct lane_block wide = {b->data, main, lanes, times * b->pitch};
    const struct lane_block last = {b->data + main * times * b->pitch,
                                    b->steps - main * times, b->lanes,
                                    b->pitch};
    zero(&part, lanes, has_rests ? lanes : 0);
    if (!add(&part, &wide) || (last.steps > 0 && !add(&part, &last)))
        return false;
    if (fold_exactly(sum, b->lanes, times, s->sum) &&
        (!has_rests || (fold_exactly(rest, b->lanes, times, s->rest) &&
                        fold_exactly(bound, b->lanes, times, s->bound))))
        return true;
    if (!has_rests)
        memset(rest, 0, sizeof rest), memset(bound, 0, sizeof bound);
    fold(&part, b->lanes, times, s);
    return true;
}

/* Compensated sums. */
static bool add_all(struct lanes *l, enum lane_map map,
                    const struct lane_sums *s, const struct lane_block *block,
                    bool is_rows)
{
    struct lane_block columns = *block, *b = &columns;
    lane_sum_fn *add = l->loops->add_all[map];
    zero(s, b->lanes, l->rests[map]);
    l->rests[map] = b->lanes;
    if (!add || (is_rows && b->steps >= LONG_ROW))
        return false;
    if (l->turns)
        lanes_turn(l, b);
    if (!is_rows || l->turns)
        return lanes_are_narrow(l, b) ? add_narrow(add, s, b, true) : add(s, b);
    for (size_t i = 0; i < b->lanes; i++) {
        const struct lane_sums to = {s->sum + i, s->rest + i, s->bound + i};
        add_row(l, add, &to, b->data + i * b->pitch, b->steps);
    }
    return true;
}

/* Reduces l->rests to the lanes before and including the last one that has a
 * rest or a bound. */
static void trim(struct lanes *l, enum lane_map map)
{
    for (size_t *n = &l->rests[map];
         *n > 0 && l->rest[map][*n - 1] == 0 && l->bound[map][*n - 1] == 0;)
        --*n;
}

/* Sums the mapped elements: plainly if that does not round, else compensated.
 */
static bool sum_piece(struct lanes *l, enum lane_map map,
                      const struct lane_block *b, bool is_rows)
{
    const struct lane_sums s = {l->sum[map], l->rest[map], l->bound[map]};
    lane_sum_fn *add = is_rows ? l->loops->add_rows[map] : l->loops->add[map];
    const bool skips = l->loops->add_all[map] && backoff_skips(&l->rounding);
    const bool narrow = !is_rows && lanes_are_narrow(l, b);
    const bool is_long = l->size == 8 && !dtype_is_float(l->job->dtype);
    zero(&s, is_rows ? 0 : b->lanes, l->rests[map]);
    l->rests[map] = narrow || is_long ? b->lanes : 0;
    if (!skips &&
        backoff_note(&l->rounding,
                     narrow ? add_narrow(add, &s, b, is_long) : add(&s, b))) {
        for (size_t i = 0; is_long && i < b->lanes; i++)
            s.rest[i] = two_sum(&s.sum[i], s.sum[i], s.rest[i]);
        trim(l, map);
        return true;
    }
    return add_all(l, map, &s, b, is_rows);
}

bool lanes_sum(struct lanes *l, enum lane_map map, const struct lane_block *b,
               bool is_rows)
{
    const struct lane_sums s = {l->sum[map], l->rest[map], l->bound[map]};
    const struct lane_sums all = {l->total[0], l->total[1], l->total[2]};
    if (is_rows || b->steps <= PIECE_STEPS || !l->loops->add_all[map] ||
        lanes_are_narrow(l, b))
        return sum_piece(l, map, b, is_rows);
    zero(&all, b->lanes, b->lanes);
    for (size_t i = 0; i < b->steps; i += PIECE_STEPS) {
        const size_t left = b->steps - i;
        const struct lane_block piece = {
            b->data + i * b->pitch, left < PIECE_STEPS ? left : PIECE_STEPS,
            b->lanes, b->pitch};
        if (!sum_piece(l, map, &piece, false))
            return false;
        add_up(&all, &s, b->lanes);
    }
    memcpy(s.sum, all.sum, b->lanes * sizeof *s.sum);
    memcpy(s.rest, all.rest, b->lanes * sizeof *s.rest);
    memcpy(s.bound, all.bound, b->lanes * sizeof *s.bound);
    l->rests[map] = b->lanes;
    trim(l, map);
    return true;
}
