/* SPDX-License-Identifier: MIT */
#include "axis/lanes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* The monoids that are a sum of lanes. */
static const struct {
    enum monoid monoid;
    enum lane_map map;
} summed[] = {{MONOID_sum, LANE_VALUE},
              {MONOID_sumabs, LANE_MAGNITUDE},
              {MONOID_sumsq, LANE_SQUARE}};

enum {
    SUMMED = sizeof summed / sizeof summed[0],
    PARTS = 16, /* partial sums of a row */
    WIDE = 64,  /* lanes that narrow columns are spread over */
};

/* An operation that a lane has the value of: false where it is not known how
 * it rounds. */
struct direct {
    const char *op;
    unsigned monoids; /* that it needs */
    bool (*value)(const struct lanes *l, size_t lane, struct value *out);
    bool (*reals)(const struct lanes *l, double *to); /* or NULL */
    bool is_f64; /* those are f64, whatever the data are */
};

static unsigned fast_of(const struct lanes *l)
{
    const bool is_mapped = geometry_is_mapped(&l->job->geometry);
    unsigned set = is_mapped ? 0 : MONOID_BIT(extrema) | MONOID_BIT(ends);
    bool counts = true;
    for (size_t i = 0; i < SUMMED; i++)
        set |= l->loops->add[summed[i].map] ? 1u << summed[i].monoid : 0;
    /* A clean lane has no NaN and no infinity; zeros are not counted. */
    for (size_t i = 0; i < l->job->ops; i++)
        counts &= !text_has_word("any alltrue", l->job->op[i]->name);
    return set | (counts ? MONOID_BIT(count) : 0);
}

static const struct direct *direct_of(const struct op *op);

/* The rest of a row of directs is NULL. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

/* Whether every operation is read from lanes. Bools are looked at apart. */
static bool find_directs(struct lanes *l)
{
    const struct axis_job *job = l->job;
    bool are = !job->is_bool && !job->has_digits;
    for (size_t i = 0; are && i < job->ops; i++) {
        l->direct[i] = direct_of(job->op[i]);
        are = l->direct[i] && (l->direct[i]->monoids & ~l->fast) == 0;
    }
    return are;
}

/* Which extremes are needed. Something must say whether a lane of floats is
 * clean: NaN is at the end that is looked at. */
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
    if (!l->is_direct && l->fast & MONOID_BIT(extrema))
        l->sides = 1u << LANE_LEAST | 1u << LANE_GREATEST;
    if (l->fast && l->sums == 0 && l->sides == 0 && is_float)
        l->sides = 1u << LANE_LEAST;
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
    memset(l->has_rest, 0, sizeof l->has_rest);
    if (job->dtype >= DTYPES_END)
        return l;
    l->loops = &loops->lanes[job->dtype];
    l->fast = fast_of(l);
    l->is_direct = find_directs(l);
    l->fast &= job->monoids;
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

/* Where an element of a lane is. */
static const char *element(const struct lanes *l, size_t lane, uint64_t step)
{
    return l->box.data + lane * l->box.lane + step * l->box.step;
}

static void zero(const struct lane_sums *s, size_t n, bool all)
{
    for (size_t i = 0; i < n; i++)
        s->sum[i] = -0.0;
    if (all) {
        memset(s->rest, 0, LANES_MAX * sizeof *s->rest);
        memset(s->bound, 0, LANES_MAX * sizeof *s->bound);
    }
}

/* a + b = *sum + the result, exactly (Knuth). */
static double two_sum(double *sum, double a, double b)
{
    const double t = a + b, z = t - a;
    *sum = t;
    return (a - (t - z)) + (b - z);
}

/* Adds up n partial sums of one lane, which begin at number `from`. */
static void fold(const struct lane_sums *part, size_t from, size_t stride,
                 size_t n, const struct lane_sums *to)
{
    for (size_t k = 0, i = from; k < n; k++, i += stride) {
        const double e = two_sum(to->sum, *to->sum, part->sum[i]);
        *to->bound += part->bound[i] + fabs(two_sum(to->rest, *to->rest, e));
        *to->bound += fabs(two_sum(to->rest, *to->rest, part->rest[i]));
    }
}

