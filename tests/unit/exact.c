/* SPDX-License-Identifier: MIT */
/* The wide integer compared with big.h: every layout, random operations. */
#include "reduce/exact.h"

#include "big.h"
#include "check.h"

/* The range of each layout: addends are multiples of 2^lsb below 2^top, and
 * 2^63 of them fit with a sign. */
static const struct {
    enum dtype dtype;
    enum exact_map map;
    int lsb, top;
} layouts[] = {
    {DTYPE_f16, EXACT_VALUE, -24, 16},
    {DTYPE_f16, EXACT_SQUARE, -48, 32},
    {DTYPE_bf16, EXACT_VALUE, -133, 128},
    {DTYPE_bf16, EXACT_SQUARE, -266, 256},
    {DTYPE_f32, EXACT_VALUE, -149, 128},
    {DTYPE_f32, EXACT_SQUARE, -298, 256},
    {DTYPE_f64, EXACT_VALUE, -1074, 1024},
    {DTYPE_f64, EXACT_SQUARE, -2148, 2048},
    {DTYPE_i8, EXACT_VALUE, 0, 8},
    {DTYPE_i8, EXACT_SQUARE, 0, 16},
    {DTYPE_i64, EXACT_VALUE, 0, 64},
    {DTYPE_i64, EXACT_SQUARE, 0, 128},
    {DTYPE_u64, EXACT_VALUE, 0, 64},
    {DTYPE_u64, EXACT_SQUARE, 0, 128},
    {DTYPE_f32, EXACT_CUBE, -447, 384},
    {DTYPE_f32, EXACT_FOURTH, -596, 512},
    {DTYPE_f64, EXACT_CUBE, -3222, 3072},
    {DTYPE_f64, EXACT_FOURTH, -4296, 4096},
    {DTYPE_u64, EXACT_CUBE, 0, 192},
    {DTYPE_u64, EXACT_FOURTH, 0, 256},
    {DTYPE_f64, EXACT_MAGNITUDE, -1074, 1024},
    {DTYPE_i64, EXACT_MAGNITUDE, 0, 64},
};

enum { LAYOUTS = sizeof layouts / sizeof layouts[0] };

static void test_layouts(void)
{
    for (size_t i = 0; i < LAYOUTS; i++) {
        struct exact x;
        memset(&x, 0xa5, sizeof x);
        exact_init(&x, layouts[i].dtype, layouts[i].map);
        CHECK_INT(x.lsb, exact_layout(layouts[i].dtype, layouts[i].map).lsb);
        CHECK(x.lsb <= layouts[i].lsb, "layout %zu", i);
        CHECK((int)(64 * x.words) + x.lsb > layouts[i].top + 63, "layout %zu",
              i);
        CHECK(x.words <= EXACT_WORDS, "layout %zu", i);
        for (uint32_t j = 0; j < x.words; j++)
            CHECK_U64(x.word[j], 0);
        CHECK_U64(x.nan + x.plus_inf + x.minus_inf, 0);
        CHECK(!x.not_negative_zero);
        CHECK(!exact_is_negative(&x));
    }
}

static bool equals(const struct exact *x, const struct big *want)
{
    struct big got;
    big_of_words(&got, x->word, x->words);
    return big_compare(&got, want) == 0;
}

static __int128 random_int128(void)
{
    unsigned bits = (unsigned)check_below(129);
    unsigned __int128 u = (unsigned __int128)check_random() << 64;
    u |= check_random();
    u = bits == 0 ? 0 : u >> (128 - bits);
    return (__int128)(check_random() % 2 ? -u : u);
}

static void random_shifted(struct exact *x, struct big *model)
{
    __int128 value = random_int128();
    /* 128 bits and some headroom must fit above. */
    unsigned position = (unsigned)check_below(64 * x->words - 136);
    struct big addend;
    big_set_signed(&addend, value);
    big_shift(&addend, position);
    big_add(model, &addend);
    exact_add_shifted(x, value, position);
}

static int64_t random_limb(void)
{
    static const int64_t edges[] = {INT64_MAX, -INT64_MAX, INT64_MIN,     -1,
                                    1,         0xffffffff, -0xffffffffll, 0};
    if (check_below(4) == 0)
        return edges[check_below(8)];
    int64_t v = (int64_t)(check_random_length() >> 1);
    return check_random() % 2 ? -v : v;
}

