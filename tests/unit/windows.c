/* SPDX-License-Identifier: MIT */
/* The parts of the fast path of the exact sum. */
#include "reduce/sum_windows.h"

#include <fenv.h>
#include <math.h>

#include "big.h"
#include "check.h"

static int most(int a, int b)
{
    return a > b ? a : b;
}

static void check_windows(int top, int count, int least)
{
    struct sum_windows w = windows_below(top, count, least);
    int floor = most(least, -1074);
    for (int i = 0; i < WINDOWS_MAX; i++) {
        CHECK(w.low[i] >= -1074, "top %d", top);
        /* M is normal, and so are all numbers of its binade and of the next. */
        CHECK_DOUBLE(w.magic[i], ldexp(1.5, 52 + w.low[i]));
        CHECK(isnormal(w.magic[i]) && isfinite(2 * w.magic[i]), "top %d", top);
    }
    for (int i = 1; i < count; i++)
        CHECK_INT(w.low[i], w.low[i - 1] - 51);
    CHECK(w.low[count - 1] >= floor, "top %d count %d", top, count);
    /* The windows reach the top, unless they may not go that high. */
    CHECK(w.low[0] + 51 >= top || w.low[0] == 970, "top %d", top);
    /* They go no higher, unless the floor needs it. */
    CHECK(w.low[0] + 51 <= top || w.low[count - 1] == floor, "top %d", top);
}

static void test_windows_below(void)
{
    static const int leasts[] = {-2148, -1074, -298, -149};
    for (int top = -2200; top <= 2100; top++) {
        for (int count = 1; count <= WINDOWS_MAX; count++) {
            for (int i = 0; i < 4; i++)
                check_windows(top, count, leasts[i]);
        }
    }
}

/* Whether units * 2^low + rest is exactly x. */
static bool adds_up(int64_t units, int low, double rest, double x)
{
    struct big sum, part;
    int e;
    big_set_signed(&sum, units);
    big_shift(&sum, (unsigned)(low + 1200));
    big_of_double(&part, &e, rest);
    big_shift(&part, (unsigned)(e + 1200));
    big_add(&sum, &part);
    big_of_double(&part, &e, x);
    big_shift(&part, (unsigned)(e + 1200));
    return big_compare(&sum, &part) == 0;
}

/* The claim of sum_windows.h: adding M to an x that rounds to below 2^(51 +
 * low) keeps M's sign and exponent, counts multiples of 2^low, and leaves an
 * exact rest. */
static void check_window(double x, int low)
{
    double magic = window_magic(low);
    double t = x + magic;
    double rest = x - (t - magic);
    int64_t units = (int64_t)(bits_of_double(t) - bits_of_double(magic));
    CHECK((bits_of_double(t) ^ bits_of_double(magic)) >> 52 == 0, "%a %d", x,
          low);
    CHECK(units <= 1ll << 51 && units >= -(1ll << 51), "%a %d", x, low);
    CHECK(fabs(rest) <= ldexp(0.5, low), "%a %d", x, low);
    CHECK(adds_up(units, low, rest, x), "%a %d", x, low);
}

static void test_window_add(void)
{
    for (int i = 0; i < 20000; i++) {
        int low = WINDOW_LOW_MIN +
                  (int)check_below(WINDOW_LOW_MAX - WINDOW_LOW_MIN + 1);
        if (i % 8 == 0)
            low = i % 16 ? WINDOW_LOW_MIN : WINDOW_LOW_MAX;
        double mantissa = 0.5 + (double)(check_random() >> 11) * 0x1p-54;
        double x = ldexp(mantissa, low + 51 - (int)check_below(60));
        check_window(i % 2 ? x : -x, low);
    }
    for (int low = WINDOW_LOW_MIN; low <= WINDOW_LOW_MAX; low++) {
        double end = ldexp(0x1p51 - 1, low);
        check_window(end, low);
        check_window(-end, low);
        check_window(-nextafter(ldexp(1, 51 + low), 0), low);
        check_window(0.0, low);
        check_window(-0.0, low);
        check_window(ldexp(0.5, low), low);
        check_window(ldexp(1.5, low), low);
    }
}

/* The claim of a compensated sum: if neither subtraction rounds, t + rest is
 * exactly s + v, however large v is. Returns whether neither rounds. */
static bool check_compensated(double s, double v)
{
    volatile double t = s + v, h, rest;
    feclearexcept(FE_INEXACT);
    h = t - s;
    rest = v - h;
    if (fetestexcept(FE_INEXACT) || !isfinite(t))
        return false;
    struct big got, want, part;
    int e;
    big_of_double(&got, &e, t);
    big_shift(&got, (unsigned)(e + 1200));
    big_of_double(&part, &e, rest);
    big_shift(&part, (unsigned)(e + 1200));
    big_add(&got, &part);
    big_of_double(&want, &e, s);
    big_shift(&want, (unsigned)(e + 1200));
    big_of_double(&part, &e, v);
    big_shift(&part, (unsigned)(e + 1200));
    big_add(&want, &part);
    CHECK(big_compare(&got, &want) == 0, "%a + %a", s, v);
    return true;
}

static void test_compensated(void)
{
    int inside = 0, exact = 0;
    for (int i = 0; i < 40000; i++) {
        int low = WINDOW_LOW_MIN +
                  (int)check_below(WINDOW_LOW_MAX - WINDOW_LOW_MIN + 1);
        double s = window_magic(low);
        s = double_of_bits(bits_of_double(s) + check_random() % (1ull << 50));
        double mantissa = 1 + (double)(check_random() >> 12) * 0x1p-52;
        int above = (int)check_below(140) - 60;
        double v = ldexp(mantissa, low - 9 + above);
        bool fine = check_compensated(s, i % 2 ? v : -v);
        inside += above < 60;
        exact += above < 60 && fine;
    }
    /* Values below 2^(51 + low) are always added exactly. */
    CHECK_INT(exact, inside);
}

