/* SPDX-License-Identifier: MIT */
/* The .npy header through input_open: files that are right, cut short, or
 * damaged at random. */
#define _GNU_SOURCE
#include "npy_file.h"

static const struct {
    int version;
    const char *header;
    enum dtype dtype;
    bool big_endian;
    unsigned rank;
    bool is_fortran; /* expected; only of two or more dimensions */
    size_t bytes;
} good[] = {
    {1, "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }   \n",
     DTYPE_f32, false, 1, false, 12},
    {1, "{'descr': '>f8', 'fortran_order': False, 'shape': (2, 3), }\n",
     DTYPE_f64, true, 2, false, 48},
    {2, "{'descr': '<i2', 'fortran_order': True, 'shape': (2, 3), }\n",
     DTYPE_i16, false, 2, true, 12},
    {3, "{'descr': '|u1', 'fortran_order': True, 'shape': (4,), }\n", DTYPE_u8,
     false, 1, false, 4},
    {1, "{'descr': '<f2', 'fortran_order': False, 'shape': (), }\n", DTYPE_f16,
     false, 0, false, 2},
    {1, "{'descr': '|u1', 'fortran_order': False, 'shape': (9, 2), }\n",
     DTYPE_u8, false, 2, false, 18},
    {1, "{'descr': '<u8', 'fortran_order': False, 'shape': (0,), }\n",
     DTYPE_u64, false, 1, false, 0},
    {1, "{'descr': '<u4', 'fortran_order': False, 'shape': (5, 0, 7), }\n",
     DTYPE_u32, false, 3, false, 0},
    /* Headers of other writers: no trailing comma, double quotes, another
     * order, no blanks, an L after the numbers of Python 2. */
    {1, "{\"shape\":(2,3),\"fortran_order\":True,\"descr\":\"<i8\"}", DTYPE_i64,
     false, 2, true, 48},
    {1, "{'descr': '<i4', 'fortran_order': False, 'shape': (2L, 3L)}\n",
     DTYPE_i32, false, 2, false, 24},
    {1, "  { 'descr' :\t'|i1' ,'fortran_order':False , 'shape' : ( 2 , 2 , ) }",
     DTYPE_i8, false, 2, false, 4},
    {1, "{'descr': '=u2', 'fortran_order': False, 'shape': (1,)}\n", DTYPE_u16,
     false, 1, false, 2},
};

enum { GOOD = sizeof good / sizeof good[0] };

static void test_good(void)
{
    for (size_t i = 0; i < GOOD; i++) {
        struct input input;
        struct error e;
        size_t n = make(good[i].version, good[i].header, good[i].bytes);
        if (!CHECK(look(n, &input, &e), "%s: %s", good[i].header, e.text))
            continue;
        CHECK_INT(input.dtype, good[i].dtype);
        CHECK(input.big_endian == good[i].big_endian, "%s", good[i].header);
        CHECK_U64(input.rank, good[i].rank);
        CHECK(input.is_fortran == good[i].is_fortran);
        CHECK_U64(input.bytes, good[i].bytes);
        CHECK_U64(input.offset, n - good[i].bytes);
        CHECK(input.exact && input.regular);
    }
}

/* Every length but the full one is refused, also one byte more. */
static void test_lengths(void)
{
    for (size_t i = 0; i < GOOD; i++) {
        size_t n = make(good[i].version, good[i].header, good[i].bytes + 1);
        check_refused(n, "one byte more");
        for (size_t cut = 0; cut < n - 1; cut++)
            check_refused(cut, "cut short");
    }
}

/* Random damage never crashes. Headers that are still accepted are
 * consistent. */
static void test_damage(void)
{
    for (int i = 0; i < 15000; i++) {
        size_t g = check_below(GOOD);
        size_t n = make(good[g].version, good[g].header, good[g].bytes);
        size_t flips = 1 + check_below(4), span = n - good[g].bytes;
        for (size_t j = 0; j < flips; j++)
            file[check_below(span)] ^= (unsigned char)(1 + check_below(255));
        struct input input;
        struct error e;
        if (look(n, &input, &e)) {
            CHECK_U64(input.offset + input.bytes, n);
            CHECK(input.dtype < DTYPES_END);
            CHECK_U64(input.bytes % dtype_info(input.dtype)->size, 0);
        } else {
            CHECK(e.kind == ERROR_DATA && e.text[0] != '\0');
        }
    }
}

static void test_settings(void)
{
    struct input input;
    struct error e;
    struct input_settings settings = {.has_dtype = true, .dtype = DTYPE_f64};
    size_t n = make(1, good[0].header, 12);
    save(n);
    CHECK(!input_open(&input, path, &settings, false,
                      &e)); /* f32, by its header */
    CHECK_INT(e.kind, ERROR_USAGE);
    CHECK(strstr(e.text, "f32") && strstr(e.text, "f64"), "%s", e.text);
    settings = (struct input_settings){.skip_bytes = 4};
    CHECK(!input_open(&input, path, &settings, false, &e));
    CHECK_INT(e.kind, ERROR_USAGE);
    settings = (struct input_settings){.has_dtype = true, .dtype = DTYPE_f32};
    CHECK(input_open(&input, path, &settings, false, &e), "%s", e.text);
    CHECK_TEXT(input.format->name, "npy"); /* npy, by its magic */
    input_close(&input);
    settings.format = format_find("raw");
    CHECK(input_open(&input, path, &settings, false, &e), "%s", e.text);
    CHECK(input.offset == 0 && input.bytes == n && !input.exact);
    input_close(&input);
}

/* The place in the file of each element, in C order. */
static void test_flat_index(void)
{
    uint64_t shape[] = {3, 4, 2, 5};
    struct input input = {.rank = 4, .shape = shape, .is_fortran = true};
    uint64_t flat = 0;
    for (uint64_t a = 0; a < 3; a++)
        for (uint64_t b = 0; b < 4; b++)
            for (uint64_t c = 0; c < 2; c++)
                for (uint64_t d = 0; d < 5; d++, flat++)
                    CHECK_U64(
                        input_flat_index(&input, a + 3 * (b + 4 * (c + 2 * d))),
                        flat);
}

int main(void)
{
    npy_start();
    test_good();
    test_lengths();
    test_damage();
    test_settings();
    test_flat_index();
    return check_end();
}
