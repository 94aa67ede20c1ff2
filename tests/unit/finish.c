/* SPDX-License-Identifier: MIT */
/* Exact states to doubles. Every result is compared with the midpoints between
 * it and its neighbours (nearest.h); some results are known. */
#include "reduce/finish.h"

#include <float.h>
#include <math.h>

#include "big.h"
#include "check.h"
#include "nearest.h"

static const struct {
    enum dtype dtype;
    enum exact_map map;
} layouts[] = {{DTYPE_f64, EXACT_VALUE}, {DTYPE_f64, EXACT_SQUARE},
               {DTYPE_f32, EXACT_VALUE}, {DTYPE_f32, EXACT_SQUARE},
               {DTYPE_i64, EXACT_VALUE}, {DTYPE_u64, EXACT_SQUARE}};

enum { LAYOUTS = sizeof layouts / sizeof layouts[0] };

/* Sets a state of the layout to n * 2^lsb. Returns false if that is too
 * large. */
static bool set(struct exact *x, size_t layout, const struct big *n)
{
    exact_init(x, layouts[layout].dtype, layouts[layout].map);
    x->not_negative_zero = true;
    return big_to_words(n, x->word, x->words);
}

/* Checks the quotient of n * 2^lsb / divisor and, if n >= 0, its root. */
static void check_number(size_t layout, const struct big *n, uint64_t divisor)
{
    struct exact x;
    struct big d;
    if (!set(&x, layout, n))
        return;
    big_set(&d, divisor);
    double quotient = finish_quotient(&x, divisor, false, NULL);
    CHECK(is_nearest(quotient, n, &d, x.lsb, false),
          "quotient %a, layout %zu, divisor %" PRIu64, quotient, layout,
          divisor);
    if (n->negative)
        return;
    double root = finish_quotient(&x, divisor, true, NULL);
    CHECK(is_nearest(root, n, &d, x.lsb, true),
          "root %a, layout %zu, divisor %" PRIu64, root, layout, divisor);
}

static void check_around(size_t layout, struct big *n, uint64_t divisor)
{
    big_plus(n, -1);
    check_number(layout, n, divisor);
    big_plus(n, 1);
    check_number(layout, n, divisor);
    big_plus(n, 1);
    check_number(layout, n, divisor);
    big_negate(n);
    check_number(layout, n, divisor);
}

static unsigned width(size_t layout)
{
    struct exact x;
    exact_init(&x, layouts[layout].dtype, layouts[layout].map);
    return 64 * x.words - 1;
}

static uint64_t random_divisor(void)
{
    static const uint64_t some[] = {1, 1, 2, 3, 7, 10, 1u << 31, UINT64_MAX};
    uint64_t any = check_random_length();
    return any % 4 ? some[any / 4 % 8] : any + (any < UINT64_MAX);
}

static void test_random(void)
{
    for (int i = 0; i < 6000; i++) {
        size_t layout = check_below(LAYOUTS);
        struct big n, low;
        /* Two groups of bits, with zeros between and below. */
        big_set(&n, check_random_length());
        big_shift(&n, (unsigned)check_below(130));
        big_set(&low, check_random_length());
        big_add(&n, &low);
        big_shift(&n, (unsigned)check_below(width(layout)));
        if (i % 3 == 0)
            big_negate(&n);
        check_number(layout, &n, random_divisor());
    }
}

/* n / divisor is halfway between two doubles of any exponent, or a unit beside
 * it. */
static void test_quotient_ties(void)
{
    for (int i = 0; i < 3000; i++) {
        size_t layout = check_below(LAYOUTS);
        uint64_t m = (check_random() >> 11 | 1ull << 52) * 2 + 1;
        uint64_t divisor = random_divisor();
        struct big n;
        if (i % 16 == 0)
            m = i % 32 ? (1ull << 54) - 1 : (1ull << 53) + 1;
        big_set(&n, m);
        big_times(&n, divisor);
        big_shift(&n, (unsigned)check_below(width(layout)));
        check_around(layout, &n, divisor);
    }
}

/* The same for roots, and roots that are exact. */
static void test_root_ties(void)
{
    for (int i = 0; i < 3000; i++) {
        size_t layout = check_below(LAYOUTS);
        uint64_t m = check_random() >> (i % 2 ? 10 : 11 + check_below(50));
        uint64_t divisor = random_divisor();
        struct big n;
        m |= i % 2 ? 1ull << 53 | 1 : 1;
        big_set(&n, m);
        big_times(&n, m);
        big_times(&n, divisor);
        big_shift(&n, (unsigned)check_below(width(layout)));
        check_around(layout, &n, divisor);
    }
}