/* A value that does not fit changes the sign or the exponent. */
static void test_window_misses(void)
{
    for (int low = WINDOW_LOW_MIN; low <= WINDOW_LOW_MAX; low++) {
        const double misses[] = {ldexp(1, 51 + low),
                                 -ldexp(1.1, 51 + low),
                                 ldexp(1, 52 + low),
                                 -ldexp(1, 52 + low),
                                 ldexp(1.9, 53 + low),
                                 -ldexp(1.75, 52 + low),
                                 INFINITY,
                                 -INFINITY,
                                 NAN};
        double magic = window_magic(low);
        for (size_t i = 0; i < sizeof misses / sizeof misses[0]; i++) {
            uint64_t t = bits_of_double(misses[i] + magic);
            CHECK((t ^ bits_of_double(magic)) >> 52 != 0, "%a %d", misses[i],
                  low);
        }
    }
}

static void check_deposit(int64_t value, unsigned position)
{
    struct deposit d = deposit_split(value, position);
    struct big sum, want;
    big_set(&sum, 0);
    for (unsigned i = 0; i < 3; i++) {
        struct big part;
        CHECK(d.part[i] < 1ll << 32 && d.part[i] > -(1ll << 32),
              "%" PRId64 " at %u", value, position);
        big_set_signed(&part, d.part[i]);
        big_shift(&part, 32 * (d.limb + i));
        big_add(&sum, &part);
    }
    big_set_signed(&want, value);
    big_shift(&want, position);
    CHECK(big_compare(&sum, &want) == 0, "%" PRId64 " at %u", value, position);
    CHECK_U64(d.limb, position / 32);
}

static void test_deposit(void)
{
    static const int64_t values[] = {0,           1,           -1,
                                     0xffffffff,  0x100000000, -0x100000000,
                                     INT64_MAX,   -INT64_MAX,  1ll << 62,
                                     -(1ll << 62)};
    for (unsigned position = 0; position < 130; position++) {
        for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
            check_deposit(values[i], position);
    }
    for (int i = 0; i < 20000; i++) {
        int64_t value = (int64_t)(check_random_length() >> 1);
        check_deposit(i % 2 ? value : -value, (unsigned)check_below(4200));
    }
}

static void check_scaled(double x, int lsb)
{
    struct scaled s = scaled_of(x, lsb);
    struct big got, want;
    int e;
    big_set_signed(&got, s.value);
    big_shift(&got, s.position + (unsigned)(lsb + 1200));
    big_of_double(&want, &e, x);
    big_shift(&want, (unsigned)(e + 1200));
    CHECK(big_compare(&got, &want) == 0, "%a lsb %d", x, lsb);
    CHECK(s.value < 1ll << 53 && s.value > -(1ll << 53), "%a lsb %d", x, lsb);
}

/* Every element of a type that is scaled to this lsb. */
static void test_scaled(void)
{
    static const double edges[] = {
        0.0,        -0.0,       0x1p-1074,
        0x1p-1022,  -0x1p-1074, 0x1p1023,
        1.0,        -1.0,       0x1.fffffffffffffp1023,
        0x1.fp-1023};
    for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++)
        check_scaled(edges[i], -1074);
    for (int i = 0; i < 20000; i++) {
        double x = double_of_bits(check_random());
        float y = float_of_bits((uint32_t)check_random());
        if (i % 4 == 0) { /* subnormals */
            x = double_of_bits(check_random_length() >> 12);
            y = float_of_bits((uint32_t)(check_random_length() >> 41));
        }
        if (isfinite(x))
            check_scaled(x, -1074);
        if (isfinite(y)) {
            check_scaled((double)y, -149);
            check_scaled((double)y * (double)y, -298);
        }
    }
    check_scaled(0x1p-149, -149);
    check_scaled(-0x1.fffffep127, -149);
    check_scaled(0x1p-298, -298);
    check_scaled(0x1.fffffep127 * 0x1.fffffep127, -298);
}

/* From ldexp(1, 2 * WINDOW_SQUARE_EXPONENT) on, fma gives the exact rounding
 * error of a square. */
static void test_square_min(void)
{
    for (int i = 0; i < 20000; i++) {
        int exponent = (int)check_below(i % 2 ? 40 : 1020) - 510;
        double x =
            ldexp(1 + (double)(check_random() >> 12) * 0x1p-52, exponent);
        double square = x * x, error = fma(x, x, -square);
        struct big want, got, part;
        int e;
        if (square < ldexp(1, 2 * WINDOW_SQUARE_EXPONENT) || isinf(square))
            continue;
        big_of_double(&want, &e, x);
        big_multiply(&want, &want);
        big_shift(&want, (unsigned)(2 * e + 2400));
        big_of_double(&got, &e, square);
        big_shift(&got, (unsigned)(e + 2400));
        big_of_double(&part, &e, error);
        big_shift(&part, (unsigned)(e + 2400));
        big_add(&got, &part);
        CHECK(big_compare(&got, &want) == 0, "%a", x);
    }
}

int main(void)
{
    test_windows_below();
    test_window_add();
    test_window_misses();
    test_compensated();
    test_deposit();
    test_scaled();
    test_square_min();
    return check_end();
}
