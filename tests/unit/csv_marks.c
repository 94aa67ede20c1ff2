/* SPDX-License-Identifier: MIT */
/*
 * The structure of CSV text by bit masks, as the kernels find it, compared with
 * a walk byte by byte; and the text of cells.
 */
#include "kernels/csv/cell.h"
#include "kernels/csv/marks.h"

#include "check.h"

enum { TEXT_MAX = 200 };

struct marks {
    char of[TEXT_MAX + 1]; /* a letter for each byte: see `walk` */
    bool stray;
};

/* Whether i is the last of a run of blanks between two fields. */
static bool is_gap_end(const char *text, size_t i, char end)
{
    const char *p = text + i, *q = text + i + 1;
    while (p > text && strchr(" \t", p[-1]))
        p--;
    return p > text && p[-1] != end && !strchr(" \t", *q) && *q != end &&
           !(*q == '\r' && q[1] == end);
}

/* Marks 'b' where a record begins, 'd' at a delimiter, 'e' at a record's end,
 * 'B' at a delimiter that begins a record, '.' elsewhere. */
static struct marks walk(const char *text, size_t n, struct csv_dialect d)
{
    struct marks m = {{0}, false};
    char state = 'R';
    memset(m.of, '.', n);
    for (size_t i = 0; i < n; i++) {
        char c = text[i], was = state;
        const char end = (char)d.end;
        bool line_end = c == end || (c == '\r' && text[i + 1] == end);
        bool quote = d.quotes && c == (char)d.quote;
        if (state == 'I') {
            state = quote ? 'Q' : 'I';
            continue;
        }
        if (state == 'R' && line_end)
            continue;
        if (state == 'R')
            m.of[i] = 'b';
        if (csv_is_gap(d, (unsigned char)c)) {
            if (is_gap_end(text, i, end))
                m.of[i] = 'd';
            state = 'F';
        } else if (c == (char)d.delimiter) {
            m.of[i] = was == 'R' ? 'B' : 'd';
            state = 'F';
        } else if (c == end) {
            m.of[i] = 'e';
            state = 'R';
        } else if (quote) {
            m.stray |= state == 'U';
            state = state == 'U' ? 'U' : 'I';
        } else if (!line_end) {
            state = 'U';
        }
    }
    return m;
}

static struct marks masks(const char *text, size_t n, struct csv_dialect d)
{
    struct marks m = {{0}, false};
    unsigned inside = 0;
    memset(m.of, '.', n);
    for (size_t at = 0; at < n; at += CSV_STEP) {
        uint32_t word[CSV_STEP / 4];
        struct csv_sides sides = {d.end,
                                  d.end,
                                  (unsigned char)text[at + CSV_STEP],
                                  (unsigned char)text[at + CSV_STEP + 1],
                                  true,
                                  false};
        if (d.blank)
            csv_find_leading(&sides, (const unsigned char *)text, at, d);
        if (at > 0) {
            sides.before = (unsigned char)text[at - 1];
            sides.before_that = (unsigned char)text[at - 2];
        }
        memcpy(word, text + at, sizeof word);
        struct csv_marks x = csv_marks_of(word, (unsigned)(n - at), sides, d);
        uint32_t in = csv_inside(x.quote, inside);
        inside = in >> 31;
        m.stray |= (x.stray & in) != 0;
        for (size_t i = 0; i < CSV_STEP && at + i < n; i++) {
            bool begin = (x.row_begin & ~(in ^ x.quote)) >> i & 1;
            bool end = (x.field_end & ~in) >> i & 1;
            bool row = (x.row_end & ~in) >> i & 1;
            m.of[at + i] = row ? 'e' : end ? "dB"[begin] : begin ? 'b' : '.';
        }
    }
    return m;
}

