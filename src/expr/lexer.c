/* SPDX-License-Identifier: MIT */
#include "expr/lexer.h"

#include <math.h>
#include <string.h>

#include "base/quote.h"
#include "expr/lexer_bytes.h"

enum { TOKEN_WRONG = -1 };

/* A longer sign stands before the shorter ones that are its prefixes. */
static const struct {
    const char *sign;
    int token;
    const char *hint; /* for TOKEN_WRONG */
} signs[] = {
    {"**", TOKEN_POWER, NULL},
    {"&&", TOKEN_AND, NULL},
    {"||", TOKEN_OR, NULL},
    {"==", TOKEN_EQ, NULL},
    {"!=", TOKEN_NE, NULL},
    {"<>", TOKEN_WRONG, "'<>' is written !="},
    {"<=", TOKEN_LE, NULL},
    {">=", TOKEN_GE, NULL},
    {"<", TOKEN_LT, NULL},
    {">", TOKEN_GT, NULL},
    {"!", TOKEN_BANG, NULL},
    {"+", TOKEN_PLUS, NULL},
    {"-", TOKEN_MINUS, NULL},
    {"*", TOKEN_TIMES, NULL},
    {"/", TOKEN_DIVIDE, NULL},
    {"%", TOKEN_REST, NULL},
    {"(", TOKEN_OPEN, NULL},
    {")", TOKEN_CLOSE, NULL},
    {",", TOKEN_COMMA, NULL},
    {"?", TOKEN_ASK, NULL},
    {":", TOKEN_COLON, NULL},
    {"=", TOKEN_WRONG, "'=' is written =="},
    {"^", TOKEN_WRONG, "'^' is written **"},
    {"&", TOKEN_WRONG, "'&' is written &&"},
    {"|", TOKEN_WRONG, "'|' is written ||"},
    {"~", TOKEN_WRONG,
     "'~' is not available; startswith(), endswith() and contains() compare "
     "parts of texts"},
};

static const struct {
    const char *word;
    enum expr_token token;
    enum expr_type type; /* of a TOKEN_LITERAL */
    double value;
} words[] = {
    {"and", TOKEN_AND, EXPR_MISSING, 0},
    {"or", TOKEN_OR, EXPR_MISSING, 0},
    {"not", TOKEN_NOT, EXPR_MISSING, 0},
    {"in", TOKEN_IN, EXPR_MISSING, 0},
    {"true", TOKEN_LITERAL, EXPR_BOOL, 1},
    {"false", TOKEN_LITERAL, EXPR_BOOL, 0},
    {"nan", TOKEN_LITERAL, EXPR_FLOAT, NAN},
    {"inf", TOKEN_LITERAL, EXPR_FLOAT, INFINITY},
    {"missing", TOKEN_LITERAL, EXPR_MISSING, 0},
};

/* Words of other languages, and what to write instead. */
static const char use_ismissing[] = "a missing value is found by ismissing(x)";
static const char use_parts[] =
    "parts of texts are compared by startswith(), endswith() and contains()";
static const struct {
    const char *word, *hint;
} foreign[] = {
    {"is", use_ismissing},
    {"null", use_ismissing},
    {"none", use_ismissing},
    {"like", use_parts},
    {"ilike", use_parts},
    {"matches", use_parts},
    {"between", "ranges are written x >= 1 && x <= 5"},
    {"and", "'and' is written in small letters"},
    {"or", "'or' is written in small letters"},
    {"not", "'not' is written in small letters"},
    {"in", "'in' is written in small letters"},
    {"true", "'true' is written in small letters"},
    {"false", "'false' is written in small letters"},
    {"nan", "'nan' is written in small letters"},
    {"inf", "'inf' is written in small letters"},
    {"infinity", "infinity is written inf"},
};

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

bool lexer_complain(const struct lexer *l, size_t at, struct error *e,
                    const char *text)
{
    return expr_complain(l->source, at, ERROR_USAGE, e, "%s", text);
}

static bool is_word(struct expr_text text, const char *word, bool any_case)
{
    if (strlen(word) != text.bytes)
        return false;
    for (size_t i = 0; i < text.bytes; i++) {
        char c = text.at[i];
        if (any_case && c >= 'A' && c <= 'Z')
            c = (char)(c - 'A' + 'a');
        if (c != word[i])
            return false;
    }
    return true;
}

const char *lexer_hint(struct expr_text word)
{
    for (size_t i = 0; i < COUNT(foreign); i++) {
        if (is_word(word, foreign[i].word, true))
            return foreign[i].hint;
    }
    return NULL;
}

static void set_word(struct lexer *l, size_t i)
{
    l->token = words[i].token;
    l->value = (struct expr_value){.type = words[i].type};
    if (words[i].type == EXPR_BOOL)
        l->value.truth = words[i].value != 0;
    else
        l->value.real = words[i].value;
}

static bool read_name(struct lexer *l)
{
    while (byte_is_in_name(lexer_peek(l, l->next)))
        l->next++;
    l->token = TOKEN_NAME;
    l->name = (struct expr_text){l->source->text + l->at, l->next - l->at};
    for (size_t i = 0; i < COUNT(words); i++) {
        if (is_word(l->name, words[i].word, false))
            set_word(l, i);
    }
    return true;
}

static bool read_field(struct lexer *l, struct error *e)
{
    l->token = TOKEN_FIELD;
    l->field = 0;
    for (; byte_is_digit(lexer_peek(l, l->next)); l->next++) {
        unsigned digit = (unsigned)(lexer_peek(l, l->next) - '0');
        l->field = l->field > UINT32_MAX ? l->field : 10 * l->field + digit;
    }
    return (l->field > 0 && !byte_is_in_name(lexer_peek(l, l->next))) ||
           lexer_complain(l, l->at, e, "fields are numbered from $1 on");
}

static bool read_sign(struct lexer *l, struct error *e)
{
    const char *text = l->source->text + l->at;
    const size_t left = l->source->bytes - l->at;
    char quoted[QUOTE_MAX], piece[8];
    for (size_t i = 0; i < COUNT(signs); i++) {
        size_t bytes = strlen(signs[i].sign);
        if (bytes > left || memcmp(text, signs[i].sign, bytes) != 0)
            continue;
        if (signs[i].token == TOKEN_WRONG)
            return lexer_complain(l, l->at, e, signs[i].hint);
        l->token = (enum expr_token)signs[i].token;
        l->next = l->at + bytes;
        return true;
    }
    quote_bytes(quoted, text, escape_next(piece, text, left));
    return expr_complain(l->source, l->at, ERROR_USAGE, e,
                         "%s is not part of an expression", quoted);
}

bool lexer_next(struct lexer *l, struct error *e)
{
    char c;
    while ((c = lexer_peek(l, l->next)) == ' ' || (c >= '\t' && c <= '\r'))
        l->next++;
    l->at = l->next;
    l->token = TOKEN_END;
    if (l->at == l->source->bytes)
        return true;
    if (byte_is_digit(c) ||
        (c == '.' && byte_is_digit(lexer_peek(l, l->at + 1))))
        return lexer_read_number(l, e);
    if (byte_starts_name(c))
        return read_name(l);
    if (c != '\'' && c != '"' && c != '`' && c != '$')
        return read_sign(l, e);
    l->next++;
    return c == '`'   ? lexer_read_quoted(l, e)
           : c == '$' ? read_field(l, e)
                      : lexer_read_text(l, e);
}
