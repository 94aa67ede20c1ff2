/* SPDX-License-Identifier: MIT */
/* Headers of safetensors files through input_open: files that are right, cut
 * short at every byte, hostile, or damaged at random. */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "format/format.h"
#include "format/input.h"
#include "format/pack.h"

enum { FILE_MAX = 1 << 16 };

static int memory;
static char path[64];
static unsigned char file[FILE_MAX];

/* Writes a header and `data` bytes. Returns the size of the file. */
static size_t make(const char *header, size_t data)
{
    const size_t n = strlen(header);
    for (int i = 0; i < 8; i++)
        file[i] = (unsigned char)(n >> 8 * i);
    memcpy(file + 8, header, n);
    memset(file + 8 + n, 1, data);
    return 8 + n + data;
}

/* Opens the first n bytes. The caller closes an input that opens. */
static bool look(size_t n, const char *member, struct input *input,
                 struct error *e)
{
    static struct input_settings settings;
    static char name[FILE_MAX];
    settings.format = format_find("safetensors");
    CHECK(ftruncate(memory, 0) == 0);
    CHECK(pwrite(memory, file, n, 0) == (ssize_t)n);
    snprintf(name, sizeof name, "%s%s%s", path, member ? ":" : "",
             member ? member : "");
    *e = (struct error){.kind = ERROR_NONE};
    return input_open(input, name, &settings, false, e);
}

#define T(dtype, shape, begin, end)                                          \
    "{\"dtype\":\"" dtype "\",\"shape\":" shape ",\"data_offsets\":[" #begin \
    "," #end "]}"

static const char plain[] =
    "{\"__metadata__\":{\"format\":\"pt\",\"n\":[1,{\"a\":null},-0.5e+03,10,"
    "0,1E5,2.50e-7]},"
    "\"b\":" T("F32", "[2,3]", 4, 28) ",\"a\":" T(
        "BF16", "[2]", 0,
        4) ",\"none\":{\"x\":7,\"y\":[],\"dtype\":\"F64\",\"shape\":["
           "9223372036854775808,4,0],\"data_offsets\":[28,28]},\"s\":" T(
               "U8", "[]", 28, 29) ",\"t\":" T("F64", "[0,9]", 29, 29) "} ";

static void test_good(void)
{
    struct input input, part;
    struct error e;
    const size_t n = make(plain, 29), data = n - 29;
    if (!CHECK(look(n, NULL, &input, &e), "%s", e.text))
        return;
    static const char *const names[] = {"a", "b", "none", "s", "t"};
    static const uint64_t begin[] = {0, 4, 28, 28, 29, 29};
    CHECK_U64(input.pack->count, 5);
    for (size_t i = 0; i < 5; i++) {
        if (!CHECK(pack_input(&input, i, &part, &e), "%s", e.text))
            continue;
        CHECK(strcmp(part.part, names[i]) == 0, "%s", part.part);
        CHECK_U64(part.offset, data + begin[i]);
        CHECK_U64(part.bytes, begin[i + 1] - begin[i]);
        CHECK(part.exact && part.regular && !part.big_endian);
        input_close(&part);
    }
    input_close(&input);
    if (!CHECK(look(n, "b", &input, &e), "%s", e.text))
        return;
    CHECK(!input.pack && input.rank == 2 && input.shape[0] == 2 &&
          input.shape[1] == 3);
    CHECK_INT(input.dtype, DTYPE_f32);
    input_close(&input);
}

static void check_refused(size_t n, const char *says, const char *what)
{
    struct input input;
    struct error e;
    const bool ok = look(n, NULL, &input, &e);
    CHECK(!ok, "%s", what);
    if (ok)
        input_close(&input);
    CHECK(e.kind == ERROR_DATA && strstr(e.text, path), "%s: %s", what, e.text);
    CHECK(strstr(e.text, says) != NULL, "%s: %s, not %s", what, e.text, says);
}

static void test_lengths(void)
{
    const size_t n = make(plain, 30);
    check_refused(n, "1 byte after", "one byte more");
    for (size_t cut = 0; cut < n - 1; cut++)
        check_refused(cut, "", "cut short");
    check_refused(n - 2, "truncated: 28 of", "one byte less");
}

