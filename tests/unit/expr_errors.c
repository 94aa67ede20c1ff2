/* SPDX-License-Identifier: MIT */
/* Texts that are not valid expressions: the error and its place. */
#include "expr_fixture.h"

#define DATE "a date is a text, as in \"2024-12-10\"; a difference has blanks"

static const struct {
    const char *text;
    int caret; /* column of the caret below the expression as printed */
    const char *message;
} errors[] = {
    {"", 0, "expected a value, but the expression ends"},
    {"a +", 3, "expected a value, but the expression ends"},
    {"a + * b", 4, "expected a value"},
    {"(a", 2, "expected an operator or ')', but the expression ends"},
    {"a)", 1, "this ')' closes nothing"},
    {"()", 1, "expected a value"},
    {"a b", 2, "expected an operator"},
    {"a, b", 1, "expected an operator"},
    {"a = 1", 2, "'=' is written =="},
    {"a ^ 2", 2, "'^' is written **"},
    {"a <> 1", 2, "'<>' is written !="},
    {"a & b", 2, "'&' is written &&"},
    {"a | b", 2, "'|' is written ||"},
    {"t ~ 'x'", 2,
     "'~' is not available; startswith(), endswith() and contains() compare "
     "parts of texts"},
    {"a is null", 2, "a missing value is found by ismissing(x)"},
    {"a IS NULL", 2, "a missing value is found by ismissing(x)"},
    {"a == null", 5, "a missing value is found by ismissing(x)"},
    {"t like 'x'", 2,
     "parts of texts are compared by startswith(), endswith() and contains()"},
    {"t not like 'x'", 6,
     "parts of texts are compared by startswith(), endswith() and contains()"},
    {"a between 1 and 2", 2, "ranges are written x >= 1 && x <= 5"},
    {"p AND q", 2, "'and' is written in small letters"},
    {"p Or q", 2, "'or' is written in small letters"},
    {"p == True", 5, "'true' is written in small letters"},
    {"a == NaN", 5, "'nan' is written in small letters"},
    {"a not 1", 6, "expected in after not"},
    {"a in 1", 5, "expected '(' after in"},
    {"a in ()", 6, "expected a literal"},
    {"a in (b)", 6, "expected a literal"},
    {"a in (1 2)", 8, "expected ',' or ')'"},
    {"a in (1,", 8, "expected a literal, but the expression ends"},
    {"a in (-'x')", 7, "expected a number"},
    {"a in (-true)", 7, "expected a number"},
    {"a in (!true)", 6, "expected a literal"},
    {"a in (-18446744073709551615)", 6, "an integer of over 64 bits"},
    {"a in ('x')", 2, "in takes all numbers or all texts"},
    {"s in ('x', 1)", 2, "in takes all numbers or all texts"},
    {"1 < a < 5", 6, "comparisons do not chain; join two of them by &&"},
    {"a == b != c", 7, "comparisons do not chain; join two of them by &&"},
    {"1 + not p", 4, "expected a value"},
    {"p ? a", 5, "expected ':' after ?, but the expression ends"},
    {"p ? a : ", 8, "expected a value, but the expression ends"},
    {"a ? b : c", 2,
     "? takes what is true or false, as x > 0, and not a number or a text"},
    {"p ? a : 'x'", 2,
     "? chooses from two numbers or two texts; num() makes a number of a text"},
    {"a == 'x'", 2,
     "== takes two numbers or two texts; num() makes a number of a text"},
    {"w < 3", 2,
     "< takes two numbers or two texts; num() makes a number of a text"},
    {"s + 1 == 'x'", 6,
     "== takes two numbers or two texts; num() makes a number of a text"},
    {"coalesce(a, 'x')", 0,
     "coalesce() takes two numbers or two texts; num() makes a number of a "
     "text"},
    {"w + 1", 2, "+ takes numbers, and not a text"},
    {"-w", 0, "- takes numbers, and not a text"},
    {"+'x'", 0, "+ takes numbers, and not a text"},
    {"w ** 2", 2, "** takes numbers, and not a text"},
    {"2 ** w", 2, "** takes numbers, and not a text"},
    {"abs(w)", 0, "abs() takes numbers, and not a text"},
    {"len(a)", 0, "len() takes texts, and not a number"},
    {"startswith(w, 1)", 0, "startswith() takes texts, and not a number"},
    {"num(s + 1)", 0, "num() takes texts, and not a number"},
    {"a && p", 2,
     "&& takes what is true or false, as x > 0, and not a number or a text"},
    {"p or w", 2,
     "|| takes what is true or false, as x > 0, and not a number or a text"},
    {"!n", 0,
     "! takes what is true or false, as x > 0, and not a number or a text"},
    {"foo(a)", 0, "there is no function 'foo'"},
    {"sqr(a)", 0, "there is no function 'sqr'; did you mean sqrt()?"},
    {"sqrt()", 0, "sqrt() takes one value"},
    {"sqrt(a, b)", 0, "sqrt() takes one value"},
    {"sqrt(a b)", 7, "expected ',' or ')'"},
    {"atan2(a)", 0, "atan2() takes two values"},
    {"mod(a, b, c)", 0, "mod() takes two values"},
    {"min(b)", 0, "min() takes two values or more"},
    {"min(a,)", 6, "expected a value"},
    {"min(a, #)", 7, "'#' is not part of an expression"},
    {"sqrt(#)", 5, "'#' is not part of an expression"},
    {"foo", 0, "unknown foo"},
    {"`foo`", 0, "unknown foo"},
    {"1 + $3", 4, "unknown $3"},
    {"$1", 0, "unknown $1"},
    {"$0", 0, "fields are numbered from $1 on"},
    {"$", 0, "fields are numbered from $1 on"},
    {"$1x", 0, "fields are numbered from $1 on"},
    {"$42949672950", 0, "unknown $42949672950"},
    {"$99999999999999999999", 0, "unknown $9999999999"},
    {"``", 0, "an empty name"},
    {"1 + `a", 4, "this backquote is not closed"},
    {"w == 'x", 5, "this quote is not closed"},
    {"w == 'x\\", 7,
     "the escapes of texts are \\\\ \\' \\\" \\n \\t and \\xHH"},
    {"'a\\q'", 2, "the escapes of texts are \\\\ \\' \\\" \\n \\t and \\xHH"},
    {"'\\x4'", 1, "the escapes of texts are \\\\ \\' \\\" \\n \\t and \\xHH"},
    {"'\\xg1'", 1, "the escapes of texts are \\\\ \\' \\\" \\n \\t and \\xHH"},
    {"0x1F", 0, "hexadecimal numbers are not available"},
    {"1.2.3", 0,
     "this is not a number; a column with such a name is written `in "
     "backquotes`"},
    {"1 + 2nd", 4,
     "this is not a number; a column with such a name is written `in "
     "backquotes`"},
    {"1e", 0,
     "this is not a number; a column with such a name is written `in "
     "backquotes`"},
    {"1e+", 0,
     "this is not a number; a column with such a name is written `in "
     "backquotes`"},
    {"w >= 2024-12-10", 5, DATE},
    {"w >= 2024-12-31", 5, DATE},
    {"w >= 2024-01-01", 5, DATE},
    {"w>=2024-02-01&&1", 3, DATE},
    {"w < 2024-02-01T08:00", 4, DATE},
    {"w >= 2024/02/01", 10,
     "an integer does not begin with 0; a date is a text, as in "
     "\"2024-02-01\""},
    {"00", 0,
     "an integer does not begin with 0; a date is a text, as in "
     "\"2024-02-01\""},
    {"18446744073709551616", 0,
     "an integer of over 64 bits; with .0 it is a float"},
    {"a # b", 2, "'#' is not part of an expression"},
    {"a \x01 b", 2, "'\\x01' is not part of an expression"},
    {"a ; b", 2, "';' is not part of an expression"},
    {"a .. b", 2, "'.' is not part of an expression"},
    {"'\x01' + a", 7, "+ takes numbers, and not a text"},
    {"'\xff' + a", 7, "+ takes numbers, and not a text"},
    {"'\xc3\xa9' + a", 4, "+ takes numbers, and not a text"},
    {"'\n' + a", 5, "+ takes numbers, and not a text"},
};

