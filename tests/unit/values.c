/* SPDX-License-Identifier: MIT */
/* Values are stored and read back unchanged. */
#include "reduce/values.h"

#include <math.h>

#include "check.h"

enum { MANY = 100000 };

static struct value drawn(void)
{
    static const double reals[] = {0.0, -0.0, NAN, INFINITY, -INFINITY, 5e-324};
    static const enum dtype floats[] = {DTYPE_f16, DTYPE_bf16, DTYPE_f32,
                                        DTYPE_f64};
    static const char *const texts[] = {"0.25", "-1234567890.00", ""};
    struct value v = {.kind = VALUE_INTEGER, .negative = check_below(2)};
    switch (check_below(7)) {
    case 6: { /* with bytes after a NUL */
        static const char bytes[] = "a\0b\nlonger";
        return value_text(bytes, check_below(sizeof bytes));
    }
    case 5: /* a real printed to decimals */
        return (struct value){.kind = VALUE_REAL,
                              .text = texts[check_below(3)]};
    case 0:
        return (struct value){.kind = VALUE_NONE};
    case 1:
        return (struct value){.kind = VALUE_REAL,
                              .dtype = floats[check_below(4)],
                              .real = reals[check_below(6)]};
    case 2:
        return (struct value){.kind = VALUE_REAL,
                              .dtype = DTYPE_f64,
                              .real = (double)check_random() / 3};
    case 3:
        v.word[0] = check_random_length();
        return v;
    default:
        for (int i = 0; i < VALUE_WORDS; i++)
            v.word[i] = check_below(2) ? check_random_length() : 0;
        return v;
    }
}

static void check_same(const struct value *got, const struct value *want,
                       size_t i)
{
    CHECK(got->kind == want->kind, "of value %zu", i);
    if (want->kind == VALUE_TEXT)
        CHECK(value_same(got, want) && got->text != want->text &&
                  got->bytes == want->bytes &&
                  memcmp(got->text, want->text, want->bytes) == 0,
              "of value %zu", i);
    else if (want->text)
        CHECK(got->text && strcmp(got->text, want->text) == 0, "of value %zu",
              i);
    else if (want->kind == VALUE_REAL)
        CHECK(!got->text && got->dtype == want->dtype &&
                  memcmp(&got->real, &want->real, sizeof got->real) == 0,
              "of value %zu: %a, not %a", i, got->real, want->real);
    if (want->kind == VALUE_INTEGER)
        CHECK(got->negative == want->negative &&
                  memcmp(got->word, want->word, sizeof got->word) == 0,
              "of value %zu", i);
}

/* Values are set in any order, then more are added. */
static void check_setting(const struct value *want)
{
    struct values values = {0};
    struct error e;
    const double reals[] = {1.5, -2};
    const uint64_t wholes[] = {3, 4};
    const uint64_t most[] = {INT64_MAX, 1ull << 63};
    const double signs[] = {-5, 6};
    const int64_t integers[] = {-5, 6};
    uint64_t word[2];
    CHECK(values_add(&values, &want[0], &e));
    CHECK(values_extend(&values, MANY - 2, &e));
    for (size_t i = MANY - 1; i-- > 1;)
        CHECK(values_set(&values, i, &want[i], &e));
    CHECK(values_add(&values, &want[MANY - 1], &e));
    CHECK_U64(values.n, MANY);
    for (size_t i = 0; i < MANY; i++) {
        const struct value got = values_at(&values, i);
        check_same(&got, &want[i], i);
    }
    values_set_reals(&values, 10, 3, reals, 2, DTYPE_f32);
    values_set_wholes(&values, 11, 3, wholes, 2);
    CHECK(values_are_reals(&values, 10, 3, 2) &&
          memcmp(values_words(&values, 10, 3, 2, word), reals, sizeof reals) ==
              0);
    CHECK(values_are_integers(&values, 11, 3, 2) &&
          memcmp(values_words(&values, 11, 3, 2, word), wholes,
                 sizeof wholes) == 0);
    CHECK(!values_are_reals(&values, 10, 1, 2));
    CHECK(!values_are_reals(&values, 11, 2, 2));
    CHECK(!values_are_integers(&values, 10, 1, 2));
    values_set_reals(&values, 10, 1, reals, 2, DTYPE_f64);
    CHECK(values_are_reals(&values, 10, 1, 2) &&
          memcmp(values_words(&values, 10, 1, 2, NULL), reals, sizeof reals) ==
              0);
    values_set_integers(&values, 10, 1, signs, 2);
    CHECK(values_are_integers(&values, 10, 1, 2) &&
          memcmp(values_words(&values, 10, 1, 2, word), integers,
                 sizeof integers) == 0);
    values_set_wholes(&values, 20, 1, most, 2);
    CHECK(values_are_integers(&values, 20, 1, 1));
    CHECK(!values_are_integers(&values, 20, 1, 2));
    CHECK(!values_are_integers(&values, 21, 1, 1));
    values_free(&values);
}

/* All kinds and bits count, but not those of a NaN. */
static void test_same(void)
{
    const struct value some[] = {value_none(),
                                 value_real(0.0, DTYPE_f64),
                                 value_real(-0.0, DTYPE_f64),
                                 value_real(1, DTYPE_f64),
                                 value_real(NAN, DTYPE_f64),
                                 value_unsigned(0),
                                 value_unsigned(1),
                                 value_integer(true, 1, 0),
                                 value_integer(false, 1, 1),
                                 value_text("", 0),
                                 value_text("a", 1),
                                 value_text("ab", 2),
                                 value_text("b", 1)};
    const size_t n = sizeof some / sizeof some[0];
    const struct value other = value_real(-NAN, DTYPE_f64);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < n; k++)
            CHECK(value_same(&some[i], &some[k]) == (i == k), "%zu, %zu", i, k);
        CHECK(value_same(&some[i], &other) == (some[i].real != some[i].real),
              "%zu", i);
    }
}

int main(void)
{
    struct values values = {0};
    struct error e;
    struct value *want = calloc(MANY, sizeof *want);
    if (!CHECK(want))
        return check_end();
    for (size_t i = 0; i < MANY; i++) {
        want[i] = drawn();
        CHECK(values_add(&values, &want[i], &e));
    }
    CHECK_U64(values.n, MANY);
    for (size_t i = 0; i < MANY; i++) {
        const struct value got = values_at(&values, i);
        check_same(&got, &want[i], i);
    }
    values_free(&values);
    CHECK_U64(values.n, 0);
    check_setting(want);
    test_same();
    free(want);
    return check_end();
}
