/* SPDX-License-Identifier: MIT */
#include "csv/sniff.h"

#include <stdlib.h>
#include <string.h>

#include "csv/record.h"

/* Records that a delimiter is judged by, and lines that may precede a table. */
enum { SNIFF_RECORDS = 100, SNIFF_LINES = 20 };

/* A byte that no text has: then a record is one field. */
enum { NO_DELIMITER = 0x1f };

/* How a dialect splits the first records. */
struct split {
    size_t records, fields; /* fields: of record 1 */
    size_t alike;           /* records with as many */
    size_t cells, numbers;  /* all, and those that look like numbers */
    bool is_numeric;        /* a column of numbers below record 1, or in it */
};

/* What is common to all dialects tried on a sample. */
struct trial {
    struct csv_span text; /* of the table */
    bool is_all;
    struct csv_spec spec, comma; /* as asked; with a decimal comma */
};

static bool is_number(const struct trial *t, struct csv_dialect d,
                      struct csv_span field, bool *is_missing)
{
    uint64_t bits;
    enum csv_cell cell = csv_cell_read(&t->spec, d, field, &bits);
    *is_missing = cell == CSV_CELL_MISSING;
    return csv_cell_is_number(cell) ||
           (cell == CSV_CELL_BAD &&
            csv_cell_is_number(csv_cell_read(&t->comma, d, field, &bits)));
}

enum { HAS_NUMBER = 1, HAS_OTHER = 2 };

static void count_cells(struct split *s, const struct trial *t,
                        struct csv_dialect d, const struct csv_fields *record,
                        unsigned char *column)
{
    for (size_t i = 0; i < record->n; i++) {
        bool is_missing, is = is_number(t, d, record->at[i], &is_missing);
        s->cells++;
        s->numbers += is;
        if (i < s->fields && s->records > 1 && !is_missing)
            column[i] |= is ? HAS_NUMBER : HAS_OTHER;
    }
}

/* False where there is no memory. */
static bool split_by(struct split *s, const struct trial *t,
                     struct csv_dialect d)
{
    struct csv_fields record = {NULL, 0, 0};
    enum csv_record found;
    unsigned char *column = NULL;
    size_t at = 0;
    *s = (struct split){.records = 0};
    while (s->records < SNIFF_RECORDS && at < CSV_SAMPLE &&
           (found = csv_record_next(t->text, &at, d, t->is_all, &record)) ==
               CSV_RECORD_OK) {
        if (s->records++ == 0) {
            s->fields = record.n;
            column = calloc(record.n + 1, 1);
        }
        if (!column)
            break;
        s->alike += record.n == s->fields;
        count_cells(s, t, d, &record, column);
    }
    for (size_t i = 0; column && i < s->fields; i++)
        s->is_numeric |= column[i] == HAS_NUMBER;
    s->is_numeric |= s->records == 1 && s->numbers > 0;
    csv_fields_free(&record);
    bool ok = column || s->records == 0;
    free(column);
    return ok;
}

/* In the order of ties. */
static const struct {
    unsigned char byte;
    const char *only, *best;
} candidates[] = {
    {'\t', "tabs split the first records alike",
     "by tabs, more cells are numbers than by other bytes"},
    {'|', "bars split the first records alike",
     "by bars, more cells are numbers than by other bytes"},
    {';', "semicolons split the first records alike",
     "by semicolons, more cells are numbers than by other bytes"},
    {',', "commas split the first records alike",
     "by commas, more cells are numbers than by other bytes"},
};

enum { CANDIDATES = sizeof candidates / sizeof candidates[0] };

/* Whether the byte has another meaning by the options: in numbers, where no
 * quotes tell its two meanings apart. */
static bool is_taken(const struct trial *t, struct csv_dialect d,
                     unsigned char byte)
{
    const struct csv_notation *n = &t->spec.notation;
    if (!n->used)
        return false;
    size_t bytes = t->text.bytes < CSV_SAMPLE ? t->text.bytes : CSV_SAMPLE;
    return (n->decimal == (char)byte ||
            (n->thousands_bytes == 1 && n->thousands[0] == (char)byte)) &&
           !(d.quotes && memchr(t->text.at, d.quote, bytes));
}

/* The best candidate by which `part` of `of` records are alike: its row, or
 * -1. */
static bool choose_candidate(const struct trial *t, struct csv_dialect d,
                             size_t part, size_t of, int *chosen, int *fit)
{
    struct split best = {.records = 0}, s;
    *chosen = -1;
    *fit = 0;
    for (int i = 0; i < CANDIDATES; i++) {
        d.delimiter = candidates[i].byte;
        size_t bytes = t->text.bytes < CSV_SAMPLE ? t->text.bytes : CSV_SAMPLE;
        if (bytes == 0 || !memchr(t->text.at, d.delimiter, bytes) ||
            is_taken(t, d, d.delimiter))
            continue;
        if (!split_by(&s, t, d))
            return false;
        if (s.fields < 2 || of * s.alike < part * s.records)
            continue;
        ++*fit;
        if (*chosen < 0 || s.numbers * best.cells > best.numbers * s.cells) {
            *chosen = i;
            best = s;
        }
    }
    return true;
}

static struct csv_dialect blank_of(struct csv_dialect d, int quote)
{
    d.blank = true;
    d.delimiter = ' ';
    d.quotes = quote != CSV_AUTO && quote != CSV_NO_QUOTE;
    return d;
}

static bool is_blank_table(const struct trial *t, struct csv_dialect d,
                           int quote, bool *is)
{
    struct split s;
    if (!split_by(&s, t, blank_of(d, quote)))
        return false;
    *is = s.fields > 1 && s.alike == s.records && s.is_numeric;
    return true;
}

