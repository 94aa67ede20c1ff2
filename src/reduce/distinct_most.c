/* SPDX-License-Identifier: MIT */
/* Reads results from the distinct values of a group. */
#include <string.h>

#include "reduce/column.h"
#include "reduce/distinct.h"
#include "reduce/distinct_set.h"
#include "reduce/float_format.h"
#include "reduce/hash.h"
#include "reduce/keys.h"
#include "reduce/ranks.h"

/* The search for the most frequent value among keys of a dtype, or among wide
 * integers. */
struct search {
    enum dtype dtype;
    bool skip_nan, is_narrow;
    bool is_negative; /* the keys are magnitudes of negative integers */
    const struct distinct_set *reals; /* of wide integers: other cells that may
                                         have their values; or NULL */
    uint64_t rank; /* order of the best number so far (judge_number) */
};

static uint64_t hash_of(uint64_t key, bool is_narrow)
{
    return is_narrow ? (uint64_t)hash_value_32((uint32_t)key) << 32
                     : hash_value(key);
}

/* How often a set, or NULL, has the key; 1 if it does not count. */
static uint64_t times_of(const struct distinct_set *s, uint64_t key)
{
    const struct distinct_table *t;
    uint64_t times = 0;
    const uint64_t hash = s ? hash_of(key, distinct_set_kind(s).is_narrow) : 0;
    for (size_t i = 0; s && (t = distinct_set_table(s, i)); i++)
        times += distinct_table_times(t, hash);
    return times;
}

/* As times_of, of the f64 that equals the integer. */
static uint64_t times_as_real(const struct distinct_set *s, uint64_t magnitude,
                              bool is_negative)
{
    uint64_t key;
    return keys_of_wide((struct wide_integer){magnitude, 0, is_negative}, &key)
               ? times_of(s, key)
               : 0;
}

/* How many of the wide integers are values of `reals`, too. */
static uint64_t shared_n(const struct distinct_set *wides, bool is_negative,
                         const struct distinct_set *reals)
{
    const struct distinct_table *t;
    uint64_t n = 0;
    for (size_t i = 0; wides && reals && (t = distinct_set_table(wides, i));
         i++) {
        for (size_t slot = 0; slot < t->room; slot++) {
            const uint64_t hash = distinct_table_hash(t, slot);
            n += hash && times_as_real(reals, hash_undo(hash), is_negative);
        }
        n += t->has_zero && times_as_real(reals, hash_undo(0), is_negative);
    }
    return n;
}

uint64_t distinct_n(const struct distinct *d, enum dtype dtype, bool skip_nan)
{
    const bool may_skip = skip_nan && d->set && dtype_is_float(dtype) &&
                          !distinct_set_kind(d->set).has_texts;
    uint64_t n = d->counted + (d->set ? distinct_set_n(d->set) : 0);
    n -= skip_nan && d->counted_nan;
    for (int i = 0; d->wide && i < 2; i++)
        n += distinct_n(&d->wide[i], DTYPE_u64, false) -
             shared_n(d->wide[i].set, i == 1, d->set);
    return n - (may_skip && times_of(d->set, keys_nan(dtype)));
}

static void judge_number(struct distinct_mode *best, struct search *s,
                         uint64_t hash, uint64_t count)
{
    const uint64_t key =
        s->is_narrow ? hash_undo_32((uint32_t)(hash >> 32)) : hash_undo(hash);
    const uint64_t up = rank_key(s->dtype, key),
                   rank = s->is_negative ? ~up : up;
    if (s->reals)
        count += times_as_real(s->reals, key, s->is_negative);
    if (count < best->count || (s->skip_nan && key == keys_nan(s->dtype)))
        return;
    best->ties = count == best->count ? best->ties + 1 : 1;
    if (count == best->count && rank > s->rank)
        return;
    s->rank = rank;
    best->count = count;
    best->bits = key;
}

static bool is_less(struct text_cell a, const char *text, size_t bytes)
{
    const int order = memcmp(a.at, text, a.bytes < bytes ? a.bytes : bytes);
    return order ? order < 0 : a.bytes < bytes;
}

static void judge_text(struct distinct_mode *best, const char *text,
                       uint64_t count)
{
    const struct text_cell cell = distinct_text(text);
    best->ties = count == best->count ? best->ties + 1 : 1;
    if (count == best->count && !is_less(cell, best->text, best->bytes))
        return;
    best->count = count;
    best->text = cell.at;
    best->bytes = cell.bytes;
}

static void judge_table(struct distinct_mode *best, struct search *s,
                        const struct distinct_table *t)
{
    if (t->has_zero)
        judge_number(best, s, 0, t->zeros);
    for (size_t i = 0; i < t->room; i++) {
        const uint64_t hash = distinct_table_hash(t, i);
        if (hash == 0 || (!s->reals && t->count[i] < best->count))
            continue;
        if (t->text)
            judge_text(best, t->text[i], t->count[i]);
        else
            judge_number(best, s, hash, t->count[i]);
    }
}

static struct distinct_mode most_of(const struct distinct_set *set,
                                    struct search s)
{
    struct distinct_mode best = {.count = 0};
    const struct distinct_table *t;
    s.rank = UINT64_MAX;
    s.is_narrow = set && distinct_set_kind(set).is_narrow;
    for (size_t i = 0; set && (t = distinct_set_table(set, i)); i++)
        judge_table(&best, &s, t);
    return best;
}

/* Whether the integer comes before the best value so far. */
static bool wide_wins(const struct distinct_mode *best, struct wide_integer w,
                      uint64_t count)
{
    const double x = double_of_bits(best->bits);
    if (count == 0 || count != best->count)
        return count > best->count;
    if (best->wide.magnitude > 0) /* It is positive. */
        return w.negative;
    return x != x || wide_compare(&w, x) < 0;
}

struct distinct_mode distinct_most(const struct distinct *d, enum dtype dtype,
                                   bool skip_nan)
{
    const struct search numbers = {
        .dtype = dtype, .skip_nan = skip_nan && dtype_is_float(dtype)};
    struct distinct_mode best = d->mode ? *d->mode : most_of(d->set, numbers);
    for (int i = 0; d->wide && i < 2; i++) {
        const struct search wides = {
            .dtype = DTYPE_u64, .is_negative = i == 1, .reals = d->set};
        const struct distinct_mode other = most_of(d->wide[i].set, wides);
        const struct wide_integer w = {other.bits, 0, i == 1};
        const uint64_t ties =
            other.ties + (best.count == other.count ? best.ties : 0);
        if (wide_wins(&best, w, other.count))
            best = (struct distinct_mode){.count = other.count, .wide = w};
        if (best.count == other.count)
            best.ties = ties;
    }
    return best;
}
