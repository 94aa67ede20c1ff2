/* SPDX-License-Identifier: MIT */
#include "by/kept.h"

#include <stdlib.h>
#include <string.h>

#include "by/step.h"

static bool have_values(struct kept_column *k, size_t n)
{
    if (n <= k->room)
        return true;
    free(k->values);
    free(k->rows);
    k->room = n + n / 4;
    k->values = malloc(k->room * sizeof(uint64_t));
    k->rows = malloc(k->room * sizeof *k->rows);
    k->room = k->values && k->rows ? k->room : 0;
    return k->room > 0;
}

static bool have_others(struct kept_column *k, size_t bad, size_t wides)
{
    if (bad > k->bad_room) {
        free(k->bad_rows);
        k->bad_rows = malloc(bad * sizeof *k->bad_rows);
        k->bad_room = k->bad_rows ? bad : 0;
    }
    if (wides > k->wide_room) {
        free(k->wide);
        k->wide = malloc(wides * sizeof *k->wide);
        k->wide_room = k->wide ? wides : 0;
    }
    return bad <= k->bad_room && wides <= k->wide_room;
}

/* Copies the texts, whose bytes the next column of text may overwrite. */
static bool copy_texts(struct kept_column *k, const struct column *c)
{
    size_t bytes = 1;
    for (size_t i = 0; i < c->n; i++)
        bytes += c->texts[i].bytes;
    if (c->n > k->text_room) {
        free(k->texts);
        k->texts = malloc(c->n * sizeof *k->texts);
        k->text_room = k->texts ? c->n : 0;
    }
    if (bytes > k->bytes_room) {
        free(k->bytes);
        k->bytes = malloc(bytes);
        k->bytes_room = k->bytes ? bytes : 0;
    }
    if (c->n > k->text_room || bytes > k->bytes_room)
        return false;
    char *to = k->bytes;
    for (size_t i = 0; i < c->n; i++) {
        k->texts[i] = c->texts[i];
        k->texts[i].at = memcpy(to, c->texts[i].at, c->texts[i].bytes);
        to += c->texts[i].bytes;
    }
    k->column.texts = k->texts;
    return true;
}

/* Sets k->value_of from the rows of the values. */
static bool index_values(struct kept_column *k, size_t rows)
{
    const struct column *c = &k->column;
    k->value_of = NULL;
    if (!c->rows)
        return true;
    if (rows > k->rows_room) {
        free(k->value_of_room);
        k->value_of_room = malloc(rows * sizeof *k->value_of_room);
        k->rows_room = k->value_of_room ? rows : 0;
    }
    k->value_of = k->value_of_room;
    for (size_t i = 0; k->value_of && i < rows; i++)
        k->value_of[i] = BY_NONE;
    for (size_t i = 0; k->value_of && i < c->n; i++)
        k->value_of[c->rows[i]] = (uint32_t)i;
    return k->value_of;
}

bool kept_copy(struct kept_column *k, const struct column *c, size_t rows)
{
    const size_t bad = c->bad_rows ? c->bad : 0;
    if (!have_values(k, c->n + 1) || !have_others(k, bad, c->wides))
        return false;
    k->column = *c;
    k->column.values = k->values;
    if (c->texts && !copy_texts(k, c))
        return false;
    if (c->n > 0 && c->values)
        memcpy(k->values, c->values, c->n * dtype_size(c->dtype));
    k->column.rows =
        c->rows ? memcpy(k->rows, c->rows, c->n * sizeof *k->rows) : NULL;
    if (bad > 0)
        k->column.bad_rows =
            memcpy(k->bad_rows, c->bad_rows, bad * sizeof *k->bad_rows);
    if (c->wides > 0)
        k->column.wide = memcpy(k->wide, c->wide, c->wides * sizeof *k->wide);
    return index_values(k, rows);
}

void kept_free(struct kept_column *k)
{
    free(k->values);
    free(k->rows);
    free(k->bad_rows);
    free(k->wide);
    free(k->value_of_room);
    free(k->texts);
    free(k->bytes);
    *k = (struct kept_column){.room = 0};
}