#define ONE "\"a\":" T("U8", "[4]", 0, 4)

/* Of files with 8 bytes of data. */
static const struct {
    const char *header, *says;
} bad[] = {
    {"", "ends early"},
    {"[]", "{ is missing"},
    {"{}", "8 bytes after"},
    {"{" ONE "}", "4 bytes after"},
    {"{" ONE ",\"b\":" T("U8", "[4]", 4, 8) "}x", "text follows"},
    {"{" ONE ",\"b\":" T("U8", "[4]", 4, 8) ",}", "a string is missing"},
    {"{" ONE ",\"b\":" T("U8", "[5]", 3, 8) "}", "'b' overlaps"},
    {"{" ONE ",\"b\":" T("U8", "[4]", 0, 4) "}", "'b' overlaps"},
    {"{" ONE ",\"b\":" T("U8", "[3]", 5, 8) "}", "bytes before it"},
    {"{\"b\":" T("U8", "[4]", 4, 8) "}", "bytes before it"},
    {"{" ONE ",\"b\":" T("U8", "[5]", 4, 9) "}", "truncated: 8 of"},
    {"{" ONE ",\"a\":" T("U8", "[4]", 4, 8) "}", "'a' appears twice"},
    {"{" ONE ",\"\\u0061\":" T("U8", "[4]", 4, 8) "}", "'a' appears twice"},
    {"{\"\xf4\x8e\x8d\x85\":" T("U8", "[4]", 0, 4) ",\"\\uDBF8\\udf45\":" T(
         "U8", "[4]", 4, 8) "}",
     "appears twice"},
    {"{\"\xe0\xa6\xaf\":" T("U8", "[4]", 0, 4) ",\"\\u09af\":" T("U8", "[4]", 4,
                                                                 8) "}",
     "appears twice"},
    {"{\"\xe0\xaa\x9f\":" T("U8", "[4]", 0, 4) ",\"\\u0A9F\":" T("U8", "[4]", 4,
                                                                 8) "}",
     "appears twice"},
    {"{\"\xf4\x8f\xbf\xbf\":" T("U8", "[4]", 0, 4) ",\"\\udbff\\udfff\":" T(
         "U8", "[4]", 4, 8) "}",
     "appears twice"},
    {"{\"\xf0\x90\x80\x80\":" T("U8", "[4]", 0, 4) ",\"\\ud800\\udc00\":" T(
         "U8", "[4]", 4, 8) "}",
     "appears twice"},
    {"{\"\xc2\x80\":" T("U8", "[4]", 0, 4) ",\"\\u0080\":" T("U8", "[4]", 4,
                                                             8) "}",
     "appears twice"},
    {"{\"\xe0\xa0\x80\":" T("U8", "[4]", 0, 4) ",\"\\u0800\":" T("U8", "[4]", 4,
                                                                 8) "}",
     "appears twice"},
    {"{\"\\\"\\\\\\/\\b\\f\\n\\r\\t\":" T(
         "U8", "[4]", 0, 4) ",\"\\u0022\\u005c\\u002f\\u0008\\u000c\\u000a\\u00"
                            "0d\\u0009\":" T("U8", "[4]", 4, 8) "}",
     "appears twice"},
    {"{\"__metadata__\":{},\"__metadata__\":{}," ONE "}", "appears twice"},
    {"{\"a\":" T("F32", "[4]", 0, 8) "}", "shape and dtype"},
    {"{\"a\":" T("F4", "[3]", 0, 8) "}", "shape and dtype"},
    {"{\"a\":" T("U8", "[8]", 8, 0) "}", "ends before it starts"},
    {"{\"a\":" T("U8", "[4294967296,4294967296]", 0, 8) "}", "too large"},
    {"{\"a\":" T("F64", "[2305843009213693952]", 0, 8) "}", "too large"},
    {"{\"a\":" T("U8", "[18446744073709551616]", 0, 8) "}", "too large"},
    {"{\"a\":" T("U8", "[8]", 0, 99999999999999999999) "}", "too large"},
    {"{\"a\":" T("U8", "[8]", 18446744073709551608, 18446744073709551615) "}",
     "shape and dtype"},
    {"{\"a\":" T("U8", "[-8]", 0, 8) "}", "whole number"},
    {"{\"a\":" T("U8", "[8.0]", 0, 8) "}", "not whole"},
    {"{\"a\":" T("U8", "[8e0]", 0, 8) "}", "not whole"},
    {"{\"a\":" T("U8", "[08]", 0, 8) "}", "starts with 0"},
    {"{\"a\":" T("U8", "[00]", 0, 8) "}", "starts with 0"},
    {"{\"a\":" T("U8", "[8]", 00, 8) "}", "starts with 0"},
    {"{\"a\":" T("U8", "[8,]", 0, 8) "}", "whole number"},
    {"{\"a\":" T("U8", "8", 0, 8) "}", "[ is missing"},
    {"{\"a\":{\"dtype\":\"U8\",\"shape\":[8]}}", "lacks"},
    {"{\"a\":{\"dtype\":\"U8\",\"dtype\":\"U8\"}}", "a key twice"},
    {"{\"a\":{\"dtype\":7}}", "a string is missing"},
    {"{\"a\":{}}", "a string is missing"},
    {"{\"a\":{\"data_offsets\":[0,8,9]}}", "] or a comma"},
    {"{\"a\":7}", "{ is missing, at byte 13"},
    {"{\"a\"", "ends early"},
    {"{\"a", "does not end"},
    {"{\"a\\\"", "does not end"},
    {"{\"a\\", "unknown escape"},
    {"{\"\\x\":", "unknown escape"},
    {"{\"\\u12g4\":", "hexadecimal"},
    {"{\"\\u12", "hexadecimal"},
    {"{\"\\ud800\":", "surrogate"},
    {"{\"\\ud800\\u0061\":", "surrogate"},
    {"{\"\\udfff\":", "surrogate"},
    {"{\"\\udc00\\udc00\":", "surrogate"},
    {"{\"\\ud800\\u", "hexadecimal"},
    {"{\"\\ud800\\u12g4\":", "hexadecimal"},
    {"{\"\\ue000\":7}", "{ is missing"},
    {"{\"a b\":7}", "{ is missing"},
    {"{\"a\"7}", "a : is missing"},
    {"{\"a\":" T("U8", "[01,8]", 0, 8) "}", "starts with 0"},
    {"{\"__metadata__\":null", "ends early"},
    {"{\"__metadata__\":true}", "8 bytes after"},
    {"\t{\r\n\"a\"\t:\r{ \"dtype\"\n: \"U8\"\r,\t\"shape\" : [\n8 ] ,"
     "\"data_offsets\":[ 0 ,\t9 ] }\r}\n",
     "shape and dtype"},
    {"{\"\\udc00\":", "surrogate"},
    {"{\"\\ud800\\ue000\":", "surrogate"},
    {"{\"\\u0000\":", "NUL"},
    {"{\"\n\":", "control character"},
    {"{\"\xff\":", "not UTF-8"},
    {"{\"\xc0\xaf\":", "not UTF-8"},
    {"{\"\xed\xa0\x80\":", "not UTF-8"},
    {"{\"\xf4\x90\x80\x80\":", "not UTF-8"},
    {"{\"\xe2\x82\":", "not UTF-8"},
    {"{\"__metadata__\":{\"a\":\"\xff\"}", "not UTF-8"},
    {"{\"__metadata__\":{\"a\":frue}", "a value is missing"},
    {"{\"__metadata__\":{\"a\":]}", "a value is missing"},
    {"{\"__metadata__\":{7:1}", "a string is missing"},
    {"{\"__metadata__\":[1 2]", "] or a comma"},
    {"{\"__metadata__\":01}", "} or a comma"},
    {"{\"__metadata__\":1.2.3}", "} or a comma"},
    {"{\"__metadata__\":+1}", "a value is missing"},
    {"{\"__metadata__\":.5}", "a value is missing"},
    {"{\"__metadata__\":-}", "a digit is missing"},
    {"{\"__metadata__\":+-}", "a value is missing"},
    {"{\"__metadata__\":1.}", "a digit is missing"},
    {"{\"__metadata__\":1e}", "a digit is missing"},
    {"{\"__metadata__\":1e+}", "a digit is missing"},
    {"{\"__metadata__\":1e5.5}", "} or a comma"},
    {"{\"__metadata__\":-", "a digit is missing"},
};

