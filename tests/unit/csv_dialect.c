/* SPDX-License-Identifier: MIT */
/*
 * Text in other dialects than plain CSV. Tables are drawn cell by cell and
 * written in a random dialect and notation. The decoder must give back what was
 * drawn. Values come from strtod of the plain number.
 */
#include "csv/decode.h"
#include "csv/structure/record.h"
#include "csv/structure/squeeze.h"

#include "check.h"

enum { ROWS = 40, FIELDS = 5, TEXT_MAX = 1 << 16 };

enum kind { NUMBER, MISSING, BAD, WIDE };

struct drawn {
    enum kind kind;
    double value;
    uint64_t magnitude;
};

struct table {
    struct csv_spec spec;
    struct csv_table shape;
    bool crlf;
    char text[TEXT_MAX + 2 * CSV_PADDING];
    size_t bytes, rows, skipped;
    struct drawn cell[ROWS][FIELDS];
};

static void put(struct table *t, const char *text)
{
    size_t n = strlen(text);
    memcpy(t->text + t->bytes, text, n);
    t->bytes += n;
}

static void put_byte(struct table *t, unsigned char byte)
{
    t->text[t->bytes++] = (char)byte;
}

static bool one_in(unsigned n)
{
    return check_below(n) == 0;
}

/* Writes the digits before the point, with or without separators of
 * thousands. */
static void put_whole(char *to, const struct csv_notation *n, uint64_t w)
{
    char digits[24];
    bool grouped = n->thousands_bytes && !one_in(4);
    int have = snprintf(digits, sizeof digits, "%" PRIu64, w);
    for (int i = 0; i < have; i++) {
        *to++ = digits[i];
        if (grouped && (have - 1 - i) % 3 == 0 && i + 1 < have) {
            memcpy(to, n->thousands, n->thousands_bytes);
            to += n->thousands_bytes;
        }
    }
    *to = '\0';
}

/* Draws a number and writes it in the notation. libc gives its value. */
static struct drawn draw_number(const struct csv_notation *n, char *text)
{
    char whole[40], plain[64], written[64], fraction[12] = "";
    uint64_t w = check_random() >> (11 + check_below(53));
    bool minus = one_in(3), parens = minus && n->parens && one_in(2);
    if (one_in(2))
        snprintf(fraction, sizeof fraction, "%06u",
                 (unsigned)check_below(1000000));
    put_whole(whole, n, w);
    snprintf(plain, sizeof plain, "%s%" PRIu64 "%s%s", minus ? "-" : "", w,
             *fraction ? "." : "", fraction);
    snprintf(written, sizeof written, "%s%c%s", whole,
             *fraction ? n->decimal : '\0', fraction);
    if (*fraction)
        snprintf(written, sizeof written, "%s%c%s", whole, n->decimal,
                 fraction);
    bool money = n->strip_bytes > 0 && one_in(2);
    snprintf(text, 100, "%s%s%s%s%s",
             parens  ? "("
             : minus ? "-"
                     : "",
             money ? "$" : "", written,
             money && one_in(2) ? "\xe2\x82\xac" : "", parens ? ")" : "");
    return (struct drawn){.kind = NUMBER, .value = strtod(plain, NULL)};
}

/* Writes the text with the separator of thousands in place of each '*'. */
static void put_groups(char *to, const struct csv_notation *n, const char *text)
{
    for (; *text; text++) {
        const bool separates = *text == '*';
        const size_t bytes = separates ? n->thousands_bytes : 1;
        memcpy(to, separates ? n->thousands : text, bytes);
        to += bytes;
    }
    *to = '\0';
}

/* Draws a text that is not a number, in any notation or in this one. */
static struct drawn draw_bad(const struct csv_notation *n, char *text)
{
    static const char *const always[] = {"x", "1e", "--1", "1-", "0x1", "."};
    static const char *const groups[] = {"*12",   "1*23",  "1234*567",
                                         "1*5e3", "E*500", "in*fin*ity"};
    const size_t is_blank = n->thousands[0] == ' '; /* 12 after a blank is 12 */
    if (n->thousands_bytes && !one_in(4))
        put_groups(text, n, groups[is_blank + check_below(6 - is_blank)]);
    else if (n->decimal != '.' && n->thousands[0] != '.' && one_in(2))
        strcpy(text, "1.5");
    else if (n->strip_bytes && one_in(2))
        strcpy(text, one_in(2) ? "$." : "-.%");
    else if (n->parens && one_in(2))
        strcpy(text, "(5");
    else
        strcpy(text, always[check_below(6)]);
    return (struct drawn){.kind = BAD};
}

