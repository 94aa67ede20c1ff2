/* SPDX-License-Identifier: MIT */
#include "csv/cell.h"

#include <stdlib.h>
#include <string.h>

#include "csv/number.h"

static struct csv_span trim(struct csv_span s)
{
    while (s.bytes > 0 && csv_blank(s.at[0]))
        s.at++, s.bytes--;
    while (s.bytes > 0 && csv_blank(s.at[s.bytes - 1]))
        s.bytes--;
    return s;
}

bool csv_undo_quotes(struct csv_span field, char *room,
                     struct csv_span *content)
{
    *content = field;
    if (field.bytes == 0 || field.at[0] != '"')
        return true;
    const char *p = field.at + 1, *end = field.at + field.bytes;
    const char *close = memchr(p, '"', (size_t)(end - p));
    if (close && close + 1 == end) {
        *content = (struct csv_span){p, (size_t)(close - p)};
        return true;
    }
    size_t n = 0;
    bool closed = false;
    for (; p < end && !closed; p++) {
        bool is_doubled = *p == '"' && p + 1 < end && p[1] == '"';
        closed = *p == '"' && !is_doubled;
        p += is_doubled;
        if (!closed)
            room[n++] = *p;
    }
    bool is_last = p == end;
    for (; p < end; p++)
        room[n++] = *p;
    *content = (struct csv_span){room, n};
    return is_last;
}

bool csv_content(struct csv_span field, char *room, struct csv_span *content)
{
    bool is_whole = csv_undo_quotes(field, room, content);
    *content = trim(is_whole ? *content : field);
    return is_whole;
}

static enum csv_cell read_number(const struct csv_spec *spec, struct csv_span s,
                                 uint64_t *bits)
{
    const char *end = s.at + s.bytes;
    if (!dtype_is_float(spec->dtype))
        return number_integer(spec->dtype, s.at, end, bits) == NUMBER_OK
                   ? CSV_CELL_NUMBER
                   : CSV_CELL_BAD;
    enum number_kind kind =
        number_float(spec->dtype, s.at, end, number_powers(), bits);
    if (kind == NUMBER_UNDECIDED &&
        !number_resolve(spec->dtype, s.at, end, bits, NULL))
        return CSV_CELL_NO_MEMORY;
    return kind == NUMBER_BAD ? CSV_CELL_BAD : CSV_CELL_NUMBER;
}

static enum csv_cell read_content(const struct csv_spec *spec,
                                  struct csv_span s, uint64_t *bits)
{
    if (s.bytes == 0)
        return CSV_CELL_MISSING;
    if (csv_words_start(&spec->words, (unsigned char)s.at[0]) &&
        csv_words_have(&spec->words, s.at, s.bytes))
        return CSV_CELL_MISSING;
    return read_number(spec, s, bits);
}

enum csv_cell csv_cell_read(const struct csv_spec *spec, struct csv_span field,
                            uint64_t *bits)
{
    struct csv_span content;
    char small[256], *room = small;
    if (field.bytes > CSV_FIELD_MAX)
        return CSV_CELL_TOO_LONG;
    if (field.bytes > sizeof small)
        room = malloc(field.bytes);
    if (!room)
        return CSV_CELL_NO_MEMORY;
    bool whole = csv_content(field, room, &content);
    enum csv_cell cell =
        whole ? read_content(spec, content, bits) : CSV_CELL_BAD;
    if (room != small)
        free(room);
    return cell;
}
