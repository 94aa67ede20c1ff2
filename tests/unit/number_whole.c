/* SPDX-License-Identifier: MIT */
/* Integer texts for the integer dtypes. */
#include "csv/number/number.h"
#include "csv/number/number_fast.h"

#include "check.h"

/* Reads the text, with zeros put before its digits. */
static bool read_whole(enum dtype dtype, const char *text, unsigned zeros,
                       uint64_t *bits)
{
    static char room[64 + (1 << 17)];
    char *p = room + 64;
    bool has_sign = *text == '-' || *text == '+';
    memset(room, '3', 64);
    memcpy(p, text, has_sign);
    memset(p + has_sign, '0', zeros);
    strcpy(p + has_sign + zeros, text + has_sign);
    size_t length = strlen(text) + zeros;
    bool good = number_integer(dtype, p, p + length, bits) == NUMBER_OK;
    uint64_t quickly;
    if (number_quick_integer(dtype, p, length, &quickly))
        CHECK(good && quickly == *bits, "%s", text);
    else
        CHECK(!good || length > 19, "%s", text);
    return good;
}

static void check_whole(enum dtype dtype, const char *text, bool good,
                        uint64_t want)
{
    static const unsigned zeros[] = {0, 1, 7, 12, 30, 100000};
    for (size_t i = 0; i < sizeof zeros / sizeof zeros[0]; i++) {
        uint64_t got = ~want;
        CHECK(read_whole(dtype, text, zeros[i], &got) == good &&
                  (!good || got == want),
              "%s of %s: 0x%" PRIx64, dtype_info(dtype)->name, text, got);
    }
}

/* low and high: the least and the greatest value. The others are just beyond
 * them. */
static const struct {
    enum dtype dtype;
    const char *low, *too_low, *high, *too_high;
    uint64_t low_bits, high_bits, minus_one;
} limits[] = {
    {DTYPE_i8, "-128", "-129", "127", "128", 0x80, 0x7f, 0xff},
    {DTYPE_i16, "-32768", "-32769", "32767", "32768", 0x8000, 0x7fff, 0xffff},
    {DTYPE_i32, "-2147483648", "-2147483649", "2147483647", "2147483648",
     0x80000000, 0x7fffffff, 0xffffffff},
    {DTYPE_i64, "-9223372036854775808", "-9223372036854775809",
     "9223372036854775807", "9223372036854775808", 1ull << 63, ~0ull >> 1,
     ~0ull},
    {DTYPE_u8, "-0", "-1", "255", "256", 0, 0xff, 0},
    {DTYPE_u16, "-0", "-1", "65535", "65536", 0, 0xffff, 0},
    {DTYPE_u32, "-0", "-1", "4294967295", "4294967296", 0, 0xffffffff, 0},
    {DTYPE_u64, "-0", "-1", "18446744073709551615", "18446744073709551616", 0,
     ~0ull, 0},
};

static void test_limits(void)
{
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        enum dtype dtype = limits[i].dtype;
        bool is_signed = dtype_is_signed(dtype);
        check_whole(dtype, limits[i].low, true, limits[i].low_bits);
        check_whole(dtype, limits[i].too_low, false, 0);
        check_whole(dtype, limits[i].high, true, limits[i].high_bits);
        check_whole(dtype, limits[i].too_high, false, 0);
        check_whole(dtype, "-1", is_signed, limits[i].minus_one);
    }
}

static void test_all(void)
{
    static const struct {
        const char *text;
        bool good;
        uint64_t bits;
    } rows[] = {
        {"0", true, 0},
        {"+0", true, 0},
        {"-0", true, 0},
        {"7", true, 7},
        {"+7", true, 7},
        {"42", true, 42},
        {"127", true, 127},
        {"1.0", false, 0},
        {"1.", false, 0},
        {".1", false, 0},
        {"1e3", false, 0},
        {"1e0", false, 0},
        {"inf", false, 0},
        {"nan", false, 0},
        {"+", false, 0},
        {"-", false, 0},
        {"--1", false, 0},
        {"+-1", false, 0},
        {"1-", false, 0},
        {"1 2", false, 0},
        {"0x1", false, 0},
        {"1_0", false, 0},
        {"1,0", false, 0},
        {"1/", false, 0},
        {"1:", false, 0},
        {"\xb1", false, 0},
        {"1\xb2", false, 0},
        {"1a", false, 0},
        {"1\v", false, 0},
        {"18446744073709551620", false, 0},
        {"28446744073709551615", false, 0},
        {"184467440737095516150", false, 0},
        {"-9223372036854775809", false, 0},
        {"99999999999999999999999999999999999999999999999999", false, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (int dtype = DTYPE_i8; dtype < DTYPES_END; dtype++) {
            const char *text = rows[i].text;
            /* Zeros before them would make numbers of signs. */
            uint64_t got = 99;
            bool good = read_whole((enum dtype)dtype, text, 0, &got);
            CHECK(good == rows[i].good, "%s", text);
            CHECK(!good || got == rows[i].bits, "%s", text);
        }
    }
}

int main(void)
{
    test_limits();
    test_all();
    return check_end();
}