/* The delimiter, where no option says it. */
static bool find_delimiter(struct csv_sniffed *s, const struct trial *t,
                           int quote)
{
    int chosen, fit;
    struct csv_dialect *d = &s->dialect;
    bool is_blank = false;
    struct split one;
    if (!choose_candidate(t, *d, 9, 10, &chosen, &fit))
        return false;
    if (chosen < 0 && !is_blank_table(t, *d, quote, &is_blank))
        return false;
    if (is_blank) {
        *d = blank_of(*d, quote);
        s->reason = "blanks split all of the first records alike";
        return true;
    }
    d->delimiter = NO_DELIMITER;
    s->reason = "nothing splits the first records alike";
    if (chosen < 0 && !split_by(&one, t, *d))
        return false;
    /* Half of the records alike: the others are told as ragged. */
    if (chosen < 0 && !one.is_numeric &&
        !choose_candidate(t, *d, 1, 2, &chosen, &fit))
        return false;
    if (chosen >= 0) {
        d->delimiter = candidates[chosen].byte;
        s->reason = fit == 1 ? candidates[chosen].only
                             : candidates[chosen].best;
    }
    return true;
}

/* LF, or CR where there is no LF. */
static unsigned char record_end(struct csv_span sample)
{
    size_t bytes = sample.bytes < CSV_SAMPLE ? sample.bytes : CSV_SAMPLE;
    return bytes > 0 && !memchr(sample.at, '\n', bytes) &&
                   memchr(sample.at, '\r', bytes)
               ? '\r'
               : '\n';
}

/* Behind that many lines, or all. */
static size_t skip(struct csv_span text, size_t at, uint64_t lines,
                   unsigned char end)
{
    while (lines-- > 0 && at < text.bytes) {
        const char *p = memchr(text.at + at, end, text.bytes - at);
        at = p ? (size_t)(p - text.at) + 1 : text.bytes;
    }
    return at;
}

/* The byte that a line `sep=;` says, as Excel writes it before a table; 0: it
 * is no such line. *at is moved behind it. */
static int read_separator(struct csv_span text, struct csv_dialect d,
                          size_t *at)
{
    size_t start = csv_skip_lines(text, *at, d);
    size_t end = skip(text, start, 1, d.end), last = end;
    while (last > start &&
           (text.at[last - 1] == '\r' || text.at[last - 1] == '\n'))
        last--;
    if (last - start >= 2 && text.at[start] == '"' && text.at[last - 1] == '"')
        start++, last--;
    if (last - start != 5 || memcmp(text.at + start, "sep=", 4) != 0)
        return 0;
    *at = end;
    return (unsigned char)text.at[start + 4];
}

static void set_delimiter(struct csv_sniffed *s, int delimiter, int quote,
                          const char *reason)
{
    if (delimiter == CSV_BLANK)
        s->dialect = blank_of(s->dialect, quote);
    else
        s->dialect.delimiter = (unsigned char)delimiter;
    s->reason = reason;
}

static struct trial trial_of(struct csv_span sample, size_t start, bool is_all,
                             const struct csv_wishes *wishes)
{
    struct trial t = {
        .text = {sample.at + start, sample.bytes - start},
        .is_all = is_all,
        .spec = wishes->spec,
        .comma = wishes->spec,
    };
    t.spec.dtype = t.comma.dtype = DTYPE_f64;
    t.comma.notation.used = true;
    t.comma.notation.decimal = ',';
    t.comma.notation.thousands_bytes = 1;
    t.comma.notation.thousands[0] = '.';
    return t;
}

/* All but the delimiter. */
static struct csv_dialect dialect_of(const struct csv_wishes *wishes,
                                     unsigned char end)
{
    struct csv_dialect d = csv_dialect_of(',');
    d.end = end;
    d.quotes = wishes->quote != CSV_NO_QUOTE;
    if (wishes->quote != CSV_AUTO && d.quotes)
        d.quote = (unsigned char)wishes->quote;
    d.comments = wishes->comment != 0;
    d.comment = (unsigned char)wishes->comment;
    return d;
}

bool csv_sniff(struct csv_sniffed *s, struct csv_span sample, bool is_all,
               const struct csv_wishes *wishes)
{
    s->dialect = dialect_of(wishes, record_end(sample));
    s->start = skip(sample, 0, wishes->skip_lines, s->dialect.end);
    int separator = read_separator(sample, s->dialect, &s->start);
    if (wishes->delimiter != CSV_AUTO) {
        set_delimiter(s, wishes->delimiter, wishes->quote, "as asked");
        return true;
    }
    if (separator) {
        set_delimiter(s, separator, wishes->quote, "a first line says sep=");
        return true;
    }
    const struct trial t = trial_of(sample, s->start, is_all, wishes);
    return find_delimiter(s, &t, wishes->quote);
}

uint64_t csv_lines_before(struct csv_span sample, bool is_all,
                          const struct csv_wishes *wishes, unsigned char end)
{
    struct csv_dialect d = dialect_of(wishes, end);
    size_t at = skip(sample, 0, wishes->skip_lines, end);
    for (uint64_t lines = 1; lines <= SNIFF_LINES; lines++) {
        struct split split;
        int chosen, fit;
        bool is_blank = false;
        at = skip(sample, at, 1, end);
        const struct trial t = trial_of(sample, at, is_all, wishes);
        if (!choose_candidate(&t, d, 9, 10, &chosen, &fit) ||
            !is_blank_table(&t, d, wishes->quote, &is_blank))
            return 0;
        if (chosen >= 0)
            d.delimiter = candidates[chosen].byte;
        if ((chosen >= 0 || is_blank) &&
            split_by(&split, &t, chosen >= 0 ? d : blank_of(d, 0)) &&
            split.records > 1)
            return lines + wishes->skip_lines;
    }
    return 0;
}
