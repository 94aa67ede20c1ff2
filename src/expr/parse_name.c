/* SPDX-License-Identifier: MIT */
/* Columns, functions, and calls that the caller knows as a name. */
#include <stdio.h>
#include <string.h>

#include "base/quote.h"
#include "base/text.h"
#include "expr/parser.h"

/* Adds the value of a name. The caller says what the name means. */
static bool add_name(struct parser *p, const struct expr_name *name, size_t at)
{
    struct expr_column column = {0};
    struct error why = {.kind = ERROR_NONE};
    if (p->names->find(p->names->context, name, &column, &why)) {
        build_name(p, &column, at);
        return true;
    }
    const char *hint = name->name.at ? lexer_hint(name->name) : NULL;
    return parser_complain(p, at, hint ? hint : why.text);
}

static struct expr_name name_of(const struct lexer *l)
{
    struct expr_name name = {.field = 0};
    if (l->token == TOKEN_FIELD)
        name.field = l->field;
    else if (parser_is_column(l))
        name.name = l->name;
    return name;
}

/* Says how a column is written whose name is a constant. Returns false. */
static bool refuse_constant(struct parser *p, struct expr_text text, size_t at)
{
    const int bytes = (int)text.bytes;
    return expr_complain(&p->x->source, at, ERROR_USAGE, p->e,
                         "%.*s is a constant; a column of this name is "
                         "written `%.*s`, in backquotes, and field N is $N",
                         bytes, text.at, bytes, text.at);
}

/* Parses a call with one column or no argument, such as max(price), if the
 * caller knows it as a name: then sets *is_name and consumes its tokens.
 * Otherwise consumes no token. Refuses a constant in the column's place. */
static bool parse_call_of_name(struct parser *p, struct expr_text call,
                               size_t at, bool *is_name)
{
    struct lexer ahead = p->lexer;
    struct expr_column column = {0};
    struct error why = {.kind = ERROR_NONE};
    *is_name = false;
    if (!lexer_next(&ahead, NULL))
        return true;
    const bool is_constant =
        ahead.token == TOKEN_LITERAL && ahead.value.type != EXPR_TEXT;
    struct expr_name name = name_of(&ahead);
    const size_t place = ahead.at;
    name.call = call;
    if (is_constant)
        name.name = (struct expr_text){ahead.source->text + ahead.at,
                                       ahead.next - ahead.at};
    if (((is_constant || parser_is_column(&ahead)) &&
         !lexer_next(&ahead, NULL)) ||
        ahead.token != TOKEN_CLOSE)
        return true;
    *is_name = p->names->find(p->names->context, &name, &column, &why);
    if (!*is_name)
        return why.text[0] == '\0' || parser_complain(p, at, why.text);
    if (is_constant)
        return refuse_constant(p, name.name, place);
    build_name(p, &column, at);
    p->lexer = ahead;
    return parser_advance(p);
}

static bool is_called(enum expr_operation i, struct expr_text name)
{
    const struct operation *o = &expr_operations[i];
    return o->is_function && strlen(o->name) == name.bytes &&
           memcmp(o->name, name.at, name.bytes) == 0;
}

static const char *function_name(size_t i, const void *context)
{
    (void)context;
    i += OPERATION_ABS;
    return i < OPERATIONS_END ? expr_operations[i].name : NULL;
}

static bool unknown_function(struct parser *p, struct expr_text name, size_t at)
{
    char quoted[QUOTE_MAX], word[32];
    snprintf(word, sizeof word, "%.*s",
             (int)(name.bytes < 31 ? name.bytes : 31), name.at);
    const char *near = text_nearest(word, function_name, NULL);
    const struct expr_name alone = {.call = name};
    struct expr_column column;
    struct error why = {.kind = ERROR_NONE};
    if (p->names->find(p->names->context, &alone, &column, &why))
        return parser_complain(p, at, "index() takes no argument");
    quote_bytes(quoted, name.at, name.bytes);
    return expr_complain(&p->x->source, at, ERROR_USAGE, p->e,
                         "there is no function %s%s%s%s", quoted,
                         near ? "; did you mean " : "", near ? near : "",
                         near ? "()?" : "");
}

/* Reports too few or too many arguments. Returns false. */
static bool wrong_count(struct parser *p, const struct operation *o, size_t at)
{
    static const char *const counts[] = {"", "one value", "two values",
                                         "two values or more"};
    return expr_complain(&p->x->source, at, ERROR_USAGE, p->e, "%s() takes %s",
                         o->name, counts[o->operands]);
}

/* Parses the arguments of a function. With more than two, the function is
 * applied to two at a time, from the left. */
static bool parse_values(struct parser *p, enum expr_operation operation,
                         size_t at)
{
    const struct operation *o = &expr_operations[operation];
    size_t n = 0, left = 0;
    do {
        if (!parser_nested(p, parser_expr))
            return false;
        if (++n > o->operands && o->operands != EXPR_MORE)
            return wrong_count(p, o, at);
        if ((n > 1 || o->operands == 1) && !build_apply(p, operation, left, at))
            return false;
        left = build_last(p);
        if (p->lexer.token != TOKEN_COMMA)
            return n < (o->operands > 1 ? 2 : 1)
                       ? wrong_count(p, o, at)
                       : parser_expect(p, TOKEN_CLOSE, "',' or ')'");
    } while (parser_advance(p));
    return false;
}

/* Parses a call of a function. The current token is the opening parenthesis. */
static bool parse_function(struct parser *p, enum expr_operation operation,
                           size_t at)
{
    if (!parser_advance(p))
        return false;
    return p->lexer.token == TOKEN_CLOSE
               ? wrong_count(p, &expr_operations[operation], at)
               : parse_values(p, operation, at);
}

static bool parse_call(struct parser *p, struct expr_text name, size_t at)
{
    bool is_name;
    if (!parse_call_of_name(p, name, at, &is_name))
        return false;
    if (is_name)
        return true;
    for (int i = 0; i < OPERATIONS_END; i++) {
        if (is_called((enum expr_operation)i, name))
            return parse_function(p, (enum expr_operation)i, at);
    }
    return unknown_function(p, name, at);
}

bool parser_name(struct parser *p)
{
    const struct expr_name name = name_of(&p->lexer);
    const size_t at = p->lexer.at;
    const bool is_bare = p->lexer.token == TOKEN_NAME;
    if (!parser_advance(p))
        return false;
    return is_bare && p->lexer.token == TOKEN_OPEN
               ? parse_call(p, name.name, at)
               : add_name(p, &name, at);
}
