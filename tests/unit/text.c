/* SPDX-License-Identifier: MIT */
#include "base/text.h"

#include "check.h"

static const struct {
    const char *text;
    bool good;
    uint64_t value;
} numbers[] = {
    {"0", true, 0},
    {"7", true, 7},
    {"007", true, 7},
    {"4294967296", true, 4294967296},
    {"18446744073709551615", true, UINT64_MAX},
    {"00000000000000000000018446744073709551615", true, UINT64_MAX},
    {"18446744073709551616", false, 0},
    {"18446744073709551620", false, 0},
    {"28446744073709551615", false, 0},
    {"184467440737095516150", false, 0},
    {"99999999999999999999999999999999", false, 0},
    {"", false, 0},
    {" 1", false, 0},
    {"1 ", false, 0},
    {"+1", false, 0},
    {"-1", false, 0},
    {"1.0", false, 0},
    {"1e3", false, 0},
    {"0x10", false, 0},
    {"1/", false, 0},
    {"1:", false, 0},
    {"\xd9\xa3", false, 0},
};

static void test_numbers(void)
{
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        uint64_t value = 0;
        bool good = text_to_u64(numbers[i].text, &value);
        CHECK(good == numbers[i].good, "%s", numbers[i].text);
        if (good && numbers[i].good)
            CHECK_U64(value, numbers[i].value);
    }
}

static const struct {
    const char *text;
    bool good;
    uint64_t bytes;
} sizes[] = {
    {"0", true, 0},
    {"4096", true, 4096},
    {"1B", true, 1},
    {"1b", true, 1},
    {"1K", true, 1024},
    {"1k", true, 1024},
    {"1KB", true, 1024},
    {"1kb", true, 1024},
    {"1KiB", true, 1024},
    {"1kib", true, 1024},
    {"3M", true, 3145728},
    {"3MiB", true, 3145728},
    {"2G", true, 2147483648},
    {"5T", true, 5497558138880},
    {"5tib", true, 5497558138880},
    {"0T", true, 0},
    {"18446744073709551615", true, UINT64_MAX},
    {"18446744073709551615B", true, UINT64_MAX},
    {"18014398509481983K", true, 18446744073709550592u},
    {"18014398509481984K", false, 0},
    {"17592186044415M", true, 18446744073708503040u},
    {"17592186044416M", false, 0},
    {"17179869183G", true, 18446744072635809792u},
    {"17179869184G", false, 0},
    {"16777215T", true, 18446742974197923840u},
    {"16777216T", false, 0},
    {"18446744073709551616", false, 0},
    {"18446744073709551616B", false, 0},
    {"", false, 0},
    {"K", false, 0},
    {"B", false, 0},
    {"KiB", false, 0},
    {"1KK", false, 0},
    {"1Ki", false, 0},
    {"1KiBs", false, 0},
    {"1BB", false, 0},
    {"1iB", false, 0},
    {"1 K", false, 0},
    {" 1K", false, 0},
    {"1K ", false, 0},
    {"1.5K", false, 0},
    {"-1K", false, 0},
    {"+1K", false, 0},
    {"1P", false, 0},
    {"1E", false, 0},
    {"1x", false, 0},
    {"1\xcb", false, 0},
    {"0x10", false, 0},
};

static void test_sizes(void)
{
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        uint64_t bytes = 0;
        bool good = text_to_size(sizes[i].text, &bytes);
        CHECK(good == sizes[i].good, "%s", sizes[i].text);
        if (good && sizes[i].good)
            CHECK_U64(bytes, sizes[i].bytes);
    }
}

/* All other letters are refused as units. */
static void test_units(void)
{
    for (int c = 1; c < 256; c++) {
        char text[3] = {'1', (char)c, '\0'};
        uint64_t bytes;
        bool is_digit = c >= '0' && c <= '9';
        bool want = is_digit || strchr("bBkKmMgGtT", c);
        CHECK(text_to_size(text, &bytes) == want, "byte %d", c);
    }
}

/* Numbers that printf writes are read back. */
static void test_random(void)
{
    for (int i = 0; i < 20000; i++) {
        uint64_t v = check_random_length(), got = ~v;
        char text[40];
        snprintf(text, sizeof text, "%" PRIu64, v);
        CHECK(text_to_u64(text, &got) && got == v, "%s", text);
        unsigned unit = (unsigned)check_below(4);
        snprintf(text, sizeof text, "%" PRIu64 "%c", v, "KMGT"[unit]);
        unsigned __int128 want = (unsigned __int128)v << (10 * (unit + 1));
        bool good = text_to_size(text, &got);
        CHECK(good == (want <= UINT64_MAX), "%s", text);
        CHECK(!good || got == (uint64_t)want, "%s", text);
    }
}

