/* SPDX-License-Identifier: MIT */
/* Tables: the header, names, lists of columns, the columns of further files,
 * and columns that are chosen by default. */
#include "csv/schema/table.h"

#include "check.h"

static struct csv_settings settings_of(enum csv_header header,
                                       const char *columns)
{
    struct csv_settings settings = {.header = header, .columns = columns};
    struct error e;
    settings.spec.dtype = DTYPE_f64;
    CHECK(csv_words_init(&settings.spec.words, CSV_WORDS_DEFAULT, &e));
    return settings;
}

/* Reads a table from a text with not a byte after it. */
static bool read_table(struct csv_table *table, struct csv_span text,
                       bool is_all, const struct csv_settings *settings,
                       const struct csv_table *like, struct error *e)
{
    char *copy = malloc(text.bytes + !text.bytes);
    memcpy(copy, text.at, text.bytes);
    *table = (struct csv_table){.dialect = csv_dialect_of(',')};
    bool ok =
        csv_table_read(table, "t.csv", (struct csv_span){copy, text.bytes},
                       is_all, NULL, settings, like, e);
    free(copy);
    return ok;
}

/* Writes the columns' names, each followed by a space, after "header: " if
 * there is one; or the error. */
static void show(const struct csv_table *table, char *out, size_t size)
{
    size_t used =
        (size_t)snprintf(out, size, "%s", table->has_header ? "header: " : "");
    for (size_t c = 0; c < table->columns; c++) {
        uint32_t field = table->field_of[c];
        used += (size_t)snprintf(out + used, size - used, "%s ",
                                 table->name[field]);
    }
}

static void check_like(const char *text, const struct csv_settings *settings,
                       const struct csv_table *like, const char *want)
{
    struct csv_table table;
    struct error e;
    char got[sizeof e.text + 8];
    if (read_table(&table, (struct csv_span){text, strlen(text)}, true,
                   settings, like, &e))
        show(&table, got, sizeof got);
    else
        snprintf(got, sizeof got, "%d: %s", e.kind, e.text);
    CHECK(strncmp(got, want, strlen(want)) == 0 &&
              (strlen(got) == strlen(want) || want[1] == ':'),
          "'%s' of '%s' gives '%s', not '%s'",
          settings->columns ? settings->columns : "(all)", text, got, want);
    csv_table_free(&table);
}

static void check_columns(const char *text, enum csv_header header,
                          const char *columns, const char *want)
{
    struct csv_settings settings = settings_of(header, columns);
    check_like(text, &settings, NULL, want);
}

static void test_header(void)
{
    check_columns("a,b\n1,2\n", CSV_HEADER_AUTO, NULL, "header: a b ");
    check_columns("a,b\n1,2\n", CSV_HEADER_YES, NULL, "header: a b ");
    check_columns("1,2\n3,4\n", CSV_HEADER_AUTO, NULL, "1 2 ");
    check_columns("1,2\n3,4\n", CSV_HEADER_YES, NULL, "header: 1 2 ");
    check_columns("a,2\n3,4\n", CSV_HEADER_AUTO, NULL, "header: a 2 ");
    check_columns("a,\n3,4\n", CSV_HEADER_AUTO, NULL, "header: a  ");
    check_columns("a,NA\n3,4\n", CSV_HEADER_AUTO, NULL, "header: a NA ");
    check_columns("a,inf\n3,4\n", CSV_HEADER_AUTO, NULL, "header: a inf ");
    check_columns("a,\"1\"\n3,4\n", CSV_HEADER_AUTO, NULL, "header: a 1 ");
    check_columns("a,2\nx,4\n", CSV_HEADER_AUTO, NULL, "2 ");
    check_columns("a,\"1\"x\n3,4\n", CSV_HEADER_AUTO, NULL, "header: a 1x ");
    check_columns("a,0x1\n3,4\n", CSV_HEADER_AUTO, NULL, "header: a 0x1 ");
    check_columns("\n\r\na,b\n1,2\n", CSV_HEADER_AUTO, NULL, "header: a b ");
    check_columns("\n\r\n1,2\n", CSV_HEADER_NO, NULL, "1 2 ");
    check_columns("a,b", CSV_HEADER_AUTO, "b", "header: b ");
    /* A single column without a name is no column of row numbers. */
    check_columns("\"\"\n1\n2\n", CSV_HEADER_YES, NULL, "header:  ");
}

