/* SPDX-License-Identifier: MIT */
/* Cells: quotes, blanks, missing values, numbers of every dtype, limits; and
 * records, one after the other. */
#include "csv/cell/cell.h"

#include <malloc.h>
#include <math.h>

#include "check.h"
#include "csv/structure/record.h"
#include "reduce/float_format.h"

#ifdef __GLIBC_PREREQ
#if __GLIBC_PREREQ(2, 33)
#define HAS_MALLINFO2
#endif
#endif

static struct csv_spec spec_of(enum dtype dtype, const char *words)
{
    struct csv_spec spec = {.dtype = dtype};
    struct error e;
    CHECK(csv_words_init(&spec.words, words, &e));
    return spec;
}

static const struct csv_dialect comma = {
    .delimiter = ',', .end = '\n', .quote = '"', .quotes = true};

/* Copies a field to memory of exactly its size, so that a sanitizer sees a read
 * beyond its end. */
static char *copy(const char *text, size_t n)
{
    char *field = malloc(n + !n);
    memcpy(field, text, n);
    return field;
}

/* want: the expected text, followed by "!" if data follow the closing quote. */
static void check_text_of(const char *text, bool trimmed, const char *want)
{
    size_t n = strlen(text);
    char *field = copy(text, n), *room = malloc(n + 1), got[100];
    struct csv_span span = {field, n}, content;
    bool whole = trimmed ? csv_content(span, comma, room, &content)
                         : csv_undo_quotes(span, comma, room, &content);
    snprintf(got, sizeof got, "%.*s%s", (int)content.bytes, content.at,
             whole ? "" : "!");
    CHECK_TEXT(got, want);
    free(field);
    free(room);
}

static void test_quotes(void)
{
    static const char *const rows[][3] = {
        /* field, its text without quotes, that text trimmed */
        {"", "", ""},
        {"a", "a", "a"},
        {" \ta b\t ", " \ta b\t ", "a b"},
        {"a\"b\"", "a\"b\"", "a\"b\""},
        {" \"a\"", " \"a\"", "a"},
        {" \"a \"\t", " \"a \"\t", "a"},
        {"\"\"", "", ""},
        {"\" \"", " ", ""},
        {"\"a\"", "a", "a"},
        {"\" a\t\"", " a\t", "a"},
        {"\"a,\nb\"", "a,\nb", "a,\nb"},
        {"\"\"\"\"", "\"", "\""},
        {"\"\"\"\"\"\"", "\"\"", "\"\""},
        {"\"a\"\"b\"", "a\"b", "a\"b"},
        {"\"\"\"a\"\"\"", "\"a\"", "\"a\""},
        {"\r", "\r", "\r"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        check_text_of(rows[i][0], false, rows[i][1]);
        check_text_of(rows[i][0], true, rows[i][2]);
    }
}

/* Fields with data after the closing quote are told apart from all others. */
static void test_quotes_within(void)
{
    static const char *const fields[] = {"\"1\" 2",    "\"1\"2",  "\"\"1",
                                         "\"1\"2\"\"", "\"\" \"", "\"1\"\r"};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        struct csv_span span = {fields[i], strlen(fields[i])}, content;
        char room[20];
        uint64_t bits;
        struct csv_spec spec = spec_of(DTYPE_f64, "1,12");
        CHECK(!csv_undo_quotes(span, comma, room, &content), "%s", fields[i]);
        CHECK(!csv_content(span, comma, room, &content), "%s", fields[i]);
        CHECK_INT(csv_cell_read(&spec, comma, span, &bits), CSV_CELL_BAD);
    }
}

