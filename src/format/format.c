/* SPDX-License-Identifier: MIT */
#include "format/format.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "csv/schema/sniff.h"
#include "format/foreign.h"
#include "format/foreign_look.h"

static const struct format table[] = {
    {"raw", "elements and nothing else", NULL, NULL, raw_look},
    /* A file named .npy is npy even without the magic, because npy_look has the
     * best message for that. */
    {"npy", "NumPy array file", ".npy", npy_is_magic, npy_look},
    {"safetensors", "tensors with names", ".safetensors", safetensors_is_magic,
     safetensors_look},
    {"csv", "delimited text", ".csv", NULL, csv_look},
    {"tsv", "delimited text, by tabs", ".tsv", NULL, tsv_look},
};

const struct format *format_at(size_t i)
{
    return i < sizeof table / sizeof table[0] ? &table[i] : NULL;
}

const struct format *format_find(const char *name)
{
    const struct format *format;
    for (size_t i = 0; (format = format_at(i)); i++) {
        if (strcmp(format->name, name) == 0)
            return format;
    }
    return NULL;
}

static bool ends_with(const char *name, const char *suffix)
{
    size_t n = strlen(name), s = strlen(suffix);
    return n >= s && strcasecmp(name + n - s, suffix) == 0;
}

/* Whether text is one line of whole elements that has no line end, and no
 * number and no missing value: all elements may be 0.9, whose f32 is "fff?". */
static bool may_be_elements(struct csv_span text,
                            const struct input_settings *w)
{
    static const char delimiters[] = ",;|\t \"";
    const struct csv_dialect dialect = csv_dialect_of(',');
    const char *end = text.at + text.bytes;
    uint64_t bits;
    bool may = text.bytes % dtype_info(w->dtype)->size == 0 &&
               !memchr(text.at, '\n', text.bytes) &&
               !memchr(text.at, '\r', text.bytes);
    if (text.bytes >= 3 && memcmp(text.at, "\xef\xbb\xbf", 3) == 0)
        text.at += 3;
    for (const char *p = text.at; may && p < end; p++) {
        const char *cell = p;
        while (p < end && !strchr(delimiters, *p))
            p++;
        const struct csv_span span = {cell, (size_t)(p - cell)};
        may = span.bytes == 0 || csv_cell_read(&w->csv->spec, dialect, span,
                                               &bits) == CSV_CELL_BAD;
    }
    return may;
}

/* Refuses text whose name promises raw data, or whose --dtype fits both text
 * and raw data. */
static bool refuse_text(const struct input *input, bool is_name,
                        struct error *e)
{
    if (is_name)
        return error_named(e, ERROR_USAGE, input->name,
                           "reads as text, but its name says raw data\n"
                           "Say -f csv if it is text, or -f raw if it is not.");
    return error_named(e, ERROR_USAGE, input->name,
                       "reads as text, and %s could mean its bytes or its "
                       "numbers\n"
                       "Say -f raw for the bytes, or -f csv for the numbers.",
                       dtype_info(input->settings->dtype)->name);
}

/* Whether the bytes are text apart from lacking a line end. */
static bool lacks_line_end(struct csv_span head)
{
    head.bytes = head.bytes > CSV_SAMPLE ? CSV_SAMPLE : head.bytes;
    return csv_is_text(head, true);
}

static bool refuse_without_line_end(const struct input *input, struct error *e)
{
    return error_named(e, ERROR_USAGE, input->name,
                       "looks like text, but its first 64 KiB have no line "
                       "end\n"
                       "Try tr ' ' '\\n' < FILE | gpureduce for numbers that "
                       "blanks separate,\n"
                       "or say -f csv if it is text, -f raw if it is not.");
}

/* Returns what the user can try where text has control characters. Some
 * programs separate fields by the bytes 01 and 1C to 1F, and others set a
 * terminal's colours by ESC [. */
static const char *hint_controls(char room[80], struct csv_span head)
{
    static const char separators[] = "\x01\x1c\x1d\x1e\x1f";
    for (size_t i = 0; i < head.bytes; i++) {
        if (head.at[i] && strchr(separators, head.at[i])) {
            snprintf(room, 80,
                     "-d $'\\x%02x' if this character separates the fields",
                     (unsigned)head.at[i]);
            return room;
        }
        if (head.at[i] == '\x1b' && i + 1 < head.bytes &&
            (head.at[i + 1] == '[' || head.at[i + 1] == '('))
            return "sed 's/\\x1b[[(][0-9;?]*[A-Za-z]//g' FILE | gpureduce to "
                   "leave out colours";
    }
    return "tr -d '\\000-\\010\\013\\016-\\037\\177' < FILE | gpureduce to "
           "leave them out";
}