static void test_names(void)
{
    check_columns("\"a\"\"b\", c ,\"d\ne\"\n1,2,3\n", CSV_HEADER_AUTO, NULL,
                  "header: a\"b c d\ne ");
    check_columns("a, b \r\n1,2\r\n", CSV_HEADER_AUTO, " b ", "header: b ");
    check_columns("a, b \n1,2\n", CSV_HEADER_AUTO, "b", "header: b ");
    check_columns("a, \" b\" \n1,2\n", CSV_HEADER_AUTO, "b", "header: b ");
    /* NUL may be part of a name. */
    struct csv_settings settings = settings_of(CSV_HEADER_YES, "a");
    struct csv_table table;
    struct error e;
    CHECK(!read_table(&table, (struct csv_span){"a\0b,c\n1,2\n", 10}, true,
                      &settings, NULL, &e));
    CHECK(strstr(e.text, "there is no column 'a'"), "%s", e.text);
    csv_table_free(&table);
    check_columns("\"a,b\",c\n1,2\n", CSV_HEADER_AUTO, "\"a,b\"",
                  "header: a,b ");
    check_columns("\"a\"\"b\"\n1\n", CSV_HEADER_AUTO, "\"a\"\"b\"",
                  "header: a\"b ");
    check_columns("\"a\nb\"\n1\n", CSV_HEADER_AUTO, "\"a\nb\"",
                  "header: a\nb ");
}

static void test_lists(void)
{
    static const char table[] = "a,b,c,d,e,f,g,2,2-3\n1,1,1,1,1,1,1,1,1\n";
    static const char *const rows[][2] = {
        {"a", "header: a "},
        {"g,a,c", "header: g a c "},
        {"3", "header: c "},
        {"03", "header: c "},
        {"2", "header: 2 "}, /* a name wins over a number */
        {"2-3", "header: 2-3 "},
        {"02-3", "header: b c "},
        {"1,3-5,7-", "header: a c d e g 2 2-3 "},
        {"9-9", "header: 2-3 "},
        {"a,1,1-2,b", "header: a b "}, /* a column listed twice counts once */
        {"c,1-", "header: c a b d e f g 2 2-3 "},
        {"\"a\",\"4\"", "header: a d "},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        check_columns(table, CSV_HEADER_YES, rows[i][0], rows[i][1]);
    static const char *const unknown[] = {
        "0",    "10",  "3-10", "5-4",   "0-3",
        "-3",   "-",   "x",    "1-2-3", "1x",
        "",     "a,",  ",a",   "a,,b",  "18446744073709551617",
        "1--2", "\"\""};
    check_columns(table, CSV_HEADER_YES, "1 ", "header: a ");
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++)
        check_columns(table, CSV_HEADER_YES, unknown[i], "2: ");
    check_columns(table, CSV_HEADER_YES, "\"a", "2: --columns needs a list");
    /* Text after the first line of the list would be lost. */
    check_columns(table, CSV_HEADER_YES, "a\nb", "2: --columns needs a list");
    check_columns(table, CSV_HEADER_YES, "a,b\n", "header: a b ");
}

static void test_doubtful_names(void)
{
    static const char table[] = "a,b,a\n1,2,3\n";
    check_columns(table, CSV_HEADER_AUTO, NULL, "header: a b a ");
    check_columns(table, CSV_HEADER_AUTO, "b", "header: b ");
    check_columns(table, CSV_HEADER_AUTO, "1,3", "header: a a ");
    check_columns(
        table, CSV_HEADER_AUTO, "a",
        "2: 't.csv': column name 'a' is ambiguous; select it by number: 1 "
        "or 3");
    check_columns(table, CSV_HEADER_NO, "1", "1 ");
    check_columns(
        table, CSV_HEADER_NO, "a",
        "2: 't.csv': there is no column 'a' (it has 3 columns without a "
        "header)");
    check_columns(
        "price,size\n1,2\n", CSV_HEADER_AUTO, "prise",
        "2: 't.csv': there is no column 'prise' (it has 2 columns); did "
        "you mean 'price'?");
    check_columns("", CSV_HEADER_AUTO, "a", "2: ");
}

