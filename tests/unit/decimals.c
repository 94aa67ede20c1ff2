/* SPDX-License-Identifier: MIT */
/* Rounding to decimals, compared with printf, which rounds the exact value of
 * an f64 to the nearest, ties to even; and the largest numbers that can occur,
 * for the sanitizers. tests/cli/test_digits.py compares quotients and roots
 * with fractions. */
#include "reduce/decimals.h"

#include <math.h>
#include <string.h>

#include "check.h"

enum { DRAWS = 3000, WORDS_MAX = 70 };

static void hold(double x, unsigned digits)
{
    static struct decimals got;
    static char want[DECIMALS_MAX + 1];
    got.digits = digits;
    decimals_put_double(&got, x);
    snprintf(want, sizeof want, "%.*f", (int)digits, x);
    CHECK(strcmp(got.text, want) == 0, "%a to %u digits: %s, not %s", x, digits,
          got.text, want);
}

static double drawn(void)
{
    uint64_t bits = check_random();
    double x;
    switch (check_below(3)) {
    case 0: /* a tie at some digit */
        return ldexp((double)(check_random() >> 40), -(int)check_below(30));
    case 1: /* a few digits, or a neighbouring f64 */
        x = (double)check_below(1000000) / pow(10, (double)check_below(8));
        return check_below(2) ? nextafter(x, INFINITY) : -x;
    default:
        memcpy(&x, &bits, sizeof x);
        return isfinite(x) ? x : 0;
    }
}

static void test_doubles(void)
{
    static const double known[] = {
        0.0,    -0.0,  0.5,    1.5,       -2.5, 0.125,
        -0.001, 9.995, 5e-324, 2.25e-308, 1e22, 1.7976931348623157e308};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        for (unsigned digits = 0; digits <= DECIMALS_DIGITS; digits++)
            hold(known[i], digits);
    }
    for (int i = 0; i < DRAWS; i++)
        hold(drawn(), (unsigned)check_below(i % 10 ? 25 : 1075));
}

/* Numerators of every number of words just below 2^1024, or their roots; and
 * the same divided by a large number. */
static void test_largest(void)
{
    static struct decimals got = {.digits = DECIMALS_DIGITS};
    struct bigint above = {.low = 0}, one, square;
    bigint_set(&one, 1);
    bigint_set(&square, UINT64_MAX);
    bigint_times(&square, UINT64_MAX);
    memset(above.word, 0xff, sizeof above.word);
    for (unsigned words = 1; words <= WORDS_MAX; words++) {
        for (int root = 0; root <= 1; root++) {
            above.words = words;
            struct ratio x = {&above, &one,
                              (root ? 2046 : 1023) - 64 * (int)words, root};
            decimals_put(&got, &x, true);
            CHECK_U64(strlen(got.text), 1 + 308 + 1 + DECIMALS_DIGITS);
            x.below = &square;
            decimals_put(&got, &x, false);
            CHECK(strchr(got.text, '.')[1 + DECIMALS_DIGITS] == '\0');
        }
    }
}

int main(void)
{
    test_doubles();
    test_largest();
    return check_end();
}