/* Expects "--test: MESSAGE\n  EXPRESSION\n  SPACES^". */
static void check_error(const char *text, const struct error *e, int caret,
                        const char *message)
{
    const char *line = strchr(e->text, '\n');
    const char *last = strrchr(e->text, '\n');
    char got[300] = "";
    if (line)
        snprintf(got, sizeof got, "%.*s", (int)(line - e->text), e->text);
    CHECK_INT(e->kind, ERROR_USAGE);
    CHECK(strncmp(got, "--test: ", 8) == 0 && strcmp(got + 8, message) == 0,
          "%s: %s, not %s", text, got, message);
    CHECK(last && (int)strcspn(last + 1, "^") - 2 == caret,
          "%s: the caret is not at %d:\n%s", text, caret, e->text);
}

static void test_errors(void)
{
    for (size_t k = 0; k < sizeof errors / sizeof errors[0]; k++) {
        struct expr x;
        struct error e = {0};
        if (CHECK(
                !expr_parse(&x, source_of(errors[k].text), false, &finder, &e),
                "%s", errors[k].text))
            check_error(errors[k].text, &e, errors[k].caret, errors[k].message);
    }
}

/* Of a long expression, the message shows the part around the error. */
static void test_window(void)
{
    char *text = repeat(300, "a + ", "b $ c", " + a");
    struct expr x;
    struct error e = {0};
    CHECK(!expr_parse(&x, source_of(text), false, &finder, &e));
    CHECK_TEXT(e.text,
               "--test: fields are numbered from $1 on\n"
               "  ...+ a + a + a + a + a + a + a + a + a + a + a + a + b $ c + "
               "a + a + a + a + a ...\n"
               "                                                         ^");
    free(text);
}

int main(void)
{
    test_errors();
    test_window();
    return check_end();
}