static void check_cell(const struct csv_spec *spec, const char *text,
                       enum csv_cell want, uint64_t want_bits)
{
    size_t n = strlen(text);
    char *field = copy(text, n);
    uint64_t bits = 0;
    const struct csv_span cell = {field, n};
    enum csv_cell got = csv_cell_read(spec, comma, cell, &bits);
    CHECK(got == want, "'%s' as %s: %d, not %d", text,
          dtype_info(spec->dtype)->name, got, want);
    if (got == CSV_CELL_NUMBER && want == CSV_CELL_NUMBER)
        CHECK(bits == want_bits, "'%s': %" PRIx64, text, bits);
    free(field);
}

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static void test_floats(void)
{
    static const struct {
        const char *text;
        double value;
    } good[] = {{"1", 1},
                {"-1.5", -1.5},
                {"+2", 2},
                {"\"1e3\"", 1000},
                {" 1E-2\t", 0.01},
                {"\"  .5 \"", 0.5},
                {"5.", 5},
                {"-0", -0.0},
                {"1e999", INFINITY},
                {"1e-999", 0},
                {"-1e-999", -0.0},
                {"iNf", INFINITY},
                {"-Infinity", -INFINITY},
                {"007", 7},
                {"+inf", INFINITY}};
    static const char *const bad[] = {"x",
                                      "1 2",
                                      "0x1",
                                      "1_000",
                                      "1,5",
                                      "1e",
                                      "e1",
                                      ".",
                                      "+",
                                      "--",
                                      "1.2.3",
                                      "in",
                                      "nano",
                                      "1f",
                                      "infin",
                                      "\r",
                                      "1\r",
                                      ("\xc2\xa0"
                                       "1"),
                                      "nan(1)",
                                      "1e+",
                                      "- 1",
                                      "\"\"\"1\"\"\"",
                                      " \"1\"2",
                                      "1\n",
                                      "\v1"};
    struct csv_spec spec = spec_of(DTYPE_f64, CSV_WORDS_DEFAULT);
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        check_cell(&spec, good[i].text, CSV_CELL_NUMBER,
                   bits_of(good[i].value));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        check_cell(&spec, bad[i], CSV_CELL_BAD, 0);
}

