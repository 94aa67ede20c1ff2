/* SPDX-License-Identifier: MIT */
/* Looks for the values of a batch in a list of constants. */
#include "expr/vectors_parts.h"

/* Sets the results. For a value that was not found, the result is missing if
 * one of the constants is missing, else false. */
static bool set_found(struct slot *to, const int64_t found[VECTOR_ROWS],
                      bool has_missing, size_t n)
{
    memcpy(to->words, found, VECTOR_ROWS * sizeof *found);
    made(to, EXPR_BOOL);
    if (!has_missing)
        return true;
    for (size_t i = 0; i < n; i++)
        to->marks[i] = to->words[i] && (!to->has_missing || to->valid[i]);
    to->valid = to->marks;
    to->has_missing = true;
    return true;
}

/* Whether values are compared with the constant. A missing constant is not; it
 * sets *has_missing. */
static bool is_sought(const struct expr_value *constant, bool *has_missing)
{
    *has_missing |= constant->type == EXPR_MISSING;
    return constant->type != EXPR_MISSING;
}

bool STEP(in_integers)(struct vectors *v, const struct step *s, size_t n)
{
    struct slot *to = &v->slot[s->slot];
    const int64_t *a = integers_of(to);
    bool has_missing = false;
    int64_t found[VECTOR_ROWS] = {0};
    for (size_t k = 0; k < s->count; k++) {
        struct expr_value c = v->x->constant[s->index + k];
        if (!is_sought(&c, &has_missing))
            continue;
        if (!word_of_constant(&c))
            continue;
        for (size_t i = 0; i < n; i++)
            found[i] |= a[i] == (int64_t)c.integer;
    }
    return set_found(to, found, has_missing, n);
}

bool STEP(in_reals)(struct vectors *v, const struct step *s, size_t n)
{
    struct slot *to = &v->slot[s->slot];
    const double *a = reals_of(to);
    bool has_missing = false;
    int64_t found[VECTOR_ROWS] = {0};
    for (size_t k = 0; k < s->count; k++) {
        struct expr_value c = v->x->constant[s->index + k];
        if (!is_sought(&c, &has_missing) || !expr_convert(&c, EXPR_FLOAT))
            continue;
        for (size_t i = 0; i < n; i++)
            found[i] |= a[i] == c.real;
    }
    return set_found(to, found, has_missing, n);
}

bool STEP(in_texts)(struct vectors *v, const struct step *s, size_t n)
{
    struct slot *to = &v->slot[s->slot];
    const struct expr_text *a = texts_of(to);
    bool has_missing = false;
    int64_t found[VECTOR_ROWS] = {0};
    for (size_t k = 0; k < s->count; k++) {
        const struct expr_value *c = &v->x->constant[s->index + k];
        if (!is_sought(c, &has_missing))
            continue;
        for (size_t i = 0; i < n; i++)
            found[i] |= are_equal(a[i], c->text);
    }
    return set_found(to, found, has_missing, n);
}
