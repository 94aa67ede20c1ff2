/* SPDX-License-Identifier: MIT */
#include "csv/cell/cell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "csv/number/number.h"
#include "reduce/float_format.h"

bool csv_undo_quotes(struct csv_span field, struct csv_dialect dialect,
                     char *room, struct csv_span *content)
{
    const char quote = (char)dialect.quote;
    *content = field;
    if (!dialect.quotes || field.bytes == 0 || field.at[0] != quote)
        return true;
    const char *p = field.at + 1, *end = field.at + field.bytes;
    const char *close = memchr(p, quote, (size_t)(end - p));
    if (close && close + 1 == end) {
        *content = (struct csv_span){p, (size_t)(close - p)};
        return true;
    }
    size_t n = 0;
    bool closed = false;
    for (; p < end && !closed; p++) {
        bool is_doubled = *p == quote && p + 1 < end && p[1] == quote;
        closed = *p == quote && !is_doubled;
        p += is_doubled;
        if (!closed)
            room[n++] = *p;
    }
    bool is_last = closed && p == end;
    for (; p < end; p++)
        room[n++] = *p;
    *content = (struct csv_span){room, n};
    return is_last;
}

bool csv_content(struct csv_span field, struct csv_dialect dialect, char *room,
                 struct csv_span *content)
{
    field = csv_trim(field);
    bool is_whole = csv_undo_quotes(field, dialect, room, content);
    *content = csv_trim(is_whole ? *content : field);
    return is_whole;
}

/* Classifies an integer of many digits; *bits is the f64 nearest to it. An
 * integer above 2^53 is wide even where f64 holds it exactly, since results
 * print it in full. */
static enum csv_cell read_wide(const struct csv_spec *spec, struct csv_span s,
                               uint64_t *bits)
{
    bool negative = s.at[0] == '-';
    size_t sign = negative || s.at[0] == '+';
    const char *digits = s.at + sign;
    double x = fabs(double_of_bits(*bits));
    uint64_t w;
    if (!spec->round_wide && x >= NUMBER_WIDE_LEAST &&
        number_integer(DTYPE_u64, digits, s.at + s.bytes, &w) == NUMBER_OK &&
        w > NUMBER_WIDE_LEAST) {
        *bits = w;
        return negative ? CSV_CELL_WIDE_MINUS : CSV_CELL_WIDE;
    }
    return number_holds(x, digits, s.at + s.bytes) ? CSV_CELL_NUMBER
                                                   : CSV_CELL_ROUNDED;
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
    if (kind == NUMBER_BAD)
        return CSV_CELL_BAD;
    bool is_wide = spec->dtype == DTYPE_f64 && s.bytes >= NUMBER_WIDE_DIGITS &&
                   number_is_integer(s.at, end);
    return is_wide ? read_wide(spec, s, bits) : CSV_CELL_NUMBER;
}

/* Reads a word that programs write for a truth value, in upper or lower case.
 */
static enum csv_cell read_bool(struct csv_span s, uint64_t *bits)
{
    static const char *const words[][2] = {
        {"0", "1"}, {"false", "true"}, {"f", "t"}, {"no", "yes"}, {"n", "y"}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        for (*bits = 0; *bits < 2; ++*bits) {
            const char *word = words[i][*bits];
            if (strlen(word) == s.bytes &&
                strncasecmp(word, s.at, s.bytes) == 0)
                return CSV_CELL_NUMBER;
        }
    }
    return CSV_CELL_BAD;
}

static bool is_missing(const struct csv_spec *spec, struct csv_span s)
{
    return csv_words_start(&spec->words, (unsigned char)s.at[0]) &&
           csv_words_have(&spec->words, s.at, s.bytes);
}

/* Reads a cell in another notation. Stripping characters may leave a
 * missing-value word. */
static enum csv_cell read_notation(const struct csv_spec *spec,
                                   struct csv_span s, char *room,
                                   uint64_t *bits)
{
    struct csv_stripped left = csv_strip(&spec->notation, s.at, s.at + s.bytes);
    if (left.ok && !left.sign && left.at < left.end &&
        is_missing(spec,
                   (struct csv_span){left.at, (size_t)(left.end - left.at)}))
        return CSV_CELL_MISSING;
    size_t n = csv_make_plain(&spec->notation, s.at, s.at + s.bytes, room);
    return n > 0 ? read_number(spec, (struct csv_span){room, n}, bits)
                 : CSV_CELL_BAD;
}

/* `room` holds as many bytes as the field; s may point into it. */
static enum csv_cell read_content(const struct csv_spec *spec,
                                  struct csv_span s, char *room, uint64_t *bits)
{
    if (s.bytes == 0 || is_missing(spec, s))
        return CSV_CELL_MISSING;
    if (spec->is_bool)
        return read_bool(s, bits);
    return spec->notation.used ? read_notation(spec, s, room, bits)
                               : read_number(spec, s, bits);
}

enum csv_cell csv_cell_read(const struct csv_spec *spec,
                            struct csv_dialect dialect, struct csv_span field,
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
    bool whole = csv_content(field, dialect, room, &content);
    enum csv_cell cell =
        whole ? read_content(spec, content, room, bits) : CSV_CELL_BAD;
    if (room != small)
        free(room);
    return cell;
}
