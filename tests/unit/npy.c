/* SPDX-License-Identifier: MIT */
/* The .npy header through input_open, on files that are right, cut short,
 * hostile or damaged at random. */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "input/format.h"
#include "input/input.h"

enum { FILE_MAX = 1 << 17 };

/* A file in memory, and its name. */
static int memory;
static char path[40];
static unsigned char file[FILE_MAX];

static void save(size_t n)
{
    CHECK(ftruncate(memory, 0) == 0);
    CHECK(pwrite(memory, file, n, 0) == (ssize_t)n);
}

/* Version, header text and bytes of data after it; returns the size. */
static size_t make(int version, const char *header, size_t data)
{
    size_t length = strlen(header), at = version == 1 ? 10 : 12;
    memcpy(file, "\x93NUMPY", 6);
    file[6] = (unsigned char)version;
    file[7] = 0;
    for (size_t i = 8; i < at; i++)
        file[i] = (unsigned char)(length >> 8 * (i - 8));
    memcpy(file + at, header, length);
    memset(file + at + length, 0x41, data);
    return at + length + data;
}

/* Opens the first n bytes of the file; an open input is closed again, what it
 * says stays. */
static bool look(size_t n, struct input *input, struct error *e)
{
    struct input_wishes wishes = {.format = format_find("npy")};
    save(n);
    *e = (struct error){.kind = ERROR_NONE};
    bool ok = input_open(input, path, &wishes, false, e);
    if (ok)
        input_close(input);
    return ok;
}

static void check_refused(size_t n, const char *what)
{
    struct input input;
    struct error e;
    CHECK(!look(n, &input, &e), "%s", what);
    CHECK(e.kind == ERROR_DATA && e.text[0] != '\0', "%s: %s", what, e.text);
    CHECK(strstr(e.text, path) != NULL, "%s: %s", what, e.text);
}

static const struct {
    int version;
    const char *header;
    enum dtype dtype;
    bool big_endian;
    unsigned rank; /* of what is kept: Fortran order */
    size_t bytes;
} good[] = {
    {1, "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }   \n",
     DTYPE_f32, false, 0, 12},
    {1, "{'descr': '>f8', 'fortran_order': False, 'shape': (2, 3), }\n",
     DTYPE_f64, true, 0, 48},
    {2, "{'descr': '<i2', 'fortran_order': True, 'shape': (2, 3), }\n",
     DTYPE_i16, false, 2, 12},
    {3, "{'descr': '|u1', 'fortran_order': True, 'shape': (4,), }\n", DTYPE_u8,
     false, 0, 4},
    {1, "{'descr': '<f2', 'fortran_order': False, 'shape': (), }\n", DTYPE_f16,
     false, 0, 2},
    {1, "{'descr': '<u8', 'fortran_order': False, 'shape': (0,), }\n",
     DTYPE_u64, false, 0, 0},
    {1, "{'descr': '<u4', 'fortran_order': False, 'shape': (5, 0, 7), }\n",
     DTYPE_u32, false, 0, 0},
    /* Other writers: no trailing comma, double quotes, another order, no
     * blanks, an L after the numbers of Python 2. */
    {1, "{\"shape\":(2,3),\"fortran_order\":True,\"descr\":\"<i8\"}", DTYPE_i64,
     false, 2, 48},
    {1, "{'descr': '<i4', 'fortran_order': False, 'shape': (2L, 3L)}\n",
     DTYPE_i32, false, 0, 24},
    {1, "  { 'descr' :\t'|i1' ,'fortran_order':False , 'shape' : ( 2 , 2 , ) }",
     DTYPE_i8, false, 0, 4},
    {1, "{'descr': '=u2', 'fortran_order': False, 'shape': (1,)}\n", DTYPE_u16,
     false, 0, 2},
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
        CHECK_U64(input.bytes, good[i].bytes);
        CHECK_U64(input.offset, n - good[i].bytes);
        CHECK(input.exact && input.regular);
    }
}

/* Every length but the full one is refused; so is one byte more. */
static void test_lengths(void)
{
    for (size_t i = 0; i < GOOD; i++) {
        size_t n = make(good[i].version, good[i].header, good[i].bytes + 1);
        check_refused(n, "one byte more");
        for (size_t cut = 0; cut < n - 1; cut++)
            check_refused(cut, "cut short");
    }
}

#define REST "'fortran_order': False, 'shape': (3,)"