/* Every midpoint among the smallest and among the largest results. */
static void test_ends(void)
{
    for (uint64_t divisor = 1; divisor < 6; divisor += 2) {
        struct big n;
        /* Multiples of 2^-1075 from squares of f64, whose lsb is -2148. */
        for (unsigned m = 0; m < 64; m++) {
            big_set(&n, m);
            big_times(&n, divisor);
            big_shift(&n, 1073);
            check_around(1, &n, divisor);
        }
        for (unsigned m = 0; m < 64; m++) { /* up to the least normals */
            big_set(&n, (1ull << 53) - 32 + m);
            big_times(&n, divisor);
            big_shift(&n, 1073);
            check_around(1, &n, divisor);
        }
        /* Around 2^1024 less half an ulp, from sums of f64. */
        for (unsigned m = 0; m < 16; m++) {
            big_set(&n, (1ull << 54) - 8 + m);
            big_times(&n, divisor);
            big_shift(&n, 970 + 1074);
            check_around(0, &n, divisor);
        }
    }
}

static double quotient_of(size_t layout, uint64_t m, unsigned shift,
                          uint64_t divisor)
{
    struct exact x;
    struct big n;
    big_set(&n, m);
    big_shift(&n, shift);
    CHECK(set(&x, layout, &n));
    return finish_quotient(&x, divisor, false, NULL);
}

static double root_of(size_t layout, uint64_t m, unsigned shift,
                      uint64_t divisor)
{
    struct exact x;
    struct big n;
    big_set(&n, m);
    big_shift(&n, shift);
    CHECK(set(&x, layout, &n));
    return finish_quotient(&x, divisor, true, NULL);
}

static void test_known(void)
{
    CHECK_DOUBLE(quotient_of(4, 0, 0, 5), 0.0);
    CHECK_DOUBLE(quotient_of(4, 1, 0, 1), 1.0);
    CHECK_DOUBLE(quotient_of(4, 1, 0, 3), 1.0 / 3.0);
    CHECK_DOUBLE(quotient_of(4, 10, 0, 4), 2.5);
    CHECK_DOUBLE(quotient_of(4, 9007199254740993, 0, 1), 9007199254740992.0);
    CHECK_DOUBLE(quotient_of(4, 9007199254740995, 0, 1), 9007199254740996.0);
    CHECK_DOUBLE(quotient_of(4, 1, 130, UINT64_MAX), 0x1p66);
    CHECK_DOUBLE(quotient_of(0, 1, 0, 1), 0x1p-1074);
    CHECK_DOUBLE(quotient_of(0, 1, 0, 2), 0.0); /* a tie */
    CHECK_DOUBLE(quotient_of(0, 3, 0, 2), 0x1p-1073);
    CHECK_DOUBLE(quotient_of(0, 1, 1074 + 1023, 1), 0x1p1023);
    CHECK_DOUBLE(quotient_of(0, 1, 1074 + 1024, 1), HUGE_VAL);
    CHECK_DOUBLE(quotient_of(0, 1, 1074 + 1024, 4), 0x1p1022);
    CHECK_DOUBLE(quotient_of(0, (1ull << 54) - 1, 1074 + 970, 1), HUGE_VAL);
    CHECK_DOUBLE(quotient_of(0, (1ull << 54) - 2, 1074 + 970, 1), DBL_MAX);
    CHECK_DOUBLE(root_of(5, 2, 0, 1), 0x1.6a09e667f3bcdp0);
    CHECK_DOUBLE(root_of(5, 144, 0, 1), 12.0);
    CHECK_DOUBLE(root_of(5, 9, 0, 4), 1.5);
    CHECK_DOUBLE(root_of(1, 1, 0, 1), 0x1p-1074);
    CHECK_DOUBLE(root_of(1, 1, 0, 4), 0.0); /* a tie */
    CHECK_DOUBLE(root_of(1, 9, 0, 4), 0x1p-1073);
    CHECK_DOUBLE(root_of(1, 1, 2148 + 2046, 1), 0x1p1023);
    CHECK_DOUBLE(root_of(1, 1, 2148 + 2048, 1), HUGE_VAL);
    CHECK_DOUBLE(root_of(5, 0, 0, 7), 0.0);
}

int main(void)
{
    test_known();
    test_random();
    test_quotient_ties();
    test_root_ties();
    test_ends();
    return check_end();
}
