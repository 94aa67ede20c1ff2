/* SPDX-License-Identifier: MIT */
/* The product of integers, exact to 128 bits, compared with big.h. */
#include "big.h"
#include "check.h"
#include "reduce/prod.h"

struct product {
    struct prod_integer p;
    struct big model;
};

static void start(struct product *x)
{
    prod_integer_one(&x->p);
    big_set(&x->model, 1);
}

static void step(struct product *x, bool negative, uint64_t magnitude)
{
    prod_integer_step(&x->p, negative, magnitude);
    big_times(&x->model, magnitude);
    if (negative)
        big_negate(&x->model);
}

/* A zero wins. Otherwise the product is exact, or marked as longer than 128
 * bits. */
static void check_product(const struct product *x)
{
    struct big limit, got, magnitude = x->model;
    magnitude.negative = false;
    big_set(&limit, 1);
    big_shift(&limit, 128);
    CHECK(x->p.zero == (x->model.n == 0));
    if (x->p.zero)
        return;
    CHECK(x->p.too_large == (big_compare(&magnitude, &limit) >= 0));
    if (x->p.too_large)
        return;
    const uint64_t word[3] = {x->p.low, x->p.high, 0};
    big_of_words(&got, word, 3);
    CHECK(big_compare(&got, &magnitude) == 0);
    CHECK(x->p.negative == x->model.negative);
}

/* Their product is 2^128 - 1. */
static const uint64_t factors[] = {3,     5,      17,      257,           641,
                                   65537, 274177, 6700417, 67280421310721};
enum { FACTORS = sizeof factors / sizeof factors[0] };

static void test_largest(void)
{
    for (int i = 0; i < 500; i++) {
        uint64_t left[FACTORS];
        struct product x;
        memcpy(left, factors, sizeof left);
        start(&x);
        for (size_t n = FACTORS; n > 0; n--) { /* takes them in random order */
            size_t at = check_below(n);
            step(&x, check_random() % 2, left[at]);
            left[at] = left[n - 1];
            check_product(&x);
        }
        CHECK(!x.p.too_large && x.p.low == UINT64_MAX &&
              x.p.high == UINT64_MAX);
        step(&x, true, 1);
        check_product(&x);
        CHECK(!x.p.too_large);
        step(&x, false, 2);
        check_product(&x);
        CHECK(x.p.too_large);
        step(&x, false, 0);
        check_product(&x);
        CHECK(x.p.zero);
    }
}

static void test_powers(void)
{
    for (unsigned a = 0; a < 64; a++) {
        struct product x;
        start(&x);
        for (unsigned bits = a; bits <= 140; bits += a ? a : 200) {
            step(&x, false, 1ull << a);
            check_product(&x);
        }
    }
    struct product x;
    start(&x);
    for (int i = 0; i < 128; i++) {
        CHECK(!x.p.too_large);
        step(&x, i % 2 == 0, 2);
    }
    CHECK(x.p.too_large && !x.p.zero);
    check_product(&x);
}

static uint64_t random_factor(void)
{
    uint64_t u = check_random_length() >> check_below(64);
    return u == 0 && check_below(8) ? 1 : u;
}

/* Products of random factors, whole and cut in two and merged. */
static void test_random(void)
{
    for (int i = 0; i < 20000; i++) {
        struct product all, a, b;
        start(&all);
        start(&a);
        start(&b);
        size_t n = check_below(12), cut = n ? check_below(n) : 0;
        for (size_t j = 0; j < n; j++) {
            bool negative = check_random() % 2;
            uint64_t magnitude = random_factor();
            step(&all, negative, magnitude);
            step(j < cut ? &a : &b, negative, magnitude);
            check_product(&all);
        }
        prod_integer_merge(&a.p, &b.p);
        a.model = all.model;
        check_product(&a);
    }
}

static void test_merge_limits(void)
{
    static const struct {
        uint64_t a_low, a_high, b_low, b_high;
        bool too_large;
    } rows[] = {
        {0, 1, UINT64_MAX, 0, false}, /* 2^64 (2^64 - 1) */
        {0, 1, 0, 1, true},           /* 2^128 */
        {1, 1, UINT64_MAX, 0, false}, /* 2^128 - 1 */
        {2, 1, UINT64_MAX, 0, true},  /* 2^128 + 2^64 - 2 */
        {UINT64_MAX, UINT64_MAX, 1, 0, false},
        {UINT64_MAX, UINT64_MAX, 2, 0, true},
        {0, 1ull << 63, 2, 0, true},
        {0, 1ull << 62, 2, 0, false},
        {UINT64_MAX, 0, UINT64_MAX, 0, false},
        {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (int swap = 0; swap < 2; swap++) {
            struct prod_integer a = {rows[i].a_low, rows[i].a_high, false,
                                     false, false};
            struct prod_integer b = {rows[i].b_low, rows[i].b_high, false,
                                     false, false};
            prod_integer_merge(swap ? &b : &a, swap ? &a : &b);
            CHECK((swap ? b : a).too_large == rows[i].too_large, "row %zu", i);
        }
    }
}

int main(void)
{
    test_largest();
    test_powers();
    test_random();
    test_merge_limits();
    return check_end();
}