static struct drawn draw_cell(const struct table *t, char *text)
{
    const struct csv_notation *n = &t->spec.notation;
    uint64_t w = (1ull << 53) + 1 + 2 * check_below(1000);
    switch (check_below(12)) {
    case 0:
        strcpy(text, t->shape.dialect.blank || one_in(2) ? "NA" : "");
        return (struct drawn){.kind = MISSING};
    case 1:
        return draw_bad(n, text);
    case 2:
        put_whole(text, n, w);
        return (struct drawn){.kind = WIDE, .magnitude = w};
    default:
        return draw_number(n, text);
    }
}

/* Whether the cell can be written without quotes. */
static bool may_be_bare(const struct table *t, const char *text)
{
    const struct csv_dialect d = t->shape.dialect;
    return !strchr(text, d.delimiter) && !(d.blank && strpbrk(text, " \t")) &&
           !(d.quotes && strchr(text, d.quote)) &&
           !(d.comments && text[0] == (char)d.comment);
}

static void put_cell(struct table *t, struct drawn *cell)
{
    const struct csv_dialect d = t->shape.dialect;
    char text[100];
    do {
        *cell = draw_cell(t, text);
    } while (!d.quotes && !may_be_bare(t, text));
    bool quoted = d.quotes && (!may_be_bare(t, text) || one_in(4));
    if (quoted)
        put_byte(t, d.quote);
    if (quoted && one_in(4))
        put(t, " ");
    put(t, text);
    if (quoted)
        put_byte(t, d.quote);
}

static void put_end(struct table *t)
{
    if (t->shape.dialect.blank && one_in(3))
        put(t, one_in(2) ? " " : "\t  ");
    if (t->crlf && !one_in(5))
        put_byte(t, '\r');
    put_byte(t, t->shape.dialect.end);
}

static void put_gap(struct table *t)
{
    static const char *const gaps[] = {" ", "\t", "   ", " \t ",
                                       "                                    "
                                       "                                    "};
    put(t, gaps[one_in(30) ? 4 : check_below(4)]);
}

/* Writes lines that are not records. */
static void put_others(struct table *t)
{
    const struct csv_dialect d = t->shape.dialect;
    while (one_in(8))
        put_end(t);
    while (d.comments && one_in(6)) {
        put_byte(t, d.comment);
        put(t, one_in(2) ? " 1,\"2" : "it's 5 %");
        put_end(t);
    }
}

/* Writes a record. Its number of fields is arbitrary if the dialect allows
 * ragged records. */
static void put_record(struct table *t)
{
    const struct csv_dialect d = t->shape.dialect;
    size_t have = FIELDS;
    if (t->spec.ragged != CSV_RAGGED_ERROR && one_in(5))
        have = 1 + check_below(FIELDS);
    if (t->spec.ragged == CSV_RAGGED_SKIP && one_in(8))
        have = FIELDS + 1;
    bool skip = have != FIELDS && t->spec.ragged == CSV_RAGGED_SKIP;
    struct drawn none, *row = t->cell[t->rows];
    size_t start = t->bytes;
    if (d.blank && one_in(3))
        put_gap(t);
    for (size_t i = 0; i < have; i++) {
        if (i > 0 && d.blank)
            put_gap(t);
        else if (i > 0)
            put_byte(t, d.delimiter);
        put_cell(t, i < FIELDS ? &row[i] : &none);
    }
    /* A record of one empty cell would be a blank line. */
    if (t->bytes == start)
        put(t, "NA");
    put_end(t);
    for (size_t i = have; i < FIELDS; i++)
        row[i] = (struct drawn){.kind = MISSING};
    t->rows += !skip;
    t->skipped += skip;
}

static struct csv_notation draw_notation(const struct csv_dialect d)
{
    static const char *const separators[] = {",", ".", "'", "\xc2\xa0", " "};
    struct csv_notation n = {.decimal = one_in(2) ? ',' : '.'};
    const char *separator = separators[check_below(5)];
    if (one_in(2) && *separator != n.decimal &&
        !(d.blank && *separator == ' ')) {
        n.thousands_bytes = (unsigned char)strlen(separator);
        memcpy(n.thousands, separator, n.thousands_bytes);
    }
    if (one_in(3)) {
        strcpy(n.strip, "$\xe2\x82\xac%");
        n.strip_bytes = 5;
        n.parens = one_in(2);
    }
    n.used = n.decimal != '.' || n.thousands_bytes || n.strip_bytes || n.parens;
    return n;
}