static void test_integers(void)
{
    struct csv_spec i8 = spec_of(DTYPE_i8, ""), u64 = spec_of(DTYPE_u64, "");
    check_cell(&i8, "127", CSV_CELL_NUMBER, 127);
    check_cell(&i8, "-128", CSV_CELL_NUMBER, (uint64_t)-128 & 0xff);
    check_cell(&i8, "128", CSV_CELL_BAD, 0);
    check_cell(&i8, "-129", CSV_CELL_BAD, 0);
    check_cell(&i8, "\"+0005\"", CSV_CELL_NUMBER, 5);
    check_cell(&u64, "-0", CSV_CELL_NUMBER, 0);
    check_cell(&u64, "-1", CSV_CELL_BAD, 0);
    check_cell(&u64, "18446744073709551615", CSV_CELL_NUMBER, UINT64_MAX);
    check_cell(&u64, "18446744073709551616", CSV_CELL_BAD, 0);
    static const char *const bad[] = {"1.0", "1e3", "inf", "nan", "1.", "+"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        check_cell(&u64, bad[i], CSV_CELL_BAD, 0);
    check_cell(&u64, "\"\"", CSV_CELL_MISSING, 0);
}

static void test_missing(void)
{
    struct csv_spec spec = spec_of(DTYPE_f64, CSV_WORDS_DEFAULT);
    static const char *const missing[] = {
        "",    " ",    "\t",   "\"\"", "\" \"",  "NA",
        "N/A", "null", "NULL", " NA ", "\"NA\"", "\" null\t\""};
    for (size_t i = 0; i < sizeof missing / sizeof missing[0]; i++)
        check_cell(&spec, missing[i], CSV_CELL_MISSING, 0);
    static const char *const bad[] = {"na", "Null", "N", "NAN1", "NA NA", "-"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        check_cell(&spec, bad[i], CSV_CELL_BAD, 0);
    /* Missing-value words take precedence over numbers. A list replaces the
     * default words. */
    spec = spec_of(DTYPE_f64, " -999 ,nan,x\"y");
    check_cell(&spec, "-999", CSV_CELL_MISSING, 0);
    check_cell(&spec, " \"-999\" ", CSV_CELL_MISSING, 0);
    check_cell(&spec, "-999.0", CSV_CELL_NUMBER, bits_of(-999));
    check_cell(&spec, "nan", CSV_CELL_MISSING, 0);
    check_cell(&spec, "\"x\"\"y\"", CSV_CELL_MISSING, 0);
    check_cell(&spec, "x\"y", CSV_CELL_MISSING, 0);
    check_cell(&spec, "NA", CSV_CELL_BAD, 0);
    check_cell(&spec, "", CSV_CELL_MISSING, 0);
}

static void test_words(void)
{
    struct csv_words words;
    struct error e;
    char list[3 * CSV_WORDS_MAX + 8] = "";
    CHECK(csv_words_init(&words, "a, b c ,,\t,d\"", &e));
    CHECK_U64(words.n, 3);
    CHECK(csv_words_have(&words, "b c", 3));
    CHECK(csv_words_have(&words, "d\"", 2));
    CHECK(!csv_words_have(&words, "a\0", 2));
    CHECK(!csv_words_have(&words, "", 0));
    for (unsigned c = 0; c < 256; c++)
        CHECK(csv_words_start(&words, (unsigned char)c) ==
              (c == 'a' || c == 'b' || c == 'd'));
    CHECK(csv_words_init(&words, "\"1,5\",\"b\",\"c,\"\"d\"", &e));
    CHECK(words.n == 4 && csv_words_have(&words, "1,5", 3));
    CHECK(csv_words_have(&words, "\"b\"", 3));
    CHECK(csv_words_have(&words, "\"c", 2));
    for (int i = 0; i < CSV_WORDS_MAX; i++)
        strcat(list, i ? ",1\xff" : "1\xff");
    CHECK(csv_words_init(&words, list, &e) && words.n == CSV_WORDS_MAX);
    strcat(list, ",1");
    CHECK(!csv_words_init(&words, list, &e) && e.kind == ERROR_USAGE);
}

/* Fields of 256 bytes and of the largest size, a byte more and less: digits,
 * quoted digits, a NUL among them. */
static void test_limits(void)
{
    static const size_t sizes[] = {
        255, 256, 257, CSV_FIELD_MAX - 1, CSV_FIELD_MAX, CSV_FIELD_MAX + 1};
    struct csv_spec spec = spec_of(DTYPE_f64, "");
    for (size_t i = 0; i < 6; i++) {
        size_t n = sizes[i];
        bool fits = n <= CSV_FIELD_MAX;
        char *field = malloc(n);
        struct csv_span span = {field, n};
        uint64_t bits;
        memset(field, '0', n);
        field[n - 2] = '7';
        enum csv_cell want = fits ? CSV_CELL_NUMBER : CSV_CELL_TOO_LONG;
        CHECK_INT(csv_cell_read(&spec, comma, span, &bits), want);
        CHECK(!fits || bits == bits_of(70), "%zu bytes", n);
        field[0] = field[n - 1] = '"';
        CHECK_INT(csv_cell_read(&spec, comma, span, &bits), want);
        CHECK(!fits || bits == bits_of(7), "%zu bytes", n);
        field[1] = 0;
        want = fits ? CSV_CELL_BAD : CSV_CELL_TOO_LONG;
        CHECK_INT(csv_cell_read(&spec, comma, span, &bits), want);
        free(field);
    }
}

/* want: the text's records with a bar between fields and a slash after each
 * record, then what is left after the last record. */
static void check_records(const char *text, bool is_all, const char *want)
{
    size_t at = 0, n = strlen(text), used = 0;
    char *copied = copy(text, n), got[200] = "";
    struct csv_fields fields = {.at = NULL};
    enum csv_record found;
    while ((found = csv_record_next((struct csv_span){copied, n}, &at, comma,
                                    is_all, &fields)) == CSV_RECORD_OK) {
        for (size_t i = 0; i < fields.n; i++)
            used += (size_t)snprintf(got + used, sizeof got - used, "%.*s%c",
                                     (int)fields.at[i].bytes, fields.at[i].at,
                                     i + 1 < fields.n ? '|' : '/');
    }
    snprintf(got + used, sizeof got - used, "%s%zu",
             found == CSV_RECORD_OPEN ? "open " : "", at);
    CHECK_TEXT(got, want);
    csv_fields_free(&fields);
    free(copied);
}

static void test_records(void)
{
    check_records("", true, "0");
    check_records("a,b\n1,2\n", true, "a|b/1|2/8");
    check_records("a,b\n1,2", true, "a|b/1|2/7");
    check_records("a,b\n1,2", false, "a|b/4");
    check_records("a,b\r\n1,2\r\n", true, "a|b/1|2/10");
    check_records("a\r\n1\r", true, "a/1/5");
    check_records("a\r,b\r\r\n", true, "a\r|b\r/7");
    check_records("\n\r\n\na\n\n\r\n", true, "a/9");
    check_records("\n\r", true, "1");
    check_records("\r\r\n", true, "\r/3");
    check_records(" \n,\n\"\"\n", true, " /|/\"\"/7");
    check_records("\"a,\n\"\"b\"\n", true, "\"a,\n\"\"b\"/9");
    check_records("a\"b,\"\n", false, "0");
    check_records("1\n2,\"", true, "1/open 2");
    check_records("1\n2,\"", false, "1/2");
    check_records("\"a\"b\"c,d\"\n", true, "\"a\"b\"c|d\"/10");
}

static void check_read(const struct csv_spec *spec, const char *text,
                       enum csv_cell want, uint64_t want_bits)
{
    const size_t n = strlen(text);
    char *field = copy(text, n);
    uint64_t bits = 99;
    CHECK_INT(csv_cell_read(spec, comma, (struct csv_span){field, n}, &bits),
              want);
    CHECK(want != CSV_CELL_NUMBER || bits == want_bits, "%s", text);
    free(field);
}

/* Words of truth values, in upper and lower case. */
static void test_bools(void)
{
    static const char *const words[][2] = {{"0", "1"},        {"false", "true"},
                                           {"FALSE", "True"}, {"f", "T"},
                                           {"no", "yes"},     {"n", "Y"}};
    static const char *const bad[] = {"2",    "00",  "tru", "truex",
                                      "yess", "1.0", "-1",  "x"};
    struct csv_spec spec = spec_of(DTYPE_u8, "NA");
    spec.is_bool = true;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        check_read(&spec, words[i][0], CSV_CELL_NUMBER, 0);
        check_read(&spec, words[i][1], CSV_CELL_NUMBER, 1);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        check_read(&spec, bad[i], CSV_CELL_BAD, 0);
    check_read(&spec, "NA", CSV_CELL_MISSING, 0);
}

/* Characters around a number, and around a word for a missing value. */
static void test_strip(void)
{
    struct csv_spec spec = spec_of(DTYPE_u8, "NA");
    spec.notation = (struct csv_notation){
        .used = true, .parens = true, .decimal = '.', .strip_bytes = 1};
    spec.notation.strip[0] = '$';
    check_read(&spec, "$5", CSV_CELL_NUMBER, 5);
    check_read(&spec, "$NA", CSV_CELL_MISSING, 0);
    check_read(&spec, "NA $", CSV_CELL_MISSING, 0);
    check_read(&spec, "-$NA", CSV_CELL_BAD, 0);
    check_read(&spec, "(NA)", CSV_CELL_BAD, 0);
    check_read(&spec, "(NA", CSV_CELL_BAD, 0);
    check_read(&spec, "$", CSV_CELL_BAD, 0);
}

/* A long cell, and a long number that the first 19 digits do not decide, leave
 * no memory allocated. */
static void test_leaks(void)
{
#ifdef HAS_MALLINFO2
    enum { CELLS = 100, BYTES = 4000 };
    const struct csv_spec spec = spec_of(DTYPE_f64, "NA");
    char *text = malloc(BYTES + 1);
    memset(text, '0', BYTES);
    memcpy(text, "9007199254740993.", 17);
    text[BYTES - 1] = '1';
    text[BYTES] = '\0';
    const size_t before = mallinfo2().uordblks;
    for (int i = 0; i < CELLS; i++)
        check_read(&spec, text, CSV_CELL_NUMBER,
                   bits_of_double(9007199254740994.0));
    CHECK(mallinfo2().uordblks < before + CELLS * BYTES / 2);
    free(text);
#endif
}

int main(void)
{
    test_bools();
    test_strip();
    test_leaks();
    test_quotes();
    test_quotes_within();
    test_floats();
    test_integers();
    test_missing();
    test_words();
    test_limits();
    test_records();
    return check_end();
}
