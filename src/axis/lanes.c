/* SPDX-License-Identifier: MIT */
#include "axis/lanes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "reduce/float_format.h"

/* The monoids that are sums over a lane. */
static const struct {
    enum monoid monoid;
    enum lane_map map;
} summed[] = {{MONOID_sum, LANE_VALUE},
              {MONOID_sumabs, LANE_MAGNITUDE},
              {MONOID_sumsq, LANE_SQUARE}};

enum { SUMMED = sizeof summed / sizeof summed[0] };

static unsigned fast_of(const struct lanes *l)
{
    const bool is_mapped = geometry_is_mapped(&l->job->geometry);
    unsigned set = is_mapped ? 0 : MONOID_BIT(extrema) | MONOID_BIT(ends);
    /* States may be asked for any of their counts later. */
    bool counts = !l->job->keep;
    for (size_t i = 0; i < SUMMED; i++)
        set |= l->loops->add[summed[i].map] ? 1u << summed[i].monoid : 0;
    /* A clean lane has no NaN and no infinity. Lanes do not count zeros. */
    for (size_t i = 0; i < l->job->ops; i++)
        counts &= !text_has_word("any alltrue", l->job->op[i]->name);
    return set | (counts ? MONOID_BIT(count) : 0);
}

/* Whether every operation can be read from lanes. Bools are checked elsewhere.
 */
static bool find_directs(struct lanes *l)
{
    const struct axis_job *job = l->job;
    bool are = !job->is_bool && !job->has_digits && !job->keep;
    for (size_t i = 0; are && i < job->ops; i++) {
        l->direct[i] = lanes_direct(job->op[i]);
        are = l->direct[i] && (l->direct[i]->monoids & ~l->fast) == 0;
    }
    return are;
}

/* Sets the extremes that are needed. If no sum is needed, an extreme shows
 * whether a lane of floats has NaN, since the keys of NaN are beyond those of
 * numbers. */
static void choose_sides(struct lanes *l)
{
    const struct axis_job *job = l->job;
    const bool is_float = dtype_is_float(job->dtype);
    for (size_t i = 0; l->is_direct && i < job->ops; i++) {
        if (text_has_word("min argmin", job->op[i]->name))
            l->sides |= 1u << LANE_LEAST;
        if (text_has_word("max argmax", job->op[i]->name))
            l->sides |= 1u << LANE_GREATEST;
    }
    if (l->fast && l->sums == 0 && l->sides == 0 && is_float)
        l->sides = 1u << LANE_LEAST;
    /* Of infinities, each extreme shows those of one sign. */
    for (size_t i = 0; l->fast && l->sums == 0 && i < job->ops; i++) {
        if (is_float && strcmp("n_inf", job->op[i]->name) == 0)
            l->sides = 1u << LANE_LEAST | 1u << LANE_GREATEST;
    }
}

struct lanes *lanes_open(const struct axis_job *job, struct error *e)
{
    const struct cpu_loops *loops =
        job->portable ? &cpu_loops_base : cpu_loops(0);
    struct lanes *l = malloc(sizeof *l);
    if (!l)
        return error_memory(e);
    l->job = job;
    l->size = dtype_info(job->dtype)->size;
    l->rounding = (struct backoff){0};
    l->fast = l->sums = 0;
    l->is_direct = false;
    l->sides = 0;
    memset(l->rest, 0, sizeof l->rest);
    memset(l->bound, 0, sizeof l->bound);
    memset(l->rests, 0, sizeof l->rests);
    if (job->dtype >= DTYPES_END)
        return l;
    l->loops = &loops->lanes[job->dtype];
    l->fast = fast_of(l);
    l->is_direct = find_directs(l);
    l->fast &= job->monoids;
    /* States need exact sums; sums of squares of f64 are rarely exact. */
    if (!l->is_direct && job->dtype == DTYPE_f64)
        l->fast &= ~MONOID_BIT(sumsq);
    for (size_t i = 0; i < SUMMED; i++) {
        if (l->fast >> summed[i].monoid & 1)
            l->sums |= 1u << summed[i].map;
    }
    choose_sides(l);
    return l;
}

void lanes_close(struct lanes *l)
{
    free(l);
}

/* A lane is not clean if its extreme is outside the range of numbers' keys. */
static void judge_extrema(struct lanes *l, enum lane_side side, size_t n)
{
    const int64_t inf = (int64_t)inf_bits(l->job->dtype);
    for (size_t i = 0; inf > 0 && i < n; i++) {
        const int64_t key = lane_key(l, side, i);
        l->clean[i] &= key > -inf - 1 && key < inf;
        l->are_clean &= l->clean[i];
    }
}

/* Adding one to an exponent of all ones, that of Inf and NaN, carries into the
 * sign bit. */
static bool are_finite(const double *x, size_t n)
{
    uint64_t over = 0;
    for (size_t i = 0; i < n; i++)
        over |= (bits_of_double(x[i]) & INT64_MAX) + ((uint64_t)1 << 52);
    return over >> 63 == 0;
}

