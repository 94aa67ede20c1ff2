/* SPDX-License-Identifier: MIT */
/* Sorts long lists of constants, so that steps can search them. */
#include <math.h>
#include <stdlib.h>

#include "expr/vectors_parts.h"

static int compare_words(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static int compare_texts(const void *a, const void *b)
{
    return compare_in_set(*(const struct expr_text *)a,
                          *(const struct expr_text *)b);
}

/* The constant as a word of the set. False: no value of the type equals it. */
static bool word_of(struct expr_value c, enum expr_type type, int64_t *word)
{
    if (type == EXPR_FLOAT) {
        const bool fits = expr_convert(&c, EXPR_FLOAT) && !isnan(c.real);
        *word = fits ? word_of_real(c.real) : 0;
        return fits;
    }
    const bool fits = word_of_constant(&c);
    *word = fits ? (int64_t)c.integer : 0;
    return fits;
}

void vectors_sort_set(struct vectors *v, struct step *s, enum expr_type type)
{
    const struct expr_value *c = v->x->constant + s->index;
    struct expr_text *text = v->sorted + s->index;
    int64_t *word = (int64_t *)text;
    uint32_t n = 0;
    s->set.at = text;
    for (size_t k = 0; k < s->count; k++) {
        s->set.has_missing |= c[k].type == EXPR_MISSING;
        if (c[k].type == EXPR_MISSING)
            continue;
        if (type == EXPR_TEXT)
            text[n++] = c[k].text;
        else
            n += word_of(c[k], type, &word[n]);
    }
    s->count = n;
    if (type == EXPR_TEXT)
        qsort(text, n, sizeof *text, compare_texts);
    else
        qsort(word, n, sizeof *word, compare_words);
}
