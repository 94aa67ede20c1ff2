/* SPDX-License-Identifier: MIT */
#include "reduce/state.h"

#include <math.h>
#include <string.h>

/* Integers are written with their bytes as they are in memory, so that must be
 * little-endian. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "state_write");

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
    const struct compact *compact = monoids[monoid].compact;
    if (compact && compact->whole)
        s = compact->whole(s);
    for (const struct field *f = monoids[monoid].fields; s && f->most; f++) {
        uint64_t *position = (uint64_t *)((char *)s + f->at);
        if (f->kind == FIELD_POSITION && *position != INDEX_NONE)
            *position = map(context, *position);
    }
}

/* The number of bytes that a field of this state has. */
static size_t field_bytes(const struct field *f, const union state *s)
{
    uint32_t times = 1;
    if (f->count_at)
        memcpy(&times, (const char *)s + f->count_at, sizeof times);
    return (size_t)times * f->each * f->bytes;
}

bool state_grows(enum monoid monoid)
{
    return monoid == MONOID_distinct || monoid == MONOID_tallies;
}

size_t state_write(enum monoid monoid, const union state *s, uint8_t *to)
{
    union state trimmed;
    size_t n = 0;
    if (monoids[monoid].write)
        return monoids[monoid].write(s, to);
    if (monoids[monoid].compact && monoids[monoid].compact->trim) {
        monoids[monoid].compact->trim(&trimmed, s);
        s = &trimmed;
    }
    for (const struct field *f = monoids[monoid].fields; f->most; f++) {
        size_t bytes = field_bytes(f, s);
        if (to)
            memcpy(to + n, (const char *)s + f->at, bytes);
        n += bytes;
    }
    return n;
}

/* Reads the fields of a state, which must be initialised. */
static bool read_fields(enum monoid monoid, uint64_t n, union state *s,
                        const uint8_t *from, size_t bytes)
{
    for (const struct field *f = monoids[monoid].fields; f->most; f++) {
        char *at = (char *)s + f->at;
        size_t size = field_bytes(f, s);
        if (size > (size_t)f->most * f->bytes || size > bytes ||
            (f->kind == FIELD_LAYOUT && memcmp(at, from, size) != 0) ||
            (f->kind == FIELD_FLAG && *from > 1))
            return false;
        memcpy(at, from, size);
        from += size;
        bytes -= size;
    }
    return bytes == 0 &&
           (!monoids[monoid].is_sound || monoids[monoid].is_sound(s, n));
}

/* Whether the extremum is a number: a NaN is neither the least nor the greatest
 * value. */
static bool is_number(enum dtype dtype, const struct extremum *x)
{
    return x->index == INDEX_NONE || !dtype_is_float(dtype) ||
           !isnan(dtype_to_double(dtype, x->bits));
}

bool state_read(enum monoid monoid, enum dtype dtype, uint64_t n,
                union state *s, const uint8_t *from, size_t bytes)
{
    monoids[monoid].init(s, dtype);
    if (monoids[monoid].read)
        return monoids[monoid].read(s, dtype, from, bytes);
    const bool has_extrema =
        monoid == MONOID_extrema || monoid == MONOID_absextrema;
    return read_fields(monoid, n, s, from, bytes) &&
           (!has_extrema || (is_number(dtype, &s->extrema.min) &&
                             is_number(dtype, &s->extrema.max)));
}
