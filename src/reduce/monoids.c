/* SPDX-License-Identifier: MIT */
/* The table of monoids: the states of each, the fields that are written, and
 * the functions on them. */
#include "reduce/monoids_parts.h"

#define ONE(kind, type, member)                       \
    {                                                 \
        FIELD_##kind, offsetof(struct type, member),  \
            sizeof((struct type *)0)->member, 1, 1, 0 \
    }
#define NUMBER(type, member) ONE(NUMBER, type, member)
#define POSITION(type, member) ONE(POSITION, type, member)
#define FLAG(type, member) ONE(FLAG, type, member)
#define LIST(type, member, bytes, most, each, count)                    \
    {                                                                   \
        FIELD_NUMBER, offsetof(struct type, member), bytes, most, each, \
            offsetof(struct type, count)                                \
    }
#define END_OF_FIELDS               \
    {                               \
        FIELD_NUMBER, 0, 0, 0, 0, 0 \
    }
#define EXTREMUM(which)                                      \
    NUMBER(extrema, which.key), NUMBER(extrema, which.bits), \
        POSITION(extrema, which.index)
#define END(which) NUMBER(ends, which.bits), POSITION(ends, which.index)
#define WIDE(which)                                            \
    NUMBER(wide, which.magnitude), FLAG(wide, which.negative), \
        POSITION(wide, which.index)

static const struct field count_fields[] = {
    NUMBER(count, nan), NUMBER(count, inf), NUMBER(count, nonzero),
    POSITION(count, first_nan), END_OF_FIELDS};

static const struct field exact_fields[] = {
    NUMBER(exact, nan),
    NUMBER(exact, plus_inf),
    NUMBER(exact, minus_inf),
    FLAG(exact, not_negative_zero),
    ONE(LAYOUT, exact, lsb),
    ONE(LAYOUT, exact, words),
    NUMBER(exact, first),
    NUMBER(exact, room),
    LIST(exact, word, 8, EXACT_WORDS, 1, room),
    END_OF_FIELDS};

static const struct field prod_fields[] = {
    NUMBER(prod, zeros),
    NUMBER(prod, infs),
    NUMBER(prod, nans),
    NUMBER(prod, begin),
    NUMBER(prod, end),
    NUMBER(prod, integer.low),
    NUMBER(prod, integer.high),
    FLAG(prod, integer.negative),
    FLAG(prod, integer.zero),
    FLAG(prod, integer.too_large),
    NUMBER(prod, nodes),
    LIST(prod, level, 1, PROD_NODES, 1, nodes),
    LIST(prod, node, 8, 2 * PROD_NODES, 2, nodes),
    END_OF_FIELDS};

static const struct field extrema_fields[] = {
    NUMBER(extrema, nans), POSITION(extrema, first_nan), EXTREMUM(min),
    EXTREMUM(max), END_OF_FIELDS};

static const struct field ends_fields[] = {
    END(first), END(last), END(first_number), END(last_number), END_OF_FIELDS};

/* The states of monoids that grow with the data are not written out. */
static const struct field no_fields[] = {END_OF_FIELDS};
#define ranks_fields no_fields

static const struct field wide_fields[] = {
    NUMBER(wide, rounded), WIDE(min),   WIDE(max),  WIDE(absmin),
    WIDE(absmax),          WIDE(first), WIDE(last), END_OF_FIELDS};

/* The functions that a row needs for a monoid whose state is one struct. */
#define WHOLE(name)                                                       \
    static size_t name##_size(enum dtype dtype)                           \
    {                                                                     \
        (void)dtype;                                                      \
        return sizeof(struct name);                                       \
    }                                                                     \
    static void name##_begin(union state *s, enum dtype dtype)            \
    {                                                                     \
        (void)dtype;                                                      \
        name##_init(&s->name);                                            \
    }                                                                     \
    static void name##_append(union state *into, const union state *from) \
    {                                                                     \
        name##_merge(&into->name, &from->name);                           \
    }

WHOLE(count)
WHOLE(prod)
WHOLE(extrema)
#define absextrema_size extrema_size
#define absextrema_begin extrema_begin
WHOLE(ends)
WHOLE(wide)

static void exact_end(union state *s)
{
    exact_close(&s->exact);
}

