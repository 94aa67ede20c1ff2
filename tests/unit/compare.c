/* SPDX-License-Identifier: MIT */
/* The numbers of a comparison: distances between floats, differences between
 * types when neither holds the other, quotients of integers; and all sets of
 * loops give the same bits. */
#include "check.h"

#include <math.h>

#include "nearest.h"
#include "compare/step.h"
#include "reduce/float_format.h"

static struct compare_tally compare(enum dtype a, enum dtype b, const void *x,
                                    const void *y, size_t n, bool portable)
{
    const struct compare_stepper_options options = {
        .a = a, .b = b, .portable = portable};
    struct compare_tally t = compare_tally_none();
    static union state squares;
    struct error e;
    struct compare_stepper *s = compare_stepper_open(&options, &e);
    monoids[MONOID_sumsq].init(&squares, compare_unit(a, b));
    if (CHECK(s != NULL))
        compare_step(s, &t, &squares, x, y, n, 0);
    compare_stepper_close(s);
    return t;
}

static void check_steps(enum dtype dtype, uint64_t a, uint64_t b, uint64_t want)
{
    for (int portable = 0; portable < 2; portable++) {
        /* One pair differs; the other pairs of the vector are equal. */
        unsigned char x[8 * 37] = {0}, y[8 * 37] = {0};
        const size_t size = dtype_info(dtype)->size;
        memcpy(x + 33 * size, &a, size);
        memcpy(y + 33 * size, &b, size);
        struct compare_tally t = compare(dtype, dtype, x, y, 37, portable);
        CHECK(t.steps == want, "%s %#" PRIx64 " %#" PRIx64 ": %" PRIu64,
              dtype_info(dtype)->name, a, b, t.steps);
    }
}

