/* SPDX-License-Identifier: MIT */
#include "csv/schema/sniff.h"

#include <string.h>

#include "csv/schema/delimiter.h"
#include "csv/structure/record.h"

/* Lines that may precede a table. */
enum { SNIFF_LINES = 20 };

/* LF, or CR where there is no LF. */
static unsigned char record_end(struct csv_span sample)
{
    size_t bytes = sample.bytes < CSV_SAMPLE ? sample.bytes : CSV_SAMPLE;
    return bytes > 0 && !memchr(sample.at, '\n', bytes) &&
                   memchr(sample.at, '\r', bytes)
               ? '\r'
               : '\n';
}

/* Offset after `lines` more lines, or the end of the text. */
static size_t after_lines(struct csv_span text, size_t at, uint64_t lines,
                          unsigned char end)
{
    while (lines-- > 0 && at < text.bytes) {
        const char *p = memchr(text.at + at, end, text.bytes - at);
        at = p ? (size_t)(p - text.at) + 1 : text.bytes;
    }
    return at;
}

/* The delimiter that a line such as `sep=;` gives, which Excel writes before a
 * table. Moves *at after the line. 0: there is no such line, or the byte has
 * another meaning. */
static int read_separator(struct csv_span text, struct csv_dialect d,
                          size_t *at)
{
    size_t start = csv_skip_lines(text, *at, d);
    size_t end = after_lines(text, start, 1, d.end), last = end;
    while (last > start &&
           (text.at[last - 1] == '\r' || text.at[last - 1] == '\n'))
        last--;
    if (last - start >= 2 && text.at[start] == '"' && text.at[last - 1] == '"')
        start++, last--;
    if (last - start != 5 || memcmp(text.at + start, "sep=", 4) != 0)
        return 0;
    unsigned char byte = (unsigned char)text.at[start + 4];
    if ((d.quotes && byte == d.quote) || (d.comments && byte == d.comment))
        return 0;
    *at = end;
    return byte;
}

static void set_delimiter(struct csv_sniffed *s, int delimiter, int quote,
                          const char *reason)
{
    if (delimiter == CSV_BLANK)
        s->dialect = csv_blank_of(s->dialect, quote);
    else
        s->dialect.delimiter = (unsigned char)delimiter;
    s->reason = reason;
}

/* The dialect without its delimiter, which is found later. */
static struct csv_dialect dialect_of(const struct csv_settings *settings,
                                     unsigned char end)
{
    struct csv_dialect d = csv_dialect_of(',');
    d.end = end;
    d.quotes = settings->quote != CSV_NO_QUOTE;
    if (settings->quote != CSV_AUTO && d.quotes)
        d.quote = (unsigned char)settings->quote;
    d.comments = settings->comment != 0;
    d.comment = (unsigned char)settings->comment;
    return d;
}

bool csv_sniff(struct csv_sniffed *s, struct csv_span sample, bool is_all,
               const struct csv_settings *settings)
{
    s->dialect = dialect_of(settings, record_end(sample));
    s->start = after_lines(sample, 0, settings->skip_lines, s->dialect.end);
    int separator = read_separator(sample, s->dialect, &s->start);
    if (settings->delimiter != CSV_AUTO) {
        set_delimiter(s, settings->delimiter, settings->quote, "as asked");
        return true;
    }
    if (separator) {
        set_delimiter(s, separator, settings->quote, "a first line says sep=");
        return true;
    }
    const struct csv_trial t = csv_trial_of(sample, s->start, is_all, settings);
    return csv_find_delimiter(&s->dialect, &s->reason, &t, settings->quote,
                              settings->is_csv);
}

/* Sets *drops: whether the lines before a table look like records, too. One has
 * as many fields as the table, or as many as the table has records have several
 * fields. False: no memory. */
static bool drops_records(struct csv_span lines, const struct csv_alike *table,
                          bool *drops)
{
    struct csv_fields record = {.most = 1};
    enum csv_record found;
    size_t at = 0, several = 0;
    *drops = false;
    while ((found = csv_record_next(lines, &at, table->dialect, true,
                                    &record)) == CSV_RECORD_OK) {
        *drops |= record.n == table->fields;
        several += record.n > 1;
    }
    *drops |= several >= table->records;
    csv_fields_free(&record);
    return found != CSV_RECORD_NO_MEMORY;
}

uint64_t csv_lines_before(struct csv_span sample, bool is_all,
                          const struct csv_settings *settings,
                          unsigned char end)
{
    const struct csv_dialect d = dialect_of(settings, end);
    const size_t start = after_lines(sample, 0, settings->skip_lines, end);
    size_t at = start;
    for (uint64_t lines = 1; lines <= SNIFF_LINES; lines++) {
        struct csv_alike table;
        bool drops;
        at = after_lines(sample, at, 1, end);
        const struct csv_trial t = csv_trial_of(sample, at, is_all, settings);
        if (!csv_find_alike(&t, d, settings->quote, &table))
            return 0;
        if (table.records < 2)
            continue;
        const struct csv_span before = {sample.at + start, at - start};
        return drops_records(before, &table, &drops) && !drops
                   ? lines + settings->skip_lines
                   : 0;
    }
    return 0;
}

bool csv_needs_padding(struct csv_span sample, bool is_all,
                       const struct csv_settings *settings, unsigned char end)
{
    const struct csv_dialect d = dialect_of(settings, end);
    const struct csv_trial t =
        csv_trial_of(sample, after_lines(sample, 0, settings->skip_lines, end),
                     is_all, settings);
    bool is = false;
    return csv_is_padded(&t, d, settings->quote, &is) && is;
}

/* Whether no record of these lines has more than one cell that is not empty.
 * False also without memory. */
static bool are_titles(struct csv_span lines, struct csv_dialect d)
{
    struct csv_fields record = {.most = CSV_LOOK_FIELDS};
    size_t at = 0, most = 0;
    enum csv_record found;
    while ((found = csv_record_next(lines, &at, d, true, &record)) ==
           CSV_RECORD_OK) {
        size_t cells = 0;
        for (size_t i = 0; i < csv_kept(&record); i++)
            cells += csv_trim(record.at[i]).bytes > 0;
        most = cells > most ? cells : most;
    }
    csv_fields_free(&record);
    return found == CSV_RECORD_NONE && most <= 1;
}

uint64_t csv_lines_above_numbers(struct csv_span sample, bool is_all,
                                 const struct csv_settings *settings,
                                 struct csv_dialect d)
{
    const size_t start = after_lines(sample, 0, settings->skip_lines, d.end);
    size_t at = start, numeric;
    for (uint64_t lines = 0; lines <= SNIFF_LINES; lines++) {
        const struct csv_span before = {sample.at + start, at - start};
        const struct csv_trial t = csv_trial_of(sample, at, is_all, settings);
        struct csv_alike table;
        if (!csv_count_numeric(&t, d, &table, &numeric))
            return 0;
        if (table.records > lines && numeric > 0)
            return (lines == 1 && numeric == table.fields) ||
                           are_titles(before, d)
                       ? lines + (lines > 0 ? settings->skip_lines : 0)
                       : 0;
        at = after_lines(sample, at, 1, d.end);
    }
    return 0;
}
