/* SPDX-License-Identifier: MIT */
#include "csv/schema/delimiter.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "csv/structure/record.h"

/* Records by which a delimiter is judged. */
enum { SNIFF_RECORDS = 100 };

/* How a dialect splits the first records. */
struct split {
    size_t records, fields; /* records split; fields of record 1 */
    size_t alike; /* records with as many fields as record 1, itself included */
    size_t longer; /* records with more fields than record 1 */
    /* Cells of all records; cells of them that look like numbers. */
    size_t cells, numbers;
    /* Records below record 1, or record 1 if it is alone, with an amount that
     * has a comma: 11,90 EUR. */
    size_t amounts;
    /* Columns with only numbers below record 1; 1 if record 1 is alone and has
     * a number. */
    size_t numeric;
};

static bool is_number(const struct csv_trial *t, struct csv_dialect d,
                      struct csv_span field, bool *is_missing)
{
    uint64_t bits;
    enum csv_cell cell = csv_cell_read(&t->spec, d, field, &bits);
    *is_missing = cell == CSV_CELL_MISSING;
    return csv_cell_is_number(cell) ||
           (cell == CSV_CELL_BAD &&
            (csv_cell_is_number(csv_cell_read(&t->comma, d, field, &bits)) ||
             csv_cell_is_number(csv_cell_read(&t->groups, d, field, &bits))));
}

enum { HAS_NUMBER = 1, HAS_OTHER = 2 };

/* Whether the byte belongs to the number of an amount. */
static bool is_of_number(char c)
{
    return isdigit((unsigned char)c) || c == ',';
}

/* Whether the cell is a number with a comma, perhaps after a sign and before a
 * unit. */
static bool is_amount(const struct csv_trial *t, struct csv_dialect d,
                      struct csv_span cell)
{
    enum { BEFORE = 4, AFTER = 8 };
    bool is_missing;
    cell = csv_trim(cell);
    for (int n = 0; n < BEFORE && cell.bytes > 0 && !is_of_number(*cell.at);
         n++)
        cell.at++, cell.bytes--;
    const char *blank =
        cell.bytes > 0 ? memchr(cell.at, ' ', cell.bytes) : NULL;
    const size_t rest = blank ? (size_t)(cell.at + cell.bytes - blank) : 0;
    if (rest > 0 && memchr(blank, ',', rest))
        return false;
    cell.bytes -= rest;
    for (int n = 0;
         n < AFTER && cell.bytes > 0 && !is_of_number(cell.at[cell.bytes - 1]);
         n++)
        cell.bytes--;
    return cell.bytes > 0 && *cell.at != ',' &&
           cell.at[cell.bytes - 1] != ',' && memchr(cell.at, ',', cell.bytes) &&
           is_number(t, d, cell, &is_missing);
}

static void count_cells(struct split *s, const struct csv_trial *t,
                        struct csv_dialect d, const struct csv_fields *record,
                        unsigned char *column)
{
    bool has_amount = false;
    for (size_t i = 0; i < csv_kept(record); i++) {
        bool is_missing, is = is_number(t, d, record->at[i], &is_missing);
        s->cells++;
        s->numbers += is;
        has_amount = has_amount || is_amount(t, d, record->at[i]);
        if (i < s->fields && s->records > 1 && !is_missing)
            column[i] |= is ? HAS_NUMBER : HAS_OTHER;
    }
    s->amounts = (s->records > 2 ? s->amounts : 0) + has_amount;
}

/* False where there is no memory. */
static bool split_by(struct split *s, const struct csv_trial *t,
                     struct csv_dialect d)
{
    struct csv_fields record = {.most = CSV_LOOK_FIELDS};
    enum csv_record found = CSV_RECORD_NONE;
    unsigned char *column = NULL;
    size_t at = 0;
    *s = (struct split){.records = 0};
    while (s->records < SNIFF_RECORDS && at < CSV_SAMPLE &&
           (found = csv_record_next(t->text, &at, d, t->is_all, &record)) ==
               CSV_RECORD_OK) {
        if (s->records++ == 0) {
            s->fields = record.n;
            column = calloc(csv_kept(&record) + 1, 1);
        }
        if (!column)
            break;
        s->alike += record.n == s->fields;
        s->longer += record.n > s->fields;
        count_cells(s, t, d, &record, column);
    }
    if (s->records == 0 && found == CSV_RECORD_OPEN)
        *s = (struct split){
            .records = 1, .fields = record.n + 1, .alike = 1, .cells = 1};
    for (size_t i = 0; column && i < s->fields && i < CSV_LOOK_FIELDS; i++)
        s->numeric += column[i] == HAS_NUMBER;
    s->numeric += s->records == 1 && s->numbers > 0;
    csv_fields_free(&record);
    const bool ok =
        found != CSV_RECORD_NO_MEMORY && (column || found != CSV_RECORD_OK);
    free(column);
    return ok;
}

/* The delimiters to try. Of equally good ones the first is chosen. */
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

/* Whether the options give the byte another meaning: as quote, as start of a
 * comment, or in numbers. In a text with quotes, the byte may both separate
 * fields and be in numbers, since quotes tell them apart. */
