/* SPDX-License-Identifier: MIT */
/* What each step does with the values of a batch. */
#include <math.h>
#include <string.h>

#include "expr/compute.h"
#include "expr/vectors_parts.h"

static const double *reals_of(const struct slot *s)
{
    return s->values;
}

static const int64_t *integers_of(const struct slot *s)
{
    return s->values;
}

static const struct expr_text *texts_of(const struct slot *s)
{
    return s->values;
}

/* Says that the slot now has the values of its own words. */
static bool made(struct slot *s, enum expr_type type)
{
    s->values = s->words;
    s->type = type;
    return true;
}

/* A value of two operands is missing where either is. */
static void mark_both(struct slot *a, const struct slot *b, size_t n)
{
    if (!b->has_missing)
        return;
    for (size_t i = 0; i < n; i++)
        a->marks[i] = b->valid[i] & (a->has_missing ? a->valid[i] : 1);
    a->valid = a->marks;
    a->has_missing = true;
}

bool step_constant(struct vectors *v, const struct step *s, size_t n)
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

bool step_load(struct vectors *v, const struct step *s, size_t n)
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

/* Whether f64 holds every integer. */
bool step_to_float(struct vectors *v, const struct step *s, size_t n)
{
    enum { EXACT_BITS = 53 };
    struct slot *to = &v->slot[s->slot];
    const int64_t *from = integers_of(to);
    double *x = (double *)to->words;
    uint64_t beyond = 0;
    for (size_t i = 0; i < n; i++) {
        beyond |=
            ((uint64_t)from[i] + (1ull << EXACT_BITS)) >> (EXACT_BITS + 1);
        x[i] = (double)from[i];
    }
    made(to, EXPR_FLOAT);
    return beyond == 0;
}

/* The local result is needed: where the result is stored over an operand, gcc
 * 12 misses the overflow. */
#define INTEGERS(name, operation)                                          \
    bool step_##name(struct vectors *v, const struct step *s, size_t n)    \
    {                                                                      \
        struct slot *to = &v->slot[s->slot];                               \
        const int64_t *a = integers_of(&to[0]), *b = integers_of(&to[1]);  \
        bool is_over = false;                                              \
        for (size_t i = 0; i < n; i++) {                                   \
            int64_t out;                                                   \
            is_over |= __builtin_##operation##_overflow(a[i], b[i], &out); \
            to->words[i] = out;                                            \
        }                                                                  \
        mark_both(&to[0], &to[1], n);                                      \
        return made(to, EXPR_INTEGER) && !is_over;                         \
    }

INTEGERS(add, add)
INTEGERS(subtract, sub)
INTEGERS(multiply, mul)

bool step_rest(struct vectors *v, const struct step *s, size_t n)
{
    struct slot *to = &v->slot[s->slot];
    const int64_t *a = integers_of(&to[0]), *b = integers_of(&to[1]);
    bool by_zero = false;
    for (size_t i = 0; i < n; i++) {
        const bool is_plain = b[i] != 0 && b[i] != -1;
        by_zero |= b[i] == 0;
        to->words[i] = is_plain ? a[i] % b[i] : 0;
    }
    mark_both(&to[0], &to[1], n);
    return made(to, EXPR_INTEGER) && !by_zero;
}

/* Any other operation of integers. */
bool step_integers(struct vectors *v, const struct step *s, size_t n)
{
    struct slot *to = &v->slot[s->slot];
    const bool is_unary = expr_operations[s->operation].operands == 1;
    const struct slot *other = is_unary ? &to[0] : &to[1];
    const int64_t *a = integers_of(to), *b = integers_of(other);
    bool ok = true;
    for (size_t i = 0; ok && i < n; i++) {
        __int128 out = 0;
        ok = !s->integers(a[i], b[i], &out) && out == (int64_t)out;
        to->words[i] = (int64_t)out;
    }
    if (!is_unary)
        mark_both(&to[0], &to[1], n);
    return made(to, EXPR_INTEGER) && ok;
}

bool step_integer_power(struct vectors *v, const struct step *s, size_t n)
{
    struct slot *to = &v->slot[s->slot];
    const int64_t *base = integers_of(to);
    bool is_over = false;
    for (size_t i = 0; i < n; i++) {
        int64_t product = 1, square = base[i];
        for (int64_t left = s->power; left > 0; left >>= 1) {
            if (left & 1)
                is_over |= __builtin_mul_overflow(product, square, &product);
            if (left > 1)
                is_over |= __builtin_mul_overflow(square, square, &square);
        }
        to->words[i] = product;
    }
    return made(to, EXPR_INTEGER) && !is_over;
}