/* False, with the error, if the bytes are text in a form that is not read. f32
 * would be the type of such bytes. */
static bool check_coding(const struct input *input, struct csv_span head,
                         struct error *e)
{
    char room[80];
    if (!csv_check_coding(input, head, false, e))
        return false;
    return input->settings->text_option || !csv_has_controls(head) ||
           error_named(e, ERROR_USAGE, input->name,
                       "looks like text with control characters\n"
                       "Try %s,\n"
                       "or say -f csv to read it as it is, -t f32 if it is raw "
                       "data.",
                       hint_controls(room, head));
}

/* Chooses between text and raw data if neither magic nor suffix decides. */
static const struct format *text_or_raw(struct input *input, struct error *e)
{
    const struct input_settings *w = input->settings;
    const unsigned char *bytes;
    size_t have;
    bool is_name = raw_is_name(input_inside(input));
    if (!input_head(input, CSV_SAMPLE + 1, &bytes, &have, e))
        return NULL;
    const struct csv_span head = {(const char *)bytes, have};
    bool is_text = csv_is_text(head, true);
    if (is_name && is_text && !w->has_dtype && !w->text_option) {
        refuse_text(input, true, e);
        return NULL;
    }
    if (is_name)
        return format_find("raw"); /* the reason stays "by its name" */
    if (!w->has_dtype && !check_coding(input, head, e))
        return NULL;
    input->format_reason =
        is_text ? "reads as text" : "an option for text is given";
    if (w->text_option) {
        input->reads_as_text = true;
        return format_find("csv");
    }
    if (!is_text && !w->has_dtype && lacks_line_end(head)) {
        refuse_without_line_end(input, e);
        return NULL;
    }
    if (!is_text) {
        input->format_reason = "does not read as text";
        return format_find("raw");
    }
    if (w->has_dtype && !w->csv->spec.is_bool &&
        (dtype_info(w->dtype)->size == 1 || may_be_elements(head, w))) {
        refuse_text(input, false, e);
        return NULL;
    }
    input->reads_as_text = true;
    return format_find("csv");
}

const struct format *format_asked(struct input *input, struct error *e)
{
    const struct format *format = input->settings->format;
    const unsigned char *bytes;
    size_t have;
    if (format->look != csv_look && format->look != tsv_look)
        return format;
    if (!input_head(input, FOREIGN_HEAD, &bytes, &have, e))
        return NULL;
    const struct foreign *foreign =
        foreign_find(bytes, have, input->compression);
    if (!foreign || foreign->is_text ||
        !foreign_has_control((const char *)bytes, have))
        return format;
    foreign_refuse(foreign, input, e);
    return NULL;
}

const struct format *format_guess(struct input *input, struct error *e)
{
    const unsigned char *bytes;
    size_t have;
    const struct format *format;
    if (!input_head(input, FOREIGN_HEAD, &bytes, &have, e))
        return NULL;
    input->format_reason = "by its first bytes";
    for (size_t i = 0; (format = format_at(i)); i++) {
        if (format->is_magic && format->is_magic(bytes, have))
            return format;
    }
    const struct foreign *foreign =
        foreign_find(bytes, have, input->compression);
    /* With --comment or --skip-lines the start of the text is not tested: the
     * user knows what comes before the table. Nor is it if the name says raw
     * data: a few elements may look like the start of a text. */
    const struct csv_settings *csv = input->settings->csv;
    bool is_known = foreign && foreign->is_text &&
                    (csv->comment || csv->skip_lines > 0 ||
                     raw_is_name(input_inside(input)));
    if (foreign && !is_known) {
        foreign_refuse(foreign, input, e);
        return NULL;
    }
    input->format_reason = "by its name";
    for (size_t i = 0; (format = format_at(i)); i++) {
        if (format->suffix && ends_with(input_inside(input), format->suffix))
            return format;
    }
    return text_or_raw(input, e);
}