static void test_steps(void)
{
    static const struct {
        enum dtype dtype;
        uint64_t a, b, steps;
    } cases[] = {
        {DTYPE_f8e4m3, 0x00, 0x80, 0},       /* 0 and -0 */
        {DTYPE_f8e4m3, 0x01, 0x81, 2},       /* the least of either sign */
        {DTYPE_f8e4m3, 0x7e, 0xfe, 252},     /* 448 and -448 */
        {DTYPE_f8e4m3, 0x7f, 0x00, 0},       /* NaN */
        {DTYPE_f8e5m2, 0x7c, 0x7b, 1},       /* Inf and 57344 */
        {DTYPE_f8e5m2, 0x7d, 0x7b, 0},       /* NaN */
        {DTYPE_f16, 0x3c00, 0x3bff, 1},      /* 1 and its lower neighbour */
        {DTYPE_f16, 0x7c00, 0xfc00, 0xf800}, /* Inf and -Inf */
        {DTYPE_f16, 0x7c01, 0x0000, 0},
        {DTYPE_bf16, 0x3f80, 0x4000, 0x80}, /* 1 and 2 */
        {DTYPE_bf16, 0x8001, 0x0002, 3},
        {DTYPE_f32, 0x3f800000, 0x40000000, 1 << 23},
        {DTYPE_f32, 0x7f7fffff, 0xff7fffff, 2ull * 0x7f7fffff},
        {DTYPE_f32, 0xffc00000, 0x3f800000, 0},
        {DTYPE_f64, 0x3ff0000000000000, 0x4000000000000000, 1ull << 52},
        {DTYPE_f64, 0x7fefffffffffffff, 0xffefffffffffffff,
         2 * 0x7fefffffffffffffu},
        {DTYPE_f64, 0x8000000000000000, 0x0000000000000001, 1},
        {DTYPE_f64, 0x7ff0000000000001, 0x0000000000000001, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check_steps(cases[i].dtype, cases[i].a, cases[i].b, cases[i].steps);
        check_steps(cases[i].dtype, cases[i].b, cases[i].a, cases[i].steps);
    }
}

/* Every pair of f8, and random pairs from 0 to Inf in f16. */
static void test_every_small_float(void)
{
    unsigned char a[256], b[256];
    for (int shift = 0; shift < 256; shift++) {
        double most = 0;
        for (int i = 0; i < 256; i++) {
            a[i] = (unsigned char)i;
            b[i] = (unsigned char)(i + shift);
            const double x = (double)f8e4m3_to_float(a[i]),
                         y = (double)f8e4m3_to_float(b[i]);
            most = fabs(x - y) > most ? fabs(x - y) : most;
        }
        const struct compare_tally t =
            compare(DTYPE_f8e4m3, DTYPE_f8e4m3, a, b, 256, false);
        CHECK(double_of_bits(t.absolute.bits) == most, "shift %d", shift);
        CHECK_U64(t.nans.one, shift == 0 ? 0 : shift == 128 ? 0 : 4);
    }
    for (uint64_t i = 0; i < 0x7c00; i += 7)
        check_steps(DTYPE_f16, i, i + 1, 1);
}

static struct compare_number real(double x)
{
    return (struct compare_number){.real = x};
}

static struct compare_number integer(__int128 x)
{
    return (struct compare_number){.is_integer = true, .integer = x};
}

static void test_differences(void)
{
    const __int128 two64 = (__int128)1 << 64;
    const struct {
        struct compare_number a, b;
        double want;
    } cases[] = {
        {integer((1ll << 53) + 1), real(0x1p53), 1},
        {integer(two64 - 1), real(0x1p64), 1},
        {integer(-two64 + 1), real(0x1p64), 0x1p65},
        {integer(two64 - 1), integer(-two64 + 1), 0x1p65},
        {integer(3), real(2.75), 0.25},
        {integer(-3), real(-2.75), 0.25},
        /* 2^53 + 1 is halfway between two floats, so a tiny difference
         * decides. */
        {integer((1ll << 53) + 1), real(0x1p-60), 0x1p53},
        {integer((1ll << 53) + 1), real(-0x1p-60), 0x1p53 + 2},
        {integer((1ll << 53) + 3), real(0x1p-60), 0x1p53 + 2},
        {integer(-(1ll << 53) - 1), real(0x1p-60), 0x1p53 + 2},
        {integer(-(1ll << 53) - 1), real(-0x1p-60), 0x1p53},
        /* Below 2^53 floats are denser. */
        {integer(1ll << 53), real(0.25), 0x1p53},
        {integer(1ll << 53), real(0.75), 0x1p53 - 1},
        {integer(1ll << 53), real(0.5), 0x1p53},
        {integer(1), real(0x1p-1074), 1},
        {integer(7), real(0x1.8p126), 0x1.8p126},
        {integer(7), real(-0x1p1023), 0x1p1023},
        {integer(7), real((double)INFINITY), (double)INFINITY},
        {integer(7), real((double)NAN), 0},
        {real((double)INFINITY), real((double)INFINITY), 0},
        {real(0x1p-1074), real(-0x1p-1074), 0x1p-1073},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const double d = compare_difference(&cases[i].a, &cases[i].b),
                     back = compare_difference(&cases[i].b, &cases[i].a);
        CHECK(d == cases[i].want && back == d, "case %zu: %a", i, d);
    }
}

static void test_quotients(void)
{
    for (int i = 0; i < 20000; i++) {
        const uint64_t a = check_random_length(),
                       b = check_random_length() | (i % 3 == 0) | 1;
        const double q = compare_quotient(a, b);
        struct big n, d;
        big_set(&n, a);
        big_set(&d, b);
        CHECK(is_nearest(q, &n, &d, 0, false), "%" PRIu64 " / %" PRIu64 " = %a",
              a, b, q);
    }
    CHECK_DOUBLE(compare_quotient(UINT64_MAX, 1), 0x1p64);
}

/* Random bits of any two types: all sets of loops give the same results. */
static void check_same(enum dtype a, enum dtype b)
{
    enum { N = 2 * COMPARE_BLOCK + 13 };
    static uint64_t x[N], y[N];
    for (int i = 0; i < N; i++) {
        x[i] = check_random();
        y[i] = check_below(3) ? x[i] : check_random();
    }
    const struct compare_tally fast = compare(a, b, x, y, N, false),
                               base = compare(a, b, x, y, N, true);
    CHECK(memcmp(&fast, &base, sizeof fast) == 0, "%s %s", dtype_info(a)->name,
          dtype_info(b)->name);
    CHECK_U64(fast.pairs, N);
}

static void test_sets_agree(void)
{
    for (int a = 0; a < DTYPES_ALL_END; a++) {
        for (int b = 0; b < DTYPES_ALL_END; b++)
            check_same((enum dtype)a, (enum dtype)b);
    }
}

/* The greatest, the first and the counts do not depend on the order of
 * merges. */
static void test_merge(void)
{
    struct compare_tally all = compare_tally_none(), a = all, b = all;
    compare_worst_offer(&a.absolute, 5, 9);
    compare_worst_offer(&b.absolute, 5, 3);
    compare_worst_offer(&b.relative, 0, 3);
    compare_tally_mismatch(&a, 9);
    compare_tally_mismatch(&b, 3);
    b.steps = 4;
    struct compare_tally first = a;
    compare_tally_merge(&first, &b);
    compare_tally_merge(&all, &b);
    compare_tally_merge(&all, &a);
    CHECK(memcmp(&first, &all, sizeof all) == 0);
    CHECK(all.absolute.index == 3 && all.relative.index == 3);
    CHECK(all.first_mismatch == 3 && all.mismatches == 2 && all.steps == 4);
}

int main(void)
{
    test_steps();
    test_every_small_float();
    test_differences();
    test_quotients();
    test_sets_agree();
    test_merge();
    return check_end();
}