static void test_marks(void)
{
    static const char *const alphabets[] = {
        "\",\n\r1", "\"\n", "\r\n1", "\"\"\"1,\n", " \t1\n\r", "    1\n"};
    for (int i = 0; i < 200000; i++) {
        /* The bytes after the text are arbitrary. */
        char text[TEXT_MAX + 2 * CSV_STEP];
        const char *alphabet = alphabets[check_below(6)];
        struct csv_dialect d = csv_dialect_of(',');
        d.blank = check_below(2);
        d.delimiter = d.blank ? ' ' : ',';
        d.quotes = !d.blank && check_below(4) > 0;
        d.end = check_below(4) ? '\n' : '\r';
        size_t n = 1 + check_below(TEXT_MAX);
        for (size_t k = 0; k < sizeof text; k++)
            text[k] = alphabet[check_below(strlen(alphabet))];
        text[n - 1] = (char)d.end;
        struct marks want = walk(text, n, d), got = masks(text, n, d);
        CHECK(got.stray == want.stray, "text %d", i);
        if (!want.stray)
            CHECK_TEXT(got.of, want.of);
    }
}

/* So many blanks before a word that the kernels do not look at all of them: if
 * they begin a line, they would be taken for a delimiter. */
static void test_long_gap(void)
{
    static unsigned char text[2 * CSV_GAP_MAX];
    struct csv_dialect d = csv_dialect_of(' ');
    d.blank = true;
    for (size_t blanks = CSV_GAP_MAX - 2; blanks < CSV_GAP_MAX + 3; blanks++) {
        struct csv_sides sides = {.leading = true};
        memset(text, ' ', sizeof text);
        text[0] = '\n';
        csv_find_leading(&sides, text, blanks + 1, d);
        CHECK_INT(sides.unsure, blanks >= CSV_GAP_MAX);
        CHECK(sides.unsure || sides.leading);
        const uint32_t word[CSV_STEP / 4] = {0};
        CHECK_INT(csv_marks_of(word, CSV_STEP, sides, d).unsure, sides.unsure);
    }
}

/* want: the cell's text in brackets, or "?" if the kernel leaves it to the
 * host. */
static void check_cell_in(struct csv_dialect d, const char *field, bool last,
                          const char *want)
{
    const unsigned char *p = (const unsigned char *)field;
    const unsigned char *end = p + strlen(field);
    char got[64] = "?";
    if (csv_cell_text(&p, &end, last, d))
        snprintf(got, sizeof got, "[%.*s]", (int)(end - p), (const char *)p);
    CHECK_TEXT(got, want);
}

static void check_cell(const char *field, bool last, const char *want)
{
    check_cell_in(csv_dialect_of(','), field, last, want);
}

/* As csv_squeeze leaves the cell: without blanks before a line end, and then
 * without one CR. */
static void test_blank_cells(void)
{
    struct csv_dialect d = csv_dialect_of(' ');
    d.blank = true;
    d.quotes = false;
    check_cell_in(d, "x\r \t", true, "[x]");
    check_cell_in(d, "x\r \t", false, "[x\r]");
    check_cell_in(d, "x\r \r", true, "[x\r]");
    check_cell_in(d, "x\r", true, "[x]");
    check_cell_in(d, " x \r", true, "[x]");
    check_cell_in(d, "\r ", true, "[]");
}

static void test_cells(void)
{
    check_cell("", true, "[]");
    check_cell("12", false, "[12]");
    check_cell(" \t12 ", false, "[12]");
    check_cell("12\r", true, "[12]");
    check_cell("12\r", false, "[12\r]");
    check_cell("\r", true, "[]");
    check_cell("\"12\"", false, "[12]");
    check_cell("\" 12\t\"\r", true, "[12]");
    check_cell("\"\"", false, "[]");
    check_cell("\"  \"", false, "[]");
    check_cell("\"12\"\r", false, "?");
    check_cell("\"12\" ", false, "?");
    check_cell("\"12\"3", false, "?");
    check_cell("\"", false, "?");
    char field[CSV_CELL_BYTES + 2];
    memset(field, ' ', sizeof field);
    field[CSV_CELL_BYTES + 1] = 0;
    check_cell(field, false, "?");
    check_cell(field + 1, false, "[]");
}

static enum gpu_csv_kind kind_of(const struct gpu_csv_words *w,
                                 const char *text)
{
    const unsigned char *p = (const unsigned char *)text;
    return gpu_csv_kind_of(w, p, p + strlen(text));
}

/* NUL is an ordinary byte. */
static void check_nul(const struct gpu_csv_words *w)
{
    const unsigned char nul[] = {'N', 'A', 0};
    CHECK_INT(gpu_csv_kind_of(w, nul, nul + 2), GPU_CSV_MISSING);
    CHECK_INT(gpu_csv_kind_of(w, nul, nul + 3), GPU_CSV_NUMBER);
}

