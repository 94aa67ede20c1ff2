/* SPDX-License-Identifier: MIT */
/* Which states of files are refused, since no elements make them. */
#include "check.h"
#include "reduce/state.h"

/* Whether a state of n elements with these fields is read. */
static bool is_read(enum monoid m, uint64_t n, const union state *s)
{
    static uint8_t bytes[sizeof(union state)];
    union state back;
    const size_t size = state_write(m, s, bytes);
    return state_read(m, DTYPE_f64, n, &back, bytes, size);
}

/* A sum without addends but -0 and NaN is 0; all that is counted was read. */
static void test_sound_sum(void)
{
    static const struct {
        uint64_t n, nan, plus_inf, minus_inf, word;
        bool not_negative_zero, sound;
    } cases[] = {
        {0, 0, 0, 0, 0, false, true}, /* no elements */
        {2, 0, 0, 0, 0, false, true}, /* -0 */
        {2, 2, 0, 0, 0, false, true}, /* NaN */
        {2, 0, 0, 0, 0, true, true},  /* 0 */
        {1, 0, 0, 0, 5, true, true},  {1, 0, 0, 0, 5, false, false},
        {0, 0, 0, 0, 5, true, false}, {3, 1, 0, 1, 5, true, true},
        {3, 1, 0, 2, 5, true, false}, {2, 1, 1, 1, 0, false, true}, /* pairs */
        {2, 1, 2, 0, 0, true, false}, {2, 1, 0, 2, 0, true, false},
        {2, 3, 0, 0, 0, true, false}, {2, 0, 1, UINT64_MAX, 0, true, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        union state s;
        monoids[MONOID_sum].init(&s, DTYPE_f64);
        s.exact.nan = cases[i].nan;
        s.exact.plus_inf = cases[i].plus_inf;
        s.exact.minus_inf = cases[i].minus_inf;
        s.exact.not_negative_zero = cases[i].not_negative_zero;
        s.exact.word[16] = cases[i].word;
        CHECK(is_read(MONOID_sum, cases[i].n, &s) == cases[i].sound, "row %zu",
              i);
    }
}

/* The first byte in which two states differ; size, and a failed check: none. */
static size_t difference(const uint8_t *a, const uint8_t *b, size_t size)
{
    size_t at = 0;
    while (at < size && a[at] == b[at])
        at++;
    CHECK(at < size);
    return at;
}

/* The byte of a flag is 0 or 1: of two states that differ in a flag, another
 * one is made. */
static void test_sound_flag(void)
{
    uint8_t bytes[2][sizeof(union state)];
    union state s, back;
    size_t size = 0;
    for (int flag = 0; flag < 2; flag++) {
        monoids[MONOID_sum].init(&s, DTYPE_f64);
        s.exact.not_negative_zero = flag;
        size = state_write(MONOID_sum, &s, bytes[flag]);
        CHECK(state_read(MONOID_sum, DTYPE_f64, 1, &back, bytes[flag], size));
    }
    const size_t at = difference(bytes[0], bytes[1], size);
    for (int other = 2; at < size && other < 256; other++) {
        bytes[1][at] = (uint8_t)other;
        CHECK(!state_read(MONOID_sum, DTYPE_f64, 1, &back, bytes[1], size),
              "%d", other);
    }
}

/* The words of a sum lie in its layout, and none of them could be left out. */
static void test_sound_window(void)
{
    uint8_t bytes[2][sizeof(union state)];
    union state s, back;
    size_t size = 0;
    for (unsigned k = 0; k < 2; k++) {
        monoids[MONOID_sum].init(&s, DTYPE_f64);
        s.exact.not_negative_zero = true;
        s.exact.word[3 + k] = 5;
        size = state_write(MONOID_sum, &s, bytes[k]);
    }
    /* Of the number of the first word. */
    const size_t at = difference(bytes[0], bytes[1], size);
    for (unsigned first = 0; at < size && first < 256; first++) {
        bytes[0][at] = (uint8_t)first;
        CHECK(state_read(MONOID_sum, DTYPE_f64, 1, &back, bytes[0], size) ==
                  (first < s.exact.words),
              "%u", first);
    }
    memset(bytes[1] + size - sizeof(uint64_t), 0, sizeof(uint64_t));
    for (uint8_t first = 0; at < size && first < 5; first++) {
        bytes[1][at] = first;
        CHECK(!state_read(MONOID_sum, DTYPE_f64, 1, &back, bytes[1], size));
    }
}

/* Likewise: counts of NaN belong to an index of the first of them, and a least
 * to a greatest. */
static void test_sound_counts(void)
{
    static const uint64_t none = INDEX_NONE;
    static const struct {
        uint64_t n;
        struct count count;
        bool sound;
    } counts[] = {
        {0, {0, 0, 0, none}, true}, {3, {1, 1, 3, 0}, true},
        {3, {1, 0, 0, 2}, true},    {2, {1, 1, 3, 0}, false},
        {3, {1, 1, 3, none}, true}, {3, {0, 1, 3, 0}, false},
        {3, {3, 1, 3, 0}, false},   {3, {2, 2, 3, 0}, false},
        {3, {1, 0, 4, 0}, false},
    };
    static const struct {
        uint64_t n;
        struct extrema extrema;
        bool sound;
    } extrema[] = {
        {0, {0, none, {.index = none}, {.index = none}}, true},
        {1, {0, none, {.index = 3}, {.index = 3}}, true},
        {2, {1, 4, {.index = 3}, {.index = 3}}, true},
        {1, {1, 4, {.index = 3}, {.index = 3}}, false},
        {2, {1, none, {.index = 3}, {.index = 3}}, true},
        {2, {0, 4, {.index = 3}, {.index = 3}}, false},
        {2, {0, none, {.index = none}, {.index = 3}}, false},
        {0, {0, none, {.index = 3}, {.index = 3}}, false},
    };
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        const union state s = {.count = counts[i].count};
        CHECK(is_read(MONOID_count, counts[i].n, &s) == counts[i].sound,
              "row %zu", i);
    }
    for (size_t i = 0; i < sizeof extrema / sizeof extrema[0]; i++) {
        union state s = {.extrema = extrema[i].extrema};
        CHECK(is_read(MONOID_extrema, extrema[i].n, &s) == extrema[i].sound,
              "row %zu", i);
        s.extrema.max.bits = 0x7ff8000000000000; /* a NaN is not the greatest */
        CHECK(is_read(MONOID_extrema, extrema[i].n, &s) ==
                  (extrema[i].sound && s.extrema.max.index == none),
              "row %zu", i);
    }
}

