/* SPDX-License-Identifier: MIT */
/* Names, constants, logic, texts and choices of a batch. */
#include <string.h>

#include "expr/compute.h"
#include "expr/vectors_parts.h"

bool STEP(constant)(struct vectors *v, const struct step *s, size_t n)
{
    struct slot *to = &v->slot[s->slot];
    to->has_missing = false;
    made(to, s->constant.type);
    if (s->constant.type == EXPR_TEXT) {
        to->values = to->texts;
        for (size_t i = 0; i < n; i++)
            to->texts[i] = s->constant.text;
        return true;
    }
    int64_t word = s->constant.type == EXPR_BOOL ? s->constant.truth
                                                 : (int64_t)s->constant.integer;
    if (s->constant.type == EXPR_FLOAT)
        memcpy(&word, &s->constant.real, sizeof word);
    for (size_t i = 0; i < n; i++)
        to->words[i] = word;
    return true;
}

bool STEP(load)(struct vectors *v, const struct step *s, size_t n)
{
    struct slot *to = &v->slot[s->slot];
    struct expr_vector from;
    (void)n;
    if (!v->batch->load(v->batch->context, s->index, (enum expr_type)s->type,
                        &from))
        return false;
    to->type = from.type;
    to->has_missing = from.has_missing;
    to->values = from.values;
    to->valid = from.valid;
    return true;
}

static struct expr_value text_value(const struct slot *s, size_t i)
{
    struct expr_value value = {.type = EXPR_TEXT};
    value.text = texts_of(s)[i];
    return value;
}

/* Stores a result of an operation on texts. */
static void put(struct slot *to, size_t i, const struct expr_value *value)
{
    if (value->type == EXPR_TEXT)
        to->texts[i] = value->text;
    else if (value->type == EXPR_FLOAT)
        memcpy(&to->words[i], &value->real, sizeof value->real);
    else
        to->words[i] =
            value->type == EXPR_BOOL ? value->truth : (int64_t)value->integer;
}

static bool run_texts(struct vectors *v, const struct step *s, size_t n,
                      const struct slot *second)
{
    struct slot *to = &v->slot[s->slot];
    bool ok = true;
    if (second)
        mark_both(&to[0], second, n);
    for (size_t i = 0; ok && i < n; i++) {
        struct expr_value operand[2] = {text_value(to, i)}, out;
        if (to->has_missing && !to->valid[i]) {
            out = (struct expr_value){.type = (enum expr_type)s->type};
        } else {
            if (second)
                operand[1] = text_value(second, i);
            ok = !s->values(operand, &out);
        }
        put(to, i, &out);
    }
    made(to, (enum expr_type)s->type);
    to->values = s->type == EXPR_TEXT ? (const void *)to->texts : to->words;
    return ok;
}

bool STEP(texts)(struct vectors *v, const struct step *s, size_t n)
{
    return run_texts(v, s, n, NULL);
}

bool STEP(texts_2)(struct vectors *v, const struct step *s, size_t n)
{
    return run_texts(v, s, n, &v->slot[s->slot + 1]);
}

/* == and != of texts: frequent, and faster than finding their order. */
bool STEP(equal_texts)(struct vectors *v, const struct step *s, size_t n)
{
    struct slot *to = &v->slot[s->slot];
    const struct expr_text *a = texts_of(&to[0]), *b = texts_of(&to[1]);
    const bool is_equal = s->operation == OPERATION_EQ;
    for (size_t i = 0; i < n; i++)
        to->words[i] = expr_same_text(a[i], b[i]) == is_equal;
    mark_both(&to[0], &to[1], n);
    return made(to, EXPR_BOOL);
}

/* Converts bools to integers: their words are the same, so only the type
 * changes. */
bool STEP(retype)(struct vectors *v, const struct step *s, size_t n)
{
    (void)n;
    v->slot[s->slot].type = (enum expr_type)s->type;
    return true;
}

bool STEP(not )(struct vectors *v, const struct step *s, size_t n)
{
    struct slot *to = &v->slot[s->slot];
    const int64_t *a = integers_of(to);
    for (size_t i = 0; i < n; i++)
        to->words[i] = !a[i];
    return made(to, EXPR_BOOL);
}

/* Three-valued logic: if either operand equals `decides`, so does the result,
 * even if the other operand is missing. */