static bool exact_is_lost(const union state *s)
{
    return s->exact.place == EXACT_LOST;
}

static void exact_written(union state *to, const union state *from)
{
    exact_trim(&to->exact, &from->exact);
}

static size_t exact_bytes(size_t words)
{
    return offsetof(struct exact, word) + words * sizeof(uint64_t);
}

#define SUM(name, map)                                                         \
    static size_t name##_size(enum dtype dtype)                                \
    {                                                                          \
        return exact_bytes(exact_layout(dtype, map).words);                    \
    }                                                                          \
    static void name##_begin(union state *s, enum dtype dtype)                 \
    {                                                                          \
        exact_init(&s->exact, dtype, map);                                     \
    }                                                                          \
    static size_t name##_compact_size(enum dtype dtype)                        \
    {                                                                          \
        return exact_bytes(exact_layout(dtype, map).few);                      \
    }                                                                          \
    static void name##_compact_begin(union state *s, enum dtype dtype)         \
    {                                                                          \
        exact_init_compact(&s->exact, dtype, map);                             \
    }                                                                          \
    static const struct compact name##_compact = {.size = name##_compact_size, \
                                                  .init =                      \
                                                      name##_compact_begin,    \
                                                  .close = exact_end,          \
                                                  .is_lost = exact_is_lost,    \
                                                  .trim = exact_written};

SUM(sum, EXACT_VALUE)
SUM(sumabs, EXACT_MAGNITUDE)
SUM(sumsq, EXACT_SQUARE)
SUM(sumcube, EXACT_CUBE)
SUM(sumfourth, EXACT_FOURTH)
SUM(sumb, EXACT_VALUE)
SUM(sumsqb, EXACT_SQUARE)
SUM(sumab, EXACT_SQUARE)
SUM(sumaab, EXACT_CUBE)

static void exact_append(union state *into, const union state *from)
{
    exact_merge(&into->exact, &from->exact);
}

static size_t wide_compact_size(enum dtype dtype)
{
    (void)dtype;
    return offsetof(struct wide, min);
}

static void wide_compact_begin(union state *s, enum dtype dtype)
{
    (void)dtype;
    wide_init_compact(&s->wide);
}

static void wide_end(union state *s)
{
    wide_close(&s->wide);
}

static bool wide_is_lost(const union state *s)
{
    return s->wide.elsewhere == &wide_lost;
}

static void wide_written(union state *to, const union state *from)
{
    wide_copy(&to->wide, &from->wide);
}

static union state *wide_positions(const union state *s)
{
    return (union state *)wide_whole(&s->wide);
}

static const struct compact wide_compact = {.size = wide_compact_size,
                                            .init = wide_compact_begin,
                                            .close = wide_end,
                                            .is_lost = wide_is_lost,
                                            .trim = wide_written,
                                            .whole = wide_positions};

#define NANS(name, member)                            \
    static uint64_t name##_nans(const union state *s) \
    {                                                 \
        return s->name.member;                        \
    }

NANS(count, nan)
NANS(exact, nan)
NANS(prod, nans)
NANS(extrema, nans)

/* Whether n elements can have a, b and c ones of three kinds. */
static bool are_of(uint64_t n, uint64_t a, uint64_t b, uint64_t c)
{
    return a <= n && b <= n - a && c <= n - a - b;
}

/* Only a NaN has an index of the first NaN. Arrays along axes may not have that
 * index. */
static bool nans_sound(uint64_t nans, uint64_t first_nan)
{
    return nans > 0 || first_nan == INDEX_NONE;
}

/* Pairs only count NaN. */
static bool count_sound(const union state *s, uint64_t n)
{
    const struct count *c = &s->count;
    return c->nonzero <= n && are_of(n, c->nan, c->inf, 0) &&
           nans_sound(c->nan, c->first_nan);
}

/* A sum that is not 0 has a number among its addends, which is not -0. Of
 * pairs, infinities are counted without the flag, some with both signs. */
static bool exact_sound(const union state *s, uint64_t n)
{
    const struct exact *x = &s->exact;
    const bool has_number = x->room > 0;
    return exact_is_trimmed(x) && n >= has_number &&
           are_of(n - has_number, x->nan, x->plus_inf, 0) &&
           are_of(n - has_number, x->nan, x->minus_inf, 0) &&
           (x->not_negative_zero || !has_number);
}