/* Operations of floats: x is the first operand, y the second. */
#define REALS(name, compute)                                          \
    bool step_##name##_reals(struct vectors *v, const struct step *s, \
                             size_t n)                                \
    {                                                                 \
        struct slot *to = &v->slot[s->slot];                          \
        const double *a = reals_of(&to[0]), *b = reals_of(&to[1]);    \
        double *out = (double *)to->words;                            \
        for (size_t i = 0; i < n; i++) {                              \
            const double x = a[i], y = b[i];                          \
            out[i] = compute;                                         \
        }                                                             \
        mark_both(&to[0], &to[1], n);                                 \
        return made(to, EXPR_FLOAT);                                  \
    }
#define REALS_OF_ONE(name, compute)                                   \
    bool step_##name##_reals(struct vectors *v, const struct step *s, \
                             size_t n)                                \
    {                                                                 \
        struct slot *to = &v->slot[s->slot];                          \
        const double *a = reals_of(to);                               \
        double *out = (double *)to->words;                            \
        for (size_t i = 0; i < n; i++) {                              \
            const double x = a[i];                                    \
            out[i] = compute;                                         \
        }                                                             \
        return made(to, EXPR_FLOAT);                                  \
    }

REALS(add, x + y)
REALS(subtract, x - y)
REALS(multiply, x *y)
REALS(divide, x / y)
REALS_OF_ONE(negate, -x)
REALS_OF_ONE(abs, fabs(x))
REALS_OF_ONE(sqrt, sqrt(x))

bool step_reals(struct vectors *v, const struct step *s, size_t n)
{
    struct slot *to = &v->slot[s->slot];
    const double *a = reals_of(to);
    double *out = (double *)to->words;
    for (size_t i = 0; i < n; i++)
        out[i] = s->reals(a[i], 0);
    return made(to, EXPR_FLOAT);
}

bool step_reals_2(struct vectors *v, const struct step *s, size_t n)
{
    struct slot *to = &v->slot[s->slot];
    const double *a = reals_of(&to[0]), *b = reals_of(&to[1]);
    double *out = (double *)to->words;
    for (size_t i = 0; i < n; i++)
        out[i] = s->reals(a[i], b[i]);
    mark_both(&to[0], &to[1], n);
    return made(to, EXPR_FLOAT);
}

bool step_power_reals(struct vectors *v, const struct step *s, size_t n)
{
    struct slot *to = &v->slot[s->slot];
    const double *a = reals_of(to);
    double *out = (double *)to->words;
    for (size_t i = 0; s->power == 2 && i < n; i++)
        out[i] = a[i] * a[i];
    for (size_t i = 0; s->power != 2 && i < n; i++)
        out[i] = reals_power(a[i], s->power);
    return made(to, EXPR_FLOAT);
}

/* Runs `loop` with the comparison of the step's operation. */
#define COMPARED(loop)      \
    switch (s->operation) { \
    case OPERATION_EQ:      \
        loop(==) break;     \
    case OPERATION_NE:      \
        loop(!=) break;     \
    case OPERATION_LT:      \
        loop(<) break;      \
    case OPERATION_LE:      \
        loop(<=) break;     \
    case OPERATION_GT:      \
        loop(>) break;      \
    case OPERATION_GE:      \
        loop(>=) break;     \
    }
#define COMPARE(operator)          \
    for (size_t i = 0; i < n; i++) \
        to->words[i] = a[i] operator b[i];

bool step_compare_integers(struct vectors *v, const struct step *s, size_t n)
{
    struct slot *to = &v->slot[s->slot];
    const int64_t *a = integers_of(&to[0]), *b = integers_of(&to[1]);
    COMPARED(COMPARE)
    mark_both(&to[0], &to[1], n);
    return made(to, EXPR_BOOL);
}

bool step_compare_reals(struct vectors *v, const struct step *s, size_t n)
{
    struct slot *to = &v->slot[s->slot];
    const double *a = reals_of(&to[0]), *b = reals_of(&to[1]);
    COMPARED(COMPARE)
    mark_both(&to[0], &to[1], n);
    return made(to, EXPR_BOOL);
}

static struct expr_value text_value(const struct slot *s, size_t i)
{
    struct expr_value value = {.type = EXPR_TEXT};
    value.text = texts_of(s)[i];
    return value;
}

/* Stores a result of an operation of texts. */
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

bool step_texts(struct vectors *v, const struct step *s, size_t n)
{
    return run_texts(v, s, n, NULL);
}

bool step_texts_2(struct vectors *v, const struct step *s, size_t n)
{
    return run_texts(v, s, n, &v->slot[s->slot + 1]);
}

bool step_not(struct vectors *v, const struct step *s, size_t n)
{
    struct slot *to = &v->slot[s->slot];
    const int64_t *a = integers_of(to);
    for (size_t i = 0; i < n; i++)
        to->words[i] = !a[i];
    return made(to, EXPR_BOOL);
}

/* Three-valued logic: an operand that is `decides` decides, although the other
 * one is missing. */
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

bool step_and(struct vectors *v, const struct step *s, size_t n)
{
    return combine(v, s, n, 0);
}