static void random_limbs(struct exact *x, struct big *model)
{
    int64_t limb[2 * EXACT_WORDS];
    /* The sum of limbs, each below 2^63, must fit. */
    size_t limbs = check_below(2 * x->words - 2) + 1;
    size_t given = limbs + check_below(2 * x->words - limbs + 1);
    memset(limb, 0, sizeof limb);
    for (size_t i = 0; i < limbs; i++) {
        struct big addend;
        limb[i] = random_limb();
        big_set_signed(&addend, limb[i]);
        big_shift(&addend, 32 * (unsigned)i);
        big_add(model, &addend);
    }
    exact_add_limbs(x, limb, given);
}

/* Keeps the number small enough for hundreds of further steps. */
static void halve_if_large(struct exact *x, struct big *model, size_t i)
{
    struct big limit, magnitude = *model;
    big_set(&limit, 1);
    big_shift(&limit, 64 * x->words - 8);
    magnitude.negative = false;
    if (big_compare(&magnitude, &limit) > 0) {
        exact_init(x, layouts[i].dtype, layouts[i].map);
        big_set(model, 0);
    }
}

static void random_step(struct exact *x, struct big *model, size_t i)
{
    struct exact other;
    struct big other_model;
    switch (check_below(4)) {
    case 0:
        random_shifted(x, model);
        break;
    case 1:
        random_limbs(x, model);
        break;
    case 2:
        exact_magnitude(x, x->word);
        model->negative = false;
        break;
    default:
        exact_init(&other, layouts[i].dtype, layouts[i].map);
        big_set(&other_model, 0);
        random_shifted(&other, &other_model);
        exact_merge(x, &other);
        big_add(model, &other_model);
    }
}

static void test_random(void)
{
    for (size_t i = 0; i < LAYOUTS; i++) {
        struct exact x;
        struct big model;
        exact_init(&x, layouts[i].dtype, layouts[i].map);
        big_set(&model, 0);
        for (int step = 0; step < 1500; step++) {
            random_step(&x, &model, i);
            CHECK(equals(&x, &model), "layout %zu, step %d", i, step);
            CHECK(exact_is_negative(&x) == model.negative);
            halve_if_large(&x, &model, i);
        }
    }
}

/* The ends of the range, where a carry or a borrow runs through every word. */
static void test_edges(void)
{
    for (size_t i = 0; i < LAYOUTS; i++) {
        struct exact x;
        struct big model;
        exact_init(&x, layouts[i].dtype, layouts[i].map);
        big_set(&model, 0);
        exact_magnitude(&x, x.word);
        CHECK(equals(&x, &model) && !exact_is_negative(&x), "0");
        exact_add_shifted(&x, -1, 0); /* every bit is 1 now */
        big_set_signed(&model, -1);
        CHECK(equals(&x, &model) && exact_is_negative(&x), "-1");
        exact_add_shifted(&x, 1, 0);
        CHECK(!exact_is_negative(&x));
        /* The second least number, 1 - 2^(bits - 1), and its magnitude. */
        for (uint32_t j = 0; j < x.words; j++)
            x.word[j] = j == 0;
        x.word[x.words - 1] |= 1ull << 63;
        big_set(&model, 1);
        big_shift(&model, 64 * x.words - 1);
        big_plus(&model, -1);
        CHECK(exact_is_negative(&x));
        exact_magnitude(&x, x.word);
        CHECK(equals(&x, &model));
    }
}

static void test_specials(void)
{
    struct exact a, b;
    exact_init(&a, DTYPE_f32, EXACT_VALUE);
    exact_init(&b, DTYPE_f32, EXACT_VALUE);
    a.nan = 1, a.plus_inf = 2, a.minus_inf = 3;
    b.nan = 10, b.plus_inf = 20, b.minus_inf = 30;
    exact_merge(&a, &b);
    CHECK_U64(a.nan, 11);
    CHECK_U64(a.plus_inf, 22);
    CHECK_U64(a.minus_inf, 33);
    CHECK(!a.not_negative_zero);
    CHECK(!exact_is_negative(&a));
    b.not_negative_zero = true;
    exact_merge(&a, &b);
    CHECK(a.not_negative_zero);
    exact_init(&b, DTYPE_f32, EXACT_VALUE);
    exact_merge(&a, &b);
    CHECK(a.not_negative_zero);
}

int main(void)
{
    test_layouts();
    test_random();
    test_edges();
    test_specials();
    return check_end();
}