static void test_chosen(void)
{
    check_columns("a,b,c\n1,x,\n2,3,NA\n", CSV_HEADER_AUTO, NULL, "header: a ");
    check_columns("a,b\n,1\n5,\n", CSV_HEADER_AUTO, NULL, "header: a b ");
    check_columns("a,b\n1,2\n3\n4,5,6\n", CSV_HEADER_AUTO, NULL,
                  "header: a b ");
    check_columns("a,b\n1,2\n(1 row)\n", CSV_HEADER_AUTO, NULL, "header: a b ");
    check_columns("a,b\n1,2\n3,\"4", CSV_HEADER_AUTO, NULL, "header: a b ");
    check_columns("a\nx\n", CSV_HEADER_AUTO, NULL,
                  "1: t.csv:1:1: no column of numbers in its first records");
    /* Without a record after the header, every column may be numeric. */
    check_columns("a\n", CSV_HEADER_AUTO, NULL, "header: a ");
    check_columns("a,b\n", CSV_HEADER_AUTO, NULL, "header: a b ");
    check_columns("", CSV_HEADER_AUTO, NULL, "");
    check_columns("\n\r\n", CSV_HEADER_YES, NULL, "");
    /* If records are only counted, the first column is chosen. */
    struct csv_settings rows = settings_of(CSV_HEADER_AUTO, NULL);
    rows.spec.rows_only = true;
    check_like("a,b\nx,1\n", &rows, NULL, "header: a ");
    check_like("", &rows, NULL, "");
    /* Columns of numbers that the dtype cannot hold are chosen, too: leaving
     * them out would hide the error. */
    struct csv_settings settings = settings_of(CSV_HEADER_AUTO, NULL);
    settings.spec.dtype = DTYPE_i8;
    check_like("a,b,c\n1,2.5,1000\n", &settings, NULL, "header: a b c ");
    check_like("a|b;1000\nc|d;2000\n", &settings, NULL, "2 ");
    CHECK(settings.spec.dtype == DTYPE_i8);
    /* With -t bool, columns of other numbers are. */
    settings.spec.is_bool = true;
    check_like("a,b,c\ntrue,5,x\nfalse,7,y\n", &settings, NULL, "header: a b ");
}

/* Chooses columns in a first file, by list or by default, and finds them in the
 * second. */
static void check_second(const char *first, const char *columns,
                         const char *second, const char *want)
{
    struct csv_settings settings = settings_of(CSV_HEADER_AUTO, columns);
    struct csv_table like;
    struct error e;
    CHECK(read_table(&like, (struct csv_span){first, strlen(first)}, true,
                     &settings, NULL, &e),
          "%s", e.text);
    check_like(second, &settings, &like, want);
    csv_table_free(&like);
}

static void test_further(void)
{
    static const char first[] = "a,b,c\n1,x,3\n";
    check_second(first, NULL, "c,b,a\nx,y,z\n", "header: a c ");
    check_second(first, "c,1", "c,b,a\nx,y,z\n", "header: c a ");
    check_second(first, NULL, "z,c\n1,2\n",
                 "2: 't.csv': there is no column 'a' (it has 2 columns)");
    check_second(first, NULL, "a,c,a\n1,2,3\n",
                 "2: 't.csv': column name 'a' is ambiguous; select it by "
                 "number: 1 or 3");
    /* Names that occur twice are matched by their places. */
    check_second("x,x\n1,2\n", NULL, "x,x\n3,4\n", "header: x x ");
    check_second("x,x\n1,2\n", NULL, "x,y\n3,4\n",
                 "2: 't.csv': column 2 is not called 'x' as in the first ");
    check_second("x,x\n1,2\n", NULL, "x\n3\n",
                 "2: 't.csv': column 2 is not called 'x' as in the first ");
    check_second("x,x,y\n1,2,3\n", "1-3", "x,x,y\n4,5,6\n", "header: x x y ");
    /* By number if one of the files has no header. */
    check_second(first, NULL, "1,2,3\n", "1 3 ");
    check_second(first, NULL, "1,2\n", "2: 't.csv': there is no column 'c'");
    check_second("1,x,3\n", NULL, "p,q,r\n1,2,3\n", "header: p r ");
    check_second(first, NULL, "", "");
    check_second(first, NULL, "\n\r\n", "");
}