static bool combine(struct vectors *v, const struct step *s, size_t n,
                    int64_t decides)
{
    struct slot *to = &v->slot[s->slot];
    const struct slot *other = &to[1];
    const int64_t *a = integers_of(to), *b = integers_of(other);
    if (!to->has_missing && !other->has_missing) {
        for (size_t i = 0; i < n; i++)
            to->words[i] = decides ? a[i] | b[i] : a[i] & b[i];
        return made(to, EXPR_BOOL);
    }
    for (size_t i = 0; i < n; i++) {
        const bool has_a = !to->has_missing || to->valid[i];
        const bool has_b = !other->has_missing || other->valid[i];
        const bool is =
            (has_a && a[i] == decides) || (has_b && b[i] == decides);
        to->words[i] = is ? decides : !decides;
        to->marks[i] = is || (has_a && has_b);
    }
    to->valid = to->marks;
    to->has_missing = true;
    return made(to, EXPR_BOOL);
}

bool STEP (and)(struct vectors *v, const struct step *s, size_t n)
{
    return combine(v, s, n, 0);
}

bool STEP(or)(struct vectors *v, const struct step *s, size_t n)
{
    return combine(v, s, n, 1);
}

/* isfinite and isnan of integers and bools: true and false for every value. A
 * missing value stays missing. */
bool STEP(all_true)(struct vectors *v, const struct step *s, size_t n)
{
    struct slot *to = &v->slot[s->slot];
    for (size_t i = 0; i < n; i++)
        to->words[i] = s->operation == OPERATION_ISFINITE;
    return made(to, EXPR_BOOL);
}

bool STEP(ismissing)(struct vectors *v, const struct step *s, size_t n)
{
    struct slot *to = &v->slot[s->slot];
    for (size_t i = 0; i < n; i++)
        to->words[i] = to->has_missing && !to->valid[i];
    to->has_missing = false;
    return made(to, EXPR_BOOL);
}

static size_t size_of(enum expr_type type)
{
    return type == EXPR_TEXT ? sizeof(struct expr_text) : sizeof(int64_t);
}

/* Both operands have the result's type. */
bool STEP(coalesce)(struct vectors *v, const struct step *s, size_t n)
{
    struct slot *to = &v->slot[s->slot];
    const struct slot *other = &to[1];
    const size_t size = size_of(to->type);
    char *out = to->type == EXPR_TEXT ? (char *)to->texts : (char *)to->words;
    to->type = (enum expr_type)s->type;
    if (!to->has_missing)
        return true;
    for (size_t i = 0; i < n; i++) {
        const bool has = to->valid[i];
        const char *from = has ? to->values : other->values;
        memmove(out + i * size, from + i * size, size);
        to->marks[i] = has || !other->has_missing || other->valid[i];
    }
    to->valid = to->marks;
    to->has_missing = other->has_missing;
    to->values = out;
    return true;
}

/* Marks a result as valid if both the condition and the chosen value are. */
static void mark_chosen(struct slot *to, size_t n)
{
    const int64_t *condition = integers_of(to);
    for (size_t i = 0; i < n; i++) {
        const struct slot *from = condition[i] ? &to[1] : &to[2];
        to->marks[i] = (!to->has_missing || to->valid[i]) &&
                       (!from->has_missing || from->valid[i]);
    }
    to->valid = to->marks;
    to->has_missing = true;
}

/* The slot has the condition; the two slots after it have the values, of the
 * same type. */
bool STEP(choose)(struct vectors *v, const struct step *s, size_t n)
{
    struct slot *to = &v->slot[s->slot];
    const int64_t *condition = integers_of(to);
    const bool is_text = to[1].type == EXPR_TEXT;
    if (to->has_missing || to[1].has_missing || to[2].has_missing)
        mark_chosen(to, n);
    if (is_text) {
        const struct expr_text *a = texts_of(&to[1]), *b = texts_of(&to[2]);
        for (size_t i = 0; i < n; i++)
            to->texts[i] = condition[i] ? a[i] : b[i];
    } else {
        const int64_t *a = integers_of(&to[1]), *b = integers_of(&to[2]);
        for (size_t i = 0; i < n; i++) {
            const int64_t x = a[i], y = b[i];
            to->words[i] = condition[i] ? x : y;
        }
    }
    to->type = (enum expr_type)s->type;
    to->values = is_text ? (const void *)to->texts : to->words;
    return true;
}
