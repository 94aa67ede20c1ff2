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

/* An array of n or more items, whose old ones are lost. Without memory *room is
 * then 0. */
static void *grown(void *array, size_t *room, size_t n, size_t bytes)
{
    if (n <= *room)
        return array;
    free(array);
    array = malloc(n * bytes);
    *room = array ? n : 0;
    return array;
}

static bool have_others(struct kept_column *k, size_t bad, size_t wides)
{
    k->bad_rows = grown(k->bad_rows, &k->bad_room, bad, sizeof *k->bad_rows);
    k->wide = grown(k->wide, &k->wide_room, wides, sizeof *k->wide);
    return bad <= k->bad_room && wides <= k->wide_room;
}

/* Copies the texts, whose bytes the next column of text may overwrite. */
static bool copy_texts(struct kept_column *k, const struct column *c)
{
    size_t bytes = 1;
    for (size_t i = 0; i < c->n; i++)
        bytes += c->texts[i].bytes;
    k->texts = grown(k->texts, &k->text_room, c->n, sizeof *k->texts);
    k->bytes = grown(k->bytes, &k->bytes_room, bytes, 1);
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
    k->value_of = k->value_of_room =
        grown(k->value_of_room, &k->rows_room, rows + 1, sizeof *k->value_of);
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