static const char *word_at(size_t i, const void *context)
{
    return ((const char *const *)context)[i];
}

static void test_nearest(void)
{
    static const char *const words[] = {"mean",    "median", "max",   "min",
                                        "std",     "sum",    "sumsq", "l1",
                                        "threads", NULL};
    static const struct {
        const char *word, *want;
    } rows[] = {
        {"mean", "mean"},       /* the word itself */
        {"maen", "mean"},       /* a swap */
        {"mena", "mean"},       /* a swap at the end */
        {"meen", "mean"},       /* a substitution */
        {"mea", "mean"},        /* a deletion */
        {"meaan", "mean"},      /* an insertion */
        {"medain", "median"},   /* a swap: nearer than mean */
        {"sumq", "sumsq"},      /* one edit; sum is one, too, and first */
        {"sumqs", "sumsq"},     /* a swap */
        {"trheads", "threads"}, /* one swap */
        {"thread", "threads"},
        {"htreasd", "threads"}, /* two swaps */
        {"SUM", "sum"},         /* upper case */
        {"med", "median"},      /* an abbreviation; max is two edits off */
        {"thr", "threads"},
        {"l2", NULL},  /* another digit makes another name */
        {"l11", "l1"}, /* but a digit typed twice is a typing error */
        {"1l", "l1"},
        {"m", NULL},  /* too short to guess */
        {"xy", NULL}, /* l1 is two edits off, as many as it has letters */
        {"", NULL},
        {"quantile", NULL},
        {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *got = text_nearest(rows[i].word, word_at, words);
        if (strcmp(rows[i].word, "sumq") == 0)
            CHECK(got && (!strcmp(got, "sum") || !strcmp(got, "sumsq")));
        else
            CHECK_TEXT(got, rows[i].want);
    }
    static const char *const none[] = {NULL};
    CHECK_TEXT(text_nearest("mean", word_at, none), NULL);
}

/* At most two edits, and at most one for each two letters of the word, rounded
 * up; not all letters of the candidate. */
static void test_distances(void)
{
    static const struct {
        const char *word, *candidate;
        bool is_near;
    } rows[] = {
        {"th", "threads", false}, /* three letters abbreviate */
        {"saw", "sum", true},
        {"ax", "abc", false},
        {"xay", "ab", false},
        {"abcde", "abxyz", false},
        {"AA", "aa", true},
        {"ZZ", "zz", true},
        {"pq", "rp", false}, /* no swap */
        {"qp", "pr", false},
        {"m1n", "min", true},
        {"mi1", "mi", false}, /* a digit too many, or too few */
        {"1mi", "mi", false},
        {"mi", "1mi", false},
        {"mon", "min1", false},
        {"abcdefghijklmnopqrstuvwx", "abcdefghijklmnopqrstuvwz", true},
        {"abcdefghijklmnopqrstuvwxy", "abcdefghijklmnopqrstuvwx", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *const words[] = {rows[i].candidate, NULL};
        const char *got = text_nearest(rows[i].word, word_at, words);
        CHECK(rows[i].is_near == (got != NULL), "%s", rows[i].word);
    }
}

static void test_suggestions(void)
{
    static const char *const words[] = {"min",    "max",     "absmin",
                                        "absmax", "col_a",   "col_b",
                                        "col_c",  "a\33b'c", NULL};
    static const struct {
        const char *word, *want;
    } rows[] = {
        {"mni", "; did you mean '--min'?"},
        {"mix", "; did you mean '--min' or '--max'?"},
        {"abs", "; did you mean '--absmin' or '--absmax'?"},
        {"col_d", ""}, /* three names are equally near */
        {"COL_A", "; did you mean '--col_a'?"}, /* only one is the word */
        {"quantile", ""},
        {"a\33b'", "; did you mean '--a\\x1bb'c'?"},
    };
    char out[TEXT_SUGGEST_MAX];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        CHECK_TEXT(text_suggest(out, "--", rows[i].word, word_at, words),
                   rows[i].want);
}

int main(void)
{
    test_numbers();
    test_sizes();
    test_units();
    test_random();
    test_nearest();
    test_distances();
    test_suggestions();
    return check_end();
}
