/* SPDX-License-Identifier: MIT */
/* Cells, and the option or command that csv_hint suggests for each; ragged
 * records, and the option that csv_ragged suggests. */
#include "csv/schema/hint.h"

#include <string.h>

#include "check.h"
#include "csv/schema/message.h"

static const struct {
    /* The hint, or its start and a `*`; NULL: no hint. */
    const char *cell, *says;
} plain[] = {
    /* Decimal commas and thousands. */
    {"1,5", "--decimal ,"},
    {"-1,55", "--decimal ,"},
    {",5", "--decimal ,"},
    {"0,123", "--decimal ,"},
    {"1,5e3", "--decimal ,"},
    {"1234,5", "--decimal ,"},
    {"1,234", "--thousands , if 1,234 means 1234, or --decimal ,*"},
    {"1,234,567", "--thousands ,"},
    {"1,234.56", "--thousands ,"},
    {"-12,345.6", "--thousands ,"},
    {"1.234,56", "--decimal , --thousands ."},
    {"1.234.567", "--decimal , --thousands ."},
    {"1.234.567,8", "--decimal , --thousands ."},
    {"1'234", "--thousands \"'\""},
    {"1'234.5", "--thousands \"'\""},
    {"1 234", "--thousands ' '"},
    {"1 234,5", "--decimal , --thousands ' '"},
    {"1_234", "--thousands _"},
    {"1\xe2\x80\x99"
     "234",
     "--thousands \xe2\x80\x99"},
    {"1\xc2\xa0"
     "234,5",
     "--decimal , --thousands $'\\u00a0'"},
    {"1\xe2\x80\xaf"
     "234",
     "--thousands $'\\u202f'"},
    {"1234,567", "--decimal ,"},
    {"1.234,5e3", "--decimal , --thousands ."},
    {"1,5e+3", "--decimal ,"},
    {"1,23,456", NULL},
    {"1,234,", NULL},
    {"1'234,", NULL},
    {"1.234.5", NULL},
    {"1'23", NULL},
    {"1'234.567.8", NULL},
    {"0 123", "-d blank"},
    {"0.123,4", NULL},
    {"1,5e", NULL},
    {"1,5e3x", NULL},
    {"1,5x", NULL},
    {"1,2,3", NULL},
    {"1.2.3", NULL},
    {"1.2.3.4", NULL},
    /* Currency signs and the like. */
    {"$5", "--strip '$'"},
    {"-$5.50", "--strip '$'"},
    {"$-5.50", "--strip '$'"},
    {"$1,234", "--strip '$' --thousands , if 1,234 means 1234, or --decimal , "
               "if it means 1.234"},
    {"$ 1,234.50", "--strip '$' --thousands ,"},
    {"1.234,56 \xe2\x82\xac",
     "--strip '\xe2\x82\xac' --decimal , --thousands ."},
    {"\xc2\xa3"
     "9.99",
     "--strip '\xc2\xa3'"},
    {"12 EUR", "--strip 'EUR'"},
    {"USD 12.50", "--strip 'USD'"},
    {"12%", "--strip %"},
    {"12,5 %", "--strip % --decimal ,"},
    {"(5)", "--strip '()'"},
    {"(1,234.50)", "--strip '()' --thousands ,"},
    {"($5)", "--strip '()$'"},
    {"<0.1", "--na '<0.1' to leave it out: it is a limit or an estimate"},
    {"> 100", "--na '> 100' to leave it out:*"},
    {">=1,5", "--na '\">=1,5\"' to leave it out:*"},
    {"~5", "--na '~5' to leave it out:*"},
    /* Words of 40 and of 41 bytes. */
    {"<111111111111111111111111111111111111111",
     "--na '<111111111111111111111111111111111111111' to leave it out:*"},
    {"<1111111111111111111111111111111111111111",
     "--na with this text to leave it out:*"},
    {"<1,1111111111111111111111111111111111111",
     "--na '\"<1,1111111111111111111111111111111111111\"' to leave it out:*"},
    {"<1,11111111111111111111111111111111111111",
     "--na with this text to leave it out:*"},
    {"<5x", NULL},
    {"<", NULL},
    {"=", NULL},
    {"$1.234", "--strip '$'"},
    {"$5$", "--strip '$'"},
    {"$.5", "--strip '$'"},
    {"$5e3", "--strip '$'"},
    {"$0,123", "--strip '$' --decimal ,"},
    {"(5%)", "--strip '()%'"},
    {"5)", NULL},
    {"(5", NULL},
    {"((5)", NULL},
    {"(5))", NULL},
    {"$5x", NULL},
    {"$", NULL},
    {"%", NULL},
    {"5-",
     "sed -E ':a;s/(^|[,])(\"?)([0-9.]+)-(\"?([,]|\\r?$))/"
     "\\1\\2-\\3\\4/;ta' FILE | gpureduce: a minus at the end is not read"},
    {"500,00-", "sed -E ':a;s/(^|[,])(\")([0-9.,]+)-(\"*"},
    {"-5-", NULL},
    {"12,-", NULL},
    {"12.-", NULL},
    {"5--", NULL},
    {"5-x", NULL},
    {".-", "--na .- if*"},
    /* Dates and times. */
    {"2024-01-03", "-x price to leave the column out: it holds dates*"},
    {"2024-1-3", "-x price to leave the column out: it holds dates*"},
    {"2024-01-03T10:00:00Z", "-x price*"},
    {"2024-01-03 10:00", "-x price*"},
    {"2024/01/03", "-x price*"},
    {"03.01.24", "-x price*"},
    {"3.1.2024", "-x price*"},
    {"1/3/2024", "-x price*"},
    {"10:30", "-x price to leave the column out: it holds times*"},
    {"1:02:03.5", "-x price to leave the column out: it holds times*"},
    {"2024-01", NULL},
    {"2024-01-03x", NULL},
    /* Other numbers. */
    {"0x1F", "gawk '$1 ~ /^[-+]?[0-9]/ {print strtonum*"},
    {"0xg", NULL},
    {"1.5D+03", "sed 's/*"},
    {"-1.5d3", "sed 's/*"},
    {"1.5D", NULL},
    {"D5", NULL},
    {"12K", "numfmt --from=iec*"},
    {"3.5M", "numfmt --from=iec*"},
    {"3.5MB", "numfmt --from=iec*"},
    {"4.0GiB", "numfmt --from=iec*"},
    {"12km", NULL},
    {"\xe2\x88\x92"
     "5",
     "sed 's/\\xe2\\x88\\x92/-/g'*"},
    {"true", "-t bool*"},
    {"FALSE", "-t bool*"},
    {"T", "-t bool if the column holds only such words, 0 and 1, or --na T "
          "if this one means a missing value"},
    {"No", "-t bool*"},
    {"y", "-t bool*"},
    {"not", NULL},
    /* Words that may mean a missing value. */
    {"-", "--na - if*"},
    {"--", "--na -- if*"},
    {".", "--na . if*"},
    {"?", "--na '?' if*"},
    {"########################################",
     "--na '########################################' if it means*"},
    {"#########################################",
     "--na LIST with this text if*"},
    {"*", "--na '*' if*"},
    {"***", "--na '***' if*"},
    {"none", "--na none if*"},
    {"na", "--na na if*"},
    {"#DIV/0!", "--na '#DIV/0!' if*"},
    {"(null)", "--na '(null)' if*"},
    {"\xe2\x80\x94", "--na '\xe2\x80\x94' if*"},
    /* Another delimiter. */
    {"5;2", "-d ';'"},
    {"1,5;2", "-d ';'"},
    {"5|2", "-d '|'"},
    {"5\t2", "-d tab"},
    {"5 2", "-d blank"},
    {"5 2 7", "-d blank"},
    /* Headers and text. */
    {"price", "awk 'NR == 1 {h = $0; print} $0 != h' FILE*"},
    {"pric", NULL},
    {"abc", NULL},
    {"12km/h", NULL},
    {"", NULL},
};

