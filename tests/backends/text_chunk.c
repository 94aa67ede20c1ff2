/* SPDX-License-Identifier: MIT */
/* Writes records, and notes what they are. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "text.h"

enum { SHOWN = 80 };

/* How the text of a chunk is: of 256 fields, or records, so many are so. */
struct mood {
    unsigned quoted, blanks, tail, noise, blank_line, crlf;
    unsigned offend; /* where there may be errors */
    bool strays;
};

/* Where in its record a field is, and how that will end. */
struct place {
    bool first, last, crlf;
};

struct writer {
    struct text_chunk *c;
    const struct csv_spec *spec;
    const struct csv_table *table;
    struct random random;
    struct mood mood;
    struct cell_odds odds[FIELDS_MAX];
    bool wrong, huge;
    struct cell cell;
};

static bool chance(struct writer *w, unsigned of_256)
{
    return random_below(&w->random, 256) < of_256;
}

static unsigned any_odds(struct random *r)
{
    static const unsigned odds[] = {0, 0, 0, 4, 40, 160};
    return odds[random_below(r, 6)];
}

static void choose_mood(struct writer *w)
{
    struct random *r = &w->random;
    bool messy = random_below(r, 2);
    if (messy) {
        w->mood = (struct mood){any_odds(r),
                                any_odds(r),
                                any_odds(r) / 4,
                                any_odds(r),
                                any_odds(r),
                                any_odds(r),
                                0,
                                random_below(r, 4) == 0};
    }
    w->mood.offend = 1u << random_below(r, 8);
    if (random_below(r, 3) == 0)
        w->mood.crlf = 256;
    for (size_t i = 0; i < FIELDS_MAX; i++) {
        struct cell_odds *o = &w->odds[i];
        *o = (struct cell_odds){.style = (unsigned)random_below(r, 16)};
        if (!messy && !w->wrong)
            continue;
        o->missing = any_odds(r) / 2 + 12 * w->wrong;
        o->bad = any_odds(r) / 4 + 12 * w->wrong;
        o->hostile = any_odds(r) / 4;
    }
}

static uint64_t line_of(const struct text_chunk *c, size_t at, size_t *column)
{
    uint64_t line = c->line;
    size_t begin = 0;
    for (size_t i = 0; i < at; i++) {
        if (c->text.at[i] == '\n') {
            line++;
            begin = i + 1;
        }
    }
    *column = at - begin + 1;
    return line;
}

static void offend_ragged(struct writer *w, size_t fields)
{
    struct text_chunk *c = w->c;
    char name[QUOTE_MAX];
    size_t column;
    uint64_t line = line_of(c, c->text.n, &column);
    c->wrong = WRONG_RAGGED;
    snprintf(c->error, sizeof c->error,
             "%s:%" PRIu64 ": %zu field%s where the first record has %zu",
             escape(name, c->shape->input.name), line, fields,
             fields == 1 ? "" : "s", w->table->fields);
}

/* The cell's field is the text from `start` on. */
static void offend_cell(struct writer *w, size_t field, size_t start,
                        bool has_tail)
{
    struct text_chunk *c = w->c;
    char name[QUOTE_MAX], column_name[QUOTE_MAX], shown[QUOTE_MAX];
    size_t column, n = has_tail ? c->text.n - start : w->cell.n;
    uint64_t line = line_of(c, start, &column);
    enum dtype dtype = c->lot->dtype;
    escape(name, c->shape->input.name);
    escape(column_name, w->table->name[field]);
    quote_bytes(shown, has_tail ? c->text.at + start : w->cell.text,
                n < SHOWN ? n : SHOWN);
    c->wrong = c->text.n - start > CSV_FIELD_MAX ? WRONG_TOO_LONG
               : w->cell.kind == CELL_MISSING    ? WRONG_MISSING
                                                 : WRONG_BAD;
    if (c->wrong == WRONG_TOO_LONG)
        snprintf(c->error, sizeof c->error,
                 "%s:%" PRIu64 ":%zu: a field of over %d bytes (column %s)",
                 name, line, column, 1 << 20, column_name);
    else if (c->wrong == WRONG_MISSING)
        snprintf(c->error, sizeof c->error,
                 "%s:%" PRIu64 ":%zu: missing value (column %s)", name, line,
                 column, column_name);
    else
        snprintf(c->error, sizeof c->error,
                 "%s:%" PRIu64 ":%zu: not %s: %s%s (column %s)\n"
                 "Try --bad skip, or --na with the texts that mean missing.",
                 name, line, column,
                 dtype_is_float(dtype) ? "a number"
                                       : dtype_info(dtype)->long_name,
                 shown, n > SHOWN ? "..." : "", column_name);
}

/* Blanks around a cell's text, or none. */
static size_t any_blanks(struct writer *w)
{
    struct random *r = &w->random;
    bool is_shown = w->cell.kind == CELL_BAD && !w->spec->skip_bad;
    if (!chance(w, w->mood.blanks))
        return 0;
    if (!is_shown && random_below(r, 200) == 0)
        return 200 + random_below(r, 3000);
    return random_below(r, 4);
}

