/* SPDX-License-Identifier: MIT */
#include "reduce/sketch.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "reduce/column.h"
#include "reduce/distinct_table.h"
#include "reduce/hash.h"
#include "reduce/keys.h"

enum {
    LISTED_LEAST = 16,
    /* Slots of the list, of which half are used. The largest list takes 8 KiB,
     * half of what all registers take. */
    LISTED_MOST = 2048,
    VALUE_BITS = 8,
    /* The greatest value that a register can have. */
    VALUE_MOST = 64 - SKETCH_BITS + 1,
};

void sketch_init(struct sketch *s)
{
    *s = (struct sketch){.all = NULL};
}

static size_t listed_bytes(const struct sketch *s)
{
    return s->room * sizeof *s->listed;
}

static void close_list(struct sketch *s)
{
    memory_give(listed_bytes(s));
    free(s->listed);
    s->listed = NULL;
    s->n = s->room = 0;
}

void sketch_close(struct sketch *s)
{
    close_list(s);
    if (s->all)
        memory_give(SKETCH_REGISTERS);
    free(s->all);
    s->all = NULL;
}

/* Returns zeroed memory, and counts it. NULL: the state is now lost. */
static void *take(struct sketch *s, size_t bytes)
{
    const bool may = memory_take(bytes);
    void *at = may ? calloc(1, bytes) : NULL;
    if (may && !at)
        memory_give(bytes);
    if (!at)
        s->lost = may ? DISTINCT_NO_MEMORY : DISTINCT_LIMIT;
    return at;
}

static void raise(uint8_t *value, uint32_t to)
{
    if (to > *value)
        *value = (uint8_t)to;
}

/* The slot of the list that has a register, or else the free slot for it. */
static uint32_t *find(const struct sketch *s, uint32_t index)
{
    uint32_t i = index & (s->room - 1);
    while (s->listed[i] && s->listed[i] >> VALUE_BITS != index)
        i = (i + 1) & (s->room - 1);
    return &s->listed[i];
}

/* Replaces the list by one of twice the slots, or by all registers. */
static bool grow(struct sketch *s)
{
    struct sketch old = *s;
    const uint32_t room = old.room ? 2 * old.room : LISTED_LEAST;
    if (room > LISTED_MOST) {
        s->all = take(s, SKETCH_REGISTERS);
    } else {
        s->listed = take(s, room * sizeof *s->listed);
        s->room = s->listed ? room : old.room;
    }
    if (s->lost) {
        s->listed = old.listed;
        return false;
    }
    for (uint32_t i = 0; i < old.room; i++) {
        const uint32_t entry = old.listed[i], index = entry >> VALUE_BITS;
        if (entry && s->all)
            s->all[index] = (uint8_t)entry;
        else if (entry)
            *find(s, index) = entry;
    }
    if (s->all)
        s->listed = NULL;
    close_list(&old);
    if (s->all)
        s->n = s->room = 0;
    return true;
}

void sketch_raise(struct sketch *s, uint32_t index, uint32_t value)
{
    if (s->lost || (!s->all && 2 * s->n >= s->room && !grow(s)))
        return;
    if (s->all) {
        raise(&s->all[index], value);
        return;
    }
    uint32_t *entry = find(s, index);
    const uint32_t wanted = index << VALUE_BITS | value;
    s->n += *entry == 0;
    *entry = wanted > *entry ? wanted : *entry;
}

void sketch_put(struct sketch *s, uint64_t hash)
{
    sketch_raise(s, sketch_register(hash), sketch_value(hash));
}

/* The destination of a column's keys. */
struct adding {
    struct sketch *s;
    uint64_t nan; /* key of NaN; 0: the dtype has no NaN */
};

static void add_keys(void *to, const uint64_t *key, const uint64_t *times,
                     size_t n)
{
    struct adding *a = to;
    (void)times;
    for (size_t i = 0; i < n; i++) {
        const uint64_t hash = hash_value(key[i]);
        if (a->nan && key[i] == a->nan)
            a->s->has_nan = true;
        else if (a->s->all)
            raise(&a->s->all[sketch_register(hash)], sketch_value(hash));
        else
            sketch_put(a->s, hash);
    }
}

void sketch_add(struct sketch *s, const struct column *c)
{
    struct adding adding = {s, keys_nan(dtype_info(c->dtype)->computed)};
    if (!c->texts) {
        keys_of_column(c, add_keys, &adding);
        return;
    }
    for (size_t i = 0; i < c->n; i++)
        sketch_put(s, hash_text(c->texts[i].at, c->texts[i].bytes));
}

