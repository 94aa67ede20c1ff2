/* SPDX-License-Identifier: MIT */
/* Delimited text: what its first records tell. The rest is in csv/. */
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "csv/record.h"
#include "input/format.h"

/* Whether the sample will do: it holds the first two records, of which the
 * first may be a header, and CSV_SAMPLE bytes behind the first. */
static bool is_enough(struct csv_span sample, struct csv_dialect dialect)
{
    struct csv_fields fields = {NULL, 0, 0};
    size_t at = 0;
    bool ok = csv_record_next(sample, &at, dialect, false, &fields) ==
                  CSV_RECORD_OK &&
              sample.bytes - at >= CSV_SAMPLE &&
              csv_record_next(sample, &at, dialect, false, &fields) ==
                  CSV_RECORD_OK;
    csv_fields_free(&fields);
    return ok;
}

/* The first bytes, after a byte order mark. */
static bool read_sample(struct input *input, struct csv_dialect dialect,
                        struct csv_span *sample, bool *is_all,
                        struct error *e)
{
    char name[QUOTE_MAX];
    for (size_t need = 2 * CSV_SAMPLE;; need *= 2) {
        const unsigned char *head;
        size_t have, mark = 0;
        if (!input_head(input, need, &head, &have, e))
            return false;
        if (have >= 2 && (memcmp(head, "\xff\xfe", 2) == 0 ||
                          memcmp(head, "\xfe\xff", 2) == 0))
            return error_set(e, ERROR_DATA,
                             "%s: is UTF-16, which is not supported\n"
                             "Try iconv -f UTF-16 -t UTF-8.",
                             quote(name, input->name));
        if (have >= 3 && memcmp(head, "\xef\xbb\xbf", 3) == 0)
            mark = 3;
        *sample = (struct csv_span){(const char *)head + mark, have - mark};
        *is_all = have < need;
        if (*is_all || is_enough(*sample, dialect))
            return true;
        if (have > 2 * (size_t)CSV_RECORD_MAX + CSV_SAMPLE)
            return error_set(e, ERROR_DATA,
                             "%s: one of its first records is of over %d MiB "
                             "(is a quote never closed?)",
                             quote(name, input->name), CSV_RECORD_MAX >> 20);
    }
}

static bool text_look(struct input *input, const struct input_wishes *wishes,
                      unsigned char delimiter, struct error *e)
{
    const struct csv_wishes *csv = wishes->csv;
    struct csv_span sample;
    bool is_all;
    input->dtype = csv->spec.dtype;
    input->is_bool = csv->spec.is_bool;
    input->big_endian = input->exact = false;
    input->table = calloc(1, sizeof *input->table);
    if (!input->table)
        return error_set(e, ERROR_DATA, "out of memory");
    input->table->dialect = csv_dialect_of(
        csv->delimiter ? (unsigned char)csv->delimiter : delimiter);
    if (!read_sample(input, input->table->dialect, &sample, &is_all, e) ||
        !csv_table_read(input->table, input->name, sample, is_all, csv,
                        wishes->like ? wishes->like->table : NULL, e))
        return false;
    uint64_t before = input->table->header_bytes +
                      (uint64_t)(sample.at - (const char *)input->head);
    input->offset += before;
    /* A file may have grown since its size was asked for. */
    if (input->bytes != INPUT_UNKNOWN)
        input->bytes -= before < input->bytes ? before : input->bytes;
    return true;
}

bool csv_look(struct input *input, const struct input_wishes *wishes,
              struct error *e)
{
    return text_look(input, wishes, ',', e);
}

bool tsv_look(struct input *input, const struct input_wishes *wishes,
              struct error *e)
{
    return text_look(input, wishes, '\t', e);
}
