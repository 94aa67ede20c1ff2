/* SPDX-License-Identifier: MIT */
/* States made by hand, and checks of the results of operations on them. */
#pragma once

#include <math.h>

#include "check.h"
#include "reduce/op.h"

struct fixture {
    union state state[MONOIDS_END];
    struct totals totals;
};

static inline void fixture_init(struct fixture *f, enum dtype dtype, uint64_t n)
{
    f->totals = (struct totals){.dtype = dtype, .n = n};
    for (int m = 0; m < MONOIDS_END; m++) {
        monoids[m].init(&f->state[m], dtype);
        f->totals.state[m] = &f->state[m];
    }
    f->state[MONOID_sum].exact.not_negative_zero = true;
    f->state[MONOID_sumabs].exact.not_negative_zero = true;
    f->state[MONOID_sumsq].exact.not_negative_zero = true;
}

/* Sets an exact sum to x * 2^-lsb, in two's complement. */
static inline void set_exact(struct fixture *f, enum monoid monoid, int64_t x)
{
    struct exact *e = &f->state[monoid].exact;
    unsigned at = (unsigned)-e->lsb;
    for (uint32_t i = 0; i < e->words; i++)
        e->word[i] = x < 0 ? UINT64_MAX : 0;
    for (unsigned i = 0; i <= at / 64; i++)
        e->word[i] = i == at / 64 ? (uint64_t)x << at % 64 : 0;
    if (at % 64)
        e->word[at / 64 + 1] = (uint64_t)(x >> (64 - at % 64));
}

static inline void set_extrema(struct fixture *f, enum monoid monoid,
                               uint64_t low, uint64_t low_index, uint64_t high,
                               uint64_t high_index)
{
    struct extrema *x = &f->state[monoid].extrema;
    x->min = (struct extremum){.bits = low, .index = low_index};
    x->max = (struct extremum){.bits = high, .index = high_index};
}

static inline bool finish(const struct fixture *f, const char *name,
                          struct value *value, struct error *e)
{
    *e = (struct error){.kind = ERROR_NONE};
    return op_finish(op_find(name), &f->totals, value, e);
}

static inline void check_real(const struct fixture *f, const char *name,
                              double want)
{
    struct value value;
    struct error e;
    CHECK(finish(f, name, &value, &e), "%s: %s", name, e.text);
    CHECK(value.kind == VALUE_REAL, "%s", name);
    CHECK(memcmp(&value.real, &want, sizeof want) == 0 ||
              (isnan(want) && isnan(value.real)),
          "%s: %.17g, not %.17g", name, value.real, want);
}

static inline void check_integer(const struct fixture *f, const char *name,
                                 int64_t want)
{
    struct value value;
    struct error e;
    uint64_t magnitude = want < 0 ? 0 - (uint64_t)want : (uint64_t)want;
    CHECK(finish(f, name, &value, &e), "%s: %s", name, e.text);
    CHECK(value.kind == VALUE_INTEGER, "%s", name);
    CHECK(value.word[0] == magnitude && value.negative == (want < 0),
          "%s: %d %" PRIu64 ", not %" PRId64, name, value.negative,
          value.word[0], want);
    CHECK_U64(value.word[1] | value.word[2] | value.word[3], 0);
}