static void judge_sums(struct lanes *l, enum lane_map map, size_t n,
                       bool may_round)
{
    if (!l->rests[map] && are_finite(l->sum[map], n))
        return;
    for (size_t i = 0; i < n; i++) {
        const double all = l->sum[map][i] + l->rest[map][i] + l->bound[map][i];
        l->clean[i] &= isfinite(all) && (may_round || l->bound[map][i] == 0);
        l->are_clean &= l->clean[i];
    }
}

void lanes_turn(struct lanes *l, struct lane_block *b)
{
    if (!l->is_turned)
        l->loops->turn(l->turned, b);
    l->is_turned = true;
    b->data = (const char *)l->turned;
    b->pitch = b->lanes * l->size;
}

void lanes_run(struct lanes *l, const struct box *b, bool may_round)
{
    bool is_rows = b->step == l->size;
    struct lane_block block = {b->data, b->steps, b->lanes,
                               is_rows ? b->lane : b->step};
    /* A state needs both extremes. */
    const bool both = !may_round && l->fast & MONOID_BIT(extrema);
    const unsigned sides =
        both ? 1u << LANE_LEAST | 1u << LANE_GREATEST : l->sides;
    bool ok = l->fast || !l->job->monoids;
    l->box = *b;
    l->turns = l->fast && is_rows && b->steps < ROW_MIN &&
               b->lane == b->steps * l->size;
    l->is_turned = false;
    for (int map = 0; ok && map < LANE_MAPS; map++) {
        if (map == LANE_SQUARE && l->sums >> map & 1 && !may_round &&
            l->job->dtype == DTYPE_f64)
            ok = false; /* as above */
        else if (l->sums >> map & 1)
            ok = lanes_sum(l, (enum lane_map)map, &block, is_rows);
    }
    memset(l->clean, ok, b->lanes * sizeof *l->clean);
    l->are_clean = ok;
    if (l->turns && ok && sides) {
        lanes_turn(l, &block);
        is_rows = false;
    }
    for (int side = 0; ok && side < LANE_SIDES; side++) {
        if (!(sides >> side & 1))
            continue;
        lanes_extremum(l, (enum lane_side)side, &block, is_rows);
        judge_extrema(l, (enum lane_side)side, b->lanes);
    }
    for (int map = 0; ok && map < LANE_MAPS; map++) {
        if (l->sums >> map & 1)
            judge_sums(l, (enum lane_map)map, b->lanes, may_round);
    }
}

static struct extremum extremum_at(const struct lanes *l, size_t lane,
                                   enum lane_side side)
{
    const enum dtype dtype = l->job->dtype;
    const uint64_t step = lane_step(l, side, lane),
                   bits = lane_bits(l, lane, step);
    const bool is_signed = dtype_is_float(dtype) || dtype_is_signed(dtype);
    const uint64_t key =
        is_signed ? key_of_signed(lane_key(l, side, lane)) : bits;
    return (struct extremum){key, bits, l->box.first + step};
}

static void add_extrema(const struct lanes *l, size_t lane,
                        struct extrema *into)
{
    const struct extrema x = {0, INDEX_NONE, extremum_at(l, lane, LANE_LEAST),
                              extremum_at(l, lane, LANE_GREATEST)};
    extrema_merge(into, &x);
}

static void add_ends(const struct lanes *l, size_t lane, struct ends *into)
{
    const uint64_t last = l->box.steps - 1;
    const struct end_element first = {lane_bits(l, lane, 0), l->box.first},
                             end = {lane_bits(l, lane, last),
                                    l->box.first + last};
    const struct ends x = {first, end, first, end};
    ends_merge(into, &x);
}

/* Adds to the sum a finite f64 that is a multiple of the sum's unit. */
static void add_double(struct exact *x, double value)
{
    const uint64_t bits = bits_of_double(value);
    const int exponent = (int)(bits >> FRACTION_f64 & 0x7ff);
    const int at = (exponent ? exponent - 1 : 0) + LSB_f64 - x->lsb;
    int64_t mantissa = (int64_t)(bits << 12 >> 12);
    if (value == 0)
        return;
    mantissa |= exponent ? (int64_t)1 << FRACTION_f64 : 0;
    /* The bits below the unit are zeros. */
    mantissa >>= at < 0 ? -at : 0;
    exact_add_shifted(x, value < 0 ? -mantissa : mantissa,
                      at < 0 ? 0 : (unsigned)at);
}

static void add_sum(const struct lanes *l, size_t lane, enum lane_map map,
                    struct exact *x)
{
    const double sum = l->sum[map][lane];
    add_double(x, sum);
    add_double(x, l->rest[map][lane]);
    x->not_negative_zero |=
        sum != 0 || !signbit(sum) || !dtype_is_float(l->job->dtype);
}

void lanes_add(const struct lanes *l, size_t lane, struct states *states,
               size_t output, bool counts)
{
    states->tally[output].n += counts ? l->box.steps : 0;
    for (size_t i = 0; i < SUMMED; i++) {
        if (l->fast >> summed[i].monoid & 1)
            add_sum(l, lane, summed[i].map,
                    &states_at(states, output, summed[i].monoid)->exact);
    }
    if (l->fast & MONOID_BIT(extrema))
        add_extrema(l, lane,
                    &states_at(states, output, MONOID_extrema)->extrema);
    if (l->fast & MONOID_BIT(ends))
        add_ends(l, lane, &states_at(states, output, MONOID_ends)->ends);
}
