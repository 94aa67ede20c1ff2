/* SPDX-License-Identifier: MIT */
/* Expressions: what tree they are, what they are worth, and what is wrong with
 * those that are not one. Answers were worked out by hand from the grammar. */
#include "expr/expr.h"

#include <math.h>

#include "expr/operations.h"
#include "check.h"

/* The names of all tests and their values. */
static const struct {
    const char *name;
    enum expr_type type;
    bool may_be_text;
    struct expr_value value, text;
} names[] = {
#define FLOAT(x)                      \
    {                                 \
        .type = EXPR_FLOAT, .real = x \
    }
#define INTEGER(x)                         \
    {                                      \
        .type = EXPR_INTEGER, .integer = x \
    }
#define BOOL(x)                       \
    {                                 \
        .type = EXPR_BOOL, .truth = x \
    }
#define TEXT(x)                                        \
    {                                                  \
        .type = EXPR_TEXT, .text = { x, sizeof x - 1 } \
    }
    {"a", EXPR_FLOAT, false, FLOAT(1.5), {0}},
    {"b", EXPR_FLOAT, false, FLOAT(2), {0}},
    {"c", EXPR_FLOAT, false, FLOAT(-4), {0}},
    {"d", EXPR_FLOAT, false, FLOAT(NAN), {0}},
    {"i", EXPR_INTEGER, false, INTEGER(7), {0}},
    {"j", EXPR_INTEGER, false, INTEGER(-3), {0}},
    {"z", EXPR_INTEGER, false, INTEGER(0), {0}},
    {"top", EXPR_INTEGER, false, INTEGER(UINT64_MAX), {0}},
    {"low", EXPR_INTEGER, false, INTEGER(INT64_MIN), {0}},
    {"odd", EXPR_INTEGER, false, INTEGER((1ll << 53) + 1), {0}},
    {"n", EXPR_NUMBER, false, INTEGER(5), {0}},
    {"r", EXPR_NUMBER, false, FLOAT(0.5), {0}},
    {"m", EXPR_FLOAT, false, {.type = EXPR_MISSING}, {0}},
    {"p", EXPR_BOOL, false, BOOL(true), {0}},
    {"q", EXPR_BOOL, false, BOOL(false), {0}},
    {"u", EXPR_BOOL, false, {.type = EXPR_MISSING}, {0}},
    {"s", EXPR_FLOAT, true, FLOAT(12), TEXT("12")},
    {"t", EXPR_FLOAT, true, FLOAT(13), TEXT("Rome")},
    {"w", EXPR_TEXT, false, {0}, TEXT("a\tb")},
    {"max(a)", EXPR_NUMBER, false, INTEGER(99), {0}},
    {"index()", EXPR_INTEGER, false, INTEGER(42), {0}},
    {"$2", EXPR_FLOAT, true, FLOAT(22), TEXT("22")},
    {"unit `price`", EXPR_FLOAT, false, FLOAT(3), {0}},
    {"a.b_1", EXPR_FLOAT, false, FLOAT(4), {0}},
    {"\xc3\xa9t\xc3\xa9", EXPR_FLOAT, false, FLOAT(5), {0}},
};

enum { NAMES = sizeof names / sizeof names[0] };

static bool find(void *context, const struct expr_name *name,
                 struct expr_column *column, struct error *why)
{
    char text[64], inner[32] = "";
    (void)context;
    if (name->field)
        snprintf(inner, sizeof inner, "$%d", (int)name->field);
    else if (name->name.at)
        snprintf(inner, sizeof inner, "%.*s", (int)name->name.bytes,
                 name->name.at);
    snprintf(text, sizeof text, name->call.at ? "%.*s(%s)" : "%.*s%s",
             (int)name->call.bytes, name->call.at ? name->call.at : "", inner);
    for (uint32_t k = 0; k < NAMES; k++) {
        if (strcmp(text, names[k].name) == 0) {
            *column =
                (struct expr_column){k, names[k].type, names[k].may_be_text};
            return true;
        }
    }
    return !name->call.at && error_set(why, ERROR_USAGE, "unknown %s", text);
}

static bool read_value(const void *context, uint32_t index, enum expr_type type,
                       struct expr_value *value, struct error *e)
{
    (void)context, (void)e;
    *value = type == EXPR_TEXT ? names[index].text : names[index].value;
    return true;
}

