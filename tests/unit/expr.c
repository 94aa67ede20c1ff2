/* SPDX-License-Identifier: MIT */
/* The tree of each expression, by the grammar. */
#include "expr_fixture.h"

#include "expr/operations.h"

/* A stack of texts: write_tree pushes one for each node. */
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
    const char *text, *tree; /* tree: nodes with the letters of their types */
} trees[] = {
    {"a", "a f"},
    {"  a\t\n", "a f"},
    {"\v\fa\r\n\r", "a f"},
    {"(a)", "a f"},
    {"((a))", "a f"},
    {"12", "12 i"},
    {"18446744073709551615", "18446744073709551615 i"},
    {"1.", "1f f"},
    {".5", "0.5f f"},
    {"1.5e3", "1500f f"},
    {"1e-1", "0.10000000000000001f f"},
    {"1.e-1", "0.10000000000000001f f"},
    {"1.E+2", "100f f"},
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
    {"a + b % c", "(+ a (% b c)) f"},
    {"a + b / c", "(+ a (/ b c)) f"},
    {"a % b * c", "(* (% a b) c) f"},
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
    {"i ** 0", "(** i 0) i"},
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
    {"p && contains(w, 'x')", "(&& p (contains w 'x')) b"},
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
    {"2024 - 12 - 10", "2002 i"},
    {"2024-12-109", "1903 i"},
    {"2024-13-10", "2001 i"},
    {"2024-12-32", "1980 i"},
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

int main(void)
{
    test_trees();
    return check_end();
}