static const char *const hostile[] = {
    "",
    "{",
    "}",
    "{}",
    "[]",
    "None",
    "{'descr': '<f4'}",
    "{'descr': '<f4', 'fortran_order': False}",
    "{'descr': '<f4', 'shape': (3,)}",
    "{" REST "}",
    "{'descr': '<f4', " REST,
    "{'descr': '<f4', " REST "} x",
    "{'descr': '<f4', " REST "}}",
    "{'descr': '<f4' " REST "}",
    "{'descr' '<f4', " REST "}",
    "{'descr': '<f4', 'descr': '<f4', " REST "}",
    "{'descr': '<f4', " REST ", 'shape': (3,)}",
    "{'descr': '<f4', " REST ", 'extra': 1}",
    "{'descr': '<f4, " REST "}",
    "{'descr: '<f4', " REST "}",
    "{descr: '<f4', " REST "}",
    "{'descr': <f4, " REST "}",
    "{'descr': '\\x3cf4', " REST "}",
    "{,'descr': '<f4', " REST "}",
    "{'descr': '<f4',, " REST "}",
    /* Types that are not numbers, or not ours. */
    "{'descr': '', " REST "}",
    "{'descr': 'f4', " REST "}",
    "{'descr': 'float32', " REST "}",
    "{'descr': 'f32', " REST "}",
    "{'descr': '|O', " REST "}",
    "{'descr': '|b1', " REST "}",
    "{'descr': '<c8', " REST "}",
    "{'descr': '<f16', " REST "}",
    "{'descr': '<U5', " REST "}",
    "{'descr': '<M8[ns]', " REST "}",
    "{'descr': '|f4', " REST "}",
    "{'descr': [('a', '<f4'), ('b', '<f4')], " REST "}",
    "{'descr': '<f4<f4<f4<f4<f4<f4<f4<f4<f4<f4<f4<f4<f4', " REST "}",
    /* Orders and shapes. */
    "{'descr': '<f4', 'fortran_order': 0, 'shape': (3,)}",
    "{'descr': '<f4', 'fortran_order': Falsehood, 'shape': (3,)}",
    "{'descr': '<f4', 'fortran_order': 'False', 'shape': (3,)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': 3}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (3)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': [3]}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (3,}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (,)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (,3)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (3,,1)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (3 1)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 1 1)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (-3,)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (+3,)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (3.0,)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (0x3,)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (3LL,)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': ('3',)}",
    /* More elements than 63 bits of bytes; products that wrap to 3, or 0. */
    "{'descr': '<f4', 'fortran_order': False, 'shape': (2305843009213693952,)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387907,)}",
    "{'descr': '<u1', 'fortran_order': False, 'shape': (9223372036854775808,)}",
    "{'descr': '<u1', 'fortran_order': False, 'shape': "
    "(18446744073709551619,)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, "
    "4294967296)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': "
    "(99999999999999999999999999,)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (4,)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}",
};

static void test_hostile(void)
{
    for (size_t i = 0; i < sizeof hostile / sizeof hostile[0]; i++)
        check_refused(make(1, hostile[i], 12), hostile[i]);
    /* The same with 12 bytes is good, but for the version or a NUL. */
    const char *header = "{'descr': '<f4', " REST "}\n";
    size_t n = make(1, header, 12);
    struct input input;
    struct error e;
    CHECK(look(n, &input, &e), "%s", e.text);
    for (unsigned version = 0; version < 256; version++) {
        file[6] = (unsigned char)version;
        if (version < 1 || version > 3)
            check_refused(n, "version");
    }
    file[6] = 1;
    file[7] = 1;
    check_refused(n, "minor version");
    make(1, header, 12);
    file[10 + strlen(header) - 1] = '\0';
    check_refused(n, "NUL");
    make(1, header, 12);
    file[0] = 'x';
    check_refused(n, "magic");
}

/* Headers of many dimensions and of any length up to the limit. */
static void test_large(void)
{
    static char header[FILE_MAX / 2 + 200];
    struct input input;
    struct error e;
    for (int rank = 1; rank < 200; rank++) {
        char *p = header + sprintf(header, "{'descr': '|u1', 'fortran_order': "
                                           "True, 'shape': (");
        for (int d = 0; d < rank; d++)
            p += sprintf(p, "1,");
        strcpy(p, ")}");
        bool ok = look(make(1, header, 1), &input, &e);
        CHECK(ok == (rank <= 64), "rank %d", rank);
    }
    const char *text =
        "{'descr': '|u1', 'fortran_order': False, 'shape': (1,)}";
    for (size_t length = 65530; length < 65542; length++) {
        memset(header, ' ', length);
        memcpy(header, text, strlen(text));
        header[length] = '\0';
        bool ok = look(make(2, header, 1), &input, &e);
        CHECK(ok == (length <= 65536), "length %zu", length);
    }
    size_t n = make(2, text, 1);
    memset(file + 8, 0xff, 4);
    check_refused(n, "a header of 4 GiB");
}

/* Random damage never crashes; what is still taken is consistent. */
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

static void test_wishes(void)
{
    struct input input;
    struct error e;
    struct input_wishes wishes = {.has_dtype = true, .dtype = DTYPE_f64};
    size_t n = make(1, good[0].header, 12);
    save(n);
    CHECK(
        !input_open(&input, path, &wishes, false, &e)); /* f32 by its header */
    CHECK_INT(e.kind, ERROR_USAGE);
    CHECK(strstr(e.text, "f32") && strstr(e.text, "f64"), "%s", e.text);
    wishes = (struct input_wishes){.skip_bytes = 4};
    CHECK(!input_open(&input, path, &wishes, false, &e));
    CHECK_INT(e.kind, ERROR_USAGE);
    wishes = (struct input_wishes){.has_dtype = true, .dtype = DTYPE_f32};
    CHECK(input_open(&input, path, &wishes, false, &e), "%s", e.text);
    CHECK_TEXT(input.format->name, "npy"); /* by its magic */
    input_close(&input);
    wishes.format = format_find("raw");
    CHECK(input_open(&input, path, &wishes, false, &e), "%s", e.text);
    CHECK(input.offset == 0 && input.bytes == n && !input.exact);
    input_close(&input);
}

/* The place in the file of each element, in the order of C. */
static void test_flat_index(void)
{
    uint64_t shape[] = {3, 4, 2, 5};
    struct input input = {.rank = 4, .shape = shape};
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
    memory = memfd_create("array", MFD_CLOEXEC);
    CHECK(memory >= 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", memory);
    test_good();
    test_lengths();
    test_hostile();
    test_large();
    test_damage();
    test_wishes();
    test_flat_index();
    return check_end();
}
