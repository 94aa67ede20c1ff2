/* SPDX-License-Identifier: MIT */
#include "reduce/dtype.h"

#include <math.h>

#include "check.h"

enum { PATTERNS = 65536 };

/* The expected properties, independent of the table under test. */
static const struct {
    enum dtype dtype;
    const char *name, *long_name, *code; /* NumPy's, without its prefix */
    unsigned size;
    bool is_float, is_signed;
} expected[] = {
    {DTYPE_f16, "f16", "float16", "f2", 2, true, false},
    {DTYPE_bf16, "bf16", "bfloat16", NULL, 2, true, false},
    {DTYPE_f32, "f32", "float32", "f4", 4, true, false},
    {DTYPE_f64, "f64", "float64", "f8", 8, true, false},
    {DTYPE_i8, "i8", "int8", "i1", 1, false, true},
    {DTYPE_i16, "i16", "int16", "i2", 2, false, true},
    {DTYPE_i32, "i32", "int32", "i4", 4, false, true},
    {DTYPE_i64, "i64", "int64", "i8", 8, false, true},
    {DTYPE_u8, "u8", "uint8", "u1", 1, false, false},
    {DTYPE_u16, "u16", "uint16", "u2", 2, false, false},
    {DTYPE_u32, "u32", "uint32", "u4", 4, false, false},
    {DTYPE_u64, "u64", "uint64", "u8", 8, false, false},
};

enum { EXPECTED = sizeof expected / sizeof expected[0] };

static void check_found(const char *name, enum dtype want, bool order_before,
                        bool order_after)
{
    enum dtype dtype = DTYPES_END;
    bool big_endian = order_before;
    CHECK(dtype_find(name, &dtype, &big_endian), "%s", name);
    CHECK(dtype == want, "%s: %d", name, (int)dtype);
    CHECK(big_endian == order_after, "%s", name);
}

static void test_codes(size_t i)
{
    for (const char *prefix = "<>=|"; *prefix; prefix++) {
        char code[8];
        snprintf(code, sizeof code, "%c%s", *prefix, expected[i].code);
        enum dtype dtype;
        bool order = true;
        if (*prefix == '|' && expected[i].size > 1) {
            CHECK(!dtype_find(code, &dtype, &order), "%s", code);
            continue;
        }
        for (int before = 0; before < 2; before++) {
            bool tells = *prefix == '<' || *prefix == '>';
            check_found(code, expected[i].dtype, before,
                        tells ? *prefix == '>' : before);
        }
    }
}

static void test_names(void)
{
    CHECK_INT(DTYPES_END, EXPECTED);
    for (size_t i = 0; i < EXPECTED; i++) {
        enum dtype dtype = expected[i].dtype;
        const struct dtype_info *info = dtype_info(dtype);
        CHECK_TEXT(info->name, expected[i].name);
        CHECK_TEXT(info->long_name, expected[i].long_name);
        CHECK_U64(info->size, expected[i].size);
        CHECK(dtype_is_float(dtype) == expected[i].is_float, "%s", info->name);
        CHECK(dtype_is_signed(dtype) == expected[i].is_signed, "%s",
              info->name);
        check_found(expected[i].name, dtype, true, true);
        check_found(expected[i].long_name, dtype, false, false);
        if (expected[i].code)
            test_codes(i);
    }
}

static void test_other_names(void)
{
    check_found("float", DTYPE_f32, false, false);
    check_found("double", DTYPE_f64, false, false);
    check_found("bool", DTYPE_u8, false, false);
    check_found("|b1", DTYPE_u8, false, false);
    CHECK(dtype_is_bool("bool") && dtype_is_bool("|b1"));
    CHECK(!dtype_is_bool("u8") && !dtype_is_bool("|u1"));
}

