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

/* Looks for each value a[i] in the constants c that are not missing and that
 * `fits` allows: those that a value of this type can equal. */
#define IN(name, values_of, fits, same)                                 \
    bool STEP(name)(struct vectors * v, const struct step *s, size_t n) \
    {                                                                   \
        struct slot *to = &v->slot[s->slot];                            \
        const __auto_type a = values_of(to);                            \
        bool has_missing = false;                                       \
        int64_t found[VECTOR_ROWS] = {0};                               \
        for (size_t k = 0; k < s->count; k++) {                         \
            struct expr_value c = v->x->constant[s->index + k];         \
            has_missing |= c.type == EXPR_MISSING;                      \
            if (c.type == EXPR_MISSING || !(fits))                      \
                continue;                                               \
            for (size_t i = 0; i < n; i++)                              \
                found[i] |= same;                                       \
        }                                                               \
        return set_found(to, found, has_missing, n);                    \
    }

IN(in_integers, integers_of, word_of_constant(&c), a[i] == (int64_t)c.integer)
IN(in_reals, reals_of, expr_convert(&c, EXPR_FLOAT), a[i] == c.real)
IN(in_texts, texts_of, true, expr_same_text(a[i], c.text))
