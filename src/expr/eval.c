/* SPDX-License-Identifier: MIT */
/* Evaluates an expression for one record, with a stack of values. */
#include "expr/operations.h"

struct machine {
    const struct expr *x;
    const struct expr_record *record;
    size_t next; /* index of the node to execute next */
    struct expr_value stack[EXPR_STACK];
    struct expr_value *end; /* after the top of the stack */
    struct error *e;
};

/* Executes one node. m->next is already the node after it. */
typedef bool step_fn(struct machine *m, const struct expr_node *node);

static bool check(struct machine *m, const struct expr_node *node,
                  const char *wrong)
{
    return !wrong || expr_complain(&m->x->source, node->at, ERROR_DATA, m->e,
                                   "%s", wrong);
}

static bool push_constant(struct machine *m, const struct expr_node *node)
{
    *m->end++ = m->x->constant[node->index];
    return true;
}

static bool push_name(struct machine *m, const struct expr_node *node)
{
    return m->record->read(m->record->context, node->index,
                           (enum expr_type)node->type, m->end++, m->e);
}

/* Converts the top of the stack to the node's type. */
static bool convert(struct machine *m, const struct expr_node *node)
{
    return check(m, node,
                 expr_convert(m->end - 1, (enum expr_type)node->type)
                     ? NULL
                     : "an integer that a float cannot hold is made a float");
}

static bool apply(struct machine *m, const struct expr_node *node)
{
    const enum expr_operation o = (enum expr_operation)node->operation;
    if (expr_operations[o].operands > 1)
        m->end--;
    return check(m, node, expr_apply(o, m->x->source.is_wide, m->end - 1)) &&
           convert(m, node);
}

static bool raise_power(struct machine *m, const struct expr_node *node)
{
    return check(m, node,
                 expr_power(m->end - 1, m->x->constant[node->index].integer,
                            m->x->source.is_wide));
}

/* If `missing` is among the constants, a value that is not found may equal it,
 * so the result is missing, not false. */
static bool search(struct machine *m, const struct expr_node *node)
{
    struct expr_value *top = m->end - 1;
    const struct expr_value value = *top;
    if (value.type == EXPR_MISSING)
        return true;
    *top = (struct expr_value){.type = EXPR_BOOL, .truth = false};
    for (size_t i = 0; i < node->count; i++) {
        const struct expr_value *other = &m->x->constant[node->index + i];
        if (other->type == EXPR_MISSING) {
            top->type = EXPR_MISSING;
        } else if (expr_compare(&value, other) == ORDER_EQUAL) {
            *top = (struct expr_value){.type = EXPR_BOOL, .truth = true};
            break;
        }
    }
    return true;
}

static bool skip_if(struct machine *m, const struct expr_node *node,
                    bool decides)
{
    const struct expr_value *top = m->end - 1;
    if (top->type == EXPR_BOOL && top->truth == decides)
        m->next = node->index;
    return true;
}

static bool and_then(struct machine *m, const struct expr_node *node)
{
    return skip_if(m, node, false);
}

static bool or_else(struct machine *m, const struct expr_node *node)
{
    return skip_if(m, node, true);
}

/* A missing condition stays on the stack as the value of the choice. */
static bool branch(struct machine *m, const struct expr_node *node)
{
    if (m->end[-1].type == EXPR_MISSING) {
        m->next = m->x->node[node->index - 1].index;
        return true;
    }
    m->end--;
    if (!m->end->truth)
        m->next = node->index;
    return true;
}

static bool leave(struct machine *m, const struct expr_node *node)
{
    m->next = node->index;
    return true;
}

static step_fn *const steps[] = {
    [EXPR_CONSTANT] = push_constant,
    [EXPR_NAME] = push_name,
    [EXPR_APPLY] = apply,
    [EXPR_POWER] = raise_power,
    [EXPR_IN] = search,
    [EXPR_AND_THEN] = and_then,
    [EXPR_OR_ELSE] = or_else,
    [EXPR_IF] = branch,
    [EXPR_ELSE] = leave,
    [EXPR_CHOICE] = convert,
};

bool expr_evaluate(const struct expr *x, const struct expr_record *record,
                   struct expr_value *value, struct error *e)
{
    struct machine m;
    m.x = x;
    m.record = record;
    m.next = 0;
    m.end = m.stack;
    m.e = e;
    while (m.next < x->nodes) {
        const struct expr_node *node = &x->node[m.next++];
        if (!steps[node->kind](&m, node))
            return false;
    }
    *value = m.stack[0];
    return true;
}