static bool is_taken(const struct csv_trial *t, struct csv_dialect d,
                     unsigned char byte)
{
    const struct csv_notation *n = &t->spec.notation;
    if ((d.quotes && byte == d.quote) || (d.comments && byte == d.comment))
        return true;
    if (!n->used)
        return false;
    size_t bytes = t->text.bytes < CSV_SAMPLE ? t->text.bytes : CSV_SAMPLE;
    return (n->decimal == (char)byte ||
            (n->thousands_bytes == 1 && n->thousands[0] == (char)byte)) &&
           !(d.quotes && memchr(t->text.at, d.quote, bytes));
}

/* Whether at least half of the records of the split have an amount with a
 * comma. Then 11,90 is one number, and the commas do not separate fields, even
 * if by them more cells are numbers. */
static bool has_amounts(const struct split *s)
{
    return s->amounts > 0 && 2 * s->amounts >= s->records - (s->records > 1);
}

/* Sets *chosen to the row of the best candidate that splits at least `part` of
 * `of` records alike, or -1, and *fit to the number of such candidates. False:
 * no memory. */
static bool choose_candidate(const struct csv_trial *t, struct csv_dialect d,
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
        if (d.delimiter == ',' && has_amounts(&best))
            continue;
        ++*fit;
        if (*chosen < 0 || s.numbers * best.cells > best.numbers * s.cells) {
            *chosen = i;
            best = s;
        }
    }
    return true;
}

struct csv_dialect csv_blank_of(struct csv_dialect d, int quote)
{
    d.blank = true;
    d.delimiter = ' ';
    d.quotes = quote != CSV_AUTO && quote != CSV_NO_QUOTE;
    return d;
}

static bool is_blank_table(const struct csv_trial *t, struct csv_dialect d,
                           int quote, bool *is)
{
    struct split s;
    *is = false;
    if (is_taken(t, d, ' ') || is_taken(t, d, '\t'))
        return true;
    if (!split_by(&s, t, csv_blank_of(d, quote)))
        return false;
    *is = s.fields > 1 && s.alike == s.records && s.numeric > 0;
    return true;
}

struct csv_trial csv_trial_of(struct csv_span sample, size_t start, bool is_all,
                              const struct csv_settings *settings)
{
    struct csv_trial t = {
        .text = {sample.at + start, sample.bytes - start},
        .is_all = is_all,
        .spec = settings->spec,
        .comma = settings->spec,
        .groups = settings->spec,
    };
    t.spec.dtype = t.comma.dtype = t.groups.dtype = DTYPE_f64;
    csv_set_marks(&t.comma.notation, ',', '.');
    csv_set_marks(&t.groups.notation, '.', ',');
    return t;
}

bool csv_find_delimiter(struct csv_dialect *d, const char **reason,
                        const struct csv_trial *t, int quote, bool is_csv)
{
    int chosen, fit;
    bool is_blank = false;
    if (!choose_candidate(t, *d, 9, 10, &chosen, &fit))
        return false;
    if (chosen < 0 && !is_blank_table(t, *d, quote, &is_blank))
        return false;
    if (is_blank) {
        *d = csv_blank_of(*d, quote);
        *reason = "blanks split all of the first records alike";
        return true;
    }
    /* Accepts a delimiter that splits half of the records alike. The decoder
     * reports the others as ragged. */
    if (chosen < 0 && !choose_candidate(t, *d, 1, 2, &chosen, &fit))
        return false;
    *reason = "nothing splits the first records alike";
    d->delimiter = is_csv && !is_taken(t, *d, ',') ? ',' : CSV_NO_DELIMITER;
    if (chosen >= 0) {
        d->delimiter = candidates[chosen].byte;
        *reason = fit == 1 ? candidates[chosen].only : candidates[chosen].best;
    }
    return true;
}

bool csv_find_alike(const struct csv_trial *t, struct csv_dialect d, int quote,
                    struct csv_alike *alike)
{
    struct split split;
    int chosen, fit;
    bool is_blank = false;
    *alike = (struct csv_alike){.records = 0};
    if (!choose_candidate(t, d, 9, 10, &chosen, &fit) ||
        (chosen < 0 && !is_blank_table(t, d, quote, &is_blank)))
        return false;
    if (chosen >= 0)
        d.delimiter = candidates[chosen].byte;
    else if (is_blank)
        d = csv_blank_of(d, quote);
    else
        return true;
    if (!split_by(&split, t, d))
        return false;
    *alike = (struct csv_alike){d, split.records, split.fields};
    return true;
}

bool csv_is_padded(const struct csv_trial *t, struct csv_dialect d, int quote,
                   bool *is)
{
    struct split s;
    if (!split_by(&s, t, csv_blank_of(d, quote)))
        return false;
    *is = s.fields > 1 && s.longer > 0 && s.alike + s.longer == s.records &&
          s.numeric > 0;
    return true;
}

bool csv_count_numeric(const struct csv_trial *t, struct csv_dialect d,
                       struct csv_alike *alike, size_t *numeric)
{
    struct split s;
    *alike = (struct csv_alike){.records = 0};
    if (!split_by(&s, t, d))
        return false;
    *numeric = s.records > 1 ? s.numeric : 0;
    if (10 * s.alike >= 9 * s.records)
        *alike = (struct csv_alike){d, s.records, s.fields};
    return true;
}