static const struct expr_names finder = {find, NULL};

static struct expr_source source_of(const char *text)
{
    return (struct expr_source){"--test", text, strlen(text), false};
}

static void put_integer(char *out, __int128 x)
{
    char digits[64];
    size_t n = sizeof digits;
    unsigned __int128 left =
        x < 0 ? -(unsigned __int128)x : (unsigned __int128)x;
    digits[--n] = '\0';
    do {
        digits[--n] = (char)('0' + (int)(left % 10));
        left /= 10;
    } while (left);
    sprintf(out, "%s%s", x < 0 ? "-" : "", digits + n);
}

static void put_value(char *out, const struct expr_value *v)
{
    if (v->type == EXPR_MISSING)
        strcpy(out, "missing");
    else if (v->type == EXPR_BOOL)
        strcpy(out, v->truth ? "true" : "false");
    else if (v->type == EXPR_INTEGER)
        put_integer(out, v->integer);
    else if (v->type == EXPR_FLOAT)
        sprintf(out, isnan(v->real) ? "nan" : "%.17gf", v->real);
    else
        sprintf(out, "'%.*s'", (int)v->text.bytes, v->text.at);
}

/* What is on the stack of texts that write_tree makes of the nodes. */
struct shown {
    char text[64][256];
    size_t n;
};

static void put_in(char *out, const struct expr *x,
                   const struct expr_node *node)
{
    out += sprintf(out, "(in");
    for (size_t i = 0; i < node->count; i++) {
        *out++ = ' ';
        put_value(out, &x->constant[node->index + i]);
        out += strlen(out);
    }
}

/* Replaces the last n texts by "(NAME text ...)". */
static void join(struct shown *s, const char *name, size_t n)
{
    char all[1024];
    size_t used = (size_t)sprintf(all, "(%s", name);
    for (size_t i = s->n - n; i < s->n; i++)
        used += (size_t)sprintf(all + used, " %s", s->text[i]);
    s->n -= n;
    snprintf(s->text[s->n++], sizeof s->text[0], "%.250s)", all);
}

static void show_node(struct shown *s, const struct expr *x,
                      const struct expr_node *node)
{
    char name[256];
    switch ((enum expr_kind)node->kind) {
    case EXPR_CONSTANT:
        put_value(s->text[s->n++], &x->constant[node->index]);
        break;
    case EXPR_NAME:
        sprintf(s->text[s->n++], "%s%s", names[node->index].name,
                names[node->index].may_be_text && node->type == EXPR_TEXT
                    ? ":text"
                    : "");
        break;
    case EXPR_APPLY:
        join(s, expr_operations[node->operation].name,
             expr_operations[node->operation].operands > 1 ? 2 : 1);
        break;
    case EXPR_POWER:
        put_value(s->text[s->n++], &x->constant[node->index]);
        join(s, "**", 2);
        break;
    case EXPR_IN:
        put_in(name, x, node);
        join(s, name + 1, 1);
        break;
    case EXPR_CHOICE:
        join(s, "?", 3);
        break;
    case EXPR_AND_THEN:
    case EXPR_OR_ELSE:
    case EXPR_IF:
    case EXPR_ELSE:
        break;
    }
}

static const char type_letter[] = "-bifnt"; /* of enum expr_type */