bool step_or(struct vectors *v, const struct step *s, size_t n)
{
    return combine(v, s, n, 1);
}

bool step_isnan(struct vectors *v, const struct step *s, size_t n)
{
    struct slot *to = &v->slot[s->slot];
    const double *a = reals_of(to);
    for (size_t i = 0; i < n; i++)
        to->words[i] = a[i] != a[i];
    return made(to, EXPR_BOOL);
}

bool step_isfinite(struct vectors *v, const struct step *s, size_t n)
{
    struct slot *to = &v->slot[s->slot];
    const double *a = reals_of(to);
    for (size_t i = 0; i < n; i++)
        to->words[i] = a[i] - a[i] == 0;
    return made(to, EXPR_BOOL);
}

/* Of integers and bools, which are finite and no NaN; a missing one stays. */
bool step_all_true(struct vectors *v, const struct step *s, size_t n)
{
    struct slot *to = &v->slot[s->slot];
    for (size_t i = 0; i < n; i++)
        to->words[i] = s->operation == OPERATION_ISFINITE;
    return made(to, EXPR_BOOL);
}

bool step_ismissing(struct vectors *v, const struct step *s, size_t n)
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

/* Both have the result's type. */
bool step_coalesce(struct vectors *v, const struct step *s, size_t n)
{
    struct slot *to = &v->slot[s->slot];
    const struct slot *other = &to[1];
    const size_t size = size_of(to->type);
    char *out = to->type == EXPR_TEXT ? (char *)to->texts : (char *)to->words;
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

/* A value that is not among the constants is missing if one of these is. */
static void mark_unfound(struct slot *to, bool has_missing, size_t n)
{
    if (!has_missing)
        return;
    for (size_t i = 0; i < n; i++)
        to->marks[i] = to->words[i] && (!to->has_missing || to->valid[i]);
    to->valid = to->marks;
    to->has_missing = true;
}

/* Whether the constant is among the values that the step looks for; a missing
 * one sets *has_missing. */
static bool is_sought(const struct expr_value *constant, bool *has_missing)
{
    *has_missing |= constant->type == EXPR_MISSING;
    return constant->type != EXPR_MISSING;
}

bool step_in_integers(struct vectors *v, const struct step *s, size_t n)
{
    struct slot *to = &v->slot[s->slot];
    const int64_t *a = integers_of(to);
    bool has_missing = false;
    int64_t found[VECTOR_ROWS] = {0};
    for (size_t k = 0; k < s->count; k++) {
        struct expr_value c = v->x->constant[s->index + k];
        if (!is_sought(&c, &has_missing))
            continue;
        expr_convert(&c, EXPR_NUMBER);
        if (c.type == EXPR_FLOAT) {
            const bool is_whole = c.real >= -0x1p63 && c.real < 0x1p63 &&
                                  c.real == (double)(int64_t)c.real;
            if (!is_whole)
                continue;
            c.integer = (int64_t)c.real;
        }
        if (c.integer != (int64_t)c.integer)
            continue;
        for (size_t i = 0; i < n; i++)
            found[i] |= a[i] == (int64_t)c.integer;
    }
    memcpy(to->words, found, sizeof found);
    made(to, EXPR_BOOL);
    mark_unfound(to, has_missing, n);
    return true;
}

bool step_in_reals(struct vectors *v, const struct step *s, size_t n)
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
    memcpy(to->words, found, sizeof found);
    made(to, EXPR_BOOL);
    mark_unfound(to, has_missing, n);
    return true;
}

bool step_in_texts(struct vectors *v, const struct step *s, size_t n)
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
            found[i] |= a[i].bytes == c->text.bytes &&
                        (a[i].bytes == 0 ||
                         memcmp(a[i].at, c->text.at, a[i].bytes) == 0);
    }
    memcpy(to->words, found, sizeof found);
    made(to, EXPR_BOOL);
    mark_unfound(to, has_missing, n);
    return true;
}

/* The condition is at the slot, the two values after it have one type. */
bool step_choose(struct vectors *v, const struct step *s, size_t n)
{
    struct slot *to = &v->slot[s->slot];
    const struct slot *pick[2] = {&to[2], &to[1]};
    const int64_t *condition = integers_of(to);
    const size_t size = size_of(to[1].type);
    char *out = size > sizeof(int64_t) ? (char *)to->texts : (char *)to->words;
    const bool any = to->has_missing || to[1].has_missing || to[2].has_missing;
    for (size_t i = 0; i < n; i++) {
        const struct slot *from = pick[condition[i] != 0];
        if (any)
            to->marks[i] = (!to->has_missing || to->valid[i]) &&
                           (!from->has_missing || from->valid[i]);
        memcpy(out + i * size, (const char *)from->values + i * size, size);
    }
    to->type = to[1].type;
    to->values = out;
    to->valid = to->marks;
    to->has_missing = any;
    return true;
}
