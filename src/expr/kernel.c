/* SPDX-License-Identifier: MIT */
#include "expr/kernel.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "expr/compute.h"
#include "expr/vectors_parts.h"

/* The statement of a step. In it, $ stands for the number of the expression and
 * the step's stack entry, @ for the same with the next entry: see put. */
struct text {
    step_fn *run;
    const void *function; /* one of step->integers or reals; NULL: any */
    const char *text;
};

static const struct text texts[] = {
    {step_to_float, NULL, "r$ = checked_float(w$, &odd);"},
    {step_add, NULL, "w$ = checked_add(w$, w@, &odd);"},
    {step_subtract, NULL, "w$ = checked_subtract(w$, w@, &odd);"},
    {step_multiply, NULL, "w$ = checked_multiply(w$, w@, &odd);"},
    {step_rest, NULL, "w$ = checked_rest(w$, w@, &odd);"},
    {step_integers, integers_negate, "w$ = checked_subtract(0, w$, &odd);"},
    {step_integers, integers_abs,
     "w$ = w$ < 0 ? checked_subtract(0, w$, &odd) : w$;"},
    {step_integers, integers_min, "w$ = w@ < w$ ? w@ : w$;"},
    {step_integers, integers_max, "w$ = w@ > w$ ? w@ : w$;"},
    {step_add_reals, NULL, "r$ = __dadd_rn(r$, r@);"},
    {step_subtract_reals, NULL, "r$ = __dsub_rn(r$, r@);"},
    {step_multiply_reals, NULL, "r$ = __dmul_rn(r$, r@);"},
    {step_divide_reals, NULL, "r$ = __ddiv_rn(r$, r@);"},
    {step_negate_reals, NULL, "r$ = -r$;"},
    {step_abs_reals, NULL, "r$ = fabs(r$);"},
    {step_sqrt_reals, NULL, "r$ = __dsqrt_rn(r$);"},
    {step_reals, reals_floor, "r$ = floor(r$);"},
    {step_reals, reals_ceil, "r$ = ceil(r$);"},
    {step_reals, reals_trunc, "r$ = trunc(r$);"},
    {step_reals, reals_round, "r$ = round(r$);"},
    {step_reals, reals_rint, "r$ = rint(r$);"},
    {step_reals_2, reals_min, "r$ = r@ != r@ || r@ < r$ ? r@ : r$;"},
    {step_reals_2, reals_max, "r$ = r@ != r@ || r@ > r$ ? r@ : r$;"},
    {step_retype, NULL, ""},
    {step_not, NULL, "w$ = !w$;"},
    {step_and, NULL, "w$ = w$ & w@;"},
    {step_or, NULL, "w$ = w$ | w@;"},
    {step_isnan, NULL, "w$ = r$ != r$;"},
    {step_isfinite, NULL, "w$ = r$ - r$ == 0;"},
    {step_ismissing, NULL, "w$ = 0;"},
    {step_coalesce, NULL, ""},
};

/* Statements that replace those above if values may be missing. A step without
 * a row here has a missing result if an operand is missing. */
static const struct text missing_texts[] = {
    {step_and, NULL, "w$ = (m$ | w$) & (m@ | w@); m$ = (m$ | m@) & w$;"},
    {step_or, NULL, "w$ = (!m$ & w$) | (!m@ & w@); m$ = (m$ | m@) & !w$;"},
    {step_ismissing, NULL, "w$ = m$; m$ = 0;"},
    {step_coalesce, NULL, "r$ = m$ ? r@ : r$; w$ = m$ ? w@ : w$; m$ &= m@;"},
};

static void put(const char *text, unsigned number, unsigned slot, FILE *to)
{
    fputs("    ", to);
    for (; *text; text++) {
        if (*text == '$' || *text == '@')
            fprintf(to, "%u_%u", number, slot + (*text == '@'));
        else
            fputc(*text, to);
    }
    fputc('\n', to);
}

/* The statement of a step in the table; NULL: it has none. */
static const char *text_of(const struct step *s, const struct text *table,
                           size_t rows)
{
    const bool has_function = s->run == step_integers || s->run == step_reals ||
                              s->run == step_reals_2;
    const void *function = s->run == step_integers ? (const void *)s->integers
                                                   : (const void *)s->reals;
    for (size_t i = 0; i < rows; i++) {
        const struct text *t = &table[i];
        if (t->run == s->run && (!has_function || t->function == function))
            return t->text;
    }
    return NULL;
}

static bool put_table(const struct step *s, const struct expr_kernel *k,
                      FILE *to)
{
    enum {
        ROWS = sizeof texts / sizeof texts[0],
        MISSING_ROWS = sizeof missing_texts / sizeof missing_texts[0]
    };
    const char *special =
        k->missing ? text_of(s, missing_texts, MISSING_ROWS) : NULL;
    const char *text = special ? special : text_of(s, texts, ROWS);
    if (!text)
        return false;
    put(text, k->number, s->slot, to);
    if (k->missing && !special && strchr(text, '@'))
        put("m$ |= m@;", k->number, s->slot, to);
    return true;
}

static void put_constant(const struct step *s, const struct expr_kernel *k,
                         FILE *to)
{
    const struct expr_value *c = &s->constant;
    const unsigned number = k->number;
    uint64_t bits;
    if (k->missing)
        put("m$ = 0;", number, s->slot, to);
    memcpy(&bits, &c->real, sizeof bits);
    if (c->type == EXPR_FLOAT)
        fprintf(to, "    r%u_%u = __longlong_as_double(0x%" PRIx64 "ll);\n",
                number, s->slot, bits);
    else
        fprintf(to, "    w%u_%u = (word)0x%" PRIx64 "ull;\n", number, s->slot,
                c->type == EXPR_BOOL ? (uint64_t)c->truth
                                     : (uint64_t)c->integer);
}