static const struct {
    const char *text, *tree; /* with the letter of its type after it */
} trees[] = {
    {"a", "a f"},
    {"  a\t\n", "a f"},
    {"(a)", "a f"},
    {"((a))", "a f"},
    {"12", "12 i"},
    {"18446744073709551615", "18446744073709551615 i"},
    {"1.", "1f f"},
    {".5", "0.5f f"},
    {"1.5e3", "1500f f"},
    {"1e-1", "0.10000000000000001f f"},
    {"1E+2", "100f f"},
    {"0.1", "0.10000000000000001f f"},
    {"true", "true b"},
    {"false", "false b"},
    {"nan", "nan f"},
    {"inf", "inff f"},
    {"-inf", "-inff f"},
    {"missing", "missing -"},
    {"'x y'", "'x y' t"},
    {"\"it's\"", "'it's' t"},
    {"'\\\\ \\' \\\" \\n \\t \\x41\\x7E'", "'\\ ' \" \n \t A~' t"},
    {"''", "'' t"},
    {"a.b_1", "a.b_1 f"},
    {"\xc3\xa9t\xc3\xa9", "\xc3\xa9t\xc3\xa9 f"},
    {"`unit ``price```", "unit `price` f"},
    {"`a`", "a f"},
    {"$2", "$2 f"},
    {"index()", "index() i"},
    {"max(a)", "max(a) n"},
    {"max(`a`)", "max(a) n"},
    {"max( a )", "max(a) n"},
    {"max(a, b)", "(max a b) f"},
    {"max(a + b, 1)", "(max (+ a b) 1) f"},
    {"max(max(a), i)", "(max max(a) i) n"},
    {"a + b - c", "(- (+ a b) c) f"},
    {"a - (b - c)", "(- a (- b c)) f"},
    {"a + b * c", "(+ a (* b c)) f"},
    {"a * b + c", "(+ (* a b) c) f"},
    {"a / b * c % i", "(% (* (/ a b) c) i) f"},
    {"-a ** b", "(- (** a b)) f"},
    {"a ** -b", "(** a (- b)) f"},
    {"a ** b ** c", "(** a (** b c)) f"},
    {"(a ** b) ** c", "(** (** a b) c) f"},
    {"a * -b ** c", "(* a (- (** b c))) f"},
    {"a ** i", "(** a i) f"},
    {"i ** j", "(** i j) f"},
    {"i ** 2", "(** i 2) i"},
    {"i ** -2", "(** i -2) f"},
    {"a ** 2", "(** a 2) f"},
    {"n ** 2", "(** n 2) n"},
    {"p ** 2", "(** p 2) i"},
    {"a ** 2 ** 3", "(** a 8) f"},
    {"a ** (1 + 1)", "(** a 2) f"},
    {"a ** 2.0", "(** a 2f) f"},
    {"-a * b", "(* (- a) b) f"},
    {"--a", "(- (- a)) f"},
    {"-+a", "(- (+ a)) f"},
    {"a - -b", "(- a (- b)) f"},
    {"a--b", "(- a (- b)) f"},
    {"!p", "(! p) b"},
    {"!!p", "(! (! p)) b"},
    {"not p", "(! p) b"},
    {"not not p", "(! (! p)) b"},
    {"not a == b", "(! (== a b)) b"},
    {"!p == q", "(== (! p) q) b"},
    {"not p and q", "(&& (! p) q) b"},
    {"not (p and q)", "(! (&& p q)) b"},
    {"p && q || u", "(|| (&& p q) u) b"},
    {"p || q && u", "(|| p (&& q u)) b"},
    {"p or q or u", "(|| (|| p q) u) b"},
    {"p and q && u", "(&& (&& p q) u) b"},
    {"p or not q", "(|| p (! q)) b"},
    {"a < b && b <= c", "(&& (< a b) (<= b c)) b"},
    {"a > b or a >= c", "(|| (> a b) (>= a c)) b"},
    {"a + b == c * a", "(== (+ a b) (* c a)) b"},
    {"a != b", "(!= a b) b"},
    {"(a < b) == (b < c)", "(== (< a b) (< b c)) b"},
    {"p + q", "(+ p q) i"},
    {"p + a", "(+ p a) f"},
    {"-p", "(- p) i"},
    {"+p", "(+ p) i"},
    {"i + j", "(+ i j) i"},
    {"i + n", "(+ i n) n"},
    {"a + n", "(+ a n) f"},
    {"i / j", "(/ i j) f"},
    {"i % 3", "(% i 3) i"},
    {"p ? a : b", "(? p a b) f"},
    {"p ? a : q ? b : c", "(? p a (? q b c)) f"},
    {"p ? q ? a : b : c", "(? p (? q a b) c) f"},
    {"(p ? q : u) ? a : b", "(? (? p q u) a b) f"},
    {"p || q ? a : b + c", "(? (|| p q) a (+ b c)) f"},
    {"p ? i : a", "(? p i a) f"},
    {"p ? i : j", "(? p i j) i"},
    {"p ? q : i", "(? p q i) i"},
    {"p ? q : u", "(? p q u) b"},
    {"p ? n : i", "(? p n i) n"},
    {"p ? missing : i", "(? p missing i) i"},
    {"p ? 'x' : 'y'", "(? p 'x' 'y') t"},
    {"p ? s : 'y'", "(? p s:text 'y') t"},
    {"missing ? a : b", "(? missing a b) f"},
    {"a in (1)", "(in 1 a) b"},
    {"a in (1, -2, +3, 4.5, nan)", "(in 1 -2 3 4.5f nan a) b"},
    {"a + b in (-inf, missing)", "(in -inff missing (+ a b)) b"},
    {"a not in (1, 2)", "(! (in 1 2 a)) b"},
    {"not a in (1)", "(! (in 1 a)) b"},
    {"p in (true, false)", "(in true false p) b"},
    {"w in ('x', \"y\")", "(in 'x' 'y' w) b"},
    {"s in ('x')", "(in 'x' s:text) b"},
    {"s in (12)", "(in 12 s) b"},
    {"s == 12", "(== s 12) b"},
    {"s == '12'", "(== s:text '12') b"},
    {"'12' != s", "(!= '12' s:text) b"},
    {"s == t", "(== s t) b"},
    {"s == w", "(== s:text w) b"},
    {"s + 1 > 2 && s < 'x'", "(&& (> (+ s 1) 2) (< s:text 'x')) b"},
    {"text(s) == text(t)", "(== (text s:text) (text t:text)) b"},
    {"len($2)", "(len $2:text) i"},
    {"num(s)", "(num s:text) f"},
    {"startswith(s, 'x')", "(startswith s:text 'x') b"},
    {"endswith(w, s)", "(endswith w s:text) b"},
    {"contains(w, 'x')", "(contains w 'x') b"},
    {"min(a, b, c)", "(min (min a b) c) f"},
    {"min(i, j)", "(min i j) i"},
    {"min(i, a)", "(min i a) f"},
    {"min(p, q)", "(min p q) i"},
    {"coalesce(m, 0)", "(coalesce m 0) f"},
    {"coalesce(u, q)", "(coalesce u q) b"},
    {"coalesce(missing, i, j)", "(coalesce (coalesce missing i) j) i"},
    {"coalesce(s, 'x')", "(coalesce s:text 'x') t"},
    {"ismissing(w)", "(ismissing w) b"},
    {"abs(i)", "(abs i) i"},
    {"abs(a)", "(abs a) f"},
    {"sqrt(i)", "(sqrt i) f"},
    {"round(a)", "(round a) f"},
    {"round(i)", "(round i) i"},
    {"atan2(a, b)", "(atan2 a b) f"},
    {"hypot(i, j)", "(hypot i j) f"},
    {"mod(i, 3)", "(mod i 3) i"},
    {"isnan(a) || isfinite(b)", "(|| (isnan a) (isfinite b)) b"},
    {"1 + 2 * 3", "7 i"},
    {"-2 ** 2", "-4 i"},
    {"2 ** 3 ** 2", "512 i"},
    {"2 ** -1", "0.5f f"},
    {"1 % 0", "(% 1 0) i"},
    {"7 / 2", "3.5f f"},
    {"max(1, 2.5)", "2.5f f"},
};