static struct csv_dialect draw_dialect(void)
{
    const char delimiter = ",;\t|"[check_below(4)];
    struct csv_dialect d = csv_dialect_of((unsigned char)delimiter);
    d.end = one_in(6) ? '\r' : '\n';
    d.comments = one_in(3);
    d.comment = '#';
    d.blank = one_in(3);
    if (d.blank)
        d.delimiter = ' ';
    d.quotes = d.blank ? one_in(3) : !one_in(6);
    d.quote = one_in(4) ? '|' : '"';
    if (d.delimiter == d.quote)
        d.delimiter = ';';
    return d;
}

static void draw(struct table *t)
{
    static uint32_t field_of[FIELDS] = {0, 1, 2, 3, 4};
    static char *names[] = {"a", "b", "c", "d", "e"};
    struct error e;
    t->bytes = t->rows = t->skipped = 0;
    t->spec = (struct csv_spec){.dtype = DTYPE_f64, .skip_bad = true};
    CHECK(csv_words_init(&t->spec.words, "NA", &e));
    t->shape = (struct csv_table){.dialect = draw_dialect(),
                                  .fields = FIELDS,
                                  .columns = FIELDS,
                                  .name = names,
                                  .field_of = field_of};
    t->spec.notation = draw_notation(t->shape.dialect);
    t->spec.ragged = (enum csv_ragged)check_below(3);
    t->crlf = t->shape.dialect.end == '\n' && one_in(3);
    for (size_t i = 1 + check_below(ROWS); i > 0; i--) {
        put_others(t);
        put_record(t);
    }
    put_others(t);
}

static void check_column(const struct table *t, size_t field,
                         const struct column *got)
{
    size_t n = 0, wides = 0, missing = 0, bad = 0;
    for (size_t r = 0; r < t->rows; r++) {
        const struct drawn *want = &t->cell[r][field];
        missing += want->kind == MISSING;
        bad += want->kind == BAD;
        if (want->kind == NUMBER && n < got->n) {
            CHECK_DOUBLE(((const double *)got->values)[n], want->value);
            CHECK_U64(got->rows ? got->rows[n] : n, r);
        }
        if (want->kind == WIDE && wides < got->wides) {
            CHECK_U64(got->wide[wides].magnitude, want->magnitude);
            CHECK_U64(got->wide[wides].index, r);
        }
        n += want->kind == NUMBER;
        wides += want->kind == WIDE;
    }
    CHECK_U64(got->n, n);
    CHECK_U64(got->wides, wides);
    CHECK_U64(got->missing, missing);
    CHECK_U64(got->bad, bad);
}

static void check_table(const struct table *t, bool portable)
{
    const struct csv_text text = {t->text, t->bytes, 1, &t->shape, "t"};
    struct error e = {.text = ""};
    size_t rows;
    struct csv_decoder *d = csv_decoder_new(&t->spec, portable, &e);
    CHECK(csv_decode_begin(d, &text, &rows, &e));
    CHECK_U64(csv_decode_skipped(d), t->skipped);
    if (CHECK(rows == t->rows, "%zu rows, not %zu", rows, t->rows)) {
        for (size_t c = 0; c < FIELDS; c++) {
            struct column column;
            csv_decode_column(d, c, &column);
            check_column(t, c, &column);
        }
        CHECK(csv_decode_end(d, &e), "%s", e.text);
    }
    csv_decoder_free(d);
}

static void test_tables(void)
{
    static struct table t;
    for (int i = 0; i < 4000; i++) {
        unsigned long failed = check_state.failed;
        draw(&t);
        check_table(&t, true);
        check_table(&t, false);
        if (check_state.failed > failed && check_state.failed - failed < 5000 &&
            failed < 30) {
            const struct csv_dialect d = t.shape.dialect;
            printf("table %d: delimiter %d, blank %d, quote %d %d, end %d, "
                   "comments %d, decimal %d, thousands %.*s, strip %d, ragged "
                   "%d\n%.*s\n",
                   i, d.delimiter, d.blank, d.quotes, d.quote, d.end,
                   d.comments, t.spec.notation.decimal,
                   t.spec.notation.thousands_bytes, t.spec.notation.thousands,
                   t.spec.notation.strip_bytes, t.spec.ragged, (int)t.bytes,
                   t.text);
        }
    }
}

/* The loops remove gaps exactly as the definition does, and csv_unsqueeze finds
 * the original place of each byte. */