/* Sums one row as columns that lie side by side. */
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
    fold(&part, 0, 1, PARTS, to);
}

/* Adds up what narrow columns have in lanes that lie side by side. */
static bool add_narrow(lane_sum_fn *add, const struct lane_sums *s,
                       const struct lane_block *b)
{
    double sum[WIDE], rest[WIDE], bound[WIDE];
    const struct lane_sums part = {sum, rest, bound};
    const size_t times = WIDE / b->lanes, main = b->steps / times;
    const struct lane_block wide = {b->data, main, times * b->lanes,
                                    times * b->pitch};
    const struct lane_block last = {b->data + main * times * b->pitch,
                                    b->steps - main * times, b->lanes,
                                    b->pitch};
    for (size_t i = 0; i < WIDE; i++) {
        sum[i] = -0.0;
        rest[i] = bound[i] = 0;
    }
    const bool ok = add(&part, &wide) && add(&part, &last);
    for (size_t i = 0; i < b->lanes; i++) {
        const struct lane_sums to = {s->sum + i, s->rest + i, s->bound + i};
        fold(&part, i, b->lanes, times, &to);
    }
    return ok;
}

/* Whether columns are so few that a vector is better filled by several steps
 * of each. */
static bool is_narrow(const struct lanes *l, const struct lane_block *b)
{
    return b->lanes <= WIDE / 2 && b->pitch == b->lanes * l->size &&
           b->steps >= 2 * WIDE;
}

/* Sums with what is lost. */
static bool add_all(struct lanes *l, enum lane_map map,
                    const struct lane_sums *s, const struct lane_block *b,
                    bool is_rows)
{
    lane_sum_fn *add = l->loops->add_all[map];
    zero(s, b->lanes, true);
    l->has_rest[map] = true;
    if (!add)
        return false;
    if (!is_rows)
        return is_narrow(l, b) ? add_narrow(add, s, b) : add(s, b);
    for (size_t i = 0; i < b->lanes; i++) {
        const struct lane_sums to = {s->sum + i, s->rest + i, s->bound + i};
        add_row(l, add, &to, b->data + i * b->pitch, b->steps);
    }
    return true;
}

/* Sums what a map makes of the elements: plainly, if that does not round. */
static bool run_sum(struct lanes *l, enum lane_map map,
                    const struct lane_block *b, bool is_rows)
{
    const struct lane_sums s = {l->sum[map], l->rest[map], l->bound[map]};
    lane_sum_fn *add = is_rows ? l->loops->add_rows[map] : l->loops->add[map];
    const bool skips = l->loops->add_all[map] && backoff_skips(&l->rounding);
    const bool narrow = !is_rows && is_narrow(l, b);
    zero(&s, b->lanes, l->has_rest[map]);
    l->has_rest[map] = narrow;
    if (!skips && (narrow ? add_narrow(add, &s, b) : add(&s, b))) {
        backoff_succeeded(&l->rounding);
        return true;
    }
    if (!skips)
        backoff_failed(&l->rounding);
    return add_all(l, map, &s, b, is_rows);
}

static int64_t key_at(const struct lanes *l, enum lane_side side, size_t lane)
{
    return l->size == 8 ? ((const int64_t *)l->key[side])[lane]
                        : ((const int32_t *)l->key[side])[lane];
}

static uint64_t step_at(const struct lanes *l, enum lane_side side, size_t lane)
{
    return l->size == 8 ? l->at[side][lane]
                        : ((const uint32_t *)l->at[side])[lane];
}

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

/* Where keys are numbers. */
static void judge_extrema(struct lanes *l, enum lane_side side, size_t n)
{
    const int64_t inf = l->loops->inf;
    for (size_t i = 0; inf > 0 && i < n; i++) {
        const int64_t key = key_at(l, side, i);
        l->clean[i] &= key > -inf - 1 && key < inf;
    }
}

/* Makes those of narrow columns of those of lanes that lie side by side, of
 * which there are `times` for each; step i of lane k is step i * times + k. */