static void test_no_names(void)
{
    static const char *const names[] = {
        "",     " ",    "f",    "f8",   "f128",   "i1",      "u4",    "F32",
        "f32 ", " f32", "<",    ">",    "<f",     "<f3",     "<f16",  "<f9",
        "<i0",  "<i3",  "<i16", "<u",   "<b2",    "<b1",     "|b2",   "|f4",
        "|i2",  "<c8",  "<U4",  "|S1",  "|O",     "<M8",     "<f4 ",  "f4",
        "<bf2", "half", "<e",   "<<f4", "|u\xb1", "boolean", "Float", "int",
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        enum dtype dtype;
        bool big_endian;
        CHECK(!dtype_find(names[i], &dtype, &big_endian), "%s", names[i]);
    }
}

/* Computes the value by IEEE 754's definition. */
static double small_value(unsigned bits, int fraction, int exponents, int bias)
{
    int e = (int)(bits >> fraction) & ((1 << exponents) - 1);
    double m = bits & ((1u << fraction) - 1), value;
    if (e == (1 << exponents) - 1)
        value = m != 0 ? NAN : INFINITY;
    else if (e == 0)
        value = ldexp(m, 1 - bias - fraction);
    else
        value = ldexp(ldexp(1, fraction) + m, e - bias - fraction);
    return bits >> 15 ? -value : value;
}

static double value_of(enum dtype dtype, unsigned bits)
{
    return dtype == DTYPE_f16 ? small_value(bits, 10, 5, 15)
                              : small_value(bits, 7, 8, 127);
}

static void test_decode(enum dtype dtype)
{
    for (unsigned bits = 0; bits < PATTERNS; bits++)
        CHECK_DOUBLE(dtype_to_double(dtype, bits), value_of(dtype, bits));
}

/* Every bit pattern converts to double and back. NaN stays NaN. */
static void test_round_trip(enum dtype dtype, uint64_t inf)
{
    for (unsigned bits = 0; bits < PATTERNS; bits++) {
        uint64_t got = dtype_from_double(dtype, value_of(dtype, bits));
        if ((bits & 0x7fff) > inf)
            CHECK((got & 0x7fff) > inf && got >> 16 == 0, "%x: %x", bits,
                  (unsigned)got);
        else
            CHECK_U64(got, bits);
    }
}

/* The midpoint of a pattern and the next converts to the even one of them; its
 * neighbouring doubles convert to the nearer pattern. The value after the last
 * one is what Inf would be with one more exponent. */
static void test_ties(enum dtype dtype, unsigned inf, double past_last)
{
    for (unsigned bits = 0; bits < inf; bits++) {
        double a = value_of(dtype, bits);
        double b = bits + 1 < inf ? value_of(dtype, bits + 1) : past_last;
        double middle = a + (b - a) / 2;
        unsigned even = bits % 2 ? bits + 1 : bits;
        CHECK_U64(dtype_from_double(dtype, middle), even);
        CHECK_U64(dtype_from_double(dtype, -middle), even | 0x8000);
        CHECK_U64(dtype_from_double(dtype, nextafter(middle, 0)), bits);
        CHECK_U64(dtype_from_double(dtype, nextafter(middle, HUGE_VAL)),
                  bits + 1);
    }
    CHECK_U64(dtype_from_double(dtype, past_last), inf);
    CHECK_U64(dtype_from_double(dtype, 1.7e308), inf);
    CHECK_U64(dtype_from_double(dtype, -1.7e308), inf | 0x8000);
    CHECK_U64(dtype_from_double(dtype, 5e-324), 0);
    CHECK_U64(dtype_from_double(dtype, -5e-324), 0x8000);
    CHECK_U64(dtype_from_double(dtype, 0x1p-1022), 0);
}

/* Random doubles, most of them in the type's range, convert to the nearest
 * value, which bisection finds among the type's own values. */
