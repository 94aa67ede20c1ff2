/* SPDX-License-Identifier: MIT */
/* Trees of a user's reduction, assembled from arbitrary parts, compared with
 * neighbours combined level by level and pair by pair. Most expressions are not
 * associative, so another tree would give other results. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "expr/operations.h"
#include "fold/fold.h"

enum { MOST = 20000 };

static struct expr_value value[MOST], next[MOST];

static bool read_pair(const void *context, uint32_t index, enum expr_type type,
                      struct expr_value *out, struct error *e)
{
    (void)type, (void)e;
    *out = ((const struct expr_value *)context)[index];
    return true;
}

/* Combines value[n] in place. Returns false if some pair has no value. */
static bool reference(const struct fold *fold, size_t n)
{
    struct error e;
    for (; n > 1; n = n / 2 + n % 2) {
        for (size_t i = 0; i + 1 < n; i += 2) {
            const struct expr_record pair = {read_pair, &value[i]};
            if (!expr_evaluate(&fold->expr, &pair, &next[i / 2], &e) ||
                !expr_convert(&next[i / 2], fold->type))
                return false;
        }
        if (n % 2)
            next[n / 2] = value[n - 1];
        memcpy(value, next, (n / 2 + n % 2) * sizeof *value);
    }
    return true;
}

/* Some integers do not fit into int64_t; these are odd values. */
static void fill(const struct fold *fold, size_t n, int hardness,
                 struct fold_values *v)
{
    v->n = n;
    v->odds = 0;
    for (size_t i = 0; i < n; i++) {
        int64_t word = (int64_t)check_below(2000) - 1000;
        value[i].type = fold->type;
        if (fold->type == EXPR_FLOAT) {
            value[i].real = (double)word / 7;
            memcpy(&word, &value[i].real, sizeof word);
        } else if (fold->type == EXPR_BOOL) {
            word = value[i].truth = word > 0;
        } else {
            const bool is_hard = hardness && check_below(hardness) == 0;
            word = is_hard ? INT64_MAX - (int64_t)check_below(9) : word;
            value[i].integer = word;
            if (is_hard && check_below(2)) {
                value[i].integer = (__int128)word * 2;
                v->odd[v->odds++] = (struct fold_odd){i, value[i]};
            }
        }
        v->words[i] = word;
    }
}

/* Adds the values [from, to) to the tree as one part. */
static bool add(struct fold_tree *t, struct folder *f, uint64_t first,
                const struct fold_values *all, size_t from, size_t to)
{
    static struct fold_odd odd[MOST];
    struct fold_values part = {
        .words = all->words + from, .n = to - from, .odd = odd};
    struct error e;
    for (size_t i = 0; i < all->odds; i++) {
        if (all->odd[i].at < from || all->odd[i].at >= to)
            continue;
        odd[part.odds] = all->odd[i];
        odd[part.odds++].at -= from;
    }
    return fold_tree_add(t, f, first, &part, &e);
}

/* Cuts the values into parts. Adds each part to the tree, or appends it as a
 * tree of its own. */
static bool in_parts(struct folder *f, const struct fold_values *v,
                     struct expr_value *out)
{
    struct fold_tree whole = {.nodes = 0};
    struct error e;
    bool ok = true;
    for (size_t at = 0, step; ok && at < v->n; at += step) {
        step = 1 + check_below(check_below(4) ? 9000 : 30);
        step = step < v->n - at ? step : v->n - at;
        if (check_below(2)) {
            ok = add(&whole, f, 0, v, at, at + step);
        } else {
            struct fold_tree part = {.nodes = 0};
            ok = add(&part, f, at, v, at, at + step) &&
                 fold_tree_append(&whole, f, &part, &e);
            fold_tree_free(&part);
        }
    }
    CHECK(!ok || whole.end == v->n);
    ok = ok && fold_tree_value(&whole, f, out, &e);
    fold_tree_free(&whole);
    return ok;
}