static void check(const char *cell, size_t bytes,
                  const struct csv_hint_context *c, const char *says)
{
    char out[CSV_HINT_MAX];
    const char *got = csv_hint(out, cell, bytes, c);
    CHECK(!got == !says, "%s: %s", cell, got ? got : "no hint");
    if (!got || !says)
        return;
    const size_t n = strlen(says) - (says[strlen(says) - 1] == '*');
    CHECK(strncmp(got, says, n) == 0 && (says[n] || !got[n]), "%s: %s, not %s",
          cell, got, says);
}

static void test_plain(void)
{
    struct csv_hint_context c = {.delimiter = ',', .column = "price"};
    check("price", 5, &c, NULL);
    c.is_again = true;
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
        check(plain[i].cell, strlen(plain[i].cell), &c, plain[i].says);
}

/* Options in effect are not suggested again. */
static void test_context(void)
{
    struct csv_hint_context c = {.decimal = ',', .delimiter = ';'};
    check(
        "1.5", 3, &c,
        "--decimal . if no cell has a decimal comma; a column that mixes both "
        "has to be made alike first");
    check("1.234", 5, &c, "--thousands .");
    check("1.234,5", 7, &c, "--thousands .");
    check("1,234.5", 7, &c, "--decimal . --thousands ,");
    check("1,234", 5, &c, NULL);
    check("1 234", 5, &c, "--thousands ' '");
    check("5;2", 3, &c, NULL);
    check("$5", 2, &c, "--strip '$'");
    c = (struct csv_hint_context){.thousands = ",", .delimiter = '\t'};
    check("1,5", 3, &c, "--decimal ,");
    check("1,234", 5, &c, NULL);
    check("$1,234", 6, &c, "--strip '$'");
    check("2024-01-03", 10, &c, "-x COLUMN*");
    c = (struct csv_hint_context){.delimiter = 256};
    check("5 2", 3, &c, NULL);
    c = (struct csv_hint_context){.is_integer = true};
    check("1.5", 3, &c, "-t f64*");
    check("99999999999999999999", 20, &c, "-t f64*");
    c.is_bool = true;
    check("2", 1, &c, "-t f64 if*");
    check("1e3", 3, &c, "-t f64*");
    c.column = "a'b";
    check("2024-01-03", 10, &c, "-x COLUMN*");
    /* A number read as a header, and a header that is repeated. */
    c = (struct csv_hint_context){.column = "$12.50", .is_again = true};
    check("$12.50", 6, &c, "--strip '$'");
    c.column = "-";
    check("-", 1, &c, "--na -*");
    c.column = "t";
    check("t", 1, &c, "awk*");
    c.column = "x1";
    check("x1", 2, &c, "awk*");
}

