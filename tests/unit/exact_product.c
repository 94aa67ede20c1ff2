/* SPDX-License-Identifier: MIT */
/* Products of doubles in the wide integer, compared with big.h. */
#include <float.h>
#include <math.h>

#include "big.h"
#include "check.h"
#include "reduce/exact.h"
#include "reduce/float_format.h"

static enum exact_map layout_of(unsigned factors)
{
    return factors > 2 ? EXACT_SQUARE + factors - 2 : EXACT_SQUARE;
}

/* Adds the product of finite numbers to the model, in units of 2^lsb. */
static void model_add(struct big *model, int lsb, const double *factor,
                      unsigned n)
{
    struct big product;
    int position = -lsb;
    big_set(&product, 1);
    for (unsigned i = 0; i < n; i++) {
        struct big x;
        int exponent;
        big_of_double(&x, &exponent, factor[i]);
        big_multiply(&product, &x);
        position += exponent;
    }
    if (product.n > 0)
        big_shift(&product, (unsigned)position);
    big_add(model, &product);
}

static void check_sum(const struct exact *x, const struct big *want,
                      const char *what)
{
    struct exact dense;
    struct big got;
    exact_copy(&dense, x);
    big_of_words(&got, dense.word, dense.words);
    CHECK(big_compare(&got, want) == 0, "%s", what);
}

/* Draws a factor: any finite bits, an ordinary number, the greatest, the least,
 * 0. */
static double random_factor(void)
{
    const uint64_t sign = check_random() & 1ull << 63;
    const uint64_t fraction = check_random() >> 12;
    switch (check_below(6)) {
    case 0:
        return double_of_bits(sign | check_below(0x7ff) << 52 | fraction);
    case 1:
        return double_of_bits(sign | 0x7feull << 52 | fraction);
    case 2:
        return double_of_bits(sign | fraction >> check_below(53));
    case 3:
        return copysign(sign && check_below(2) ? 0.0 : DBL_MAX,
                        sign ? -1.0 : 1.0);
    default:
        return double_of_bits(sign | (1018 + check_below(9)) << 52 | fraction);
    }
}

static void test_random(void)
{
    for (int round = 0; round < 400; round++) {
        const unsigned n = 1 + (unsigned)round % EXACT_FACTORS;
        struct exact x;
        struct big model;
        if (round % 3)
            exact_init(&x, DTYPE_f64, layout_of(n));
        else
            exact_init_compact(&x, DTYPE_f64, layout_of(n));
        big_set(&model, 0);
        for (int i = 0; i < 20; i++) {
            double factor[EXACT_FACTORS];
            for (unsigned j = 0; j < n; j++)
                factor[j] = random_factor();
            exact_add_product(&x, factor, n);
            model_add(&model, x.lsb, factor, n);
            check_sum(&x, &model, "random");
        }
        exact_close(&x);
    }
}

/* Checks the sum of a single product: the same factor n times. */
static void check_power(double factor, unsigned n, const char *what)
{
    const double factors[] = {factor, factor, factor, factor};
    struct exact x;
    struct big model;
    exact_init(&x, DTYPE_f64, layout_of(n));
    big_set(&model, 0);
    for (int i = 0; i < 3; i++) {
        exact_add_product(&x, factors, n);
        model_add(&model, x.lsb, factors, n);
    }
    check_sum(&x, &model, what);
    CHECK(exact_is_negative(&x) == (factor < 0 && n % 2), "%s", what);
}

static void test_ends(void)
{
    for (unsigned n = 1; n <= EXACT_FACTORS; n++) {
        check_power(DBL_MAX, n, "greatest");
        check_power(-DBL_MAX, n, "least");
        check_power(DBL_TRUE_MIN, n, "smallest");
        check_power(-DBL_TRUE_MIN, n, "smallest below 0");
        check_power(DBL_MIN, n, "least normal");
    }
    /* The unit of each layout is that power of the least number. */
    for (unsigned n = 2; n <= EXACT_FACTORS; n++)
        CHECK_INT(exact_layout(DTYPE_f64, layout_of(n)).lsb, -1074 * (int)n);
}

static struct exact product(double a, double b, double c)
{
    const double factor[] = {a, b, c};
    struct exact x;
    exact_init(&x, DTYPE_f64, EXACT_CUBE);
    exact_add_product(&x, factor, 3);
    return x;
}

static void test_special(void)
{
    static const struct {
        double a, b, c;
        uint64_t nan, plus_inf, minus_inf;
        bool not_negative_zero;
    } some[] = {
        {1, 2, -0.0, 0, 0, 0, false},
        {-1, 2, -0.0, 0, 0, 0, true},
        {1, 2, 0.0, 0, 0, 0, true},
        {1, NAN, 0.0, 1, 0, 0, false},
        {0.0, INFINITY, 1, 1, 0, 0, false},
        {INFINITY, DBL_TRUE_MIN, DBL_TRUE_MIN, 0, 1, 0, true},
        {INFINITY, -DBL_TRUE_MIN, 3, 0, 0, 1, true},
        {-INFINITY, -INFINITY, 3, 0, 1, 0, true},
        {-INFINITY, NAN, 3, 1, 0, 0, false},
    };
    for (size_t i = 0; i < sizeof some / sizeof some[0]; i++) {
        const struct exact x = product(some[i].a, some[i].b, some[i].c);
        struct big zero;
        big_set(&zero, 0);
        check_sum(&x, &zero, "special");
        CHECK_U64(x.nan, some[i].nan);
        CHECK_U64(x.plus_inf, some[i].plus_inf);
        CHECK_U64(x.minus_inf, some[i].minus_inf);
        CHECK_INT(x.not_negative_zero, some[i].not_negative_zero);
    }
}

int main(void)
{
    test_random();
    test_ends();
    test_special();
    return check_end();
}
