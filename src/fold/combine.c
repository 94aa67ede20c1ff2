/* SPDX-License-Identifier: MIT */
/* Combines pairs of partials: many by vectors, or one by one. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "fold/parts.h"

int64_t fold_word(const struct expr_value *value, bool *fits)
{
    int64_t word =
        value->type == EXPR_BOOL ? value->truth : (int64_t)value->integer;
    *fits = value->type == EXPR_BOOL || value->integer == word;
    if (value->type == EXPR_FLOAT) {
        memcpy(&word, &value->real, sizeof word);
        *fits = true;
    }
    return word;
}

struct expr_value level_value(const struct folder *f, const struct level *l,
                              size_t i)
{
    struct expr_value value = {.type = f->fold->type};
    if (!l->words)
        return l->values[i];
    if (value.type == EXPR_FLOAT)
        memcpy(&value.real, &l->words[i], sizeof value.real);
    else if (value.type == EXPR_BOOL)
        value.truth = l->words[i] != 0;
    else
        value.integer = l->words[i];
    return value;
}

bool level_slow(struct folder *f, struct level *l, struct error *e)
{
    if (!f->values)
        f->values = malloc(FOLD_BLOCK * sizeof *f->values);
    if (!f->values)
        return error_memory(e);
    for (size_t i = 0; i < l->n; i++)
        f->values[i] = level_value(f, l, i);
    l->values = f->values;
    l->words = NULL;
    return true;
}

static bool load(void *context, uint32_t index, enum expr_type type,
                 struct expr_vector *vector)
{
    const struct folder *f = context;
    (void)type;
    *vector = (struct expr_vector){f->fold->type, false,
                                   index == FOLD_A ? f->a : f->b, NULL};
    return true;
}

/* Converts integers to floats. False: a float cannot hold its integer. */
static bool put_floats(const int64_t *from, size_t n, int64_t *to)
{
    enum { EXACT_BITS = 53 };
    uint64_t beyond = 0;
    for (size_t i = 0; i < n; i++) {
        const double x = (double)from[i];
        beyond |=
            ((uint64_t)from[i] + (1ull << EXACT_BITS)) >> (EXACT_BITS + 1);
        memcpy(&to[i], &x, sizeof x);
    }
    return beyond == 0;
}

/* Combines n pairs of words. False: the caller must combine them one by one. */
static bool combine_words(struct folder *f, const int64_t *from, size_t n,
                          int64_t *to)
{
    const struct expr_batch batch = {load, f, n};
    struct expr_vector v;
    for (size_t i = 0; i < n; i++) {
        f->a[i] = from[2 * i];
        f->b[i] = from[2 * i + 1];
    }
    if (!vectors_run(f->vectors, &batch, &v) || v.has_missing)
        return false;
    if (f->fold->type == EXPR_FLOAT && v.type != EXPR_FLOAT)
        return put_floats(v.values, n, to);
    memcpy(to, v.values, n * sizeof *to);
    return true;
}

static bool level_up_words(struct folder *f, struct level *l)
{
    int64_t *to = f->words[l->words < f->words[1]];
    for (size_t i = 0; i < l->n / 2; i += VECTOR_ROWS) {
        const size_t left = l->n / 2 - i;
        if (!combine_words(f, l->words + 2 * i,
                           left < VECTOR_ROWS ? left : VECTOR_ROWS, to + i))
            return false;
    }
    l->words = to;
    return true;
}

static bool read_pair(const void *context, uint32_t index, enum expr_type type,
                      struct expr_value *value, struct error *e)
{
    const struct folder *f = context;
    (void)type, (void)e;
    *value = *f->pair[index];
    return true;
}

static bool evaluate(struct folder *f, const struct expr_value *a,
                     const struct expr_value *b, struct expr_value *out,
                     struct error *e)
{
    const struct fold *fold = f->fold;
    const struct expr_record record = {read_pair, f};
    struct expr_value value;
    f->pair[FOLD_A] = a;
    f->pair[FOLD_B] = b;
    if (a->type != fold->type || b->type != fold->type)
        return expr_complain(&fold->expr.source, 0, ERROR_DATA, e,
                             "an integer that a float cannot hold is among the "
                             "partials; integers alone are exact");
    if (!expr_evaluate(&fold->expr, &record, &value, e))
        return false;
    if (value.type == EXPR_MISSING)
        return expr_complain(&fold->expr.source, 0, ERROR_DATA, e,
                             "the partial is missing");
    *out = value;
    return expr_convert(out, fold->type) ||
           expr_complain(&fold->expr.source, 0, ERROR_DATA, e,
                         "the partial is an integer that a float cannot hold");
}

bool fold_pair(struct folder *f, const struct expr_value *a,
               const struct expr_value *b, uint64_t first, uint64_t end,
               struct expr_value *out, struct error *e)
{
    const struct fold *fold = f->fold;
    struct error why;
    if (evaluate(f, a, b, out, &why))
        return true;
    return error_set(e, why.kind, "%s%s%s %" PRIu64 " to %" PRIu64 ": %.2000s",
                     fold->file ? fold->file : "", fold->file ? ": " : "",
                     fold->items, first, end - 1, why.text);
}

bool level_up(struct folder *f, struct level *l, struct error *e)
{
    bool ok = true;
    if (l->words && !(f->vectors && level_up_words(f, l)))
        ok = level_slow(f, l, e);
    for (size_t i = 0; ok && !l->words && i < l->n / 2; i++) {
        const uint64_t first = (l->at + 2 * i) << l->level;
        ok = fold_pair(f, &l->values[2 * i], &l->values[2 * i + 1], first,
                       first + (2ull << l->level), &l->values[i], e);
    }
    l->n /= 2;
    l->at /= 2;
    l->level++;
    return ok;
}

bool fold_combine(struct folder *f, const struct expr_value *a,
                  const struct expr_value *b, struct expr_value *out,
                  struct error *e)
{
    return evaluate(f, a, b, out, e);
}
