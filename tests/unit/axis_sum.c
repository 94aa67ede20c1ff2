/* SPDX-License-Identifier: MIT */
/* Compensated sums of axes. A result that is reported as certain is compared
 * with the midpoints between it and its neighbours (nearest.h). Most data must
 * give certain results. */
#include "kernels/axis/compensated.h"

#include <float.h>

#include "big.h"
#include "check.h"
#include "nearest.h"

enum { ADDENDS = 64 };

struct addends {
    unsigned n;
    double x[ADDENDS];
};

static double random_sign(double x)
{
    return check_random() & 1 ? -x : x;
}

/* In [1, 2). */
static double random_significand(void)
{
    return 1 + (double)(check_random() >> 12) * 0x1p-52;
}

static void add(struct addends *a, double x)
{
    if (a->n < ADDENDS)
        a->x[a->n++] = x;
}

static void uniform_f32(struct addends *a)
{
    for (unsigned n = 1 + (unsigned)check_below(ADDENDS); a->n < n;)
        add(a, (float)((double)(int64_t)check_random() * 0x1p-63));
}

static void uniform_f64(struct addends *a)
{
    for (unsigned n = 1 + (unsigned)check_below(ADDENDS); a->n < n;)
        add(a, (double)(int64_t)check_random() * 0x1p-63);
}

static void wide_exponents(struct addends *a)
{
    const int span = 1 + (int)check_below(2000);
    for (unsigned n = 1 + (unsigned)check_below(ADDENDS); a->n < n;)
        add(a, random_sign(ldexp(random_significand(),
                                 (int)check_below((uint64_t)span) - span / 2)));
}

static void integers(struct addends *a)
{
    for (unsigned n = 1 + (unsigned)check_below(ADDENDS); a->n < n;)
        add(a, random_sign((double)check_below(1000000)));
}

static void zeros(struct addends *a)
{
    for (unsigned n = 1 + (unsigned)check_below(4); a->n < n;)
        add(a, check_below(4) ? -0.0 : 0.0);
}

static void subnormal(struct addends *a)
{
    for (unsigned n = 1 + (unsigned)check_below(ADDENDS); a->n < n;)
        add(a, random_sign(ldexp((double)check_random_length(),
                                 -1074 + (int)check_below(12))));
}

static void huge(struct addends *a)
{
    for (unsigned n = 1 + (unsigned)check_below(8); a->n < n;)
        add(a, random_sign(
                   ldexp(random_significand(), 1020 + (int)check_below(4))));
}

/* A double plus half the distance to its neighbour, split into random parts,
 * sometimes with a little more or less: ties and near ties. Large numbers that
 * cancel may come between them. */
static void ties(struct addends *a)
{
    const int e = (int)check_below(1500) - 900;
    double half = ldexp(0x1p-53, e);
    const double power = check_below(8) ? random_significand() : 1.0;
    add(a, ldexp(power, e));
    for (unsigned parts = (unsigned)check_below(5); parts > 0; parts--) {
        const double part = half * (double)check_below(256) / 256;
        add(a, part);
        half -= part;
    }
    add(a, check_below(8) ? half : -half / 2);
    if (check_below(2))
        add(a, random_sign(ldexp(half, -(int)check_below(120))));
    if (check_below(3) == 0) {
        const double large =
            ldexp(random_significand(), e + (int)check_below(100));
        add(a, large);
        add(a, -large);
    }
    const bool negative = check_below(2);
    for (unsigned i = 0; negative && i < a->n; i++)
        a->x[i] = -a->x[i];
}

static void cancelling(struct addends *a)
{
    for (unsigned n = 1 + (unsigned)check_below(ADDENDS / 2); n > 0; n--) {
        const double x =
            random_sign(ldexp(random_significand(), (int)check_below(90)));
        add(a, x);
        add(a, -x);
    }
    add(a, ldexp(random_significand(), (int)check_below(80) - 60));
}

/* least: the percentage of sums that must be certain. */
static const struct {
    const char *name;
    void (*make)(struct addends *a);
    double least;
} kinds[] = {{"uniform f32", uniform_f32, 100},
             {"uniform f64", uniform_f64, 99.9},
             {"wide exponents", wide_exponents, 99},
             {"integers", integers, 100},
             {"zeros", zeros, 100},
             {"subnormal", subnormal, 100},
             {"huge", huge, 0},
             {"ties", ties, 10},
             {"cancelling", cancelling, 0}};

static void shuffle(struct addends *a)
{
    for (unsigned i = a->n; i > 1; i--) {
        const unsigned j = (unsigned)check_below(i);
        const double x = a->x[i - 1];
        a->x[i - 1] = a->x[j];
        a->x[j] = x;
    }
}

static void step(struct axis_sum *a, double x, bool squares)
{
    if (!axis_is_finite(x)) {
        a->special |= axis_special_of(x);
        return;
    }
    axis_sum_size(a, axis_size_f64(x));
    if (squares)
        axis_sum_add_square(a, x);
    else
        axis_sum_add(a, x);
}

