/* SPDX-License-Identifier: MIT */
/* Reals as text: the text reads back, and no shorter text does. */
#include "output/number.h"

#include <float.h>
#include <math.h>

#include "check.h"

static const char *text_of(char out[NUMBER_MAX], double x, enum dtype dtype)
{
    struct value v = {.kind = VALUE_REAL, .dtype = dtype, .real = x};
    number_text(out, &v);
    return out;
}

static const struct {
    enum dtype dtype;
    double x;
    const char *text;
} known[] = {
    {DTYPE_f64, 0.0, "0"},
    {DTYPE_f64, -0.0, "-0"},
    {DTYPE_f64, INFINITY, "inf"},
    {DTYPE_f64, -INFINITY, "-inf"},
    {DTYPE_f64, NAN, "nan"},
    {DTYPE_f64, 3, "3"},
    {DTYPE_f64, -1.5, "-1.5"},
    {DTYPE_f64, 0.1, "0.1"},
    {DTYPE_f64, 0.3, "0.3"},
    {DTYPE_f64, 0.1 + 0.2, "0.30000000000000004"},
    {DTYPE_f64, 100, "100"},
    {DTYPE_f64, 123456.789, "123456.789"},
    {DTYPE_f64, 5e-324, "5e-324"},
    {DTYPE_f64, 2.2250738585072014e-308, "2.2250738585072014e-308"},
    {DTYPE_f64, 0x0.fffffffffffffp-1022, "2.225073858507201e-308"},
    {DTYPE_f64, DBL_MAX, "1.7976931348623157e+308"},
    {DTYPE_f64, 0x1p-44, "5.684341886080802e-14"},
    {DTYPE_f64, 9007199254740993.0, "9007199254740992"},
    {DTYPE_f64, 9007199254740991.0, "9007199254740991"},
    {DTYPE_f64, 9999999999999998.0, "9999999999999998"},
    {DTYPE_f64, 1e16, "1e+16"},
    {DTYPE_f64, 1e15, "1000000000000000"},
    {DTYPE_f64, 12345678901234567.0, "1.2345678901234568e+16"},
    {DTYPE_f64, 1e22, "1e+22"},
    {DTYPE_f64, 1e23, "1e+23"},
    {DTYPE_f64, 9.5e-7, "9.5e-07"},
    {DTYPE_f64, 1e-5, "0.00001"},
    {DTYPE_f64, 1.5e-5, "0.000015"},
    {DTYPE_f64, 9.99e-6, "9.99e-06"},
    {DTYPE_f64, 1.5e-7, "1.5e-07"},
    {DTYPE_f64, 1e-100, "1e-100"},
    {DTYPE_f64, 1e100, "1e+100"},
    {DTYPE_f64, 2.98023223876953125e-8, "2.9802322387695312e-08"},
    {DTYPE_f64, 0x1p-1074, "5e-324"},
    {DTYPE_f64, 0x1p-1073, "1e-323"},
    /* The neighbour below is nearer than the one above. */
    {DTYPE_f64, 0x1p-1021, "4.450147717014403e-308"},
    {DTYPE_f64, 9.5367431640625e-07, "9.5367431640625e-07"},
    {DTYPE_f32, 0.1f, "0.1"},
    {DTYPE_f32, 16777216.0, "16777216"},
    {DTYPE_f32, FLT_MAX, "3.4028235e+38"},
    {DTYPE_f32, 0x1p-149, "1e-45"},
    {DTYPE_f32, 0x1p-126, "1.1754944e-38"},
    {DTYPE_f32, 3.1415927f, "3.1415927"},
    {DTYPE_f16, 65504, "65500"},
    {DTYPE_f16, 0x1p-24, "6e-08"},
    {DTYPE_f16, 0.0999755859375, "0.1"},
    {DTYPE_f16, -INFINITY, "-inf"},
    {DTYPE_bf16, 0x1.fep127, "3.39e+38"},
    {DTYPE_bf16, 0x1p-133, "9e-41"},
    {DTYPE_bf16, 3.140625, "3.14"},
};

static void test_known(void)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        char out[NUMBER_MAX];
        CHECK_TEXT(text_of(out, known[i].x, known[i].dtype), known[i].text);
    }
}

/* Whether the text reads back as x in the type, by libc alone. */
static bool same(const char *text, double x, enum dtype dtype)
{
    if (dtype == DTYPE_f64)
        return strtod(text, NULL) == x;
    if (dtype == DTYPE_f32)
        return (double)strtof(text, NULL) == x;
    /* Reading as double first changes nothing here, since a double is so much
     * finer than these types. */
    return dtype_to_double(dtype,
                           dtype_from_double(dtype, strtod(text, NULL))) == x;
}

/* Splits the text of x > 0: the significant digits as an integer, their
 * number, and the exponent of the last. Returns false if the text breaks the
 * contract. */