static void test_trees(void)
{
    for (size_t k = 0; k < sizeof trees / sizeof trees[0]; k++) {
        struct expr x;
        struct error e = {0};
        struct shown *s = calloc(1, sizeof *s);
        char got[300];
        if (CHECK(expr_parse(&x, source_of(trees[k].text), false, &finder, &e),
                  "%s: %s", trees[k].text, e.text)) {
            for (size_t i = 0; i < x.nodes; i++)
                show_node(s, &x, &x.node[i]);
            CHECK_U64(s->n, 1);
            snprintf(got, sizeof got, "%s %c", s->text[0], type_letter[x.type]);
            CHECK(strcmp(got, trees[k].tree) == 0, "%s: %s, not %s",
                  trees[k].text, got, trees[k].tree);
            expr_free(&x);
        }
        free(s);
    }
}

static const struct {
    const char *text, *value; /* or the error's first line, after "!" */
} values[] = {
    /* Integers are exact or an error. */
    {"i + j", "4"},
    {"i * j", "-21"},
    {"i - top", "!the integer has over 64 bits here"},
    {"j - 9223372036854775805", "-9223372036854775808"},
    {"top + 1", "!the integer has over 64 bits here"},
    {"top - 1", "18446744073709551614"},
    {"low - 1", "!the integer has over 64 bits here"},
    {"-low", "9223372036854775808"},
    {"abs(low)", "9223372036854775808"},
    {"top * top", "!the integer has over 64 bits here"},
    {"top * z", "0"},
    {"i % j", "1"},
    {"-i % 3", "-1"},
    {"j % 2", "-1"},
    {"mod(j, 2)", "1"},
    {"mod(i, j)", "-2"},
    {"mod(i, 7)", "0"},
    {"i % z", "!an integer has no remainder of division by 0"},
    {"mod(i, z)", "!an integer has no remainder of division by 0"},
    {"low % -1", "0"},
    {"i ** 0", "1"},
    {"z ** 0", "1"},
    {"j ** 3", "-27"},
    {"j ** 100", "!the integer has over 64 bits here"},
    {"2 ** 63", "9223372036854775808"},
    {"2 ** 64", "!the integer has over 64 bits here"},
    {"(i - 8) ** 1001", "-1"},
    {"i ** -1", "0.14285714285714285f"},
    {"z ** -1", "inff"},
    {"i / 2", "3.5f"},
    {"i / z", "inff"},
    {"round(i)", "7"},
    {"min(i, j)", "-3"},
    {"max(i, j, 9)", "9"},
    {"p + p + 1", "3"},
    {"-p", "-1"},
    /* Mixed: the integer converts exactly, or it is an error. */
    {"i + a", "8.5f"},
    {"odd + a", "!an integer that a float cannot hold meets a float here"},
    {"odd - 1 + b", "9007199254740994f"},
    {"odd / 1", "!an integer that a float cannot hold meets a float here"},
    {"sqrt(odd)", "!an integer that a float cannot hold meets a float here"},
    {"top + 0.0", "!an integer that a float cannot hold meets a float here"},
    {"p ? odd : a", "!an integer that a float cannot hold is made a float"},
    {"q ? odd : a", "1.5f"},
    {"p ? i : a", "7f"},
    {"coalesce(odd, a)",
     "!an integer that a float cannot hold is made a float"},
    {"min(i, a)", "1.5f"},
    {"n + 1", "6"},
    {"r + 1", "1.5f"},
    {"n ** 2", "25"},
    {"r ** 2", "0.25f"},
    {"n + r", "5.5f"},
    /* Comparisons are exact. */
    {"odd == 9007199254740992.0", "false"},
    {"odd > 9007199254740992.0", "true"},
    {"9007199254740992.0 < odd", "true"},
    {"top < 18446744073709551616.0", "true"},
    {"top >= 1e300", "false"},
    {"low > -1e300", "true"},
    {"low == -9223372036854775808.0", "true"},
    {"i < 7.5", "true"},
    {"i > 6.5", "true"},
    {"j > -3.5", "true"},
    {"j < -2.5", "true"},
    {"i < inf", "true"},
    {"i > -inf", "true"},
    {"p == 1", "true"},
    {"q < p", "true"},
    {"low < top", "true"},
    {"0.0 == -0.0", "true"},
    /* NaN. */
    {"d == d", "false"},
    {"d != d", "true"},
    {"d < 1", "false"},
    {"i >= d", "false"},
    {"i != d", "true"},
    {"d in (nan)", "false"},
    {"d not in (nan)", "true"},
    {"min(1, d)", "nan"},
    {"max(d, 1)", "nan"},
    {"isnan(d)", "true"},
    {"isnan(odd)", "false"},
    {"isfinite(odd)", "true"},
    {"isfinite(inf)", "false"},
    {"isfinite(-d)", "false"},
    /* Missing. */
    {"m + 1", "missing"},
    {"m == m", "missing"},
    {"-m", "missing"},
    {"m ** 2", "missing"},
    {"!u", "missing"},
    {"u && q", "false"},
    {"q && u", "false"},
    {"u && p", "missing"},
    {"p && u", "missing"},
    {"u && u", "missing"},
    {"u || p", "true"},
    {"p || u", "true"},
    {"u || q", "missing"},
    {"q || u", "missing"},
    {"u ? 1 : 2", "missing"},
    {"m in (1)", "missing"},
    {"i in (7, missing)", "true"},
    {"i in (8, missing)", "missing"},
    {"i not in (8, missing)", "missing"},
    {"ismissing(m)", "true"},
    {"ismissing(i)", "false"},
    {"ismissing(m + 1)", "true"},
    {"coalesce(m, 3)", "3f"},
    {"coalesce(m, m)", "missing"},
    {"coalesce(i, 1 % z)", "!an integer has no remainder of division by 0"},
    {"min(m, 1)", "missing"},
    {"isnan(m)", "missing"},
    /* Only what is needed is computed. */
    {"z != 0 && i % z == 1", "false"},
    {"z == 0 || i % z == 1", "true"},
    {"z == 0 ? 1 : i % z", "1"},
    {"z != 0 ? i % z : 1", "1"},
    {"p && q && i % z == 0 && p", "false"},
    {"p ? 1 : 1 % 0", "1"},
    {"p ? q ? 1 : 2 : 3", "2"},
    {"q ? 1 : p ? 2 : 3", "2"},
    {"(p ? u : q) ? 1 : 2", "missing"},
    {"1 + (p ? 2 : 3) * 2", "5"},
    {"p && (q || p)", "true"},
    {"(q && p) || p", "true"},
    {"(p || q) && q", "false"},
    /* Floats. */
    {"-2 ** 2", "-4"},
    {"c % 3", "-1f"},
    {"mod(c, 3)", "2f"},
    {"mod(c, 2.0)", "0f"},
    {"mod(4.0, -2.0)", "-0f"},
    {"mod(1.5, inf)", "1.5f"},
    {"mod(1.5, 0.0)", "nan"},
    {"c / 0", "-inff"},
    {"a ** 2", "2.25f"},
    {"a ** -2", "0.44444444444444442f"},
    {"a ** 65 == a ** 64 * a", "true"},
    {"b ** 0.5", "1.4142135623730951f"},
    {"0.1 + 0.2", "0.30000000000000004f"},
    {"round(2.5)", "3f"},
    {"round(-2.5)", "-3f"},
    {"rint(2.5)", "2f"},
    {"trunc(-2.5)", "-2f"},
    {"floor(-2.5)", "-3f"},
    {"ceil(-2.5)", "-2f"},
    {"abs(c)", "4f"},
    {"sqrt(-c)", "2f"},
    {"hypot(3, c)", "5f"},
    {"log2(8)", "3f"},
    {"log10(1000)", "3f"},
    {"exp(0)", "1f"},
    {"log(1)", "0f"},
    {"sin(0)", "0f"},
    {"cos(0)", "1f"},
    {"tan(0)", "0f"},
    {"atan2(0, 1)", "0f"},
    /* Texts. */
    {"w == 'a\\tb'", "true"},
    {"w < 'b'", "true"},
    {"'a' < 'ab'", "true"},
    {"'ab' <= 'a'", "false"},
    {"'\\xff' > 'a'", "true"},
    {"'\\x00' != ''", "true"},
    {"len('\\x00a')", "2"},
    {"t in ('Paris', 'Rome')", "true"},
    {"t == 13", "true"},
    {"t == 'Rome' && t == 13", "true"},
    {"startswith(t, 'Ro')", "true"},
    {"startswith(t, 'Romeo')", "false"},
    {"startswith(t, '')", "true"},
    {"endswith(t, 'me')", "true"},
    {"endswith(t, 'Ro')", "false"},
    {"contains(t, 'om')", "true"},
    {"contains(t, '')", "true"},
    {"contains('', 'x')", "false"},
    {"num(s) + 1", "13f"},
    {"num(' 1e3 ')", "1000f"},
    {"num('-inf')", "-inff"},
    {"num('')", "!this text is not a number"},
    {"num('1 2')", "!this text is not a number"},
    {"text(s)", "'12'"},
    {"$2 + index()", "64f"},
};