/* The offset and the line at which the data start. */
static void check_start(const char *text, enum csv_header header, size_t bytes,
                        uint64_t line)
{
    struct csv_settings settings = settings_of(header, "1");
    struct csv_table table;
    struct error e;
    CHECK(read_table(&table, (struct csv_span){text, strlen(text)}, true,
                     &settings, NULL, &e),
          "%s", e.text);
    CHECK_U64(table.header_bytes, bytes);
    CHECK_U64(table.line, line);
    csv_table_free(&table);
}

static void test_start(void)
{
    check_start("a\n1\n", CSV_HEADER_AUTO, 2, 2);
    check_start("a\r\n1\n", CSV_HEADER_AUTO, 3, 2);
    check_start("\n\"a\n\n\",b\n1,2\n", CSV_HEADER_AUTO, 9, 5);
    check_start("\n\n1\n", CSV_HEADER_AUTO, 0, 1);
    check_start("a", CSV_HEADER_AUTO, 1, 1);
}

/* Puts column 2's first text `at` bytes after the header. */
static void check_sample(size_t at, bool is_seen)
{
    enum { BYTES = 3 * CSV_SAMPLE };
    struct csv_settings settings = settings_of(CSV_HEADER_YES, NULL);
    struct csv_table table;
    struct error e;
    char *text = malloc(BYTES);
    for (size_t i = 0; i < BYTES; i++)
        text[i] = "1,2\n"[i % 4];
    text[4 + at] = 'x';
    CHECK(read_table(&table, (struct csv_span){text, BYTES}, at % 8 < 4,
                     &settings, NULL, &e),
          "%s", e.text);
    CHECK_U64(table.columns, 2 - is_seen);
    csv_table_free(&table);
    free(text);
}

/* A first record longer than the sample is read whole, besides the records
 * after it. */
static void check_long_record(size_t bytes)
{
    struct csv_settings settings = settings_of(CSV_HEADER_NO, NULL);
    struct csv_table table;
    struct error e;
    size_t n = bytes + 7;
    char *text = malloc(n);
    memset(text, ' ', n);
    memcpy(text, "1,2,", 4);
    memcpy(text + bytes - 3, ",5\n1,x,,1\n", 10);
    text[n - 1] = '\n';
    CHECK(read_table(&table, (struct csv_span){text, n}, true, &settings, NULL,
                     &e),
          "%s", e.text);
    CHECK_U64(table.fields, 4);
    CHECK_U64(table.columns, 2);
    csv_table_free(&table);
    free(text);
}

/* Puts the number that makes `a` a name `at` bytes after it, behind missing
 * cells. */
static void check_name_over_numbers(size_t at, bool is_name)
{
    struct csv_settings settings = settings_of(CSV_HEADER_AUTO, "1");
    struct csv_table table;
    struct error e;
    char *text = malloc(at + 4);
    memset(text, '\n', at + 4);
    text[0] = 'a';
    memcpy(text + 2, "NA", 2);
    text[2 + at] = '5';
    CHECK(read_table(&table, (struct csv_span){text, at + 4}, true, &settings,
                     NULL, &e),
          "%s", e.text);
    CHECK_INT(table.has_header, is_name);
    csv_table_free(&table);
    free(text);
}

static void test_sample(void)
{
    /* With --columns, 8 KiB decide whether a word is a name over numbers. */
    check_name_over_numbers((8 << 10) - 1, false);
    check_name_over_numbers((8 << 10) - 2, true);
    check_sample(2, true);
    check_sample(CSV_SAMPLE - 2, true);
    check_sample(CSV_SAMPLE + 2, false);
    check_sample(CSV_SAMPLE - 6, true);
    check_sample(CSV_SAMPLE + 6, false);
    check_long_record(2 * CSV_SAMPLE);
    check_long_record(CSV_SAMPLE / 2);
}

int main(void)
{
    test_header();
    test_names();
    test_lists();
    test_doubtful_names();
    test_chosen();
    test_further();
    test_start();
    test_sample();
    return check_end();
}