static void put_compare(const struct step *s, const struct expr_kernel *k,
                        FILE *to)
{
    static const char *const operators[] = {
        [OPERATION_EQ] = "==", [OPERATION_NE] = "!=", [OPERATION_LT] = "<",
        [OPERATION_LE] = "<=", [OPERATION_GT] = ">",  [OPERATION_GE] = ">="};
    const char kind = s->run == step_compare_reals ? 'r' : 'w';
    const unsigned number = k->number;
    if (k->missing)
        put("m$ |= m@;", number, s->slot, to);
    fprintf(to, "    w%u_%u = %c%u_%u %s %c%u_%u;\n", number, s->slot, kind,
            number, s->slot, operators[s->operation], kind, number,
            s->slot + 1u);
}

static void put_choice(const struct step *s, const struct expr_kernel *k,
                       FILE *to)
{
    const unsigned number = k->number;
    const bool is_float = s->type == EXPR_FLOAT;
    const char *text = is_float ? "r%u_%u = w%u_%u ? r%u_%u : r%u_%u;\n"
                                : "w%u_%u = w%u_%u ? w%u_%u : w%u_%u;\n";
    if (k->missing)
        fprintf(to, "    m%u_%u |= w%u_%u ? m%u_%u : m%u_%u;\n", number,
                s->slot, number, s->slot, number, s->slot + 1u, number,
                s->slot + 2u);
    fputs("    ", to);
    fprintf(to, text, number, s->slot, number, s->slot, number, s->slot + 1u,
            number, s->slot + 2u);
}

static bool put_power(const struct step *s, unsigned number, FILE *to)
{
    enum { CHAIN_MAX = 64 };
    const bool is_chain = s->power <= CHAIN_MAX && s->power >= -CHAIN_MAX;
    if (s->run == step_integer_power)
        fprintf(to, "    w%u_%u = checked_power(w%u_%u, %lld, &odd);\n", number,
                s->slot, number, s->slot, (long long)s->power);
    else
        fprintf(to, "    r%u_%u = power(r%u_%u, %d);\n", number, s->slot,
                number, s->slot, (int)s->power);
    return s->run == step_integer_power || is_chain;
}

/* NaN equals no constant. */
static bool put_in(const struct step *s, const struct expr_kernel *k,
                   const struct expr_value *constant, FILE *to)
{
    const bool are_floats = s->run == step_in_reals;
    fprintf(to, "    w%u_%u = 0", k->number, s->slot);
    for (size_t i = 0; i < s->count; i++) {
        struct expr_value c = constant[s->index + i];
        uint64_t bits;
        if (c.type == EXPR_MISSING)
            return false;
        if (are_floats ? !expr_convert(&c, EXPR_FLOAT) : !word_of_constant(&c))
            continue;
        memcpy(&bits, &c.real, sizeof bits);
        if (are_floats)
            fprintf(to, " | r%u_%u == __longlong_as_double(0x%" PRIx64 "ll)",
                    k->number, s->slot, bits);
        else
            fprintf(to, " | w%u_%u == (word)0x%" PRIx64 "ull", k->number,
                    s->slot, (uint64_t)c.integer);
    }
    fputs(";\n", to);
    return true;
}

static bool put_load(const struct step *s, const struct expr_kernel *k,
                     FILE *to)
{
    fprintf(to, "    %c%u_%u = ", s->type == EXPR_FLOAT ? 'r' : 'w', k->number,
            s->slot);
    const bool ok = s->type != EXPR_TEXT && k->load(k->context, s->index, to);
    fputs(";\n", to);
    if (k->missing && ok) {
        fprintf(to, "    m%u_%u = ", k->number, s->slot);
        k->missing(k->context, s->index, to);
        fputs(";\n", to);
    }
    return ok;
}

static bool put_step(const struct step *s, const struct expr_kernel *k,
                     const struct expr *x, FILE *to)
{
    if (s->run == step_in_reals || s->run == step_in_integers)
        return put_in(s, k, x->constant, to);
    if (s->run == step_load)
        return put_load(s, k, to);
    if (s->run == step_power_reals || s->run == step_integer_power)
        return put_power(s, k->number, to);
    if (s->run == step_constant && s->constant.type != EXPR_TEXT)
        return put_constant(s, k, to), true;
    if (s->run == step_compare_reals || s->run == step_compare_integers)
        return put_compare(s, k, to), true;
    if (s->run == step_choose && s->type != EXPR_TEXT)
        return put_choice(s, k, to), true;
    if (s->run == step_all_true) {
        fprintf(to, "    w%u_%u = %d;\n", k->number, s->slot,
                s->operation == OPERATION_ISFINITE);
        return true;
    }
    return put_table(s, k, to);
}

const char *expr_kernel_write(const struct expr *x,
                              const struct expr_kernel *kernel,
                              enum expr_type *type, FILE *to)
{
    struct vectors v = {.x = x};
    size_t slots = 0;
    const char *why = NULL;
    v.step = calloc(3 * x->nodes + 1, sizeof *v.step);
    if (!v.step)
        return "there is no memory for its text";
    if (!vectors_make(&v, &slots))
        why = "it has no vector form";
    for (size_t i = 0; i < slots; i++)
        put("double r$ = 0; word w$ = 0; int m$ = 0;", kernel->number,
            (unsigned)i, to);
    for (size_t i = 0; !why && i < v.steps; i++) {
        if (!put_step(&v.step[i], kernel, x, to))
            why = "it has an operation that only the CPU computes";
    }
    *type = v.steps > 0 ? (enum expr_type)v.step[v.steps - 1].type : x->type;
    free(v.step);
    return why;
}
