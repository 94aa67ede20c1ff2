/* SPDX-License-Identifier: MIT */
/* Keeps the values of formulas that other formulas read for the whole chunk. */
#include <stdlib.h>
#include <string.h>

#include "formula/parts.h"

/* The bytes that a decoder keeps. Values beyond them are computed again. */
enum { KEPT_MOST = 16 << 20 };

/* The kept values are words, [rows], then whether each is valid, [rows], then
 * one byte for each batch: how_kept, or 0 if it is not kept. */
static uint8_t *valid_of(const struct decoder *d, const struct formula_state *s)
{
    return (uint8_t *)((int64_t *)s->kept.at + d->rows);
}

static uint8_t *how_of(const struct decoder *d, const struct formula_state *s)
{
    return valid_of(d, s) + d->rows + d->at / VECTOR_ROWS;
}

/* Frees values that were not used in this pass, those of the earliest pass
 * first, until there is room for more. */
static bool make_room(struct decoder *d, size_t more)
{
    while (d->kept_bytes + more > KEPT_MOST) {
        struct formula_state *oldest = NULL;
        for (size_t i = 0; i < d->formulas->count; i++) {
            struct formula_state *s = &d->state[i];
            if (s->kept.at && s->used < d->pass &&
                (!oldest || s->used < oldest->used))
                oldest = s;
        }
        if (!oldest)
            return false;
        d->kept_bytes -= oldest->kept.bytes;
        free(oldest->kept.at);
        oldest->kept = (struct csv_room){NULL, 0};
        oldest->is_kept = false;
        oldest->at = SIZE_MAX; /* its result may be among these values */
    }
    return true;
}

/* Makes room for the values of a chunk, none of them kept yet. */
static bool begin(struct decoder *d, struct formula_state *s)
{
    const size_t batches = d->rows / VECTOR_ROWS + 1;
    const size_t bytes = d->rows * (sizeof(int64_t) + 1) + batches;
    const size_t before = s->kept.bytes;
    struct error e;
    if ((bytes > before && !make_room(d, bytes + bytes / 4 - before)) ||
        !csv_have_room(&s->kept, bytes, &e)) {
        d->kept_bytes += s->kept.bytes - before;
        return false;
    }
    d->kept_bytes += s->kept.bytes - before;
    memset(valid_of(d, s) + d->rows, 0, batches);
    s->is_kept = true;
    return true;
}

void formula_keep(struct decoder *d, struct formula_state *s)
{
    const struct expr_vector *v = &s->result;
    if (!s->is_read || d->pass == 0 || v->type == EXPR_TEXT ||
        (!s->is_kept && !begin(d, s)))
        return;
    memcpy((int64_t *)s->kept.at + d->at, v->values, d->n * sizeof(int64_t));
    if (v->has_missing)
        memcpy(valid_of(d, s) + d->at, v->valid, d->n);
    *how_of(d, s) = (uint8_t)(2 * v->type + v->has_missing);
}

bool formula_recall(struct decoder *d, struct formula_state *s)
{
    if (!s->is_kept)
        return false;
    const uint8_t how = *how_of(d, s);
    s->result = (struct expr_vector){(enum expr_type)(how / 2), how % 2,
                                     (int64_t *)s->kept.at + d->at,
                                     valid_of(d, s) + d->at};
    return how > 0;
}