static bool prod_sound(const union state *s, uint64_t n)
{
    const struct prod *p = &s->prod;
    return are_of(n, p->zeros, p->infs, p->nans) && prod_is_sound(p);
}

/* Only numbers have a least and a greatest. */
static bool extrema_sound(const union state *s, uint64_t n)
{
    const struct extrema *x = &s->extrema;
    const bool has_number = x->min.index != INDEX_NONE;
    return are_of(n, x->nans, has_number, 0) &&
           nans_sound(x->nans, x->first_nan) &&
           has_number == (x->max.index != INDEX_NONE);
}

#define INTEGERS_FLOATS(a, b) \
    {                         \
        NEED_##a, NEED_##b    \
    }
/* A row. `of` is the monoid whose state it uses; `wide` is its step_wide. */
#define ROW(name, of, compact, need, nans, wide, map, sound)                \
    [MONOID_##name] = {#name,       need,        name##_size, name##_begin, \
                       compact,     of##_append, nans,        wide,         \
                       of##_fields, EXACT_##map, sound,       NULL,         \
                       NULL,        NULL}

/* A row of an exact sum. */
#define SUM_ROW(name, wide, map)                                       \
    ROW(name, exact, &name##_compact, INTEGERS_FLOATS(VALUES, VALUES), \
        exact_nans, wide, map, exact_sound)

/* A row of a monoid that adds whole columns. `of` is the monoid whose state it
 * uses. */
#define WHOLE_ROW(name, of, write, read)                \
    [MONOID_##name] = {#name,                           \
                       INTEGERS_FLOATS(VALUES, VALUES), \
                       of##_size,                       \
                       name##_begin,                    \
                       &name##_compact,                 \
                       of##_append,                     \
                       NULL,                            \
                       of##_step_wide,                  \
                       no_fields,                       \
                       EXACT_VALUE,                     \
                       NULL,                            \
                       write,                           \
                       read,                            \
                       of##_step}

/* The states of `wide` have the extremes and ends of integers that f64 cannot
 * hold. For a product, such integers were rounded to f64. */
const struct monoid_row monoids[MONOIDS_END] = {
    ROW(count, count, NULL, INTEGERS_FLOATS(VALUES, POSITIONS), count_nans,
        count_step_wide, VALUE, count_sound),
    SUM_ROW(sum, sum_step_wide, VALUE),
    SUM_ROW(sumabs, sumabs_step_wide, MAGNITUDE),
    SUM_ROW(sumsq, sumsq_step_wide, SQUARE),
    ROW(prod, prod, NULL, INTEGERS_FLOATS(VALUES, ORDER), prod_nans, NULL,
        VALUE, prod_sound),
    ROW(extrema, extrema, NULL, INTEGERS_FLOATS(POSITIONS, POSITIONS),
        extrema_nans, NULL, VALUE, extrema_sound),
    ROW(absextrema, extrema, NULL, INTEGERS_FLOATS(POSITIONS, POSITIONS),
        extrema_nans, NULL, MAGNITUDE, extrema_sound),
    ROW(ends, ends, NULL, INTEGERS_FLOATS(POSITIONS, POSITIONS), NULL, NULL,
        VALUE, NULL),
    ROW(wide, wide, &wide_compact, INTEGERS_FLOATS(POSITIONS, POSITIONS), NULL,
        wide_step_wide, VALUE, NULL),
    SUM_ROW(sumcube, sumcube_step_wide, CUBE),
    SUM_ROW(sumfourth, sumfourth_step_wide, FOURTH),
    /* Only cpu/pairs.h steps the monoids of pairs. */
    SUM_ROW(sumb, NULL, VALUE),
    SUM_ROW(sumsqb, NULL, SQUARE),
    SUM_ROW(sumab, NULL, SQUARE),
    SUM_ROW(sumaab, NULL, CUBE),
    WHOLE_ROW(distinct, distinct, distinct_to, distinct_from),
    WHOLE_ROW(tallies, distinct, distinct_to, distinct_from),
    WHOLE_ROW(sketch, sketch, sketch_to, sketch_from),
    ROW(ranks, ranks, &ranks_compact, INTEGERS_FLOATS(VALUES, VALUES),
        ranks_nans, ranks_step_wide, VALUE, NULL),
};