static void test_bad(void)
{
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        check_refused(make(bad[i].header, 8), bad[i].says, bad[i].header);
}

/* Eight elements of each type of the format. A type that is not supported has a
 * size as well. */
static void test_types(void)
{
    static const struct {
        const char *name;
        size_t bits;
    } types[] = {
        {"F64", 64},    {"F32", 32},    {"F16", 16},    {"BF16", 16},
        {"F8_E4M3", 8}, {"F8_E5M2", 8}, {"I8", 8},      {"I16", 16},
        {"I32", 32},    {"I64", 64},    {"U8", 8},      {"U16", 16},
        {"U32", 32},    {"U64", 64},    {"BOOL", 8},    {"C64", 64},
        {"F8_E8M0", 8}, {"F6_E2M3", 6}, {"F6_E3M2", 6}, {"F4", 4},
    };
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        char header[200];
        struct input input;
        struct error e;
        snprintf(header, sizeof header,
                 "{\"a\":{\"dtype\":\"%s\",\"shape\":[2,4],\"data_offsets\":"
                 "[0,%zu]}}",
                 types[i].name, types[i].bits);
        if (CHECK(look(make(header, types[i].bits), NULL, &input, &e), "%s: %s",
                  types[i].name, e.text))
            input_close(&input);
    }
}

