/* SPDX-License-Identifier: MIT */
#include "by/texts.h"

#include <stdlib.h>
#include <string.h>

#include "by/step.h"

/* Texts that are looked up together. */
enum { BATCH = 256 };

/* The column of a record that a pair is of: the record's number times the
 * number of columns, plus the column's. It precedes the text of the pair. */
typedef uint32_t owner;

struct by_texts {
    struct by_layout layout; /* of the records of pairs: without columns */
    struct by_table pairs;
    struct by_text_tally *tally; /* [tallies], owned, by owner */
    size_t tallies;
    char *room; /* [room_bytes]: the keys of a batch of pairs */
    size_t room_bytes;
};

static struct by_texts *texts_new(void)
{
    const struct by_spec spec = {.keys = 1};
    struct by_texts *texts = calloc(1, sizeof *texts);
    if (texts && !layout_make(&texts->layout, &spec, DTYPE_f64, 0, 0)) {
        free(texts);
        return NULL;
    }
    if (texts)
        texts->pairs.layout = &texts->layout;
    return texts;
}

void by_texts_close(struct by_texts *texts)
{
    if (!texts)
        return;
    table_close(&texts->pairs);
    layout_free(&texts->layout);
    distinct_give(texts->tally, texts->tallies * sizeof *texts->tally);
    free(texts->room);
    free(texts);
}

/* Text number `i` of those that are added. */
static const struct text_cell *text_at(const struct by_addend *a,
                                       const uint32_t *which, size_t i)
{
    return &a->column->texts[which ? which[i] : i];
}

static bool have_room(struct by_texts *texts, size_t bytes)
{
    if (bytes > texts->room_bytes) {
        free(texts->room);
        texts->room_bytes = bytes + bytes / 2;
        texts->room = malloc(texts->room_bytes);
        texts->room_bytes = texts->room ? texts->room_bytes : 0;
    }
    return texts->room;
}

/* Adds up to BATCH pairs. */
static enum distinct_lost add_pairs(const struct by_addend *a,
                                    const uint32_t *which, size_t n)
{
    const size_t columns = a->table->layout->columns;
    struct by_texts *texts = a->table->texts;
    struct key_sought key[BATCH];
    uint32_t id[BATCH];
    size_t bytes = KEY_SHORT;
    for (size_t i = 0; i < n; i++)
        bytes += sizeof(owner) + text_at(a, which, i)->bytes;
    if (!have_room(texts, bytes))
        return DISTINCT_NO_MEMORY;
    char *to = texts->room;
    for (uint32_t i = 0; i < n; i++) {
        const struct text_cell *text = text_at(a, which, i);
        const owner of = (owner)(a->id[text->row] * columns + a->number);
        const struct text_cell pair = {to, text->bytes + (uint32_t)sizeof of,
                                       i};
        memcpy(to, &of, sizeof of);
        memcpy(to + sizeof of, text->at, text->bytes);
        to += pair.bytes;
        key[i] = key_seek(pair);
    }
    return table_find(&texts->pairs, key, n, NULL, id);
}

static enum distinct_lost add_all_pairs(const struct by_addend *a,
                                        const uint32_t *which, size_t n)
{
    struct by_table *t = a->table;
    enum distinct_lost lost = DISTINCT_KEPT;
    if (!t->texts && !(t->texts = texts_new()))
        return DISTINCT_NO_MEMORY;
    if (t->n * t->layout->columns > UINT32_MAX)
        return DISTINCT_LIMIT;
    for (size_t i = 0; i < n && !lost; i += BATCH) {
        const size_t batch = n - i < BATCH ? n - i : BATCH;
        struct by_addend some = *a;
        struct column rest = *a->column;
        rest.texts += which ? 0 : i;
        some.column = &rest;
        lost = add_pairs(&some, which ? which + i : NULL, batch);
    }
    return lost;
}

static char *column_of(const struct by_addend *a, const struct text_cell *text)
{
    return layout_column(a->table->layout,
                         table_record(a->table, a->id[text->row]), a->number);
}

/* Keeps the first and the last text of each key. The texts are read forwards
 * for the first ones and backwards for the last ones, so that at most one text
 * of a key is copied for each. */
static void keep_ends(const struct by_addend *a, const uint32_t *which,
                      size_t n)
{
    for (size_t i = 0; i < 2 * n; i++) {
        const bool is_first = i < n;
        const struct text_cell *text =
            text_at(a, which, is_first ? i : 2 * n - 1 - i);
        const struct text_end end = {(char *)(uintptr_t)text->at, text->bytes,
                                     a->first + text->row},
                              none = {.index = INDEX_NONE};
        const struct text_ends ends = {is_first ? end : none,
                                       is_first ? none : end, false};
        text_ends_merge(layout_ends(a->table->layout, column_of(a, text)),
                        &ends);
    }
}

enum distinct_lost by_step_texts(const struct by_addend *a,
                                 const uint32_t *which, size_t n)
{
    const struct by_layout *l = a->table->layout;
    for (size_t i = 0; i < n; i++) {
        const struct text_cell *text = text_at(a, which, i);
        const struct column one = {.n = 1, .texts = text};
        char *column = column_of(a, text);
        ((struct by_column *)column)->n++;
        if (l->at[MONOID_sketch])
            sketch_add(&layout_state(l, column, MONOID_sketch)->sketch, &one);
    }
    if (l->ends)
        keep_ends(a, which, n);
    return l->values ? add_all_pairs(a, which, n) : DISTINCT_KEPT;
}

/* Whether text a comes before text b in the order of their bytes. */
static bool is_less(const char *a, size_t a_bytes, const char *b,
                    size_t b_bytes)
{
    const int order = memcmp(a, b, a_bytes < b_bytes ? a_bytes : b_bytes);
    return order < 0 || (order == 0 && a_bytes < b_bytes);
}

enum distinct_lost by_texts_count(struct by_table *t)
{
    enum distinct_lost lost = DISTINCT_KEPT;
    struct by_texts *texts = t->texts;
    if (!texts)
        return DISTINCT_KEPT;
    const size_t n = t->n * t->layout->columns;
    texts->tally = distinct_take(n * sizeof *texts->tally, &lost);
    texts->tallies = lost ? 0 : n;
    for (size_t i = 0; i < texts->pairs.n && !lost; i++) {
        const struct by_head *pair = table_head(&texts->pairs, i);
        const struct text_cell key = key_text(&pair->key);
        const char *text = key.at + sizeof(owner);
        const uint32_t bytes = key.bytes - (uint32_t)sizeof(owner);
        owner of;
        memcpy(&of, key.at, sizeof of);
        struct by_text_tally *tally = &texts->tally[of];
        tally->n++;
        if (pair->rows >= tally->most)
            tally->ties = pair->rows > tally->most ? 1 : tally->ties + 1;
        if (pair->rows < tally->most ||
            (pair->rows == tally->most &&
             !is_less(text, bytes, tally->text, tally->bytes)))
            continue;
        tally->most = pair->rows;
        tally->text = text;
        tally->bytes = bytes;
    }
    return lost;
}

const struct by_text_tally *by_texts_of_record(const struct by_table *t,
                                               uint32_t id, size_t column)
{
    return t->texts ? &t->texts->tally[id * t->layout->columns + column] : NULL;
}