static void test_hostile(void)
{
    static char cell[1000];
    const struct csv_hint_context c = {.column = cell};
    check("1,5\0", 4, &c, NULL);
    check("\x1b[2J", 4, &c, NULL);
    memset(cell, '-', sizeof cell - 1);
    check(cell, 999, &c, NULL);
    check(cell, 200, &c, "--na LIST with this text*");
    memset(cell, '$', sizeof cell - 1);
    check(cell, 255, &c, NULL);
    memset(cell, '9', sizeof cell - 1);
    memcpy(cell, "2024-01-03", 11);
    check(cell, 10, &c, "-x 2024-01-03*");
}

/* Records with another number of fields than the first, of three. */
static void test_ragged(void)
{
    static const char pad[] = "--ragged pad to take absent fields for missing "
                              "values, or --ragged skip";
    static const char skip[] = "--ragged skip to leave such records out";
    static const char start[] = "--skip-lines 1 if the table starts at this "
                                "line";
    static const struct {
        const char *name; /* of column 1; NULL: no header */
        bool blank;
        int line; /* of the record; the header or the first record has line 1 */
        int have;
        const char *hint; /* "": none */
        bool compares;    /* --compare, which skips no record */
        int fields;       /* of the first record; 0: three */
        char begin;       /* its first byte */
        char delimiter, comment;
        const char *record; /* NULL: "1" */
    } rows[] = {
        {"a", false, 2, 4,
         .hint = "--skip-lines 1 --header no: the header has a name too few"},
        {"a", false, 2, 5, .hint = start},
        {"a", false, 3, 4, .hint = skip},
        {"a", false, 2, 2, .hint = pad},
        {"a", false, 3, 2, .hint = pad},
        {"a", false, 3, 1, .hint = pad},
        {NULL, false, 2, 4, .hint = start},
        {NULL, false, 2, 5, .hint = start},
        {NULL, false, 2, 2, .hint = pad},
        {NULL, false, 3, 4, .hint = skip},
        {"a", true, 2, 5,
         .hint = "--ragged pad to join surplus words to the last field, or "
                 "--skip-lines 1 if the table starts at this line"},
        {"a", true, 3, 4,
         .hint = "--ragged pad to join surplus words to the last field, or "
                 "--ragged skip"},
        {"a", true, 3, 2,
         .hint = "--ragged skip to leave such records out, or "
                 "--ragged pad if they lack their last fields"},
        {"# a", false, 2, 4, .hint = "--comment '#'"},
        {"# a", false, 2, 2, .hint = "--comment '#'"},
        {"# a", false, 3, 4, .hint = skip},
        {"#a", false, 3, 2, .hint = pad},
        {"#a", false, 2, 2, .hint = pad},
        {"a b", false, 2, 2, .hint = pad},
        {"a", false, 3, 4, .hint = "", .compares = true},
        {"a", false, 3, 2,
         .hint = "--ragged pad to take absent fields for missing values",
         .compares = true},
        {"a", true, 3, 2, .hint = "--ragged pad if they lack their last fields",
         .compares = true},
        {"a", true, 3, 4,
         .hint = "--ragged pad to join surplus words to the last field",
         .compares = true},
        /* A comment at the start of the table, or here. */
        {NULL, false, 3, 2, .hint = "--comment '#'", .fields = 1, .begin = '#'},
        {NULL, false, 3, 2, .hint = pad, .begin = '#'},
        {"a", false, 3, 2, .hint = "--comment '#'", .record = "# x"},
        {"a", false, 3, 2, .hint = pad, .record = "# x", .comment = '%'},
        /* 1,5 may be one number. */
        {"a", false, 2, 2,
         .hint =
             "--decimal , if 1,5 is one number here, or --skip-lines 1 if the "
             "table starts at this line",
         .fields = 1, .delimiter = ','},
        {NULL, false, 2, 2,
         .hint =
             "--decimal , if 1,5 is one number here, or --skip-lines 1 if the "
             "table starts at this line",
         .fields = 1, .delimiter = ','},
        {"a", false, 2, 3, .hint = start, .fields = 1, .delimiter = ','},
        {NULL, false, 2, 2, .hint = start, .fields = 1, .delimiter = ';'},
        {"a", false, 2, 2,
         .hint = "--skip-lines 1 --header no: the header has a name too few",
         .fields = 1, .delimiter = ';'},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char name[8] = "", *names[] = {name}, want[256];
        if (rows[i].name)
            strcpy(name, rows[i].name);
        const int fields = rows[i].fields ? rows[i].fields : 3;
        const struct csv_table table = {
            .fields = (size_t)fields,
            .has_header = rows[i].name,
            .line = rows[i].name ? 2 : 1,
            .dialect = {.blank = rows[i].blank,
                        .delimiter = (unsigned char)rows[i].delimiter,
                        .comments = rows[i].comment,
                        .comment = (unsigned char)rows[i].comment},
            .begin = rows[i].begin,
            .name = names};
        struct error e;
        snprintf(want, sizeof want,
                 "t.csv:%d: %d field%s where the first record has %d%s%s%s",
                 rows[i].line, rows[i].have, rows[i].have > 1 ? "s" : "",
                 fields, *rows[i].hint ? "\nTry " : "", rows[i].hint,
                 *rows[i].hint ? "." : "");
        CHECK(!csv_ragged("t.csv", &table, (uint64_t)rows[i].line,
                          rows[i].record ? rows[i].record : "1",
                          (size_t)rows[i].have, !rows[i].compares, &e));
        CHECK_INT(e.kind, ERROR_DATA);
        CHECK_TEXT(e.text, want);
    }
}

int main(void)
{
    test_plain();
    test_context();
    test_hostile();
    test_ragged();
    return check_end();
}
