/* SPDX-License-Identifier: MIT */
/* Delimited text: reads a sample of its first records. The rest is in csv/. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "csv/structure/record.h"
#include "csv/schema/sniff.h"
#include "format/format.h"

/* Bytes by which to enlarge a sample that is too small. The sample doubles, but
 * a step has a limit, so that not much more of a wide table is read than
 * needed. The limit is higher if the sample must hold whole records, because
 * each look may split all of it again. */
static size_t step_of(const struct csv_settings *settings, size_t bytes)
{
    size_t most = csv_is_list(settings) ? CSV_LOOK : 4 * (size_t)CSV_LOOK;
    return bytes < most ? bytes : most;
}

/* Whether the sample is large enough: it holds the first record, which may be a
 * header, CSV_SAMPLE bytes after it, and the whole second record. If the
 * columns are known without a look at all fields (csv_is_list), CSV_LOOK bytes
 * of the second are enough. A sample without a line end is too small; looking
 * for one is far cheaper than splitting. */
static bool is_enough(struct csv_span sample,
                      const struct csv_settings *settings,
                      struct csv_sniffed *sniffed)
{
    struct csv_fields fields = {.most = 1};
    if ((!memchr(sample.at, '\n', sample.bytes) &&
         !memchr(sample.at, '\r', sample.bytes)) ||
        !csv_sniff(sniffed, sample, false, settings))
        return false;
    size_t at = sniffed->start;
    bool ok = csv_record_next(sample, &at, sniffed->dialect, false, &fields) ==
                  CSV_RECORD_OK &&
              sample.bytes - at >= CSV_SAMPLE;
    bool is_long = csv_is_list(settings) && sample.bytes - at >= CSV_LOOK;
    ok = ok && (csv_record_next(sample, &at, sniffed->dialect, false,
                                &fields) == CSV_RECORD_OK ||
                (is_long && fields.n > 0));
    csv_fields_free(&fields);
    return ok;
}

static bool has_mark(struct csv_span head)
{
    return head.bytes >= 2 && (memcmp(head.at, "\xff\xfe", 2) == 0 ||
                               memcmp(head.at, "\xfe\xff", 2) == 0);
}

bool csv_check_coding(const struct input *input, struct csv_span head,
                      bool is_known, struct error *e)
{
    bool is_big = false;
    const char *coding = NULL;
    if (csv_is_wide(head, 4, &is_big))
        coding = is_big ? "UTF-32BE" : "UTF-32LE";
    else if (csv_is_utf16(head) || (is_known && has_mark(head)))
        coding = "UTF-16";
    else if (csv_is_wide(head, 2, &is_big))
        coding = is_big ? "UTF-16BE" : "UTF-16LE";
    return !coding ||
           error_named(e, ERROR_DATA, input->name,
                       "is %.6s, which is not supported\n"
                       "Try iconv -f %s -t UTF-8 FILE | gpureduce -f csv%s",
                       coding, coding,
                       is_known ? "" : ",\nor say -t f32 if it is raw data.");
}

/* Reads first bytes until the sample is large enough. *sample starts after a
 * byte order mark. */
static bool read_sample(struct input *input,
                        const struct csv_settings *settings,
                        struct csv_span *sample, bool *is_all,
                        struct csv_sniffed *sniffed, struct error *e)
{
    for (size_t need = 2 * CSV_SAMPLE;; need += step_of(settings, need)) {
        const unsigned char *head;
        size_t have, mark = 0;
        if (!input_head(input, need, &head, &have, e))
            return false;
        *sample = (struct csv_span){(const char *)head, have};
        if (!csv_check_coding(input, *sample, true, e))
            return false;
        if (have >= 3 && memcmp(head, "\xef\xbb\xbf", 3) == 0)
            mark = 3;
        sample->at += mark;
        sample->bytes -= mark;
        *is_all = have < need;
        if (*is_all || is_enough(*sample, settings, sniffed))
            return true;
        if (have > 2 * (size_t)CSV_RECORD_MAX + CSV_SAMPLE)
            return error_named(e, ERROR_DATA, input->name,
                               "one of its first records is of over %d MiB "
                               "(is a quote never closed?)",
                               CSV_RECORD_MAX >> 20);
    }
}

