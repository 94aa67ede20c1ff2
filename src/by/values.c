/* SPDX-License-Identifier: MIT */
#include "by/values.h"

#include <stdlib.h>
#include <string.h>

#include "by/sort.h"
#include "by/step.h"
#include "reduce/ranks.h"

enum {
    PIECE_LEAST = 256,
    PIECE_MOST = 64 << 10,
    /* Up to this many values are sorted by insertion. */
    FEW = 32,
};

#define KEY_NOT_A_NUMBER UINT64_MAX

/* Set in `column` of an entry for a row without a value, or with a bad cell. */
#define ABSENT ((uint32_t)1 << 31)
#define BAD ((uint32_t)1 << 30)

struct logged {
    uint64_t key;
    uint32_t id, column;
};

struct by_piece {
    struct by_piece *next;
    uint64_t first; /* in the order of the data: the position of its chunk */
    size_t n, room;
    struct logged at[];
};

static size_t piece_bytes(size_t room)
{
    return sizeof(struct by_piece) + room * sizeof(struct logged);
}

static size_t next_room(const struct by_values *v)
{
    size_t room = v->n / 4;
    room = room > PIECE_LEAST ? room : PIECE_LEAST;
    return room < PIECE_MOST ? room : PIECE_MOST;
}

static enum distinct_lost add_piece(struct by_values *v, size_t room)
{
    enum distinct_lost lost = DISTINCT_KEPT;
    struct by_piece *piece = distinct_take(piece_bytes(room), &lost);
    if (!piece)
        return lost;
    piece->next = v->piece;
    piece->room = room;
    v->piece = piece;
    return DISTINCT_KEPT;
}

/* The key of a value. Equal values have equal keys: -0 has that of 0, and all
 * NaN have one. */
static uint64_t key_of(enum dtype dtype, const void *at)
{
    const uint64_t bits = dtype_load(dtype, at);
    if (dtype_is_float(dtype)) {
        const double x = dtype_to_double(dtype, bits);
        if (x != x)
            return KEY_NOT_A_NUMBER;
        if (x == 0)
            return rank_key(dtype, 0);
    }
    return rank_key(dtype, bits);
}

enum distinct_lost by_values_add(const struct by_addend *a,
                                 const uint32_t *which, size_t n)
{
    const enum dtype dtype = a->table->layout->dtype;
    const size_t size = dtype_size(dtype);
    struct by_values *v = &a->table->values;
    for (size_t i = 0; i < n; i++) {
        const size_t value = which ? which[i] : i;
        if (!v->piece || v->piece->n == v->piece->room) {
            const enum distinct_lost lost = add_piece(v, next_room(v));
            if (lost)
                return lost;
        }
        v->piece->at[v->piece->n++] = (struct logged){
            key_of(dtype, (const char *)a->column->values + value * size),
            a->id[addend_row(a, value)], (uint32_t)a->number};
        v->n++;
    }
    return DISTINCT_KEPT;
}

static void free_pieces(struct by_values *v)
{
    while (v->piece) {
        struct by_piece *next = v->piece->next;
        distinct_give(v->piece, piece_bytes(v->piece->room));
        v->piece = next;
    }
}

void by_values_close(struct by_values *v)
{
    free_pieces(v);
    distinct_give(v->key, v->n * sizeof *v->key);
    distinct_give(v->begin, v->begins * sizeof *v->begin);
    distinct_give(v->absent, v->n);
    *v = (struct by_values){.n = 0};
}

static size_t place_of(const struct logged *x, size_t columns)
{
    return x->id * columns + (x->column & ~(ABSENT | BAD));
}

/* Moves the keys of the log to the columns of their records. In each column the
 * keys of the first piece come last. */
static void scatter(struct by_values *v, size_t columns)
{
    uint64_t sum = 0;
    for (const struct by_piece *p = v->piece; p; p = p->next) {
        for (size_t i = 0; i < p->n; i++)
            v->begin[place_of(&p->at[i], columns)]++;
    }
    for (size_t i = 0; i < v->begins; i++) {
        sum += v->begin[i];
        v->begin[i] = sum;
    }
    for (const struct by_piece *p = v->piece; p; p = p->next) {
        for (size_t i = p->n; i-- > 0;) {
            const uint64_t to = --v->begin[place_of(&p->at[i], columns)];
            v->key[to] = p->at[i].key;
            if (v->absent)
                v->absent[to] = p->at[i].column & BAD      ? 2
                                : p->at[i].column & ABSENT ? 1
                                                           : 0;
        }
    }
}

static void sort_few(uint64_t *key, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const uint64_t x = key[i];
        size_t at = i;
        for (; at > 0 && key[at - 1] > x; at--)
            key[at] = key[at - 1];
        key[at] = x;
    }
}