static bool take_apart(const char *text, uint64_t *digits, int *count,
                       int *exponent)
{
    const char *p = text;
    char *end;
    bool point = false;
    *digits = 0;
    *count = *exponent = 0;
    for (; (*p >= '0' && *p <= '9') || (*p == '.' && !point); p++) {
        point |= *p == '.';
        *exponent -= point && *p != '.';
        if (*p != '.')
            *digits = *digits * 10 + (uint64_t)(*p - '0');
    }
    if (p == text || p[-1] == '.' || *text == '.' || (point && p[-1] == '0') ||
        (text[0] == '0' && text[1] != '.'))
        return false;
    if (*p == 'e') {
        if ((p[1] != '+' && p[1] != '-') || strlen(p) < 4 ||
            (strlen(p) > 4 && p[2] == '0') || p - text == 0)
            return false;
        *exponent += (int)strtol(p + 1, &end, 10);
        p = end;
    }
    for (; *digits != 0 && *digits % 10 == 0; ++*exponent)
        *digits /= 10;
    for (uint64_t d = *digits; d; d /= 10)
        ++*count;
    return *p == '\0' && *count > 0;
}

/* Whether the nearest decimals with one digit less, on both sides of x, do not
 * read back. */
static bool is_shortest(double x, enum dtype dtype, int count)
{
    char text[64], *e;
    if (count == 1)
        return true;
    snprintf(text, sizeof text, "%.*e", count - 2, x);
    e = strchr(text, 'e');
    int exponent = atoi(e + 1) - (count - 2);
    uint64_t m = 0;
    for (const char *p = text; p < e; p++)
        m = *p == '.' ? m : m * 10 + (uint64_t)(*p - '0');
    for (uint64_t near = m - 1; near <= m + 1; near++) {
        snprintf(text, sizeof text, "%" PRIu64 "e%d", near, exponent);
        if (same(text, x, dtype))
            return false;
    }
    return true;
}

static void check_real(double x, enum dtype dtype)
{
    char out[NUMBER_MAX], negative[NUMBER_MAX], nearest[64];
    uint64_t digits, other;
    int count, exponent, other_count, other_exponent;
    text_of(out, x, dtype);
    CHECK(same(out, x, dtype), "%s of %a", out, x);
    if (!CHECK(take_apart(out, &digits, &count, &exponent), "%s of %a", out, x))
        return;
    CHECK(is_shortest(x, dtype, count), "%s of %a", out, x);
    double read = strtod(out, NULL);
    CHECK((strchr(out, 'e') != NULL) == (read < 1e-5 || read >= 1e16), "%s",
          out);
    /* The text is the nearest of its length, if that one reads back. */
    snprintf(nearest, sizeof nearest, "%.*e", count - 1, x);
    if (same(nearest, x, dtype) &&
        take_apart(nearest, &other, &other_count, &other_exponent))
        CHECK(digits == other && exponent == other_exponent, "%s, %s", out,
              nearest);
    text_of(negative, -x, dtype);
    CHECK(negative[0] == '-' && strcmp(negative + 1, out) == 0, "%s", negative);
}

static void test_all_small(enum dtype dtype, unsigned inf)
{
    for (unsigned bits = 1; bits < inf; bits++)
        check_real(dtype_to_double(dtype, bits), dtype);
}

static void test_random(int times)
{
    for (int i = 0; i < times; i++) {
        double x = fabs(dtype_to_double(DTYPE_f64, check_random()));
        double y = dtype_to_double(DTYPE_f32, check_random() & 0x7fffffff);
        double z =
            (double)check_random_length() / (double)(1 + check_below(999));
        const double hundredths = (double)(1 + check_random_length()) / 100;
        check_real(hundredths, DTYPE_f64);
        check_real(nextafter(hundredths, 0), DTYPE_f64);
        if (isfinite(x) && x > 0)
            check_real(x, DTYPE_f64);
        if (isfinite(y) && y > 0)
            check_real(y, DTYPE_f32);
        if (z > 0)
            check_real(z, DTYPE_f64);
    }
}

static void test_powers(void)
{
    for (int e = -1074; e < 1024; e++) {
        double x = ldexp(1, e);
        check_real(x, DTYPE_f64);
        check_real(nextafter(x, 0) > 0 ? nextafter(x, 0) : x, DTYPE_f64);
        check_real(nextafter(x, HUGE_VAL), DTYPE_f64);
    }
    for (int e = -149; e < 128; e++) {
        check_real(ldexp(1, e), DTYPE_f32);
        check_real((double)nextafterf(ldexpf(1, e), HUGE_VALF), DTYPE_f32);
    }
    for (int e = -323; e <= 308; e++) {
        char text[16];
        snprintf(text, sizeof text, "1e%d", e);
        check_real(strtod(text, NULL), DTYPE_f64);
    }
}

/* All positive f32 of one exponent, and the doubles beside powers of ten. */
static void test_long(void)
{
    for (uint32_t bits = 0; bits < 1u << 23; bits++)
        check_real(dtype_to_double(DTYPE_f32, bits | 0x3f800000), DTYPE_f32);
    for (int e = -323; e <= 308; e++) {
        char text[16];
        snprintf(text, sizeof text, "1e%d", e);
        double above = strtod(text, NULL), below = above;
        for (int i = 0; i < 200; i++) {
            check_real(above, DTYPE_f64);
            check_real(below, DTYPE_f64);
            above = nextafter(above, HUGE_VAL);
            below = nextafter(below, 0) > 0 ? nextafter(below, 0) : below;
        }
    }
    test_random(10000000);
}

/* --long: over many more numbers. */
int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--long") == 0) {
        test_long();
        return check_end();
    }
    test_known();
    test_all_small(DTYPE_f16, 0x7c00);
    test_all_small(DTYPE_bf16, 0x7f80);
    test_powers();
    test_random(30000);
    return check_end();
}
