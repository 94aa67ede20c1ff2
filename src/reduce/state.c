/* SPDX-License-Identifier: MIT */
#include "reduce/state.h"

#include <string.h>

/* The machines that this is for are little-endian: an integer's bytes are those
 * that are written. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "state_write");

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
    LIST(exact, word, 8, EXACT_WORDS, 1, words),
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

static const struct field wide_fields[] = {
    NUMBER(wide, rounded), WIDE(min),   WIDE(max),  WIDE(absmin),
    WIDE(absmax),          WIDE(first), WIDE(last), END_OF_FIELDS};

/* What a row of the table needs of a monoid whose state is one struct. */
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

#define SUM(name, map)                                         \
    static size_t name##_size(enum dtype dtype)                \
    {                                                          \
        return offsetof(struct exact, word) +                  \
               EXACT_WORDS_OF(dtype, map) * sizeof(uint64_t);  \
    }                                                          \
    static void name##_begin(union state *s, enum dtype dtype) \
    {                                                          \
        exact_init(&s->exact, dtype, map);                     \
    }

SUM(sum, EXACT_VALUE)
SUM(sumabs, EXACT_MAGNITUDE)
SUM(sumsq, EXACT_SQUARE)

static void exact_append(union state *into, const union state *from)
{
    exact_merge(&into->exact, &from->exact);
}

#define NANS(name, member)                            \
    static uint64_t name##_nans(const union state *s) \
    {                                                 \
        return s->name.member;                        \
    }

NANS(count, nan)
NANS(exact, nan)
NANS(prod, nans)
NANS(extrema, nans)

static bool prod_sound(const union state *s)
{
    return prod_is_sound(&s->prod);
}

#define INTEGERS_FLOATS(a, b) \
    {                         \
        NEED_##a, NEED_##b    \
    }
/* `of`: whose state it has. */
#define ROW(name, of, need, nans, map, sound)                        \
    [MONOID_##name] = {#name,       need, name##_size, name##_begin, \
                       of##_append, nans, of##_fields, EXACT_##map,  \
                       sound}

const struct monoid_row monoids[MONOIDS_END] = {
    ROW(count, count, INTEGERS_FLOATS(VALUES, POSITIONS), count_nans, VALUE,
        NULL),
    ROW(sum, exact, INTEGERS_FLOATS(VALUES, VALUES), exact_nans, VALUE, NULL),
    ROW(sumabs, exact, INTEGERS_FLOATS(VALUES, VALUES), exact_nans, MAGNITUDE,
        NULL),
    ROW(sumsq, exact, INTEGERS_FLOATS(VALUES, VALUES), exact_nans, SQUARE,
        NULL),
    ROW(prod, prod, INTEGERS_FLOATS(VALUES, ORDER), prod_nans, VALUE,
        prod_sound),
    ROW(extrema, extrema, INTEGERS_FLOATS(POSITIONS, POSITIONS), extrema_nans,
        VALUE, NULL),
    ROW(absextrema, extrema, INTEGERS_FLOATS(POSITIONS, POSITIONS),
        extrema_nans, MAGNITUDE, NULL),
    ROW(ends, ends, INTEGERS_FLOATS(POSITIONS, POSITIONS), NULL, VALUE, NULL),
    ROW(wide, wide, INTEGERS_FLOATS(POSITIONS, POSITIONS), NULL, VALUE, NULL),
};

enum need monoid_need(enum monoid monoid, enum dtype dtype)
{
    return monoids[monoid].need[dtype_is_float(dtype)];
}

static struct end_element element_at(enum dtype dtype, const char *p, size_t i,
                                     uint64_t first)
{
    uint64_t bits = dtype_load(dtype, p + i * dtype_info(dtype)->size);
    return (struct end_element){bits, first + i};
}

static bool is_nan(enum dtype dtype, const char *p)
{
    if (!dtype_is_float(dtype))
        return false;
    double x = dtype_to_double(dtype, dtype_load(dtype, p));
    return x != x;
}

void state_add_ends(union state *s, enum dtype dtype, const void *data,
                    size_t n, uint64_t first)
{
    const size_t size = dtype_info(dtype)->size;
    const char *p = data;
    size_t from = 0, to = n;
    struct ends ends;
    if (n == 0)
        return;
    ends_init(&ends);
    while (from < n && is_nan(dtype, p + from * size))
        from++;
    while (to > from && is_nan(dtype, p + (to - 1) * size))
        to--;
    ends.first = element_at(dtype, p, 0, first);
    ends.last = element_at(dtype, p, n - 1, first);
    if (from < to) {
        ends.first_number = element_at(dtype, p, from, first);
        ends.last_number = element_at(dtype, p, to - 1, first);
    }
    ends_merge(&s->ends, &ends);
}

void state_map(enum monoid monoid, union state *s,
               uint64_t (*map)(const void *context, uint64_t position),
               const void *context)
{
    for (const struct field *f = monoids[monoid].fields; f->most; f++) {
        uint64_t *position = (uint64_t *)((char *)s + f->at);
        if (f->kind == FIELD_POSITION && *position != INDEX_NONE)
            *position = map(context, *position);
    }
}

/* The bytes of a field that a state has. */
static size_t field_bytes(const struct field *f, const union state *s)
{
    uint32_t times = 1;
    if (f->count_at)
        memcpy(&times, (const char *)s + f->count_at, sizeof times);
    return (size_t)times * f->each * f->bytes;
}

size_t state_write(enum monoid monoid, const union state *s, uint8_t *to)
{
    size_t n = 0;
    for (const struct field *f = monoids[monoid].fields; f->most; f++) {
        size_t bytes = field_bytes(f, s);
        if (to)
            memcpy(to + n, (const char *)s + f->at, bytes);
        n += bytes;
    }
    return n;
}

bool state_read(enum monoid monoid, enum dtype dtype, union state *s,
                const uint8_t *from, size_t bytes)
{
    monoids[monoid].init(s, dtype);
    for (const struct field *f = monoids[monoid].fields; f->most; f++) {
        char *at = (char *)s + f->at;
        size_t n = field_bytes(f, s);
        if (n > (size_t)f->most * f->bytes || n > bytes ||
            (f->kind == FIELD_LAYOUT && memcmp(at, from, n) != 0) ||
            (f->kind == FIELD_FLAG && *from > 1))
            return false;
        memcpy(at, from, n);
        from += n;
        bytes -= n;
    }
    return bytes == 0 &&
           (!monoids[monoid].is_sound || monoids[monoid].is_sound(s));
}
