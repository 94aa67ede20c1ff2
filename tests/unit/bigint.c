/* SPDX-License-Identifier: MIT */
/* The integers in which results are computed, compared with big.h. */
#include "reduce/bigint.h"

#include "big.h"
#include "check.h"

enum { WORDS = 20 };

/* Returns a random word, often one at an edge, where carries, borrows and
 * estimated digits are most often wrong. */
static uint64_t random_word(void)
{
    static const uint64_t edges[] = {0, 1, UINT64_MAX, 1ull << 63,
                                     (1ull << 63) - 1};
    return check_below(3) ? edges[check_below(5)] : check_random();
}

static void draw(struct bigint *x, unsigned words_max, unsigned low_max)
{
    x->negative = check_below(2);
    x->low = (unsigned)check_below(low_max + 1);
    x->words = (unsigned)check_below(words_max + 1);
    for (unsigned i = 0; i < x->words; i++)
        x->word[i] = random_word();
    bigint_trim(x);
}

static struct big big_of(const struct bigint *x)
{
    uint64_t word[2 * WORDS + 12] = {0};
    struct big out;
    CHECK(x->low + x->words < sizeof word / sizeof word[0]);
    CHECK(x->words == 0 || x->word[x->words - 1] != 0);
    memcpy(word + x->low, x->word, x->words * sizeof word[0]);
    big_of_words(&out, word, sizeof word / sizeof word[0]);
    if (x->negative && x->words > 0)
        big_negate(&out);
    return out;
}

static void check_same(const struct bigint *got, const struct big *want,
                       const char *what)
{
    const struct big value = big_of(got);
    CHECK(big_compare(&value, want) == 0, "%s", what);
}

static void test_sums(void)
{
    for (int i = 0; i < 4000; i++) {
        struct bigint a, b, x;
        draw(&a, WORDS, 5);
        draw(&b, i % 3 ? WORDS : 2, 5);
        if (i % 16 == 0)
            bigint_copy(&b, &a);
        const struct big p = big_of(&a), q = big_of(&b);
        struct big want = p, less = p;
        bigint_copy(&x, &a);
        bigint_add(&x, &b);
        big_add(&want, &q);
        check_same(&x, &want, "sum");
        bigint_copy(&x, &a);
        bigint_subtract(&x, &b);
        big_subtract(&less, &q);
        check_same(&x, &less, "difference");
        struct big m = p, n = q;
        m.negative = n.negative = false;
        CHECK_INT(bigint_is_less(&a, &b), big_compare(&m, &n) < 0);
    }
}

static void test_products(void)
{
    for (int i = 0; i < 2000; i++) {
        struct bigint a, b, x;
        const uint64_t factor = random_word();
        draw(&a, WORDS, 3);
        draw(&b, WORDS, 3);
        const struct big q = big_of(&b);
        struct big want = big_of(&a), times = want;
        bigint_multiply(&x, &a, &b);
        big_multiply(&want, &q);
        check_same(&x, &want, "product");
        bigint_times(&a, factor);
        big_times(&times, factor);
        check_same(&a, &times, "product with a word");
    }
}

/* Checks that x - floor is less than a unit, and not 0 if digits were cut
 * off. */
static void check_floor(const struct big *x, const struct big *floor,
                        const struct big *above, bool rest, const char *what)
{
    CHECK(big_compare(floor, x) <= 0, "%s", what);
    CHECK(big_compare(above, x) > 0, "%s", what);
    CHECK_INT(rest, big_compare(floor, x) != 0);
}

/* Draws a number with garbage in the fields that must not matter: `low` and the
 * sign. */
static void draw_words(struct bigint *x, unsigned words_max)
{
    draw(x, words_max, 0);
    x->low = (unsigned)check_below(4);
}

static struct big words_of(const struct bigint *x)
{
    struct bigint plain;
    bigint_copy(&plain, x);
    plain.negative = false;
    plain.low = 0;
    return big_of(&plain);
}

static void test_quotients(void)
{
    for (int i = 0; i < 6000; i++) {
        struct bigint x, d;
        draw_words(&x, WORDS);
        draw_words(&d, i % 2 ? WORDS : 3);
        if (d.words == 0)
            bigint_set(&d, 1 + check_below(3));
        const struct big number = words_of(&x), divisor = words_of(&d);
        const bool rest = bigint_divide(&x, &d);
        struct big low = words_of(&x), high = low;
        big_plus(&high, 1);
        big_multiply(&low, &divisor);
        big_multiply(&high, &divisor);
        check_floor(&number, &low, &high, rest, "quotient");
    }
}

static void test_roots(void)
{
    for (int i = 0; i < 300; i++) {
        struct bigint x;
        draw_words(&x, i % 2 ? 8 : 2);
        const struct big number = words_of(&x);
        const bool rest = bigint_root(&x);
        const struct big root = words_of(&x);
        struct big low = root, high = root, next = root;
        big_plus(&next, 1);
        big_plus(&high, 1);
        big_multiply(&low, &root);
        big_multiply(&high, &next);
        check_floor(&number, &low, &high, rest, "root");
    }
}

static void test_shifts(void)
{
    for (int i = 0; i < 3000; i++) {
        struct bigint x, out;
        const unsigned shift = (unsigned)check_below(700);
        draw_words(&x, WORDS);
        const struct big number = words_of(&x);
        struct big want = number, low, high;
        big_shift(&want, shift);
        CHECK(!bigint_shift(&out, &x, -(int)shift));
        low = words_of(&out);
        CHECK(big_compare(&low, &want) == 0);
        const bool rest = bigint_shift(&out, &x, (int)shift);
        low = high = words_of(&out);
        big_plus(&high, 1);
        big_shift(&low, shift);
        big_shift(&high, shift);
        check_floor(&number, &low, &high, rest, "shift to the right");
    }
}

int main(void)
{
    test_sums();
    test_products();
    test_quotients();
    test_roots();
    test_shifts();
    return check_end();
}