static void fold_extrema(struct lanes *l, enum lane_side side, size_t lanes,
                         size_t times)
{
    for (size_t i = 0; i < lanes; i++) {
        int64_t best = key_at(l, side, i);
        uint64_t at = step_at(l, side, i) * times;
        for (size_t k = 1; k < times; k++) {
            const int64_t key = key_at(l, side, i + k * lanes);
            const uint64_t step = step_at(l, side, i + k * lanes) * times + k;
            const bool beats = side == LANE_LEAST ? key < best : key > best;
            if (beats || (key == best && step < at)) {
                best = key;
                at = step;
            }
        }
        set_extremum(l, side, i, best, at);
    }
}

static void run_extrema(struct lanes *l, enum lane_side side,
                        const struct lane_block *b, bool is_rows)
{
    lane_extrema_fn *const run =
        (is_rows ? l->loops->extrema_rows : l->loops->extrema)[side];
    const struct lane_extrema x = {l->key[side], l->at[side]};
    const size_t times = WIDE / b->lanes;
    if (is_rows || !is_narrow(l, b)) {
        run(&x, b);
        return;
    }
    /* The last steps are looked at twice, which changes nothing. */
    const struct lane_block wide = {b->data, b->steps / times,
                                    times * b->lanes, times * b->pitch};
    const size_t from = b->steps - times;
    const struct lane_block last = {b->data + from * b->pitch, times, b->lanes,
                                    b->pitch};
    int64_t key[WIDE];
    uint64_t at[WIDE];
    run(&x, &wide);
    fold_extrema(l, side, b->lanes, times);
    for (size_t i = 0; i < b->lanes; i++) {
        key[i] = key_at(l, side, i);
        at[i] = step_at(l, side, i);
    }
    run(&x, &last);
    for (size_t i = 0; i < b->lanes; i++) {
        const int64_t other = key_at(l, side, i);
        const bool beats = side == LANE_LEAST ? other < key[i] : other > key[i];
        set_extremum(l, side, i, beats ? other : key[i],
                     beats ? from + step_at(l, side, i) : at[i]);
    }
}

static void judge_sums(struct lanes *l, enum lane_map map, size_t n,
                       bool may_round)
{
    for (size_t i = 0; i < n; i++) {
        const double all = l->sum[map][i] + l->rest[map][i] + l->bound[map][i];
        l->clean[i] &= isfinite(all) && (may_round || l->bound[map][i] == 0);
    }
}

void lanes_run(struct lanes *l, const struct box *b, bool may_round)
{
    bool is_rows = b->step == l->size;
    struct lane_block block = {b->data, b->steps, b->lanes,
                               is_rows ? b->lane : b->step};
    bool ok = l->fast || !l->job->monoids;
    l->box = *b;
    if (l->fast && is_rows && b->steps < ROW_MIN && b->lane == b->steps * l->size) {
        l->loops->turn(l->turned, &block);
        block.data = (const char *)l->turned;
        block.pitch = b->lanes * l->size;
        is_rows = false;
    }
    for (int map = 0; ok && map < LANE_MAPS; map++) {
        if (l->sums >> map & 1)
            ok = run_sum(l, (enum lane_map)map, &block, is_rows);
    }
    memset(l->clean, ok, b->lanes * sizeof *l->clean);
    for (int side = 0; ok && side < LANE_SIDES; side++) {
        if (!(l->sides >> side & 1))
            continue;
        run_extrema(l, (enum lane_side)side, &block, is_rows);
        judge_extrema(l, (enum lane_side)side, b->lanes);
    }
    for (int map = 0; ok && map < LANE_MAPS; map++) {
        if (l->sums >> map & 1)
            judge_sums(l, (enum lane_map)map, b->lanes, may_round);
    }
}

static uint64_t bits_at(const struct lanes *l, size_t lane, uint64_t step)
{
    return dtype_load(l->job->dtype, element(l, lane, step));
}

static struct extremum extremum_at(const struct lanes *l, size_t lane,
                                   enum lane_side side)
{
    const enum dtype dtype = l->job->dtype;
    const uint64_t step = step_at(l, side, lane), bits = bits_at(l, lane, step);
    const bool is_signed = dtype_is_float(dtype) || dtype_is_signed(dtype);
    const uint64_t key =
        is_signed ? key_of_signed(key_at(l, side, lane)) : bits;
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
    const struct end_element first = {bits_at(l, lane, 0), l->box.first},
                             end = {bits_at(l, lane, last),
                                    l->box.first + last};
    const struct ends x = {first, end, first, end};
    ends_merge(into, &x);
}