static bool same(const struct expr_value *a, const struct expr_value *b)
{
    return a->type == b->type &&
           (a->type == EXPR_FLOAT  ? memcmp(&a->real, &b->real, 8) == 0
            : a->type == EXPR_BOOL ? a->truth == b->truth
                                   : a->integer == b->integer);
}

static const struct {
    enum expr_type element;
    const char *expr, *identity;
    enum expr_type type;
    int hardness; /* 1 in this many values needs the slow form; 0: none */
} cases[] = {
    {EXPR_FLOAT, "a - 2 * b", "0", EXPR_FLOAT, 0},
    {EXPR_FLOAT, "a > b", "0", EXPR_FLOAT, 0},
    {EXPR_INTEGER, "(a * 3 - b) % 1009", "0", EXPR_INTEGER, 0},
    {EXPR_INTEGER, "a % 1009 - b % 1009", "0", EXPR_INTEGER, 3000},
    {EXPR_INTEGER, "max(a, b)", "0", EXPR_INTEGER, 5},
    {EXPR_INTEGER, "gcd(a, b) + b % 5", "0", EXPR_INTEGER, 700},
    {EXPR_INTEGER, "a + b", "0", EXPR_INTEGER, 9000},
    {EXPR_INTEGER, "a - b / 2", "0", EXPR_FLOAT, 0},
    {EXPR_INTEGER, "a + b", "0.5", EXPR_FLOAT, 0},
    {EXPR_BOOL, "a && !b", "true", EXPR_BOOL, 0},
    {EXPR_BOOL, "a - b", "0", EXPR_INTEGER, 0},
    {EXPR_BOOL, "a ? b : a == b", "false", EXPR_BOOL, 0},
};

static void check_case(size_t c)
{
    static int64_t words[MOST];
    static struct fold_odd odd[MOST];
    struct fold_values v = {.words = words, .odd = odd};
    struct folds folds = {.kind_of = NULL};
    struct error e;
    const enum expr_type element = cases[c].element;
    struct fold *fold = &folds.kind[element];
    if (!CHECK(
            fold_parse(&folds, element, cases[c].expr, cases[c].identity, &e),
            "%s", e.text))
        return;
    CHECK_INT(fold->type, cases[c].type);
    fold->items = "elements";
    struct folder *f = folder_open(fold, &e);
    CHECK(f);
    for (int i = 0; f && i < 12; i++) {
        struct expr_value got;
        fill(fold, 1 + check_below(i % 3 ? 300 : MOST - 1), cases[c].hardness,
             &v);
        const bool ok = in_parts(f, &v, &got);
        const bool expected = reference(fold, v.n);
        CHECK(ok == expected && (!ok || same(&got, &value[0])),
              "%s of %zu values", cases[c].expr, v.n);
    }
    folder_close(f);
    folds_free(&folds);
}

static const struct {
    const char *expr, *identity, *message;
} wrong[] = {
    {"a + c", "0", "has only its partials, a and b"},
    {"a + $1", "0", "has only its partials, a and b"},
    {"unknown(a)", "0", "there is no function 'unknown'"},
    {"a + b", "unknown(1)", "there is no function 'unknown'"},
    {"'x'", "0", "not a text"},
    {"a > b ? a : missing", "0", "cannot be missing"},
    {"a + b", "b", "a value without names"},
    {"a + b", "\"x\"", "a number, or true or false"},
    {"a + b", "missing", "a number, or true or false"},
    {"a + b", "1 % 0", "division by 0"},
    {"a / b", "18446744073709551615", "cannot hold this"},
};

static void check_wrong(void)
{
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct folds folds = {.kind_of = NULL};
        struct error e = {.text = ""};
        CHECK(!fold_parse(&folds, EXPR_INTEGER, wrong[i].expr,
                          wrong[i].identity, &e) &&
                  e.kind == ERROR_USAGE && strstr(e.text, wrong[i].message),
              "%s: %s", wrong[i].expr, e.text);
        folds_free(&folds);
    }
}

int main(void)
{
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++)
        check_case(c);
    check_wrong();
    return check_end();
}
