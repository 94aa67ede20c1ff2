/* SPDX-License-Identifier: MIT */
/* Makes steps over vectors from the nodes of an expression. */
#include "expr/compute.h"
#include "expr/vectors_parts.h"

/* The stack while steps are made: the type of each entry, and the step that
 * computes it. */
struct maker {
    struct vectors *v;
    size_t top, most; /* entries in use now, and the maximum so far */
    enum expr_type type[EXPR_STACK + 1];
    size_t made_by[EXPR_STACK + 1];
};

/* Appends a step whose result is stack entry `slot`. */
static struct step *add(struct maker *m, step_fn *run, size_t slot,
                        enum expr_type type)
{
    struct step *s = &m->v->step[m->v->steps];
    *s = (struct step){
        .run = run, .slot = (uint16_t)slot, .type = (uint8_t)type};
    m->type[slot] = type;
    m->made_by[slot] = m->v->steps++;
    return s;
}

static void push(struct maker *m)
{
    if (++m->top > m->most)
        m->most = m->top;
}

static bool is_whole(enum expr_type type)
{
    return type == EXPR_BOOL || type == EXPR_INTEGER;
}

/* Appends a step that converts an entry from integers to floats. False: the
 * entry is a constant that f64 cannot hold. */
static bool to_float(struct maker *m, size_t slot)
{
    struct step *last = &m->v->step[m->made_by[slot]];
    if (m->type[slot] == EXPR_FLOAT)
        return true;
    if (last->run == step_constant) {
        m->type[slot] = EXPR_FLOAT;
        return expr_convert(&last->constant, EXPR_FLOAT);
    }
    add(m, step_to_float, slot, EXPR_FLOAT);
    return true;
}

/* Converts n entries from `slot` on to the same type of numbers. */
static bool unify(struct maker *m, size_t slot, size_t n, bool are_floats)
{
    for (size_t i = 0; i < n; i++)
        are_floats |= m->type[slot + i] == EXPR_FLOAT;
    for (size_t i = 0; are_floats && i < n; i++) {
        if (!to_float(m, slot + i))
            return false;
    }
    return true;
}

/* The most usual operations on numbers have steps of their own. */
static const struct {
    step_fn *integers, *reals;
} own[OPERATIONS_END] = {
    [OPERATION_NEGATE] = {NULL, step_negate_reals},
    [OPERATION_ADD] = {step_add, step_add_reals},
    [OPERATION_SUBTRACT] = {step_subtract, step_subtract_reals},
    [OPERATION_MULTIPLY] = {step_multiply, step_multiply_reals},
    [OPERATION_DIVIDE] = {NULL, step_divide_reals},
    [OPERATION_REST] = {step_rest, NULL},
    [OPERATION_ABS] = {NULL, step_abs_reals},
    [OPERATION_SQRT] = {NULL, step_sqrt_reals},
};

static bool add_numbers(struct maker *m, const struct expr_node *node,
                        size_t slot, size_t n)
{
    const struct operation *o = &expr_operations[node->operation];
    struct step *s;
    if (!unify(m, slot, n, !o->integers))
        return false;
    const bool are_floats = m->type[slot] == EXPR_FLOAT;
    if (are_floats ? o->reals == reals_same : o->integers == integers_same) {
        if (!are_floats)
            add(m, step_retype, slot, EXPR_INTEGER);
        return true;
    }
    if (are_floats) {
        step_fn *run = own[node->operation].reals;
        s = add(m,
                run     ? run
                : n > 1 ? step_reals_2
                        : step_reals,
                slot, EXPR_FLOAT);
        s->reals = o->reals;
        return true;
    }
    step_fn *run = own[node->operation].integers;
    s = add(m, run ? run : step_integers, slot, EXPR_INTEGER);
    s->operation = node->operation;
    s->integers = o->integers;
    return true;
}

static bool is_comparison(uint8_t operation)
{
    return operation >= OPERATION_EQ && operation <= OPERATION_GE;
}

/* Adds the step of an operation that is not arithmetic, or that takes texts. */
static bool add_values(struct maker *m, const struct expr_node *node,
                       size_t slot, size_t n)
{
    const struct operation *o = &expr_operations[node->operation];
    const bool is_text = m->type[slot] == EXPR_TEXT;
    step_fn *run = n > 1 ? step_texts_2 : step_texts;
    if (!is_text && is_comparison(node->operation)) {
        if (!unify(m, slot, n, false))
            return false;
        run = m->type[slot] == EXPR_FLOAT ? step_compare_reals
                                          : step_compare_integers;
    } else if (node->operation == OPERATION_EQ ||
               node->operation == OPERATION_NE) {
        run = step_equal_texts;
    } else if (node->operation == OPERATION_NOT) {
        run = step_not;
    } else if (!is_text) {
        run = is_whole(m->type[slot])              ? step_all_true
              : node->operation == OPERATION_ISNAN ? step_isnan
                                                   : step_isfinite;
    }
    struct step *s = add(m, run, slot, o->result);
    s->operation = node->operation;
    s->values = o->values;
    return true;
}