/* Zeros, infinities and NaN are different factors. */
static void test_sound_factors(void)
{
    static const struct {
        uint64_t n, zeros, infs, nans;
        bool sound;
    } cases[] = {{0, 0, 0, 0, true},  {3, 1, 1, 1, true},  {3, 3, 0, 0, true},
                 {3, 0, 3, 0, true},  {3, 0, 0, 3, true},  {2, 1, 1, 1, false},
                 {3, 4, 0, 0, false}, {3, 0, 4, 0, false}, {3, 0, 0, 4, false},
                 {3, 2, 2, 0, false}, {3, 2, 0, 2, false}, {3, 0, 2, 2, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        union state s;
        prod_init(&s.prod);
        s.prod.zeros = cases[i].zeros;
        s.prod.infs = cases[i].infs;
        s.prod.nans = cases[i].nans;
        CHECK(is_read(MONOID_prod, cases[i].n, &s) == cases[i].sound, "row %zu",
              i);
        s.prod.node[0] = (struct prod_node){1.0, 0};
        s.prod.level[0] = 0;
        s.prod.nodes = 1; /* of no factors */
        CHECK(!is_read(MONOID_prod, cases[i].n, &s), "row %zu", i);
    }
}

/* A flag of NaN, then registers, ascending: each a number below 2^14, and a
 * value of 1 to 51. */
static void test_sound_sketch(void)
{
    static const struct {
        uint8_t bytes[8];
        size_t n;
        bool sound;
    } cases[] = {
        {{0}, 0, false},
        {{0}, 1, true},
        {{1}, 1, true},
        {{2}, 1, false},
        {{0, 1}, 2, false},
        {{0, 1, 0}, 3, false},
        {{0, 0, 0, 1}, 4, true},
        {{0, 0, 0, 0}, 4, false},
        {{1, 0, 0, 51}, 4, true},
        {{0, 0, 0, 52}, 4, false},
        {{0, 0xff, 0x3f, 9}, 4, true},
        {{0, 0x00, 0x40, 9}, 4, false},
        {{0, 0xff, 0xff, 9}, 4, false},
        {{0, 4, 2, 9, 5, 2, 1}, 7, true},
        {{0, 4, 2, 9, 4, 2, 8}, 7, false},
        {{0, 4, 2, 9, 3, 2, 9}, 7, false},
        {{0, 4, 2, 9, 5, 2, 1, 0}, 8, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t again[sizeof cases[i].bytes];
        union state s;
        const bool sound = state_read(MONOID_sketch, DTYPE_f64, 1, &s,
                                      cases[i].bytes, cases[i].n);
        CHECK(sound == cases[i].sound, "row %zu", i);
        if (sound &&
            CHECK_U64(state_write(MONOID_sketch, &s, NULL), cases[i].n)) {
            state_write(MONOID_sketch, &s, again);
            CHECK(memcmp(again, cases[i].bytes, cases[i].n) == 0, "row %zu", i);
        }
        monoids[MONOID_sketch].compact->close(&s);
    }
}

/* Whether bytes are a state of a set; which is then written as the same. */
static bool is_set(enum monoid m, enum dtype dtype, const void *bytes, size_t n)
{
    static uint8_t again[100];
    union state s;
    const bool sound = state_read(m, dtype, 1, &s, bytes, n);
    if (sound && CHECK_U64(state_write(m, &s, NULL), n))
        CHECK(state_write(m, &s, again) == n && memcmp(again, bytes, n) == 0);
    monoids[m].compact->close(&s);
    return sound;
}

/* Flags, a number of items, and these: each greater than the one before. An
 * item of `tallies` has a count, of 1 to 2^62; with the flag 2, numbers of f64
 * have an integer that f64 cannot hold, or 0. */
static void test_sound_numbers(void)
{
    static const uint64_t most = 1ull << 62, two_to_60 = 0x43b0000000000000;
    static const struct {
        enum monoid monoid;
        enum dtype dtype;
        uint8_t flags;
        uint64_t n, word[4];
        unsigned words;
        bool sound;
    } cases[] = {
        {MONOID_distinct, DTYPE_u8, 0, 0, {0}, 0, true},
        {MONOID_distinct, DTYPE_u8, 0, 1, {5}, 1, true},
        {MONOID_distinct, DTYPE_u8, 0, 1, {255}, 1, true},
        {MONOID_distinct, DTYPE_u8, 0, 1, {256}, 1, false},
        {MONOID_distinct, DTYPE_u64, 0, 1, {UINT64_MAX}, 1, true},
        {MONOID_distinct, DTYPE_u8, 0, 2, {5}, 1, false},
        {MONOID_distinct, DTYPE_u8, 0, 1, {5, 6}, 2, false},
        {MONOID_distinct, DTYPE_u8, 0, 2, {5, 6}, 2, true},
        {MONOID_distinct, DTYPE_u8, 0, 2, {5, 5}, 2, false},
        {MONOID_distinct, DTYPE_u8, 0, 2, {6, 5}, 2, false},
        {MONOID_distinct, DTYPE_u8, 0, 3, {0, 6, 7}, 3, true},
        {MONOID_distinct, DTYPE_u8, 3, 0, {0}, 0, false},
        {MONOID_distinct, DTYPE_u8, 4, 0, {0}, 0, false},
        {MONOID_distinct, DTYPE_u64, 2, 1, {5, 0}, 2, false},
        {MONOID_distinct, DTYPE_f64, 2, 1, {two_to_60}, 1, false},
        {MONOID_distinct,
         DTYPE_f64,
         2,
         1,
         {two_to_60, (1ull << 60) + 1},
         2,
         true},
        {MONOID_distinct,
         DTYPE_f64,
         2,
         2,
         {two_to_60, (1ull << 60) + 1, two_to_60, (1ull << 60) + 2},
         4,
         true},
        {MONOID_distinct,
         DTYPE_f64,
         2,
         2,
         {two_to_60, (1ull << 60) + 2, two_to_60, (1ull << 60) + 1},
         4,
         false},
        {MONOID_distinct,
         DTYPE_f64,
         2,
         2,
         {two_to_60, (1ull << 60) + 1, two_to_60, (1ull << 60) + 1},
         4,
         false},
        /* The key is that of the f64 below the integer. */
        {MONOID_distinct,
         DTYPE_f64,
         2,
         1,
         {two_to_60 + 1, (1ull << 60) + 1},
         2,
         false},
        {MONOID_distinct,
         DTYPE_f64,
         2,
         1,
         {1ull << 63 | (two_to_60 + 1), -((1ull << 60) + 1)},
         2,
         true},
        {MONOID_distinct,
         DTYPE_f64,
         2,
         1,
         {1ull << 63 | two_to_60, -((1ull << 60) + 1)},
         2,
         false},
        {MONOID_tallies, DTYPE_u8, 0, 1, {5, 1}, 2, true},
        {MONOID_tallies, DTYPE_u8, 0, 1, {5, most}, 2, true},
        {MONOID_tallies, DTYPE_u8, 0, 1, {5, most + 1}, 2, false},
        {MONOID_tallies, DTYPE_u8, 0, 1, {5, 0}, 2, false},
        {MONOID_tallies, DTYPE_u8, 0, 1, {5}, 1, false},
        {MONOID_tallies, DTYPE_u8, 0, 2, {5, 9, 6, 1}, 4, true},
        {MONOID_tallies, DTYPE_u8, 0, 2, {5, 9, 5, 1}, 4, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t bytes[1 + 5 * 8];
        bytes[0] = cases[i].flags;
        memcpy(bytes + 1, &cases[i].n, 8);
        memcpy(bytes + 9, cases[i].word, sizeof cases[i].word);
        CHECK(is_set(cases[i].monoid, cases[i].dtype, bytes,
                     9 + 8 * cases[i].words) == cases[i].sound,
              "row %zu", i);
    }
}

/* Likewise texts, which are ordered by their bytes. */
static void test_sound_texts(void)
{
    static const struct {
        const char *text[2];
        size_t cut; /* bytes of the end that are missing */
        bool sound;
    } cases[] = {
        {{"a", "b"}, 0, true},   {{"a", "b"}, 1, false}, {{"a", "b"}, 2, false},
        {{"b", "a"}, 0, false},  {{"a", "a"}, 0, false}, {{"a", "ab"}, 0, true},
        {{"ab", "a"}, 0, false}, {{"", "a"}, 0, true},   {{"", ""}, 0, false},
        {{"ab", "b"}, 0, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t bytes[40] = {1, 2};
        size_t n = 9;
        for (int k = 0; k < 2; k++) {
            const uint32_t length = (uint32_t)strlen(cases[i].text[k]);
            memcpy(bytes + n, &length, 4);
            memcpy(bytes + n + 4, cases[i].text[k], length);
            n += 4 + length;
        }
        CHECK(is_set(MONOID_distinct, DTYPE_f64, bytes, n - cases[i].cut) ==
                  cases[i].sound,
              "row %zu", i);
    }
}

int main(void)
{
    test_sound_sum();
    test_sound_flag();
    test_sound_window();
    test_sound_counts();
    test_sound_factors();
    test_sound_sketch();
    test_sound_numbers();
    test_sound_texts();
    return check_end();
}