static struct axis_reading reading_of(const struct axis_sum *a, unsigned n,
                                      uint64_t d, bool squares)
{
    const int lsb = axis_lsb_f64(a->least);
    return (struct axis_reading){n, (double)d, squares ? 2 * lsb : lsb};
}

/* Sums in up to 8 parts and merges them in a tree, as lanes are merged. */
static struct axis_sum sum_in_parts(const struct addends *a, bool squares)
{
    struct axis_sum part[8];
    const unsigned parts = 1u << check_below(4);
    for (unsigned p = 0; p < parts; p++)
        axis_sum_init(&part[p]);
    for (unsigned i = 0; i < a->n; i++)
        step(&part[i % parts], a->x[i], squares);
    for (unsigned step = parts / 2; step > 0; step /= 2) {
        for (unsigned p = 0; p < step; p++)
            axis_sum_merge(&part[p], &part[p + step]);
    }
    return part[0];
}

/* The exact sum is n * 2^*exponent. */
static void exact_sum(struct big *n, int *exponent, const struct addends *a,
                      bool squares)
{
    *exponent = squares ? -2148 : -1074;
    big_set(n, 0);
    for (unsigned i = 0; i < a->n; i++) {
        struct big x, factor;
        int e;
        big_of_double(&x, &e, a->x[i]);
        factor = x;
        if (squares)
            big_multiply(&x, &factor);
        big_shift(&x, (unsigned)((squares ? 2 * e : e) - *exponent));
        big_add(n, &x);
    }
}

/* Checks the result if it is certain. Returns whether it is. The sign of a zero
 * is compared only if the exact sum is negative. */
static bool check_sum(const struct addends *a, bool squares, uint64_t d)
{
    struct big n, divisor;
    bool certain;
    int exponent;
    struct axis_sum s = sum_in_parts(a, squares);
    const struct axis_reading r = reading_of(&s, a->n, d, squares);
    const double x = axis_sum_result(&s, &r, &certain);
    if (!certain)
        return false;
    exact_sum(&n, &exponent, a, squares);
    big_set(&divisor, d ? d : 1);
    CHECK(is_nearest(x == 0 && !n.negative ? 0.0 : x, &n, &divisor, exponent,
                     false),
          "%a of %u addends, divisor %" PRIu64 "%s", x, a->n, d,
          squares ? ", squares" : "");
    return true;
}

static void test_kind(size_t kind)
{
    enum { TIMES = 3000 };
    unsigned certain = 0, means = 0, squares = 0;
    for (int i = 0; i < TIMES; i++) {
        struct addends a = {0};
        kinds[kind].make(&a);
        shuffle(&a);
        certain += check_sum(&a, false, 0);
        means += check_sum(&a, false, 1 + check_below(i % 2 ? 16 : 1ull << 40));
        squares += i % 4 == 0 && check_sum(&a, true, 0);
    }
    const double share = 100.0 * certain / TIMES;
    printf("%-14s certain: sums %5.1f %%, means %5.1f %%, squares %5.1f %%\n",
           kinds[kind].name, share, 100.0 * means / TIMES,
           400.0 * squares / TIMES);
    CHECK(share >= kinds[kind].least, "%s: %g %%", kinds[kind].name, share);
}

/* Sums of zeros of either sign, and sums with Inf or NaN. */
static void test_special(void)
{
    static const struct {
        double x[3], want;
    } cases[] = {{{-0.0, -0.0, -0.0}, -0.0},
                 {{-0.0, 0.0, -0.0}, 0.0},
                 {{1, -1, -0.0}, 0.0},
                 {{INFINITY, -1e308, 1}, INFINITY},
                 {{-INFINITY, 1, -INFINITY}, -INFINITY},
                 {{INFINITY, 1, -INFINITY}, NAN},
                 {{1, NAN, INFINITY}, NAN}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct addends a = {3, {0}};
        bool certain;
        memcpy(a.x, cases[i].x, sizeof cases[i].x);
        struct axis_sum s = sum_in_parts(&a, false);
        const struct axis_reading r = reading_of(&s, 3, 0, false);
        CHECK_DOUBLE(axis_sum_result(&s, &r, &certain), cases[i].want);
        CHECK(certain, "case %zu", i);
    }
}

/* Results that must not be reported as certain: a sum that overflows, on the
 * way or at the end, and a tie or near tie whose rest is not exact. */
static void test_uncertain(void)
{
    static const double cases[][4] = {{DBL_MAX, DBL_MAX, -DBL_MAX, 0},
                                      {0x1p53, 0x1p0, 0x1p-60, -0x1p-60},
                                      {0x1p53, 0x1p0, 0x1p-160, 0},
                                      {0x1p1023, 0x1p1023, 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct axis_sum s;
        bool certain;
        axis_sum_init(&s);
        for (int j = 0; j < 4; j++)
            step(&s, cases[i][j], false);
        const struct axis_reading r = reading_of(&s, 4, 0, false);
        axis_sum_result(&s, &r, &certain);
        CHECK(!certain, "case %zu", i);
    }
}

int main(void)
{
    for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++)
        test_kind(kind);
    test_special();
    test_uncertain();
    return check_end();
}