/* False, with the error, if the whole text has fewer lines than are skipped. */
static bool check_lines(const struct input *input, struct csv_span text,
                        const struct csv_settings *settings, struct error *e)
{
    const unsigned char end = input->table->dialect.end;
    uint64_t lines = text.bytes > 0 && text.at[text.bytes - 1] != end;
    for (size_t i = 0; settings->skip_lines > 0 && i < text.bytes; i++)
        lines += (unsigned char)text.at[i] == end;
    return settings->skip_lines == 0 || lines >= settings->skip_lines ||
           error_named(e, ERROR_DATA, input->name,
                       "--skip-lines %" PRIu64 " is more than its %" PRIu64
                       " lines",
                       settings->skip_lines, lines);
}

/* False, with the error, if the whole text is a header with bytes that no text
 * has, or with the CR that ends lines: such data would have no records, and so
 * a sum of 0. */
static bool check_header(const struct input *input, struct csv_span text,
                         struct error *e)
{
    const bool by_lf = input->table->dialect.end == '\n';
    bool is_binary = false, has_cr = false;
    for (size_t i = 0; i < input->table->header_bytes; i++) {
        is_binary |= (unsigned char)text.at[i] < ' ' &&
                     !strchr("\t\n\f\r", text.at[i] ? text.at[i] : 1);
        has_cr |=
            by_lf && i > 0 && text.at[i - 1] == '\r' && text.at[i] != '\n';
    }
    if (input->table->has_records || (!is_binary && !has_cr))
        return true;
    return error_named(e, ERROR_DATA, input->name,
                       is_binary ? "is not text: its only record has control "
                                   "bytes\n-f raw reads it as it is."
                                 : "its only record has a CR, which ends lines "
                                   "where there is no LF\n"
                                   "Try tr -s '\\r' '\\n' < FILE | gpureduce.");
}

/* Looks at text. `delimiter` is used if the options give none. */
static bool text_look(struct input *input,
                      const struct input_settings *settings, int delimiter,
                      const char *reason, struct error *e)
{
    struct csv_settings csv = *settings->csv;
    struct csv_span sample;
    struct csv_sniffed sniffed;
    bool is_all, is_given = csv.delimiter != CSV_AUTO;
    input->dtype = csv.spec.dtype;
    input->is_bool = csv.spec.is_bool;
    input->big_endian = input->exact = false;
    input->table = calloc(1, sizeof *input->table);
    if (!input->table)
        return error_memory(e);
    if (!is_given)
        csv.delimiter = delimiter;
    csv.is_csv = !input->reads_as_text;
    if (!read_sample(input, &csv, &sample, &is_all, &sniffed, e))
        return false;
    const bool ok = csv_table_read(input->table, input->name, sample, is_all,
                                   is_all ? NULL : &sniffed, &csv,
                                   input->like ? input->like->table : NULL, e);
    /* An error that the data are not text helps more than one about a column.
     */
    if ((is_all && !check_header(input, sample, e)) || !ok ||
        (is_all && !check_lines(input, sample, &csv, e)))
        return false;
    if (!is_given && reason)
        input->table->delimiter_reason = reason;
    uint64_t before = input->table->header_bytes +
                      (uint64_t)(sample.at - (const char *)input->head);
    input->offset += before;
    /* The header may be longer than the known size of the file if the file has
     * grown since. */
    if (input->bytes != INPUT_UNKNOWN)
        input->bytes -= before < input->bytes ? before : input->bytes;
    return true;
}

bool csv_look(struct input *input, const struct input_settings *settings,
              struct error *e)
{
    return text_look(input, settings, CSV_AUTO, NULL, e);
}

bool tsv_look(struct input *input, const struct input_settings *settings,
              struct error *e)
{
    return text_look(input, settings, '\t', "the format is tsv", e);
}