static void put_blanks(struct writer *w, size_t n)
{
    char blank = " \t"[random_below(&w->random, 2)];
    if ((unsigned char)blank == w->table->delimiter)
        blank = blank == ' ' ? '\t' : ' ';
    bytes_fill(&w->c->text, blank, n);
}

/* Whether what was written from `start` on is a field without quotes. */
static bool is_plain(const struct writer *w, size_t start, struct place place)
{
    const char *p = w->c->text.at + start;
    size_t n = w->c->text.n - start;
    if (n == 0) /* alone it would be a blank line */
        return !place.first || !place.last;
    return *p != '"' && !memchr(p, w->table->delimiter, n) &&
           !memchr(p, '\n', n) && (w->mood.strays || !memchr(p, '"', n)) &&
           !(place.last && !place.crlf && p[n - 1] == '\r');
}

/* Text behind the closing quote. */
static bool put_tail(struct writer *w, struct place place)
{
    static const char *const tails[] = {"x",  "1",   " y",     "\rz", "-",
                                        "\r", "x\"", " \"y\"", "\t.", "e5"};
    struct bytes *text = &w->c->text;
    const char *tail = tails[random_below(&w->random, 10)];
    size_t start = text->n;
    bytes_add(text, tail, strlen(tail));
    if (is_plain(w, start, place))
        return true;
    text->n = start;
    return false;
}

static void put_quoted(struct writer *w)
{
    struct bytes *text = &w->c->text;
    bytes_add(text, "\"", 1);
    put_blanks(w, any_blanks(w));
    for (size_t i = 0; i < w->cell.n; i++) {
        bytes_add(text, &w->cell.text[i], 1);
        if (w->cell.text[i] == '"')
            bytes_add(text, "\"", 1);
    }
    put_blanks(w, any_blanks(w));
    bytes_add(text, "\"", 1);
}

/* As it is, if it can be. */
static bool put_plain(struct writer *w, struct place place)
{
    struct bytes *text = &w->c->text;
    size_t start = text->n;
    put_blanks(w, any_blanks(w));
    bytes_add(text, w->cell.text, w->cell.n);
    put_blanks(w, any_blanks(w));
    if (w->huge && text->n - start < CSV_FIELD_MAX) {
        put_blanks(w, CSV_FIELD_MAX - (text->n - start) + w->wrong);
        w->huge = false;
    }
    if (is_plain(w, start, place)) {
        w->c->stray |= memchr(text->at + start, '"', text->n - start) != NULL;
        return true;
    }
    text->n = start;
    return false;
}

/* Writes the cell's field; says whether there is something behind a closing
 * quote, which may be where `may_tail`. */
static bool put_field(struct writer *w, struct place place, bool may_tail)
{
    struct bytes *text = &w->c->text;
    if (!chance(w, w->mood.quoted) && put_plain(w, place))
        return false;
    put_quoted(w);
    size_t tail = text->n;
    if (!may_tail || w->cell.n > 30 || !chance(w, w->mood.tail) ||
        !put_tail(w, place))
        return false;
    w->c->stray |= memchr(text->at + tail, '"', text->n - tail) != NULL;
    return true;
}

/* Text of a field that nobody reads. */
static void make_noise(struct writer *w)
{
    static const char bytes[] = "abc 123.,;\t\n\r\"\"\"\\'\xe2\x82\xac\xff";
    struct cell *cell = &w->cell;
    struct random *r = &w->random;
    size_t longest = random_below(r, 200) ? 12 : 2000;
    cell->kind = CELL_MISSING;
    cell->n = random_below(r, longest);
    for (size_t i = 0; i < cell->n; i++)
        cell->text[i] = bytes[random_below(r, sizeof bytes)];
}

static bool is_allowed(const struct writer *w)
{
    return w->cell.kind == CELL_NUMBER ||
           (w->cell.kind == CELL_MISSING ? !w->spec->missing_is_error
                                         : w->spec->skip_bad);
}

static void note_cell(struct writer *w, size_t field, size_t start)
{
    struct text_column *column = &w->c->column[w->table->column_of[field]];
    uint32_t row = (uint32_t)w->c->records, at = (uint32_t)start;
    if (w->cell.kind != CELL_NUMBER) {
        column->missing += w->cell.kind == CELL_MISSING;
        column->bad += w->cell.kind == CELL_BAD;
        return;
    }
    bytes_add(&column->values, &w->cell.bits, dtype_info(w->spec->dtype)->size);
    bytes_add(&column->rows, &row, sizeof row);
    bytes_add(&column->at, &at, sizeof at);
    column->n++;
}