static enum distinct_lost sort_runs(struct by_values *v)
{
    enum distinct_lost lost = DISTINCT_KEPT;
    size_t most = 0;
    for (size_t i = 0; i + 1 < v->begins; i++) {
        const size_t n = v->begin[i + 1] - v->begin[i];
        most = n > most ? n : most;
    }
    uint64_t *room =
        most > FEW ? distinct_take(most * sizeof *room, &lost) : NULL;
    for (size_t i = 0; i + 1 < v->begins && !lost; i++) {
        const size_t n = v->begin[i + 1] - v->begin[i];
        if (n > FEW)
            sort_words(v->key + v->begin[i], room, n, 0);
        else if (n > 1) /* without any value, v->key is NULL */
            sort_few(v->key + v->begin[i], n);
    }
    distinct_give(room, most * sizeof *room);
    return lost;
}

/* Moves all values from the log to v->key, and frees the log. */
static enum distinct_lost gather(struct by_table *t, struct by_values *v)
{
    enum distinct_lost lost = DISTINCT_KEPT;
    const size_t begins = t->n * t->layout->columns + 1;
    v->key = v->n > 0 ? distinct_take(v->n * sizeof *v->key, &lost) : NULL;
    if (!lost && v->absents > 0)
        v->absent = distinct_take(v->n, &lost);
    if (lost)
        return lost;
    v->begin = distinct_take(begins * sizeof *v->begin, &lost);
    if (lost)
        return lost;
    v->begins = begins;
    scatter(v, t->layout->columns);
    free_pieces(v);
    return lost;
}

enum distinct_lost by_values_sort(struct by_table *t)
{
    const enum distinct_lost lost = gather(t, &t->values);
    return lost ? lost : sort_runs(&t->values);
}

enum distinct_lost by_values_keep(const struct by_addend *a,
                                  const uint32_t *row, const uint32_t *value_of,
                                  size_t n)
{
    const enum dtype dtype = a->table->layout->dtype;
    const char *values = a->column->values;
    const uint32_t *bad = a->column->bad_rows, *bad_end;
    struct by_values *v = &a->table->ordered;
    const enum distinct_lost lost = add_piece(v, n);
    const struct wide_integer *wide = a->column->wide;
    size_t wides = a->column->wides;
    bad_end = bad ? bad + a->column->bad : bad;
    if (lost)
        return lost;
    v->piece->first = a->first;
    for (size_t i = 0; i < n; i++) {
        const uint32_t value = value_of ? value_of[row[i]] : row[i];
        struct logged *to = &v->piece->at[v->piece->n++];
        *to = (struct logged){0, a->id[row[i]], (uint32_t)a->number};
        while (bad < bad_end && *bad < row[i])
            bad++;
        for (; wides > 0 && wide->index < row[i]; wides--)
            wide++;
        if (wides > 0 && wide->index == row[i])
            to->key = bits_of_double(wide_nearest(wide));
        else if (value == BY_NONE)
            to->column |= bad < bad_end && *bad == row[i] ? BAD : ABSENT;
        else
            to->key = dtype_load(dtype, values + value * dtype_size(dtype));
        v->absents += (to->column & (ABSENT | BAD)) != 0;
    }
    v->n += n;
    return DISTINCT_KEPT;
}

/* Orders pieces for qsort: that of the data's last chunk comes first. */
static int by_first(const void *a, const void *b)
{
    const uint64_t x = (*(struct by_piece *const *)a)->first,
                   y = (*(struct by_piece *const *)b)->first;
    return (x < y) - (x > y);
}

enum distinct_lost by_values_order(struct by_table *t)
{
    struct by_values *v = &t->ordered;
    enum distinct_lost lost = DISTINCT_KEPT;
    size_t n = 0, i = 0;
    if (!t->layout->spec.in_order)
        return DISTINCT_KEPT;
    for (const struct by_piece *p = v->piece; p; p = p->next)
        n++;
    struct by_piece **all = distinct_take((n + 1) * sizeof(*all), &lost);
    if (!all)
        return lost;
    for (struct by_piece *p = v->piece; p; p = p->next)
        all[i++] = p;
    qsort(all, n, sizeof(*all), by_first);
    for (v->piece = all[0], i = 0; i < n; i++)
        all[i]->next = all[i + 1];
    distinct_give(all, (n + 1) * sizeof(*all));
    return gather(t, v);
}

const uint64_t *by_values_in_order(const struct by_table *t, uint32_t id,
                                   size_t column, size_t *n,
                                   const uint8_t **absent)
{
    const struct by_values *v = &t->ordered;
    const uint64_t *begin = v->begin + id * t->layout->columns + column;
    *n = begin[1] - begin[0];
    *absent = v->absent ? v->absent + begin[0] : NULL;
    return *n > 0 ? v->key + begin[0] : NULL;
}

const uint64_t *by_values_of_record(const struct by_table *t, uint32_t id,
                                    size_t column, size_t *n, size_t *nans)
{
    const struct by_values *v = &t->values;
    const uint64_t *begin = v->begin + id * t->layout->columns + column;
    *n = begin[1] - begin[0];
    *nans = 0;
    const uint64_t *key = *n > 0 ? v->key + begin[0] : NULL;
    if (!dtype_is_float(t->layout->dtype))
        return key;
    while (*n > 0 && key[*n - 1] == KEY_NOT_A_NUMBER) {
        --*n;
        ++*nans;
    }
    return key;
}
