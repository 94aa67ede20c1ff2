/* SPDX-License-Identifier: MIT */
/* Writes the records of a chunk and records their expected contents. */
#include <stdlib.h>
#include <string.h>

#include "text_writer.h"

enum { LARGE = 200000 };

static unsigned any_odds(struct random *r)
{
    static const unsigned odds[] = {0, 0, 0, 4, 40, 160};
    return odds[random_below(r, 6)];
}

static void choose_odds(struct writer *w, bool large)
{
    struct random *r = &w->random;
    /* 0 often, so that extremes may be anywhere; small odds, so that the first
     * NaN may be anywhere. */
    static const unsigned special[] = {0, 0, 1, 300, 8000};
    bool messy = random_below(r, 2);
    bool sparse = random_below(r, large ? 4 : 16) == 0;
    bool empty = random_below(r, 2); /* if sparse: cells without text */
    if (messy) {
        w->text_odds = (struct text_odds){any_odds(r),
                                          any_odds(r),
                                          any_odds(r) / 4,
                                          any_odds(r),
                                          any_odds(r),
                                          any_odds(r),
                                          0,
                                          random_below(r, 2) == 0};
    }
    w->text_odds.errors = 4u << random_below(r, 7);
    if (random_below(r, 3) == 0)
        w->text_odds.crlf = 256;
    for (size_t i = 0; i < FIELDS_MAX; i++) {
        struct cell_odds *o = &w->odds[i];
        *o = (struct cell_odds){.empty = sparse && empty,
                                .style = (unsigned)random_below(r, 16),
                                .special = special[random_below(r, 5)]};
        if (!messy && !w->wrong)
            continue;
        o->missing = sparse ? 250 : any_odds(r) / 2 + 12 * w->wrong;
        o->bad = sparse ? 0 : any_odds(r) / 4 + 12 * w->wrong;
        /* Hostile cells are long and slow to make. */
        o->hostile = sparse || large ? 1 : any_odds(r);
    }
}

/* Makes the text of a field that no column reads. */
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
    struct text_column *column = &w->c->column[w->c->shape->column_of[field]];
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
    bool may_be_wrong = w->wrong && writer_chance(w, w->text_odds.errors);
    cell_make(&w->cell, w->c->text_case, &w->odds[field], &w->random);
    while (!is_allowed(w) && !may_be_wrong)
        cell_make(&w->cell, w->c->text_case, &plain, &w->random);
    bool has_tail = put_field(w, place, w->spec->skip_bad || may_be_wrong);
    if (has_tail)
        w->cell.kind = CELL_BAD;
    bool is_wrong = !is_allowed(w) || w->c->text.n - start > CSV_FIELD_MAX;
    if (is_wrong && !w->c->wrong) /* only the first error is reported */
        note_wrong_cell(w, field, start, has_tail);
    note_cell(w, field, start);
}

static void put_unwanted(struct writer *w, struct place place)
{
    if (writer_chance(w, w->text_odds.noise))
        make_noise(w);
    else
        cell_make(&w->cell, w->c->text_case, &w->odds[0], &w->random);
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
    if (!w->wrong || w->c->wrong || !writer_chance(w, w->text_odds.errors / 8))
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
    bool crlf = writer_chance(w, w->text_odds.crlf);
    bool is_ragged = fields != w->table->fields;
    if (is_ragged)
        note_ragged(w, fields);
    for (size_t i = 0; i < fields; i++) {
        struct place place = {i == 0, i + 1 == fields, crlf};
        if (!is_ragged && w->c->shape->column_of[i] != NO_COLUMN)
            put_wanted(w, i, place);
        else
            put_unwanted(w, place);
        if (place.last)
            break;
        note_end(w, &c->ends);
        note_end(w, &c->cell_ends);
        bytes_add(&c->text, &w->table->dialect.delimiter, 1);
    }
    end_line(w, crlf, true);
    c->records++;
}

/* Empties the chunk but keeps its memory for the next one. */
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
        row_of(column, &want->end[i].index);
        if (want->extremum[i].any)
            row_of(column, &want->extremum[i].index);
    }
}

void text_chunk_make(struct text_chunk *c, const struct text_case *text_case,
                     uint64_t seed, const struct text_order *order)
{
    struct writer w = {.c = c, .spec = &text_case->spec, .random = {seed}};
    clear(c);
    c->text_case = text_case;
    c->seed = seed;
    c->shape = &text_case->shape[random_below(&w.random, SHAPES)];
    c->line = 1 + (random_next(&w.random) >> 20 >> random_below(&w.random, 44));
    w.table = &c->shape->table;
    w.wrong = order->wrong;
    w.huge = random_below(&w.random, 128) == 0;
    choose_odds(&w, order->bytes > LARGE);
    while (c->text.n < order->bytes) {
        if (writer_chance(&w, w.text_odds.blank_line))
            end_line(&w, writer_chance(&w, w.text_odds.crlf), false);
        else
            put_record(&w);
    }
    for (size_t i = 0; i < text_case->columns && !c->wrong; i++)
        make_reference(&c->column[i], text_case->dtype);
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