/* A header that is nested so deeply that a stack could overflow. */
static void test_depth(void)
{
    static char header[FILE_MAX / 2];
    strcpy(header, "{\"__metadata__\":");
    char *const at = header + strlen(header);
    memset(at, '[', 20000);
    check_refused(make(header, 8), "too deep", "20000 lists");
    for (int i = 0; i < 5000; i++)
        memcpy(at + (size_t)4 * i, "{\"\":", 4);
    check_refused(make(header, 8), "too deep", "5000 objects");
}

static void test_long(void)
{
    const size_t n = make("{}", 0);
    for (int bit = 8; bit < 64; bit++) {
        memset(file, 0, 8);
        file[bit / 8] = (unsigned char)(1u << bit % 8);
        check_refused(n, bit > 26 ? "100 MB" : "within it", "a long header");
    }
    for (int more = 0; more < 2; more++) {
        for (int i = 0; i < 8; i++)
            file[i] = (unsigned char)((100000000ull + more) >> 8 * i);
        check_refused(n, more ? "100 MB" : "within it",
                      "a header at its limit");
    }
}

/* Random damage never crashes. Inputs that still open are consistent. */
static void test_damage(void)
{
    static const char letters[] = "{}[]\":,\\0123456789ueE.- \xff\x80";
    struct input input, part;
    struct error e;
    for (int i = 0; i < 6000; i++) {
        const size_t n = make(plain, 29), span = n - 29;
        for (size_t flips = 1 + check_below(3); flips > 0; flips--)
            file[check_below(span)] =
                check_below(2)
                    ? (unsigned char)letters[check_below(sizeof letters)]
                    : (unsigned char)check_below(256);
        if (!look(n, NULL, &input, &e)) {
            CHECK(e.kind == ERROR_DATA && e.text[0]);
            continue;
        }
        uint64_t end = input.pack->offset;
        for (size_t k = 0; k < input.pack->count; k++) {
            if (!pack_input(&input, k, &part, &e))
                continue;
            CHECK(part.offset >= end && part.offset + part.bytes <= n);
            end = part.offset + part.bytes;
            input_close(&part);
        }
        input_close(&input);
    }
}

int main(void)
{
    memory = memfd_create("tensors", MFD_CLOEXEC);
    CHECK(memory >= 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", memory);
    test_good();
    test_lengths();
    test_bad();
    test_types();
    test_depth();
    test_long();
    test_damage();
    return check_end();
}