static void test_values(void)
{
    const struct expr_record record = {read_value, NULL};
    for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) {
        struct expr x;
        struct expr_value value;
        struct error e = {0};
        char got[300];
        if (!CHECK(
                expr_parse(&x, source_of(values[k].text), false, &finder, &e),
                "%s: %s", values[k].text, e.text))
            continue;
        if (expr_evaluate(&x, &record, &value, &e)) {
            put_value(got, &value);
        } else {
            CHECK_INT(e.kind, ERROR_DATA);
            snprintf(got, sizeof got, "!%.*s", (int)strcspn(e.text + 8, "\n"),
                     e.text + 8);
        }
        CHECK(strcmp(got, values[k].value) == 0, "%s: %s, not %s",
              values[k].text, got, values[k].value);
        expr_free(&x);
    }
}

static const struct {
    const char *text;
    int caret; /* column of the expression as it is shown */
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
    {"foo(a)", 0, "there is no function 'foo'; did you mean floor()?"},
    {"sqr(a)", 0, "there is no function 'sqr'; did you mean sqrt()?"},
    {"sqrt()", 0, "sqrt() takes one value"},
    {"sqrt(a, b)", 0, "sqrt() takes one value"},
    {"sqrt(a b)", 7, "expected ',' or ')'"},
    {"atan2(a)", 0, "atan2() takes two values"},
    {"mod(a, b, c)", 0, "mod() takes two values"},
    {"min(b)", 0, "min() takes two values or more"},
    {"min(a,)", 6, "expected a value"},
    {"foo", 0, "unknown foo"},
    {"`foo`", 0, "unknown foo"},
    {"1 + $3", 4, "unknown $3"},
    {"$0", 0, "fields are numbered from $1 on"},
    {"$", 0, "fields are numbered from $1 on"},
    {"$1x", 0, "fields are numbered from $1 on"},
    {"$99999999999999999999", 0, "unknown $1410065407"},
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

/* "--test: MESSAGE\n  EXPRESSION\n  SPACES^" */
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

/* Conditions, and integers of 128 bits. */
static void test_modes(void)
{
    static const char *const conditions[] = {"a", "i + 1", "'x'", "n"};
    struct expr x;
    struct expr_value value;
    const struct expr_record record = {read_value, NULL};
    struct error e = {0};
    for (size_t k = 0; k < 4; k++) {
        CHECK(!expr_parse(&x, source_of(conditions[k]), true, &finder, &e));
        CHECK(strstr(e.text, "this is not true or false"), "%s", e.text);
    }
    CHECK(expr_parse(&x, source_of("a < b"), true, &finder, &e));
    expr_free(&x);
    struct expr_source wide =
        source_of("top * top - 340282366920938463426481119284349108225");
    wide.is_wide = true;
    CHECK(!expr_parse(&x, wide, false, &finder, &e));
    CHECK(strstr(e.text, "over 127 bits"), "%s", e.text);
    wide.text = "top * 9223372036854775807";
    wide.bytes = strlen(wide.text);
    if (CHECK(expr_parse(&x, wide, false, &finder, &e), "%s", e.text)) {
        char got[64] = "";
        CHECK(expr_evaluate(&x, &record, &value, &e), "%s", e.text);
        put_value(got, &value);
        CHECK_TEXT(got, "170141183460469231704017187605319778305");
        expr_free(&x);
    }
}

/* n times one text, then a middle, then n times another. */
static char *repeat(size_t n, const char *before, const char *middle,
                    const char *after)
{
    const size_t a = strlen(before), b = strlen(after);
    char *text = calloc(1, n * (a + b) + strlen(middle) + 1), *end = text;
    for (size_t i = 0; i < n; i++, end += a)
        memcpy(end, before, a);
    end = stpcpy(end, middle);
    for (size_t i = 0; i < n; i++, end += b)
        memcpy(end, after, b);
    return text;
}

static const struct {
    size_t most; /* so many are taken, and one more is too many */
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
    /* As many operands wait as can. */
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

/* Long chains are not deep. */
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

/* A long expression is shown around the place. */
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

/* Pieces of expressions in any order: no finding of a sanitizer, and an error
 * has its three lines. */
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
    test_trees();
    test_values();
    test_errors();
    test_modes();
    test_nests();
    test_long();
    test_window();
    test_random();
    return check_end();
}