/* Adds a finite f64 that is a multiple of the sum's unit. */
static void add_double(struct exact *x, double value)
{
    int exponent;
    int64_t mantissa = (int64_t)ldexp(frexp(value, &exponent), 53);
    exponent -= 53 + x->lsb;
    for (; exponent < 0 && mantissa; exponent++)
        mantissa /= 2; /* zeros, of a number near the unit */
    if (mantissa)
        exact_add_shifted(x, mantissa, (unsigned)exponent);
}

static void add_sum(const struct lanes *l, size_t lane, enum lane_map map,
                    struct exact *x)
{
    const double sum = l->sum[map][lane];
    add_double(x, sum);
    add_double(x, l->rest[map][lane]);
    x->not_negative_zero |= sum != 0 || !signbit(sum) ||
                            !dtype_is_float(l->job->dtype);
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

/* The nearest f64 to sum + rest, or false where `bound` leaves it open. The
 * bound, which was itself rounded, is taken too large. */
static bool round_sum(const struct lanes *l, size_t lane, enum lane_map map,
                      double *value)
{
    const double s = l->sum[map][lane], e = l->rest[map][lane];
    const double b = l->bound[map][lane] * 1.001 +
                     (l->bound[map][lane] > 0 ? fabs(e) * 0x1p-50 : 0);
    *value = e == 0 ? s : s + e; /* -0 stays */
    return b == 0 || s + (e - b) == s + (e + b);
}

static struct value of_element(const struct lanes *l, uint64_t bits)
{
    const enum dtype dtype = l->job->dtype;
    const unsigned shift = 64 - 8 * (unsigned)l->size;
    if (dtype_is_float(dtype))
        return value_real(dtype_to_double(dtype, bits), dtype);
    const int64_t x = (int64_t)(bits << shift) >> shift;
    if (!dtype_is_signed(dtype) || x >= 0)
        return value_unsigned(bits);
    return value_integer(true, 0 - (uint64_t)x, 0);
}

static bool value_sum(const struct lanes *l, size_t lane, enum lane_map map,
                      struct value *out)
{
    double x;
    if (!round_sum(l, lane, map, &x))
        return false;
    *out = dtype_is_float(l->job->dtype)
               ? value_real(x, DTYPE_f64)
               : value_integer(x < 0, (uint64_t)fabs(x), 0);
    return true;
}

#define VALUE(name, expression)                                             \
    static bool value_##name(const struct lanes *l, size_t lane,            \
                             struct value *out)                             \
    {                                                                       \
        (void)l, (void)lane;                                                \
        *out = expression;                                                  \
        return true;                                                        \
    }
VALUE(count, value_unsigned(l->box.steps))
VALUE(zero, value_unsigned(0))
VALUE(min, of_element(l, bits_at(l, lane, step_at(l, LANE_LEAST, lane))))
VALUE(max, of_element(l, bits_at(l, lane, step_at(l, LANE_GREATEST, lane))))
VALUE(argmin, value_unsigned(step_at(l, LANE_LEAST, lane)))
VALUE(argmax, value_unsigned(step_at(l, LANE_GREATEST, lane)))
VALUE(first, of_element(l, bits_at(l, lane, 0)))
VALUE(last, of_element(l, bits_at(l, lane, l->box.steps - 1)))

static bool value_total(const struct lanes *l, size_t lane, struct value *out)
{
    return value_sum(l, lane, LANE_VALUE, out);
}

static bool value_l1(const struct lanes *l, size_t lane, struct value *out)
{
    return value_sum(l, lane, LANE_MAGNITUDE, out);
}

static bool value_sumsq(const struct lanes *l, size_t lane, struct value *out)
{
    return value_sum(l, lane, LANE_SQUARE, out);
}