static void test_random(enum dtype dtype, unsigned inf, double past_last)
{
    for (int i = 0; i < 50000; i++) {
        int range = dtype == DTYPE_f16 ? 45 : 290;
        int low = dtype == DTYPE_f16 ? -28 : -150;
        double x = ldexp(1 + (double)(check_random() >> 12) * 0x1p-52,
                         low + (int)check_below((uint64_t)range));
        unsigned from = 0, to = inf; /* value(from) <= x < value(to) */
        while (to - from > 1) {
            unsigned middle = (from + to) / 2;
            *(value_of(dtype, middle) <= x ? &from : &to) = middle;
        }
        double a = value_of(dtype, from);
        double b = to < inf ? value_of(dtype, to) : past_last;
        unsigned want = x - a < b - x ? from : to;
        if (x - a == b - x)
            want = from % 2 ? to : from;
        CHECK(dtype_from_double(dtype, x) == want, "%a", x);
    }
}

static void test_wide(void)
{
    CHECK_DOUBLE(dtype_to_double(DTYPE_f32, 0x3fc00000), 1.5);
    CHECK_DOUBLE(dtype_to_double(DTYPE_f32, 0x80000001), -0x1p-149);
    CHECK_DOUBLE(dtype_to_double(DTYPE_f32, 0xff800000), -HUGE_VAL);
    CHECK_DOUBLE(dtype_to_double(DTYPE_f64, 1), 0x1p-1074);
    CHECK_DOUBLE(dtype_to_double(DTYPE_f64, 0xc000000000000000), -2.0);
    CHECK_U64(dtype_from_double(DTYPE_f32, 0x1.000001p0), 0x3f800000);
    CHECK_U64(dtype_from_double(DTYPE_f32, 0x1.000003p0), 0x3f800002);
    CHECK_U64(dtype_from_double(DTYPE_f32, 0x1.0000010000001p0), 0x3f800001);
    CHECK_U64(dtype_from_double(DTYPE_f32, 0x1.ffffffp127), 0x7f800000);
    CHECK_U64(dtype_from_double(DTYPE_f64, -0.0), 0x8000000000000000);
    CHECK_DOUBLE(dtype_to_double(DTYPE_i8, 0x80), -128);
    CHECK_DOUBLE(dtype_to_double(DTYPE_u8, 0x80), 128);
    CHECK_DOUBLE(dtype_to_double(DTYPE_i16, 0xffff), -1);
    CHECK_DOUBLE(dtype_to_double(DTYPE_u16, 0xffff), 65535);
    CHECK_DOUBLE(dtype_to_double(DTYPE_i32, 0x80000000), -2147483648.0);
    CHECK_DOUBLE(dtype_to_double(DTYPE_u32, 0x80000000), 2147483648.0);
    CHECK_DOUBLE(dtype_to_double(DTYPE_i64, 1ull << 63), -0x1p63);
    CHECK_DOUBLE(dtype_to_double(DTYPE_u64, UINT64_MAX), 0x1p64);
    CHECK_DOUBLE(dtype_to_double(DTYPE_u64, (1ull << 53) + 1), 0x1p53);
}

/* Loads are little-endian, work at any address, and read no byte past the
 * element. */
static void test_load(void)
{
    unsigned char bytes[16];
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(0xf1 + i);
    for (size_t i = 0; i < EXPECTED; i++) {
        for (size_t at = 0; at < 8; at++) {
            uint64_t want = 0;
            for (unsigned j = expected[i].size; j-- > 0;)
                want = want << 8 | bytes[at + j];
            CHECK_U64(dtype_load(expected[i].dtype, bytes + at), want);
        }
    }
}

int main(void)
{
    test_names();
    test_other_names();
    test_no_names();
    test_decode(DTYPE_f16);
    test_decode(DTYPE_bf16);
    test_round_trip(DTYPE_f16, 0x7c00);
    test_round_trip(DTYPE_bf16, 0x7f80);
    test_ties(DTYPE_f16, 0x7c00, 0x1p16);
    test_ties(DTYPE_bf16, 0x7f80, 0x1p128);
    test_random(DTYPE_f16, 0x7c00, 0x1p16);
    test_random(DTYPE_bf16, 0x7f80, 0x1p128);
    test_wide();
    test_load();
    return check_end();
}