static void test_words(void)
{
    static const char *const words[] = {"NA",   "",
                                        "-999", "sixteen letters.",
                                        "a\"b", "more than sixteen",
                                        "0",    "1",
                                        "2",    "3",
                                        "b",    "c",
                                        "d",    "e",
                                        "f",    "g",
                                        "h",    "i",
                                        "4",    "5"};
    struct gpu_csv_words w = {0};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        gpu_csv_words_add(&w, words[i], strlen(words[i]), csv_dialect_of(','));
    CHECK_INT(kind_of(&w, ""), GPU_CSV_MISSING);
    CHECK_INT(kind_of(&w, "NA"), GPU_CSV_MISSING);
    CHECK_INT(kind_of(&w, "NAN"), GPU_CSV_NUMBER);
    CHECK_INT(kind_of(&w, "N"), GPU_CSV_NUMBER);
    CHECK_INT(kind_of(&w, "-999"), GPU_CSV_MISSING);
    CHECK_INT(kind_of(&w, "sixteen letters."), GPU_CSV_MISSING);
    CHECK_INT(kind_of(&w, "sixteen letters"), GPU_CSV_NUMBER);
    /* The table has no place for these two words, so the kernel leaves every
     * cell that begins like them to the host. */
    CHECK_INT(kind_of(&w, "more than sixteen"), GPU_CSV_LISTED);
    CHECK_INT(kind_of(&w, "5e3"), GPU_CSV_LISTED);
    CHECK_INT(kind_of(&w, "4"), GPU_CSV_MISSING);
    CHECK_INT(kind_of(&w, "6"), GPU_CSV_NUMBER);
    /* A table with a word of the same length as the cell with NUL. */
    struct gpu_csv_words few = {0};
    gpu_csv_words_add(&few, "NA", 2, csv_dialect_of(','));
    gpu_csv_words_add(&few, "N/A", 3, csv_dialect_of(','));
    check_nul(&few);
}

/* A word with a quote is like others where quotes are data. Else it may be
 * doubled in the cell, which the host then reads. */
static void test_words_with_quotes(void)
{
    for (int quote = 0; quote < 3; quote++) {
        struct gpu_csv_words w = {0};
        struct csv_dialect d = csv_dialect_of(',');
        d.quotes = quote > 0;
        d.quote = quote == 1 ? '"' : '\'';
        gpu_csv_words_add(&w, "\"-\"", 3, d);
        CHECK_INT(kind_of(&w, "\"-\""),
                  quote == 1 ? GPU_CSV_LISTED : GPU_CSV_MISSING);
        CHECK_INT(kind_of(&w, "\"\"-\"\""),
                  quote == 1 ? GPU_CSV_LISTED : GPU_CSV_NUMBER);
        CHECK_INT(kind_of(&w, "-"), GPU_CSV_NUMBER);
    }
}

/* The word 999 is left by stripping the currency sign, but not by taking a sign
 * or parentheses off. */
static void test_words_in_notation(void)
{
    static const struct {
        const char *text;
        enum gpu_csv_kind want;
    } rows[] = {
        {"999", GPU_CSV_MISSING},   {"$999", GPU_CSV_MISSING},
        {"999 $", GPU_CSV_MISSING}, {"-$999", GPU_CSV_NUMBER},
        {"(999)", GPU_CSV_NUMBER},  {"$9", GPU_CSV_NUMBER},
        {"$", GPU_CSV_NUMBER},
    };
    const struct csv_notation n = {.used = true,
                                   .parens = true,
                                   .decimal = '.',
                                   .strip_bytes = 1,
                                   .strip = "$"};
    struct gpu_csv_words w = {0};
    gpu_csv_words_add(&w, "999", 3, csv_dialect_of(','));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const unsigned char *p = (const unsigned char *)rows[i].text;
        CHECK_INT(gpu_csv_kind_in(&n, &w, p, p + strlen(rows[i].text)),
                  rows[i].want);
    }
}

int main(void)
{
    test_marks();
    test_long_gap();
    test_cells();
    test_blank_cells();
    test_words();
    test_words_with_quotes();
    test_words_in_notation();
    return check_end();
}
