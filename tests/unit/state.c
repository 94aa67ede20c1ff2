/* SPDX-License-Identifier: MIT */
/* States: extrema with their first index, counts, and the layout of each. */
#include "reduce/state.h"

#include <math.h>

#include "check.h"

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* An f64's key: its bits ordered as integers, -0 and 0 as one. */
static uint64_t key_of(double x)
{
    int64_t bits = (int64_t)bits_of(x);
    return key_of_signed(bits < 0 ? INT64_MIN - bits : bits);
}

/* Keys order as the numbers do. */
static void test_keys(void)
{
    static const int64_t n[] = {INT64_MIN, -2, -1, 0, 1, INT64_MAX};
    for (int i = 0; i < 5; i++)
        CHECK(key_of_signed(n[i]) < key_of_signed(n[i + 1]), "%d", i);
}

/* What one element leaves behind. */
static struct extrema one(double x, uint64_t index)
{
    struct extrema e;
    extrema_init(&e);
    if (isnan(x)) {
        e.nans = 1;
        e.first_nan = index;
        return e;
    }
    e.min = (struct extremum){key_of(x), bits_of(x), index};
    e.max = e.min;
    return e;
}

static void check_extremum(const struct extremum *e, const double *x, int n,
                           bool greatest)
{
    int best = -1;
    for (int i = 0; i < n; i++) {
        if (!isnan(x[i]) &&
            (best < 0 || (greatest ? x[i] > x[best] : x[i] < x[best])))
            best = i;
    }
    CHECK_U64(e->index, best < 0 ? INDEX_NONE : (uint64_t)best);
    if (best >= 0)
        CHECK_U64(e->bits, bits_of(x[best]));
}

/* Merged in any order: the first of equals, the first NaN. */
static void test_extrema(void)
{
    static const double values[] = {0.0, -0.0, 1,        2,
                                    -1,  NAN,  INFINITY, -INFINITY};
    for (int round = 0; round < 5000; round++) {
        struct extrema part[12];
        double x[12];
        int n = (int)check_below(13), nans = 0, first_nan = -1;
        for (int i = 0; i < n; i++) {
            x[i] = values[check_below(round % 2 ? 8 : 5)];
            part[i] = one(x[i], (uint64_t)i);
            nans += isnan(x[i]) != 0;
            first_nan = isnan(x[i]) && first_nan < 0 ? i : first_nan;
        }
        struct extrema all;
        extrema_init(&all);
        for (int left = n; left > 0; left--) {
            size_t i = check_below((uint64_t)left);
            extrema_merge(&all, &part[i]);
            part[i] = part[left - 1];
        }
        check_extremum(&all.min, x, n, false);
        check_extremum(&all.max, x, n, true);
        CHECK_U64(all.nans, (uint64_t)nans);
        CHECK_U64(all.first_nan, nans ? (uint64_t)first_nan : INDEX_NONE);
    }
}

/* Cut anywhere and merged in any order, with NaN anywhere. */
static void test_ends(void)
{
    for (int round = 0; round < 2000; round++) {
        float x[9];
        struct state part[9], all;
        uint64_t n = check_below(10),
                 want[4] = {INDEX_NONE, INDEX_NONE, INDEX_NONE, INDEX_NONE};
        int parts = 0;
        for (uint64_t i = 0; i < n; i++) {
            x[i] = check_below(2) ? NAN : (float)i;
            for (int k = isnan(x[i]) ? 2 : 4; k-- > 0;)
                want[k] = k % 2 || want[k] == INDEX_NONE ? i : want[k];
        }
        for (uint64_t at = 0, step; at < n; at += step, parts++) {
            step = 1 + check_below(n - at);
            state_init(&part[parts], MONOID_ends, DTYPE_f32);
            state_add_ends(&part[parts], x + at, step, at);
        }
        state_init(&all, MONOID_ends, DTYPE_f32);
        for (; parts > 0; parts--) {
            size_t i = check_below((uint64_t)parts);
            state_merge(&all, &part[i]);
            part[i] = part[parts - 1];
        }
        CHECK_U64(all.n, n);
        CHECK_U64(all.of.ends.first.index, want[0]);
        CHECK_U64(all.of.ends.last.index, want[1]);
        CHECK_U64(all.of.ends.first_number.index, want[2]);
        CHECK_U64(all.of.ends.last_number.index, want[3]);
        if (want[3] != INDEX_NONE)
            CHECK_U64(all.of.ends.last_number.bits,
                      dtype_from_double(DTYPE_f32, (double)want[3]));
    }
}

static void test_count(void)
{
    struct count a, b;
    count_init(&a);
    count_init(&b);
    CHECK_U64(a.first_nan, INDEX_NONE);
    b = (struct count){.nan = 1, .inf = 2, .nonzero = 30, .first_nan = 9};
    count_merge(&a, &b);
    b.first_nan = 4;
    count_merge(&a, &b);
    b.first_nan = 7;
    count_merge(&a, &b);
    CHECK(a.nan == 3 && a.inf == 6 && a.nonzero == 90 && a.first_nan == 4);
}

/* Every monoid of every dtype begins empty, says what it is, and merging with
 * an empty one changes nothing but n. */
static void test_states(void)
{
    static const char *const names[] = {"count",      "sum",  "sumabs",
                                        "sumsq",      "prod", "extrema",
                                        "absextrema", "ends"};
    CHECK_INT(MONOIDS_END, sizeof names / sizeof names[0]);
    for (int m = 0; m < MONOIDS_END; m++) {
        CHECK_TEXT(monoid_name((enum monoid)m), names[m]);
        for (int d = 0; d < DTYPES_END; d++) {
            struct state a, b;
            state_init(&a, (enum monoid)m, (enum dtype)d);
            state_init(&b, (enum monoid)m, (enum dtype)d);
            CHECK(a.monoid == (enum monoid)m && a.dtype == (enum dtype)d);
            CHECK(a.n == 0 && state_nans(&a) == 0);
            a.n = 3;
            b.n = 4;
            state_merge(&a, &b);
            CHECK_U64(a.n, 7);
            CHECK_U64(state_nans(&a), 0);
        }
    }
    CHECK_INT(monoid_map(MONOID_sum), EXACT_VALUE);
    CHECK_INT(monoid_map(MONOID_sumabs), EXACT_MAGNITUDE);
    CHECK_INT(monoid_map(MONOID_sumsq), EXACT_SQUARE);
}

/* state_nans finds the count of each kind. */
static void test_nans(void)
{
    for (int m = 0; m < MONOIDS_END; m++) {
        struct state s, t;
        state_init(&s, (enum monoid)m, DTYPE_f32);
        switch (m) {
        case MONOID_count:
            s.of.count.nan = 5;
            break;
        case MONOID_prod:
            s.of.prod.nans = 5;
            break;
        case MONOID_extrema:
        case MONOID_absextrema:
            s.of.extrema.nans = 5;
            break;
        case MONOID_ends:
            continue; /* counts none */
        default:
            s.of.exact.nan = 5;
        }
        CHECK_U64(state_nans(&s), 5);
        t = s;
        state_merge(&s, &t);
        CHECK_U64(state_nans(&s), 10);
    }
}

int main(void)
{
    test_keys();
    test_extrema();
    test_ends();
    test_count();
    test_states();
    test_nans();
    return check_end();
}
