/* SPDX-License-Identifier: MIT */
#include "fold/fold.h"

#include <stdlib.h>
#include <string.h>

#include "fold/parts.h"

void folds_free(struct folds *f)
{
    for (size_t i = 0; i < FOLD_KINDS; i++) {
        if (f->has[i])
            expr_free(&f->kind[i].expr);
    }
    free(f->kind_of);
    free(f->file);
    *f = (struct folds){.kind_of = NULL};
}

/* Looks up the names a and b; the context is the type of both. */
static bool find_partial(void *context, const struct expr_name *name,
                         struct expr_column *column, struct error *why)
{
    const struct expr_text text = name->name;
    if (name->call.at)
        return false;
    if (name->field || text.bytes != 1 || (*text.at != 'a' && *text.at != 'b'))
        return error_set(why, ERROR_USAGE,
                         "a reduction has only its partials, a and b; for "
                         "what is reduced say --map EXPR");
    column->index = *text.at == 'a' ? FOLD_A : FOLD_B;
    column->type = *(const enum expr_type *)context;
    return true;
}

static bool find_nothing(void *context, const struct expr_name *name,
                         struct expr_column *column, struct error *why)
{
    (void)context, (void)column;
    return !name->call.at &&
           error_set(why, ERROR_USAGE, "an identity is a value without names");
}

static bool read_nothing(const void *context, uint32_t index,
                         enum expr_type type, struct expr_value *value,
                         struct error *e)
{
    (void)context, (void)index, (void)type, (void)e;
    *value = (struct expr_value){.type = EXPR_MISSING};
    return true;
}

static bool parse_identity(const struct expr_source *source,
                           struct expr_value *value, struct error *e)
{
    const struct expr_names names = {find_nothing, NULL};
    const struct expr_record record = {read_nothing, NULL};
    struct expr x;
    if (!expr_parse(&x, *source, false, &names, e))
        return false;
    bool ok = expr_evaluate(&x, &record, value, e);
    expr_free(&x);
    if (!ok)
        e->kind = ERROR_USAGE;
    return ok && ((value->type != EXPR_TEXT && value->type != EXPR_MISSING) ||
                  expr_complain(source, 0, ERROR_USAGE, e,
                                "an identity is a number, or true or false"));
}

/* The wider of two types, which holds the values of both. */
static enum expr_type wider(enum expr_type a, enum expr_type b)
{
    return a > b ? a : b;
}

static bool check_result(const struct expr *x, struct error *e)
{
    bool may_miss = x->type == EXPR_MISSING;
    for (size_t i = 0; i < x->constants; i++)
        may_miss |= x->constant[i].type == EXPR_MISSING;
    if (x->type == EXPR_TEXT)
        return expr_complain(&x->source, 0, ERROR_USAGE, e,
                             "a partial is a number, or true or false, not a "
                             "text");
    return !may_miss || expr_complain(&x->source, 0, ERROR_USAGE, e,
                                      "a partial cannot be missing");
}

/* Finds the type of partials that holds the results: parses the expression with
 * a type, and again with a wider one until the result has that type. */
static bool parse_partials(struct fold *fold, const struct expr_source *source,
                           struct error *e)
{
    const struct expr_names names = {find_partial, &fold->type};
    for (;;) {
        if (!expr_parse(&fold->expr, *source, false, &names, e))
            return false;
        if (!check_result(&fold->expr, e))
            break;
        const enum expr_type type = wider(fold->type, fold->expr.type);
        if (type == fold->type)
            return true;
        fold->type = type;
        expr_free(&fold->expr);
    }
    expr_free(&fold->expr);
    return false;
}

bool fold_parse(struct folds *f, enum expr_type element, const char *expr,
                const char *identity, struct error *e)
{
    struct fold *fold = &f->kind[element];
    const struct expr_source source = {"--reduce", expr, strlen(expr), false};
    const struct expr_source value = {"--identity", identity, strlen(identity),
                                      false};
    _Static_assert(EXPR_BOOL < EXPR_INTEGER && EXPR_INTEGER < EXPR_FLOAT,
                   "the order of types that hold others");
    if (!parse_identity(&value, &fold->identity, e))
        return false;
    fold->element = element;
    fold->type = wider(element, fold->identity.type);
    if (!parse_partials(fold, &source, e))
        return false;
    f->has[element] = true;
    return fold->type == EXPR_BOOL ||
           expr_convert(&fold->identity, fold->type) ||
           expr_complain(&value, 0, ERROR_USAGE, e,
                         "the partials are floats, which cannot hold this "
                         "integer");
}

struct folder *folder_open(const struct fold *fold, struct error *e)
{
    struct folder *f = aligned_alloc(64, (sizeof *f + 63) / 64 * 64);
    if (!f)
        return error_memory(e);
    f->fold = fold;
    f->values = NULL;
    if (vectors_open(&f->vectors, &fold->expr, false, e))
        return f;
    free(f);
    return NULL;
}

void folder_close(struct folder *f)
{
    if (!f)
        return;
    vectors_close(f->vectors);
    free(f->values);
    free(f);
}

struct value fold_result(const struct expr_value *value)
{
    if (value->type == EXPR_FLOAT)
        return value_real(value->real, DTYPE_f64);
    if (value->type == EXPR_BOOL)
        return value_unsigned(value->truth);
    const bool is_negative = value->integer < 0;
    const __int128 size = is_negative ? -value->integer : value->integer;
    return value_integer(is_negative, (uint64_t)size, 0);
}
