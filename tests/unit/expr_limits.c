/* SPDX-License-Identifier: MIT */
/* How deep and how long expressions may be, and random sequences of tokens. */
#include "expr_fixture.h"

static const struct {
    size_t most; /* the deepest nesting that is accepted */
    const char *before, *middle, *after, *value;
} nests[] = {
    {64, "(", "1", ")", "1"},
    {64, "abs(", "n", ")", "5"},
    {64, "-", "n", "", "5"},
    {64, "not ", "p", "", "true"},
    {64, "!", "p", "", "true"},
    {64, "n ** ", "1", "", "inff"},
    {64, "q ? 1 : ", "2", "", "2"},
    {64, "p ? ", "2", " : 1", "2"},
    /* As many operands as possible wait on the stack. */
    {64, "q||p&&9>2+3*min(1,", "2", ")", "true"},
};

static void check_nest(size_t k, size_t n)
{
    const struct expr_record record = {read_value, NULL};
    char *text = repeat(n, nests[k].before, nests[k].middle, nests[k].after);
    char got[64] = "";
    struct expr x;
    struct expr_value value;
    struct error e = {0};
    bool ok = expr_parse(&x, source_of(text), false, &finder, &e);
    CHECK(ok == (n <= nests[k].most), "%zu of %s: %s", n, nests[k].before,
          e.text);
    if (ok && CHECK(expr_evaluate(&x, &record, &value, &e), "%s", e.text)) {
        put_value(got, &value);
        CHECK(strcmp(got, nests[k].value) == 0, "%s: %s", text, got);
    }
    if (ok)
        expr_free(&x);
    else
        CHECK(strstr(e.text, strlen(text) > EXPR_BYTES
                                 ? "longer than 64 KiB"
                                 : "nested over 64 levels deep"),
              "%s", e.text);
    free(text);
}

static void test_nests(void)
{
    for (size_t k = 0; k < sizeof nests / sizeof nests[0]; k++) {
        check_nest(k, nests[k].most);
        for (size_t n = nests[k].most + 1; n <= 100000; n *= 4)
            check_nest(k, n);
    }
}

/* Long chains of operators are not deep. */
static void test_long(void)
{
    static const struct {
        const char *piece, *last, *value;
        size_t n;
    } chains[] = {
        {"1+", "1", "32768", 32767}, {"i-", "i", "-229362", 32767},
        {"p&&", "p", "true", 21845}, {"q||", "q", "false", 21845},
        {"i*1*", "1", "7", 1},
    };
    const struct expr_record record = {read_value, NULL};
    for (size_t k = 0; k < sizeof chains / sizeof chains[0]; k++) {
        char *text = repeat(chains[k].n, chains[k].piece, chains[k].last, "");
        char got[64] = "";
        struct expr x;
        struct expr_value value;
        struct error e = {0};
        if (CHECK(expr_parse(&x, source_of(text), false, &finder, &e), "%s",
                  e.text)) {
            CHECK(expr_evaluate(&x, &record, &value, &e), "%s", e.text);
            put_value(got, &value);
            CHECK_TEXT(got, chains[k].value);
            expr_free(&x);
        }
        free(text);
    }
}

/* Random tokens: no sanitizer may find anything, and an error must have its
 * three lines. */
static void test_random(void)
{
    static const char *const pieces[] = {
        "a",    "i",    "n",     "p",         "s",       "w",       "m",
        "u",    "1",    "2.5",   "'x'",       "\"\\n\"", "missing", "nan",
        "true", "(",    ")",     "(",         ")",       ",",       "?",
        ":",    "+",    "-",     "*",         "/",       "%",       "**",
        "==",   "<",    ">=",    "!",         "&&",      "||",      "and",
        "or",   "not ", " in (", " in (1,2)", "min(",    "abs(",    "coalesce(",
        "len(", "$2",   "`a`",   "\xff",      "\x01",    "'",       "`",
        "\\",   "e",    "0x",    " "};
    const struct expr_record record = {read_value, NULL};
    size_t parsed = 0;
    for (size_t k = 0; k < 200000; k++) {
        char text[256] = "";
        const size_t n = 1 + check_below(12);
        for (size_t i = 0; i < n; i++)
            strcat(text, pieces[check_below(sizeof pieces / sizeof pieces[0])]);
        struct expr x;
        struct expr_value value;
        struct error e = {0};
        if (expr_parse(&x, source_of(text), false, &finder, &e)) {
            parsed++;
            if (!expr_evaluate(&x, &record, &value, &e))
                CHECK_INT(e.kind, ERROR_DATA);
            expr_free(&x);
        } else {
            const char *line = strchr(e.text, '\n');
            CHECK(e.kind == ERROR_USAGE && line && strchr(line + 1, '\n') &&
                      e.text[strlen(e.text) - 1] == '^',
                  "%s: %s", text, e.text);
        }
    }
    CHECK(parsed > 1000, "%zu", parsed);
}

int main(void)
{
    test_nests();
    test_long();
    test_random();
    return check_end();
}