/* The hash of an integer that f64 cannot hold depends on its sign, too. */
void sketch_add_wide(struct sketch *s, struct wide_integer x)
{
    uint64_t key;
    if (keys_of_wide(x, &key))
        sketch_put(s, hash_value(key));
    else
        sketch_put(s, hash_value(hash_value(x.magnitude) + x.negative));
}

void sketch_merge(struct sketch *into, const struct sketch *from)
{
    into->has_nan |= from->has_nan;
    if (from->lost)
        into->lost = from->lost;
    for (uint32_t i = 0; i < from->room; i++) {
        const uint32_t entry = from->listed[i];
        if (entry)
            sketch_raise(into, entry >> VALUE_BITS, (uint8_t)entry);
    }
    for (uint32_t i = 0; from->all && i < SKETCH_REGISTERS; i++) {
        if (from->all[i])
            sketch_raise(into, i, from->all[i]);
    }
}

/* The value of a register. */
static uint8_t value_at(const struct sketch *s, uint32_t index)
{
    return s->all ? s->all[index] : s->room ? (uint8_t)*find(s, index) : 0;
}

size_t sketch_write(const struct sketch *s, uint8_t *to)
{
    size_t n = 1;
    if (to)
        *to = s->has_nan;
    for (uint32_t i = 0; i < SKETCH_REGISTERS; i++) {
        const uint8_t value = value_at(s, i);
        if (to && value) {
            to[n] = (uint8_t)i;
            to[n + 1] = (uint8_t)(i >> 8);
            to[n + 2] = value;
        }
        n += value ? 3 : 0;
    }
    return n;
}

bool sketch_read(struct sketch *s, const uint8_t *from, size_t bytes)
{
    uint32_t last = 0;
    if (bytes % 3 != 1 || *from > 1)
        return false;
    s->has_nan = *from;
    for (size_t n = 1; n < bytes; n += 3) {
        const uint32_t index = from[n] | (uint32_t)from[n + 1] << 8;
        const uint8_t value = from[n + 2];
        if (index < last || index >= SKETCH_REGISTERS || value == 0 ||
            value > VALUE_MOST)
            return false;
        sketch_raise(s, index, value);
        last = index + 1;
    }
    return true;
}

/* Counts the registers that have each value. */
static void count_values(const struct sketch *s, uint32_t count[VALUE_MOST + 1])
{
    for (uint32_t v = 0; v <= VALUE_MOST; v++)
        count[v] = 0;
    for (uint32_t i = 0; s->all && i < SKETCH_REGISTERS; i++)
        count[s->all[i]]++;
    for (uint32_t i = 0; i < s->room; i++)
        count[(uint8_t)s->listed[i]] += s->listed[i] != 0;
    if (!s->all)
        count[0] = SKETCH_REGISTERS - s->n;
}

/* x + sum of x^(2^k) * 2^(k-1), k >= 1: the term of registers that are 0. */
static double sigma(double x)
{
    double y = 1, sum = x, last;
    if (x == 1)
        return INFINITY;
    do {
        x *= x;
        last = sum;
        sum += x * y;
        y += y;
    } while (sum != last);
    return sum;
}

/* (1 - x - sum of (1 - x^(2^-k))^2 * 2^-k, k >= 1) / 3: that of full ones. */
static double tau(double x)
{
    double y = 1, sum = 1 - x, last;
    if (x == 0 || x == 1)
        return 0;
    do {
        x = sqrt(x);
        last = sum;
        y /= 2;
        sum -= (1 - x) * (1 - x) * y;
    } while (sum != last);
    return sum / 3;
}

/* Otmar Ertl's estimator (arXiv 1702.01284, algorithm 6), which is unbiased
 * also for few values. It uses only IEEE operations, so the estimate is the
 * same on every machine. */
uint64_t sketch_estimate(const struct sketch *s)
{
    const double m = SKETCH_REGISTERS;
    const double alpha = 0.72134752044448170368; /* 1 / (2 ln 2) */
    uint32_t count[VALUE_MOST + 1];
    count_values(s, count);
    double z = m * tau(1 - count[VALUE_MOST] / m);
    for (int v = VALUE_MOST - 1; v >= 1; v--)
        z = (z + count[v]) / 2;
    z += m * sigma(count[0] / m);
    return (uint64_t)(alpha * m * m / z + 0.5);
}