/* Of an exact sum in one f64 a division is right. Else q = s / n is near the
 * quotient, and r = s - q n is exact by FMA: what is missing of the quotient is
 * (r + e) / n, within a few units of 2^-53 of itself and bound / n. */
static bool value_mean(const struct lanes *l, size_t lane, struct value *out)
{
    const double s = l->sum[LANE_VALUE][lane], e = l->rest[LANE_VALUE][lane],
                 b = l->bound[LANE_VALUE][lane], n = (double)l->box.steps;
    const double q = s / n;
    double more = 0, wide = 0;
    if (e != 0 || b != 0) {
        const double r = fma(-q, n, s);
        more = (r + e) / n;
        wide = (fabs(r) + fabs(e)) / n * 0x1p-50 + b / n * 1.001;
        /* The remainder of a tiny quotient may not be an f64. */
        if (fabs(s) < 0x1p-900 || q + (more - wide) != q + (more + wide))
            return false;
    }
    *out = value_real(more == 0 ? q : q + more, DTYPE_f64);
    return true;
}

/* Operations of lanes that have real values, all at a time: false where
 * lanes must be looked at one by one. */
static bool reals_sum(const struct lanes *l, double *to)
{
    memcpy(to, l->sum[LANE_VALUE], l->box.lanes * sizeof *to);
    return !l->has_rest[LANE_VALUE];
}

static bool reals_mean(const struct lanes *l, double *to)
{
    const double n = (double)l->box.steps;
    for (size_t i = 0; i < l->box.lanes; i++)
        to[i] = l->sum[LANE_VALUE][i] / n;
    return !l->has_rest[LANE_VALUE];
}

/* -0 and +0 have one key, so zeros are read again. */
static bool reals_extremum(const struct lanes *l, enum lane_side side,
                           double *to)
{
    for (size_t i = 0; i < l->box.lanes; i++)
        to[i] = dtype_to_double(l->job->dtype,
                                bits_at(l, i, step_at(l, side, i)));
    return true;
}

static bool reals_min(const struct lanes *l, double *to)
{
    return reals_extremum(l, LANE_LEAST, to);
}

static bool reals_max(const struct lanes *l, double *to)
{
    return reals_extremum(l, LANE_GREATEST, to);
}

static const struct direct directs[] = {
    {"count", 0, value_count},
    {"rows", 0, value_count},
    {"n_missing", 0, value_zero},
    {"n_bad", 0, value_zero},
    {"n_nan", 0, value_zero},
    {"n_inf", 0, value_zero},
    {"sum", MONOID_BIT(sum), value_total, reals_sum, true},
    {"mean", MONOID_BIT(sum), value_mean, reals_mean, true},
    {"l1", MONOID_BIT(sumabs), value_l1},
    {"sumsq", MONOID_BIT(sumsq), value_sumsq},
    {"min", MONOID_BIT(extrema), value_min, reals_min, false},
    {"max", MONOID_BIT(extrema), value_max, reals_max, false},
    {"argmin", MONOID_BIT(extrema), value_argmin},
    {"argmax", MONOID_BIT(extrema), value_argmax},
    {"first", 0, value_first},
    {"last", 0, value_last},
};

static const struct direct *direct_of(const struct op *op)
{
    for (size_t i = 0; i < sizeof directs / sizeof directs[0]; i++) {
        if (strcmp(directs[i].op, op->name) == 0)
            return &directs[i];
    }
    return NULL;
}

bool lanes_value(const struct lanes *l, size_t lane, size_t op,
                 struct value *out)
{
    return l->direct[op]->value(l, lane, out);
}

bool lanes_values(const struct lanes *l, struct values *values, size_t first)
{
    const struct axis_job *job = l->job;
    double to[LANES_MAX];
    bool all = dtype_is_float(job->dtype);
    for (size_t i = 0; all && i < l->box.lanes; i++)
        all = l->clean[i];
    for (size_t i = 0; all && i < job->ops; i++) {
        const struct direct *d = l->direct[i];
        all = d->reals && d->reals(l, to);
        if (all)
            values_set_reals(values, first + i, job->ops, to, l->box.lanes,
                             d->is_f64 ? DTYPE_f64 : job->dtype);
    }
    return all;
}
