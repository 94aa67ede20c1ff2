/* SPDX-License-Identifier: MIT */
/* Tokens with content: numbers, texts and names in backquotes. */
#include <string.h>

#include "csv/number/number.h"
#include "expr/lexer_bytes.h"
#include "reduce/float_format.h"

static bool read_integer(struct expr_text text, struct expr_value *value)
{
    value->type = EXPR_INTEGER;
    value->integer = 0;
    for (size_t i = 0; i < text.bytes; i++) {
        if (__builtin_mul_overflow(value->integer, (__int128)10,
                                   &value->integer) ||
            __builtin_add_overflow(value->integer, (__int128)(text.at[i] - '0'),
                                   &value->integer))
            return false;
    }
    return true;
}

bool expr_real(struct expr_text text, double *real)
{
    const char *end = text.at + text.bytes;
    uint64_t bits;
    if (text.bytes == 0)
        return false;
    enum number_kind kind =
        number_float(DTYPE_f64, text.at, end, number_powers(), &bits);
    if (kind == NUMBER_BAD ||
        (kind == NUMBER_UNDECIDED &&
         !number_resolve(DTYPE_f64, text.at, end, &bits, NULL)))
        return false;
    *real = double_of_bits(bits);
    return true;
}

/* The end of the number that starts at i. Letters right after its digits belong
 * to it, so that 12abc is one bad number. */
static size_t number_end(const struct lexer *l, size_t i)
{
    for (char c; byte_is_in_name(c = lexer_peek(l, i)); i++) {
        const char before = lexer_peek(l, i - 1), sign = lexer_peek(l, i + 1);
        const bool is_exponent =
            (c | 0x20) == 'e' && (byte_is_digit(before) || before == '.');
        if (is_exponent && (sign == '-' || sign == '+') &&
            byte_is_digit(lexer_peek(l, i + 2)))
            i++;
    }
    return i;
}

static const char too_large[2][52] = {
    "an integer of over 64 bits; with .0 it is a float",
    "an integer of over 127 bits; with .0 it is a float"};

/* Whether a date starts here: 2024-12-10. Without quotes, it would be a
 * difference. */
static bool is_date(const struct lexer *l)
{
    static const char shape[] = "9999-99-99";
    const char *text = l->source->text + l->at;
    for (size_t i = 0; shape[i]; i++) {
        const char c = lexer_peek(l, l->at + i);
        if (shape[i] == '-' ? c != '-' : !byte_is_digit(c))
            return false;
    }
    const char after = lexer_peek(l, l->at + strlen(shape));
    const int month = 10 * (text[5] - '0') + text[6] - '0',
              day = 10 * (text[8] - '0') + text[9] - '0';
    return month >= 1 && month <= 12 && day >= 1 && day <= 31 &&
           (after == 'T' || !byte_is_in_name(after));
}

bool lexer_read_number(struct lexer *l, struct error *e)
{
    const bool is_wide = l->source->is_wide;
    l->token = TOKEN_LITERAL;
    l->next = number_end(l, l->next);
    const struct expr_text text = {l->source->text + l->at, l->next - l->at};
    const bool is_integer = number_is_integer(text.at, text.at + text.bytes);
    if (is_date(l))
        return lexer_complain(
            l, l->at, e,
            "a date is a text, as in \"2024-12-10\"; a difference has blanks");
    if (is_integer && text.bytes > 1 && text.at[0] == '0')
        return lexer_complain(l, l->at, e,
                              "an integer does not begin with 0; a date is a "
                              "text, as in \"2024-02-01\"");
    if (is_integer)
        return (read_integer(text, &l->value) &&
                (is_wide || l->value.integer <= UINT64_MAX)) ||
               lexer_complain(l, l->at, e, too_large[is_wide]);
    l->value.type = EXPR_FLOAT;
    if (expr_real(text, &l->value.real))
        return true;
    return lexer_complain(
        l, l->at, e,
        (lexer_peek(l, l->at + 1) | 0x20) == 'x'
            ? "hexadecimal numbers are not available"
            : "this is not a number; a column with such a name is "
              "written `in backquotes`");
}

static int hex_digit(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = c ? strchr(digits, byte_is_digit(c) ? c : c | 0x20) : NULL;
    return at ? (int)(at - digits) : -1;
}

/* Returns the byte that an escape stands for, or -1 if it is not an escape. *i
 * is the offset after the backslash; it is moved past the escape. */
static int read_escape(const struct lexer *l, size_t *i)
{
    static const char letters[] = "\\'\"nt", bytes[] = "\\'\"\n\t";
    char c = lexer_peek(l, *i);
    const char *at = c ? strchr(letters, c) : NULL;
    ++*i;
    if (at)
        return bytes[at - letters];
    int high = c == 'x' ? hex_digit(lexer_peek(l, *i)) : -1;
    int low = high >= 0 ? hex_digit(lexer_peek(l, *i + 1)) : -1;
    *i += 2;
    return low < 0 ? -1 : 16 * high + low;
}

/* Reads a text in quotes into l->room. */
bool lexer_read_text(struct lexer *l, struct error *e)
{
    const char quote = lexer_peek(l, l->at);
    struct expr_text text = {l->room, 0};
    for (char c; (c = lexer_peek(l, l->next)) != quote; *l->room++ = c) {
        size_t at = l->next++;
        if (at >= l->source->bytes)
            return lexer_complain(l, l->at, e, "this quote is not closed");
        int escape = c == '\\' ? read_escape(l, &l->next) : 0;
        if (escape < 0)
            return lexer_complain(
                l, at, e,
                "the escapes of texts are \\\\ \\' \\\" \\n \\t "
                "and \\xHH");
        c = c == '\\' ? (char)escape : c;
    }
    l->next++;
    text.bytes = (size_t)(l->room - text.at);
    l->token = TOKEN_LITERAL;
    l->value = (struct expr_value){.type = EXPR_TEXT, .text = text};
    return true;
}

/* Reads a name in backquotes into l->room. Two backquotes in it are one. */
bool lexer_read_quoted(struct lexer *l, struct error *e)
{
    l->token = TOKEN_QUOTED;
    l->name = (struct expr_text){l->room, 0};
    for (;;) {
        char c = lexer_peek(l, l->next++);
        if (l->next > l->source->bytes)
            return lexer_complain(l, l->at, e, "this backquote is not closed");
        if (c == '`' && lexer_peek(l, l->next) != '`')
            break;
        l->next += c == '`';
        *l->room++ = c;
    }
    l->name.bytes = (size_t)(l->room - l->name.at);
    return l->name.bytes > 0 || lexer_complain(l, l->at, e, "an empty name");
}
