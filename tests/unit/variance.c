/* SPDX-License-Identifier: MIT */
/* finish_variance against the definition, sum of (x - mean)^2 / divisor, in
 * big integers. n * x and the sum are integers, and so are the deviations
 * times n. */
#include <math.h>

#include "big.h"
#include "check.h"
#include "nearest.h"
#include "reduce/finish.h"

enum { COUNT_MAX = 40 };

/* The elements are x[i] * 2^lsb. */
struct data {
    enum dtype dtype;
    size_t n;
    struct big x[COUNT_MAX];
};

static void states_of(const struct data *data, struct exact *sum,
                      struct exact *squares)
{
    struct big s, q;
    big_set(&s, 0);
    big_set(&q, 0);
    for (size_t i = 0; i < data->n; i++) {
        struct big square = data->x[i];
        big_multiply(&square, &data->x[i]);
        big_add(&s, &data->x[i]);
        big_add(&q, &square);
    }
    exact_init(sum, data->dtype, EXACT_VALUE);
    exact_init(squares, data->dtype, EXACT_SQUARE);
    CHECK(big_to_words(&s, sum->word, sum->words));
    CHECK(big_to_words(&q, squares->word, squares->words));
}

/* *out = sum of (n x - sum)^2, which is n^2 times the sum of squared
 * deviations. */
static void deviations(const struct data *data, struct big *out)
{
    struct big sum;
    big_set(&sum, 0);
    big_set(out, 0);
    for (size_t i = 0; i < data->n; i++)
        big_add(&sum, &data->x[i]);
    for (size_t i = 0; i < data->n; i++) {
        struct big d = data->x[i], square;
        big_times(&d, data->n);
        big_subtract(&d, &sum);
        square = d;
        big_multiply(&square, &d);
        big_add(out, &square);
    }
}

static void check_data(const struct data *data)
{
    struct exact sum, squares;
    struct big above, below;
    states_of(data, &sum, &squares);
    deviations(data, &above);
    for (uint64_t less = 0; less < 2 && less < data->n; less++) {
        uint64_t divisor = data->n - less;
        big_set(&below, data->n);
        big_times(&below, data->n);
        big_times(&below, divisor);
        for (int root = 0; root < 2; root++) {
            double got = finish_variance(&sum, &squares, data->n, divisor,
                                         root == 1, NULL);
            CHECK(is_nearest(got, &above, &below, squares.lsb, root == 1),
                  "%a of %zu, less %" PRIu64 ", root %d", got, data->n, less,
                  root);
        }
    }
}

static void push_double(struct data *data, double x)
{
    int exponent;
    struct big *to = &data->x[data->n++];
    big_of_double(to, &exponent, x);
    big_shift(to, (unsigned)(exponent + 1074));
}

static void test_doubles(const double *x, size_t n)
{
    struct data data = {.dtype = DTYPE_f64};
    for (size_t i = 0; i < n; i++)
        push_double(&data, x[i]);
    check_data(&data);
}

static double variance(const double *x, size_t n, bool root)
{
    struct data data = {.dtype = DTYPE_f64};
    struct exact sum, squares;
    for (size_t i = 0; i < n; i++)
        push_double(&data, x[i]);
    states_of(&data, &sum, &squares);
    return finish_variance(&sum, &squares, n, n - 1, root, NULL);
}

static void test_known(void)
{
    static const double ten[] = {2, 4, 4, 4, 5, 5, 7, 9};
    static const double offset[] = {1e15 + 4, 1e15 + 7, 1e15 + 13, 1e15 + 16};
    static const double huge[] = {0x1p1023, -0x1p1023};
    static const double tiny[] = {0x1p-1074, -0x1p-1074};
    static const double same[] = {0.1, 0.1, 0.1};
    CHECK_DOUBLE(variance(ten, 8, false), 32.0 / 7);
    CHECK_DOUBLE(variance(offset, 4, false), 30.0);
    CHECK_DOUBLE(variance(huge, 2, false), HUGE_VAL);
    /* The root of 2 * 2^2046 fits although the variance does not. */
    CHECK_DOUBLE(variance(huge, 2, true), 0x1.6a09e667f3bcdp1023);
    CHECK_DOUBLE(variance(tiny, 2, false), 0.0);
    CHECK_DOUBLE(variance(tiny, 2, true), 0x1p-1074);
    CHECK_DOUBLE(variance(same, 3, false), 0.0);
    CHECK_DOUBLE(variance(same, 3, true), 0.0);
    test_doubles(ten, 8);
    test_doubles(offset, 4);
    test_doubles(huge, 2);
    test_doubles(tiny, 2);
    test_doubles(same, 3);
    test_doubles(ten, 1);
}

static double random_double(int mode)
{
    double m = 1 + (double)(check_random() >> 12) * 0x1p-52;
    double x = ldexp(m, mode == 0   ? (int)check_below(2090) - 1070
                        : mode == 1 ? (int)check_below(20)
                                    : 1000 - (int)check_below(4));
    if (mode == 3)
        x = 1e9 + floor(m * 8);
    return check_random() % 2 && mode != 3 ? -x : x;
}

static void test_random_doubles(void)
{
    for (int i = 0; i < 300; i++) {
        double x[COUNT_MAX];
        size_t n = 1 + check_below(COUNT_MAX);
        for (size_t j = 0; j < n; j++)
            x[j] = random_double(i % 4);
        test_doubles(x, n);
    }
}

static void test_random_integers(void)
{
    for (int i = 0; i < 2000; i++) {
        struct data data = {.dtype = i % 2 ? DTYPE_i64 : DTYPE_u64};
        size_t n = 1 + check_below(COUNT_MAX);
        uint64_t limit = UINT64_MAX >> check_below(64);
        for (; data.n < n; data.n++) {
            uint64_t u = check_random() & limit;
            if (data.dtype == DTYPE_i64)
                big_set_signed(&data.x[data.n], (int64_t)u);
            else
                big_set(&data.x[data.n], u);
        }
        check_data(&data);
    }
}

/* Larger n than any test data have: any sum below 2^63 with squares of 128 bits
 * such that n * squares > sum^2. */
static void test_large_n(void)
{
    static const uint64_t counts[] = {1ull << 32, (1ull << 63) - 1, 1ull << 63,
                                      UINT64_MAX};
    for (int i = 0; i < 400; i++) {
        uint64_t n = counts[i % 4] - (i < 4 ? 0 : check_below(1000));
        struct exact sum, squares;
        struct big above, below, square;
        exact_init(&sum, DTYPE_u64, EXACT_VALUE);
        exact_init(&squares, DTYPE_u64, EXACT_SQUARE);
        sum.word[0] = check_random() >> 1;
        squares.word[0] = check_random();
        squares.word[1] = check_random() >> 1 | 1ull << 62;
        big_of_words(&above, squares.word, squares.words);
        big_times(&above, n);
        big_set(&square, sum.word[0]);
        big_times(&square, sum.word[0]);
        big_subtract(&above, &square);
        big_set(&below, n);
        big_times(&below, n - 1);
        for (int root = 0; root < 2; root++) {
            double got =
                finish_variance(&sum, &squares, n, n - 1, root == 1, NULL);
            CHECK(is_nearest(got, &above, &below, 0, root == 1), "%a", got);
        }
    }
}

int main(void)
{
    test_known();
    test_random_doubles();
    test_random_integers();
    test_large_n();
    return check_end();
}
