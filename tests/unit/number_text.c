/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE

#include "csv/number/number.h"

#include <sys/mman.h>
#include <unistd.h>

#include "../numbers/decimal.h"
#include "base/error.h"
#include "csv/number/number_fast.h"
#include "number_hard.h"

#include "check.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { BEFORE = 64, ROOM = 1 << 17 };

/* A digit, or a byte that looks like part of an exponent. */
static char around;

/* Copies a text between bytes that must not be read as part of it. */
static const char *place(const char *text, size_t length)
{
    static char room[BEFORE + ROOM + BEFORE];
    memset(room, around, BEFORE);
    memcpy(room + BEFORE, text, length);
    memset(room + BEFORE + length, around, BEFORE);
    return room + BEFORE;
}

static bool quick(enum dtype dtype, const char *p, size_t length,
                  uint64_t *bits)
{
    const struct powers *t = number_powers();
    if (dtype == DTYPE_f64)
        return number_quick_f64(p, length, t, bits);
    if (dtype == DTYPE_f32)
        return number_quick_f32(p, length, t, bits);
    return number_quick_integer(dtype, p, length, bits);
}

/* Reads a number with every function; all must agree. */
static bool read_number(enum dtype dtype, const char *text, size_t length,
                        uint64_t *bits)
{
    const char *p = place(text, length);
    enum number_kind kind;
    uint64_t quickly;
    if (dtype_is_float(dtype))
        kind = number_float(dtype, p, p + length, number_powers(), bits);
    else
        kind = number_integer(dtype, p, p + length, bits);
    if (kind == NUMBER_UNDECIDED &&
        CHECK(number_resolve(dtype, p, p + length, bits, NULL)))
        kind = NUMBER_OK;
    if (quick(dtype, p, length, &quickly))
        CHECK(kind == NUMBER_OK && quickly == *bits, "%.40s", text);
    return kind == NUMBER_OK;
}

static void check_float(enum dtype dtype, const char *text, size_t length,
                        uint64_t want)
{
    uint64_t got = ~want;
    CHECK(read_number(dtype, text, length, &got) && got == want,
          "%s of %.60s (%zu bytes) is 0x%" PRIx64 ", not 0x%" PRIx64,
          dtype_info(dtype)->name, text, length, got, want);
}

static void test_hard(void)
{
    for (size_t i = 0; i < COUNT(hard_texts); i++) {
        const char *text = hard_texts[i].text;
        check_float(DTYPE_f64, text, strlen(text), hard_texts[i].f64);
        check_float(DTYPE_f32, text, strlen(text), hard_texts[i].f32);
    }
}

static void test_bad(void)
{
    for (size_t i = 0; i < COUNT(bad_texts); i++) {
        uint64_t bits;
        for (int dtype = DTYPE_f32; dtype < DTYPES_END; dtype++)
            CHECK(!read_number((enum dtype)dtype, bad_texts[i].text,
                               bad_texts[i].length, &bits),
                  "%s", bad_texts[i].text);
    }
}

/* Checks the tie between the floats of bits n / 2 and n / 2 + 1, where n is
 * odd, in units of half the subnormals' distance; then texts beside it,
 * which differ only 1 to 90000 digits further on; and all of them with
 * leading zeros. */
static void check_tie(enum dtype dtype, uint64_t n)
{
    static char text[ROOM];
    static const unsigned farther[] = {1, 40, 800, 90000};
    struct decimal d;
    uint64_t below = n / 2, even = below + (below & 1);
    char *digits = text + 3;
    memcpy(text, "000", 3);
    decimal_set(&d, n, dtype == DTYPE_f64 ? -1075 : -150);
    size_t length = decimal_digits(digits, &d);
    for (size_t i = 0; i < COUNT(farther); i++) {
        size_t more = length + farther[i];
        memset(digits + length, '0', farther[i]);
        int tail =
            snprintf(digits + more, 16, "e%d", d.exponent - (int)farther[i]);
        check_float(dtype, text, 3 + more + (size_t)tail, even);
        digits[more - 1] = '1';
        check_float(dtype, digits, more + (size_t)tail, below + 1);
        memset(digits + length, '9', farther[i]);
        digits[length - 1]--; /* it is a 5 */
        check_float(dtype, text, 3 + more + (size_t)tail, below);
        digits[length - 1]++;
    }
}

