/* SPDX-License-Identifier: MIT */
/* Integers of up to 256 bits are printed and read back by big.h. */
#include "big.h"
#include "check.h"
#include "output/number.h"

static void check_integer(const struct value *v)
{
    char out[NUMBER_MAX];
    struct big got, want;
    uint64_t word[VALUE_WORDS + 1] = {0};
    memcpy(word, v->word, sizeof v->word);
    size_t bytes = number_text(out, v);
    CHECK_U64(bytes, strlen(out));
    big_of_words(&want, word, VALUE_WORDS + 1);
    if (v->negative)
        big_negate(&want);
    CHECK(big_of_text(&got, out) && big_compare(&got, &want) == 0, "%s", out);
    const char *digits = out + (out[0] == '-');
    CHECK(digits[0] != '0' || digits[1] == '\0', "%s", out);
}

static void test_known(void)
{
    static const struct {
        bool negative;
        uint64_t word[VALUE_WORDS];
        const char *text;
    } known[] = {
        {false, {0}, "0"},
        {false, {7}, "7"},
        {false, {10}, "10"},
        {true, {1000}, "-1000"},
        {false, {UINT64_MAX}, "18446744073709551615"},
        {true, {1ull << 63}, "-9223372036854775808"},
        {false, {0, 1}, "18446744073709551616"},
        {false,
         {UINT64_MAX, UINT64_MAX},
         "340282366920938463463374607431768211455"},
        {true,
         {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX},
         "-115792089237316195423570985008687907853269984665640564039457584007"
         "913129639935"},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        char out[NUMBER_MAX];
        struct value v = {.kind = VALUE_INTEGER, .negative = known[i].negative};
        memcpy(v.word, known[i].word, sizeof v.word);
        number_text(out, &v);
        CHECK_TEXT(out, known[i].text);
    }
}

static void test_random(void)
{
    for (int i = 0; i < 10000; i++) {
        struct value v = {.kind = VALUE_INTEGER};
        unsigned words = (unsigned)check_below(VALUE_WORDS + 1);
        for (unsigned j = 0; j < words; j++)
            v.word[j] = check_below(4) ? check_random_length() : 0;
        v.negative =
            i % 2 && (v.word[0] | v.word[1] | v.word[2] | v.word[3]) != 0;
        check_integer(&v);
    }
}

/* 10^k - 1, 10^k and 10^k + 1. */
static void test_powers_of_ten(void)
{
    struct big power;
    big_set(&power, 1);
    for (int k = 0; k < 77; k++) {
        for (int d = -1; d <= 1; d++) {
            struct big x = power;
            struct value v = {.kind = VALUE_INTEGER};
            uint64_t word[VALUE_WORDS + 1];
            big_plus(&x, d);
            CHECK(big_to_words(&x, word, VALUE_WORDS + 1));
            memcpy(v.word, word, sizeof v.word);
            check_integer(&v);
        }
        big_times(&power, 10);
    }
}

int main(void)
{
    test_known();
    test_random();
    test_powers_of_ten();
    return check_end();
}