static void put_wanted(struct writer *w, size_t field, struct place place)
{
    static const struct cell_odds plain = {.style = 15};
    size_t start = w->c->text.n;
    bool offends = w->wrong && chance(w, w->mood.offend);
    cell_make(&w->cell, w->c->lot, &w->odds[field], &w->random);
    while (!is_allowed(w) && !offends)
        cell_make(&w->cell, w->c->lot, &plain, &w->random);
    bool has_tail = put_field(w, place, w->spec->skip_bad || offends);
    if (has_tail)
        w->cell.kind = CELL_BAD;
    bool is_wrong = !is_allowed(w) || w->c->text.n - start > CSV_FIELD_MAX;
    if (is_wrong && !w->c->wrong) /* the first is told */
        offend_cell(w, field, start, has_tail);
    note_cell(w, field, start);
}

static void put_unwanted(struct writer *w, struct place place)
{
    if (chance(w, w->mood.noise))
        make_noise(w);
    else
        cell_make(&w->cell, w->c->lot, &w->odds[0], &w->random);
    put_field(w, place, true);
}

static void note_end(struct writer *w, struct bytes *ends)
{
    uint32_t end = (uint32_t)w->c->text.n;
    bytes_add(ends, &end, sizeof end);
}

static void end_line(struct writer *w, bool crlf, bool is_record)
{
    if (crlf)
        bytes_add(&w->c->text, "\r", 1);
    note_end(w, &w->c->ends);
    if (is_record)
        note_end(w, &w->c->cell_ends);
    bytes_add(&w->c->text, "\n", 1);
    w->c->lines++;
}

static size_t any_fields(struct writer *w)
{
    size_t fields = w->table->fields;
    if (!w->wrong || w->c->wrong || !chance(w, w->mood.offend / 4))
        return fields;
    size_t other = random_below(&w->random, 4)
                       ? fields + 1 - 2 * random_below(&w->random, 2)
                       : 1 + random_below(&w->random, 2 * fields);
    return other > 0 ? other : fields;
}

static void put_record(struct writer *w)
{
    struct text_chunk *c = w->c;
    size_t fields = any_fields(w);
    bool crlf = chance(w, w->mood.crlf);
    bool is_ragged = fields != w->table->fields;
    if (is_ragged)
        offend_ragged(w, fields);
    for (size_t i = 0; i < fields; i++) {
        struct place place = {i == 0, i + 1 == fields, crlf};
        if (!is_ragged && w->table->column_of[i] != CSV_NO_COLUMN)
            put_wanted(w, i, place);
        else
            put_unwanted(w, place);
        if (place.last)
            break;
        note_end(w, &c->ends);
        note_end(w, &c->cell_ends);
        bytes_add(&c->text, &w->table->delimiter, 1);
    }
    end_line(w, crlf, true);
    c->records++;
}

/* Room that stays from chunk to chunk. */
static void clear(struct text_chunk *c)
{
    c->text.n = c->ends.n = c->cell_ends.n = 0;
    c->records = c->lines = 0;
    c->stray = false;
    c->wrong = WRONG_NOTHING;
    c->error[0] = '\0';
    for (int i = 0; i < FIELDS_MAX; i++) {
        struct text_column *column = &c->column[i];
        column->n = column->missing = column->bad = 0;
        column->values.n = column->rows.n = column->at.n = 0;
    }
}

static void row_of(const struct text_column *column, uint64_t *index)
{
    uint32_t row;
    if (*index == INDEX_NONE)
        return;
    memcpy(&row, column->rows.at + *index * sizeof row, sizeof row);
    *index = row;
}

static void make_reference(struct text_column *column, enum dtype dtype)
{
    struct reference *want = &column->want;
    reference_run(want, dtype, column->values.at, column->n, 0);
    row_of(column, &want->first_nan);
    for (int i = 0; i < 4; i++) {
        if (want->extremum[i].any)
            row_of(column, &want->extremum[i].index);
    }
}

void text_chunk_make(struct text_chunk *c, const struct text_lot *lot,
                     uint64_t seed, const struct text_order *order)
{
    struct writer w = {.c = c, .spec = &lot->spec, .random = {seed}};
    clear(c);
    c->lot = lot;
    c->seed = seed;
    c->shape = &lot->shape[random_below(&w.random, SHAPES)];
    c->line = 1 + (random_next(&w.random) >> 20 >> random_below(&w.random, 44));
    w.table = &c->shape->table;
    w.wrong = order->wrong;
    w.huge = random_below(&w.random, 64) == 0;
    choose_mood(&w);
    while (c->text.n < order->bytes) {
        if (chance(&w, w.mood.blank_line))
            end_line(&w, chance(&w, w.mood.crlf), false);
        else
            put_record(&w);
    }
    for (size_t i = 0; i < lot->columns && !c->wrong; i++)
        make_reference(&c->column[i], lot->dtype);
}

void text_chunk_free(struct text_chunk *c)
{
    free(c->text.at);
    free(c->ends.at);
    free(c->cell_ends.at);
    for (int i = 0; i < FIELDS_MAX; i++) {
        free(c->column[i].values.at);
        free(c->column[i].rows.at);
        free(c->column[i].at.at);
    }
}