static void test_ties(void)
{
    check_tie(DTYPE_f64, 1); /* between 0 and the least subnormal */
    check_tie(DTYPE_f64, 3);
    check_tie(DTYPE_f64, (1ull << 53) - 1); /* below the least normal */
    check_tie(DTYPE_f64, (1ull << 53) + 1);
    check_tie(DTYPE_f32, 1);
    check_tie(DTYPE_f32, 3);
    check_tie(DTYPE_f32, (1ull << 24) - 1);
    check_tie(DTYPE_f32, (1ull << 24) + 1);
    for (int i = 0; i < 20; i++) {
        check_tie(DTYPE_f64, check_random() >> 11 | 1);
        check_tie(DTYPE_f32, check_random() >> 40 | 1);
    }
}

static void test_leading_zeros(void)
{
    static char text[ROOM];
    const size_t zeros = 100000;
    memset(text, '0', zeros);
    memcpy(text + zeros, "12.5", 4);
    check_float(DTYPE_f64, text, zeros + 4, 0x4029000000000000);
    text[1] = '.'; /* now 99998 zeros after the point, and 125 */
    memcpy(text + zeros, "125e+99999", 10);
    check_float(DTYPE_f64, text, zeros + 10, 0x3ff4000000000000);
    check_float(DTYPE_f32, text, zeros + 10, 0x3fa00000);
    memset(text, '9', zeros);
    check_float(DTYPE_f64, text, zeros, 0x7ff0000000000000);
    memcpy(text + zeros, "e-99999", 7); /* 10, up to one in 10^10^5 */
    check_float(DTYPE_f64, text, zeros + 7, 0x4024000000000000);
}

/* The quick functions must decide these. Otherwise a function that decides
 * nothing would pass. */
static void test_quick(void)
{
    static const char *const texts[] = {"0",
                                        "7",
                                        "-7",
                                        "+7",
                                        "12.34",
                                        "-0.5",
                                        ".5",
                                        "5.",
                                        "1.5e-07",
                                        "-2.3E+10",
                                        "1e5",
                                        "1e-300",
                                        "1.5e308",
                                        "0.1234567890123456",
                                        "1234567890123456",
                                        "-1234567890123456",
                                        "0.12345678901234567",
                                        "-1.2345678901234567",
                                        "9223372036854775807",
                                        "-1.2345678901234567e-05"};
    for (size_t i = 0; i < COUNT(texts); i++) {
        uint64_t bits;
        size_t length = strlen(texts[i]);
        const char *p = place(texts[i], length);
        /* An integer that f64 cannot hold is left undecided. */
        bool wide = strcmp(texts[i], "9223372036854775807") == 0;
        CHECK(quick(DTYPE_f64, p, length, &bits) == !wide, "%s", texts[i]);
        CHECK(quick(DTYPE_f32, p, length, &bits), "%s", texts[i]);
        bool whole = strcspn(texts[i], ".eE") == length;
        CHECK(quick(DTYPE_i64, p, length, &bits) == whole, "%s", texts[i]);
    }
}

/* Texts at both ends of the readable memory: 32 bytes before, none after. */
static void test_edges(void)
{
    static const char *const texts[] = {"7",
                                        "12.34",
                                        "1.5e-07",
                                        "1e5",
                                        "-1234567890123456",
                                        "0.12345678901234567",
                                        "-1.2345678901234567890123456e-7",
                                        "12345678901234567890123456789012",
                                        "1234567890123456e1",
                                        "e5",
                                        "x"};
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *room = mmap(NULL, 3 * page, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (!CHECK(room != MAP_FAILED))
        return;
    mprotect(room, page, PROT_NONE);
    mprotect(room + 2 * page, page, PROT_NONE);
    for (size_t i = 0; i < COUNT(texts); i++) {
        size_t length = strlen(texts[i]);
        char *first = room + page + 32, *last = room + 2 * page - length;
        for (int dtype = DTYPE_f32; dtype < DTYPES_END; dtype++) {
            uint64_t a = 0, b = 0;
            memcpy(first, texts[i], length);
            memcpy(last, texts[i], length);
            bool good = quick((enum dtype)dtype, first, length, &a);
            CHECK(quick((enum dtype)dtype, last, length, &b) == good);
            CHECK(!good || a == b);
        }
    }
    munmap(room, 3 * page);
}

int main(void)
{
    for (int i = 0; i < 2; i++) {
        around = "7e"[i];
        test_hard();
        test_bad();
        test_ties();
        test_leading_zeros();
        test_quick();
    }
    test_edges();
    return check_end();
}