static bool add_missings(struct maker *m, const struct expr_node *node,
                         size_t slot)
{
    if (node->operation == OPERATION_ISMISSING)
        return add(m, step_ismissing, slot, EXPR_BOOL);
    if (node->operation != OPERATION_COALESCE)
        return add(m, node->operation == OPERATION_AND ? step_and : step_or,
                   slot, EXPR_BOOL);
    return unify(m, slot, 2, node->type == EXPR_FLOAT) &&
           add(m, step_coalesce, slot, (enum expr_type)node->type);
}

static bool add_operation(struct maker *m, const struct expr_node *node)
{
    const struct operation *o = &expr_operations[node->operation];
    const size_t n = o->operands > 1 ? 2 : 1;
    m->top -= n - 1;
    const size_t slot = m->top - 1;
    return o->takes_missing ? add_missings(m, node, slot)
           : o->values      ? add_values(m, node, slot, n)
                            : add_numbers(m, node, slot, n);
}

static bool add_power(struct maker *m, const struct expr_node *node)
{
    enum { POWER_MAX = 1 << 20 };
    const size_t slot = m->top - 1;
    const __int128 n = m->v->x->constant[node->index].integer;
    if (n > POWER_MAX || n < -POWER_MAX)
        return false;
    const bool are_floats = n < 0 || !is_whole(m->type[slot]);
    if (are_floats && !to_float(m, slot))
        return false;
    add(m, are_floats ? step_power_reals : step_integer_power, slot,
        are_floats ? EXPR_FLOAT : EXPR_INTEGER)
        ->power = (int64_t)n;
    return true;
}

static bool add_in(struct maker *m, const struct expr_node *node)
{
    const size_t slot = m->top - 1;
    const enum expr_type type = m->type[slot];
    const bool is_long = node->count >= SET_LEAST;
    step_fn *run =
        type == EXPR_TEXT    ? is_long ? step_in_text_set : step_in_texts
        : type == EXPR_FLOAT ? is_long ? step_in_real_set : step_in_reals
        : is_long            ? step_in_integer_set
                             : step_in_integers;
    struct step *s = add(m, run, slot, EXPR_BOOL);
    s->index = node->index;
    s->count = node->count;
    if (is_long)
        vectors_sort_set(m->v, s, type);
    return true;
}

static bool add_choice(struct maker *m, const struct expr_node *node)
{
    m->top -= 2;
    const size_t slot = m->top - 1;
    if (node->type != EXPR_TEXT &&
        !unify(m, slot + 1, 2, node->type == EXPR_FLOAT))
        return false;
    add(m, step_choose, slot, (enum expr_type)node->type);
    return true;
}

static bool add_constant(struct maker *m, const struct expr_node *node)
{
    const struct expr_value *value = &m->v->x->constant[node->index];
    if (value->type == EXPR_MISSING ||
        (value->type == EXPR_INTEGER &&
         value->integer != (int64_t)value->integer))
        return false;
    push(m);
    add(m, step_constant, m->top - 1, value->type)->constant = *value;
    return true;
}

static bool add_name(struct maker *m, const struct expr_node *node)
{
    if (node->type == EXPR_NUMBER || node->type == EXPR_MISSING)
        return false;
    push(m);
    add(m, step_load, m->top - 1, (enum expr_type)node->type)->index =
        node->index;
    return true;
}

/* Adds the steps of a node. False: it has none. Steps never jump: both operands
 * of && and ||, and both values of a choice, are computed. */
static bool add_node(struct maker *m, const struct expr_node *node)
{
    switch ((enum expr_kind)node->kind) {
    case EXPR_CONSTANT:
        return add_constant(m, node);
    case EXPR_NAME:
        return add_name(m, node);
    case EXPR_APPLY:
        return add_operation(m, node);
    case EXPR_POWER:
        return add_power(m, node);
    case EXPR_IN:
        return add_in(m, node);
    case EXPR_CHOICE:
        return add_choice(m, node);
    case EXPR_AND_THEN:
    case EXPR_OR_ELSE:
    case EXPR_IF:
    case EXPR_ELSE:
        break;
    }
    return true;
}

bool vectors_make(struct vectors *v, size_t *slots)
{
    struct maker m = {.v = v};
    bool ok = true;
    for (size_t i = 0; ok && i < v->x->nodes; i++)
        ok = add_node(&m, &v->x->node[i]);
    *slots = m.most;
    return ok;
}