static void check_squeeze(const char *text, size_t n, struct csv_dialect d)
{
    static char want[1024 + 256], got[1024 + 256];
    size_t n_want = csv_squeeze(text, n, d, CSV_NONE_JOINED, want);
    const struct csv_loops *loops;
    for (size_t set = 0; (loops = csv_loops(set)); set++) {
        size_t have = loops->squeeze(text, n, (char)d.end, got);
        CHECK(have == n_want && memcmp(got, want, have) == 0,
              "%s: %zu bytes, not %zu", loops->name, have, n_want);
    }
    for (size_t i = 0; i < n_want; i++) {
        size_t at = csv_unsqueeze(text, n, d, CSV_NONE_JOINED, i);
        bool gap = want[i] == ' ' && at < n &&
                   (at == 0 || strchr(" \t", text[at - 1]));
        CHECK(at < n && (text[at] == want[i] || gap), "byte %zu of %zu", i,
              n_want);
    }
}

/* Blanks kept in a joined field are all that differs: without them, the text is
 * the same. `want` is squeezed twice, too, since that moves a CR before LF. */
static void check_joined(const char *text, size_t n, struct csv_dialect d)
{
    static char once[1024 + 256], want[1024 + 256], got[1024 + 256];
    const size_t joined = check_below(4);
    size_t n_once = csv_squeeze(text, n, d, CSV_NONE_JOINED, once);
    size_t n_want = csv_squeeze(once, n_once, d, CSV_NONE_JOINED, want);
    size_t n_kept = csv_squeeze(text, n, d, joined, once);
    size_t n_got = csv_squeeze(once, n_kept, d, CSV_NONE_JOINED, got);
    CHECK(n_got == n_want && memcmp(got, want, n_got) == 0,
          "field %zu: %zu bytes, not %zu", joined, n_got, n_want);
    for (size_t i = 0; i < n_kept; i++) {
        size_t at = csv_unsqueeze(text, n, d, joined, i);
        CHECK(at < n && (text[at] == once[i] || strchr(" \t", once[i])),
              "byte %zu of %zu", i, n_kept);
    }
}

static void test_squeeze(void)
{
    static const char *const letters[] = {"1 \n", "1 \t\r\n", "1111111 ",
                                          "      1\n", "1\t"};
    for (int i = 0; i < 20000; i++) {
        static char text[1024 + 256];
        const char *from = letters[check_below(5)];
        size_t n = 1 + check_below(i % 10 ? 150 : 1024);
        struct csv_dialect d = csv_dialect_of(' ');
        d.blank = true;
        d.quotes = false;
        d.end = one_in(4) ? '\r' : '\n';
        for (size_t k = 0; k < n; k++)
            text[k] = from[check_below(strlen(from))];
        text[n - 1] = (char)d.end;
        check_squeeze(text, n, d);
        check_joined(text, n, d);
    }
}

/* Cases by hand: notation, text, the plain number; NULL: not a number. */
static void test_plain(void)
{
    static const struct csv_notation us = {true, true, '.',        1,
                                           3,    ",",  "$\xc2\xa3"};
    static const struct csv_notation german = {true, false,           ',', 1, 5,
                                               ".",  " \xe2\x82\xac%"};
    static const struct {
        const struct csv_notation *n;
        const char *text, *want;
    } rows[] = {
        {&us, "1,234.5", "1234.5"},
        {&us, "12,34", NULL},
        {&us, "1,234,567", "1234567"},
        {&us, "1234,567", NULL},
        {&us, ",234", NULL},
        {&us, "1,2345", NULL},
        {&us, "1,234,56", NULL},
        {&us, "-$5", "-5"},
        {&us, "$-5", "-5"},
        {&us, "($5)", "-5"},
        {&us, "$(5)", "-5"},
        {&us, "(-5)", NULL},
        {&us, "(5", NULL},
        {&us, "5)", "5)"},
        {&us,
         "\xc2\xa3"
         "5",
         "5"},
        {&us,
         "\xc2"
         "5",
         "\xc2"
         "5"},
        {&us, "1.5.2", NULL},
        {&us, "1.234,5", "1.234,5"},
        {&us, "--5", "--5"},
        {&us, "nan", "nan"},
        {&us, "$", NULL},
        {&us, "1,234e5", "1234e5"},
        {&german, "1.234,56", "1234.56"},
        {&german, "1.5", NULL},
        {&german, ",5", ".5"},
        {&german, "12,5 %", "12.5"},
        {&german, "1.234,56 \xe2\x82\xac", "1234.56"},
        {&german, "1,234.5", NULL},
        {&german, "-1.000", "-1000"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[64], got[64];
        strcpy(text, rows[i].text);
        /* Source and destination may be the same, as in the kernels. */
        size_t n = csv_make_plain(rows[i].n, text, text + strlen(text), text);
        snprintf(got, sizeof got, "%.*s", (int)n, text);
        CHECK_TEXT(n ? got : NULL, rows[i].want);
    }
}

int main(void)
{
    test_plain();
    test_squeeze();
    test_tables();
    return check_end();
}
