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

/* Returns the last constant of a set that is not above x, or else the first. */
#define SEARCH(name, type, is_above)                            \
    static const type *name(const struct step *s, const type x) \
    {                                                           \
        const type *at = s->set.at;                             \
        for (size_t n = s->count, half; n > 1; n -= half) {     \
            half = n / 2;                                       \
            at += is_above(at[half], x) ? 0 : half;             \
        }                                                       \
        return at;                                              \
    }

#define IS_ABOVE(a, b) ((a) > (b))
#define IS_TEXT_ABOVE(a, b) (compare_in_set(a, b) > 0)
SEARCH(search_words, int64_t, IS_ABOVE)
SEARCH(search_texts, struct expr_text, IS_TEXT_ABOVE)

/* Looks for each value a[i] in a set. */
#define IN_SET(name, values_of, same)                                   \
    bool STEP(name)(struct vectors * v, const struct step *s, size_t n) \
    {                                                                   \
        struct slot *to = &v->slot[s->slot];                            \
        const __auto_type a = values_of(to);                            \
        int64_t found[VECTOR_ROWS] = {0};                               \
        for (size_t i = 0; s->count && i < n; i++)                      \
            found[i] = same;                                            \
        return set_found(to, found, s->set.has_missing, n);             \
    }

IN_SET(in_integer_set, integers_of, *search_words(s, a[i]) == a[i])
IN_SET(in_real_set, reals_of,
       *search_words(s, word_of_real(a[i])) == word_of_real(a[i]))
IN_SET(in_text_set, texts_of, expr_same_text(*search_texts(s, a[i]), a[i]))
