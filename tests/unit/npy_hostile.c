/* SPDX-License-Identifier: MIT */
/* .npy headers that lie or are not headers. */
#define _GNU_SOURCE
#include "npy_file.h"

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
    /* Types that are not numbers, or not supported. */
    "{'descr': '', " REST "}",
    "{'descr': 'f4', " REST "}",
    "{'descr': 'float32', " REST "}",
    "{'descr': 'f32', " REST "}",
    "{'descr': '|O', " REST "}",
    "{'descr': '|b2', " REST "}",
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
    /* Shapes of more than 2^63 bytes; products that wrap to 3 or 0. */
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
    /* The same header with 12 bytes is good, apart from the version and the
     * NUL. */
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
    check_refused(make(4, header, 12), "version 4");
    n = make(1, header, 12);
    file[7] = 1;
    check_refused(n, "minor version");
    make(1, header, 12);
    file[10 + strlen(header) - 1] = '\0';
    check_refused(n, "NUL");
    make(1, header, 12);
    file[0] = 'x';
    check_refused(n, "magic");
}

/* What the message says of a header with 12 bytes after it. */
static void test_messages(void)
{
    static const char *const rows[][2] = {
        {"[]", "malformed .npy header"},
        {"{'descr': '<f4'}", "malformed .npy header"},
        {"{'descr': '', " REST "}", "arrays of dtype '' are not supported"},
        {"{'descr': '<c8', " REST "}", "arrays of dtype '<c8' are not"},
        {"{'descr': [('a', [('b', '<f4')]), ('c', '<f4')], " REST "}",
         "arrays of records are not supported: '[(\\'a\\', [(\\'b\\', "
         "\\'<f4\\')]), (\\'c\\', \\'<f4\\')]'\n"},
        {"{'descr': [('a', '<f4')], 'shape': (3,)}", "malformed .npy header"},
        {"{'descr': [('a', '<f4'), " REST "}", "malformed .npy header"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (4,)}",
         "truncated: 12 of the array's 16 bytes are there"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}",
         "4 bytes follow the array of 8 bytes"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': "
         "(1152921504606846976,)}",
         "the .npy header's shape is too large"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': "
         "(1152921504606846975,)}",
         "truncated: 12 of the array's 9223372036854775800 bytes are there"},
    };
    struct input input;
    struct error e;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        CHECK(!look(make(1, rows[i][0], 12), &input, &e) &&
                  strstr(e.text, rows[i][1]),
              "%s: %s", rows[i][0], e.text);
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

int main(void)
{
    npy_start();
    test_hostile();
    test_messages();
    test_large();
    return check_end();
}
