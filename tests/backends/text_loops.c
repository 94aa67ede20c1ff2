/* SPDX-License-Identifier: MIT */
/* The loops over text by themselves: the structure that they report, and the
 * numbers that they parse. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csv/number/number.h"
#include "text_subjects.h"

struct trial {
    struct text_tally *tally;
    const struct text_chunk *chunk;
    const struct csv_loops *loops;
    const char *text;
    struct random *random;
};

static void fail(const struct trial *x, size_t at, const char *what)
{
    char how[64];
    snprintf(how, sizeof how, "loops %s", x->loops->name);
    text_fail(x->tally, x->chunk, how, at, what);
}

static uint32_t load(const struct bytes *b, size_t i)
{
    uint32_t x;
    memcpy(&x, b->at + i * sizeof x, sizeof x);
    return x;
}

/* The state machine by its definition. States and bytes are letters. */
static char step(char state, char byte, char delimiter)
{
    bool starts = state == 'R' || state == 'F';
    if (state == 'I')
        return byte == '"' ? 'Q' : 'I';
    if (byte == '"')
        return starts || state == 'Q' ? 'I' : 'U';
    return byte == '\n' ? 'R' : byte == delimiter ? 'F' : 'U';
}

static void check_ends(const struct trial *x)
{
    const struct text_chunk *c = x->chunk;
    size_t n = c->ends.n / sizeof(uint32_t), i = 0;
    struct csv_ends got = {.at = malloc((c->text.n + 64) * sizeof *got.at)};
    if (!got.at)
        exit(2);
    if (!x->loops->ends(x->text, 0, c->text.n, c->shape->table.dialect, &got)) {
        if (!c->stray)
            fail(x, 0, "ends: a stray quote, where there is none");
    } else {
        while (i < n && i < got.n && got.at[i] == load(&c->ends, i))
            i++;
        if (i < n || i < got.n || got.records != c->lines) {
            char what[120];
            snprintf(what, sizeof what,
                     "ends: number %zu; %zu, must be %zu, and %zu records, "
                     "must be %zu",
                     i, got.n, n, got.records, c->lines);
            fail(x, i < n ? load(&c->ends, i) : c->text.n, what);
        }
    }
    free(got.at);
}

/* Scans part of the text in a few pieces. */
static void check_scan(const struct trial *x)
{
    static const char letters[] = {[CSV_RECORD] = 'R',
                                   [CSV_FIELD] = 'F',
                                   [CSV_PLAIN] = 'U',
                                   [CSV_QUOTED] = 'I',
                                   [CSV_CLOSED] = 'Q'};
    const struct text_chunk *c = x->chunk;
    const struct csv_dialect dialect = c->shape->table.dialect;
    char delimiter = (char)dialect.delimiter, state = 'R', at_start;
    size_t from = random_below(x->random, c->text.n), lines = 0;
    size_t n = 1 + random_below(x->random, c->text.n - from), done = 0;
    struct csv_scan scan = {0};
    for (size_t i = 0; i < from; i++)
        state = step(state, x->text[i], delimiter);
    at_start = state;
    for (size_t i = from; i < from + n; i++) {
        state = step(state, x->text[i], delimiter);
        lines += x->text[i] == '\n';
    }
    while (done < n) {
        size_t to = done + 1 + random_below(x->random, n - done);
        x->loops->scan(x->text + from, done, to, dialect, &scan);
        done = to;
    }
    enum csv_state before = CSV_RECORD;
    while (letters[before] != at_start)
        before++;
    enum csv_state after =
        csv_advance(before, x->text + from, n, dialect, &scan);
    x->tally->spans++;
    if (scan.lines != lines || letters[after] != state) {
        char what[120];
        snprintf(what, sizeof what,
                 "scan: of %zu bytes from %c to %c, must be %c; lines %" PRIu64
                 ", must be %zu",
                 n, at_start, letters[after], state, scan.lines, lines);
        fail(x, from, what);
    }
}

struct found {
    uint64_t *values;
    uint32_t *rows;
    size_t n;
};

/* Checks that every cell which the loop parsed is a number with these bits. */
static void check_found(const struct trial *x, size_t column,
                        const struct found *f)
{
    const struct text_column *want = &x->chunk->column[column];
    enum dtype dtype = x->chunk->text_case->dtype;
    size_t k = 0;
    for (size_t i = 0; i < f->n; i++) {
        while (k < want->n && load(&want->rows, k) < f->rows[i])
            k++;
        bool is_number = k < want->n && load(&want->rows, k) == f->rows[i];
        uint64_t got = number_load(dtype, f->values, i);
        if (is_number && got == number_load(dtype, want->values.at, k))
            continue;
        char what[160];
        snprintf(what, sizeof what,
                 "parse: column %zu, row %" PRIu32 ": 0x%016" PRIx64
                 " is not right",
                 column, f->rows[i], got);
        fail(x, is_number ? load(&want->at, k) : 0, what);
        return;
    }
}

static void check_parse(const struct trial *x, size_t column)
{
    const struct text_chunk *c = x->chunk;
    const struct csv_table *table = &c->shape->table;
    struct found f = {malloc(8 * c->records + 8), malloc(4 * c->records + 4),
                      0};
    const struct csv_cells cells = {
        x->text,
        (const uint32_t *)(const void *)c->cell_ends.at,
        c->records,
        table->fields,
        table->field_of[column],
        number_powers(),
        random_below(x->random, 2) ? &c->text_case->spec.words : NULL,
        true,
        NULL};
    if (!f.values || !f.rows)
        exit(2);
    for (size_t row = 0; row < c->records; row++)
        row = x->loops->parse[c->text_case->dtype](&cells, row, f.values,
                                                   f.rows, &f.n);
    x->tally->parsed += f.n;
    check_found(x, column, &f);
    free(f.values);
    free(f.rows);
}

void text_loops_check(struct text_tally *t, const struct text_chunk *c,
                      struct random *r)
{
    struct text_guard guard = {NULL, 0};
    struct trial x = {t, c, NULL, NULL, r};
    for (size_t i = 0; (x.loops = csv_loops(i)); i++) {
        x.text = text_guard_place(&guard, c, r);
        check_ends(&x);
        for (int k = 0; k < 4 && c->text.n > 0; k++)
            check_scan(&x);
        /* Words that look like numbers would need the decoder's checks. */
        bool is_regular = !c->wrong && !c->text_case->words_first;
        for (size_t k = 0; is_regular && k < c->text_case->columns; k++)
            check_parse(&x, k);
    }
    text_guard_free(&guard);
}
