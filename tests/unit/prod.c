/* SPDX-License-Identifier: MIT */
/* The product of floats: the tree of prod.h, built here by recursion. */
#include "reduce/prod.h"

#include <math.h>

#include "check.h"

/* Makes m * 2^e with libc; 1 <= |m| < 2. */
static struct prod_node node_of(double m, int64_t e)
{
    int shift;
    double half = frexp(m, &shift);
    return (struct prod_node){2 * half, e + shift - 1};
}

static struct prod_node times(struct prod_node a, struct prod_node b)
{
    return node_of(a.mantissa * b.mantissa, a.exponent + b.exponent);
}

static bool same(struct prod_node a, struct prod_node b)
{
    return memcmp(&a.mantissa, &b.mantissa, sizeof a.mantissa) == 0 &&
           a.exponent == b.exponent;
}

static struct prod_node random_node(void)
{
    double m = 1 + (double)(check_random() >> 12) * 0x1p-52;
    return (struct prod_node){check_random() % 2 ? m : -m,
                              (int64_t)check_below(4000) - 2000};
}

/* Leaves [first, first + 2^level) of the tree over n leaves; missing leaves are
 * 1. */
static struct prod_node tree(const struct prod_node *leaf, size_t n,
                             size_t first, unsigned level)
{
    if (first >= n)
        return (struct prod_node){1, 0};
    if (level == 0)
        return leaf[first];
    return times(tree(leaf, n, first, level - 1),
                 tree(leaf, n, first + (1ull << (level - 1)), level - 1));
}

/* Pushes the leaves from `from` to `to`, one after the other. */
static void run(struct prod *p, const struct prod_node *leaf, size_t from,
                size_t to)
{
    prod_init(p);
    for (size_t i = from; i < to; i++)
        prod_push(p, i, leaf[i], 0);
}

static void test_push(void)
{
    struct prod_node leaf[300];
    for (size_t i = 0; i < 300; i++)
        leaf[i] = random_node();
    for (size_t n = 0; n < 300; n++) {
        struct prod p;
        run(&p, leaf, 0, n);
        CHECK(same(prod_value(&p), tree(leaf, n, 0, 9)), "%zu leaves", n);
        CHECK(p.nodes == (unsigned)__builtin_popcountll(n), "%zu leaves", n);
    }
}

/* Cuts the leaves at two places and merges the parts from the left and from the
 * right. */
static void test_merge(void)
{
    struct prod_node leaf[24];
    for (size_t i = 0; i < 24; i++)
        leaf[i] = random_node();
    for (size_t n = 0; n <= 24; n++) {
        struct prod_node want = tree(leaf, n, 0, 5);
        for (size_t a = 0; a <= n; a++) {
            for (size_t b = a; b <= n; b++) {
                struct prod x, y, z, left;
                run(&x, leaf, 0, a);
                run(&y, leaf, a, b);
                run(&z, leaf, b, n);
                left = x;
                prod_merge(&left, &y);
                prod_merge(&left, &z);
                prod_merge(&y, &z);
                prod_merge(&x, &y);
                CHECK(same(prod_value(&left), want), "%zu|%zu|%zu", a, b, n);
                CHECK(same(prod_value(&x), want), "%zu|%zu|%zu", a, b, n);
            }
        }
    }
}

static void test_many_cuts(void)
{
    enum { LEAVES = 2000, PARTS = 40 };
    static struct prod_node leaf[LEAVES];
    static struct prod part[PARTS];
    for (int round = 0; round < 50; round++) {
        size_t at = 0, parts = PARTS;
        for (size_t i = 0; i < LEAVES; i++)
            leaf[i] = random_node();
        for (size_t i = 0; i < PARTS; i++) {
            size_t end = at + check_below(2 * LEAVES / PARTS);
            end = i + 1 == PARTS || end > LEAVES ? LEAVES : end;
            run(&part[i], leaf, at, end);
            at = end;
        }
        while (parts > 1) { /* merge random neighbours */
            size_t i = check_below(parts - 1);
            prod_merge(&part[i], &part[i + 1]);
            memmove(&part[i + 1], &part[i + 2],
                    (parts - i - 2) * sizeof part[0]);
            parts--;
        }
        CHECK(same(prod_value(&part[0]), tree(leaf, LEAVES, 0, 11)));
    }
}

/* Complete subtrees near both ends of the range of indexes: the state holds as
 * many nodes as it has room for, and never more. */
static void test_levels(void)
{
    struct prod p;
    uint64_t end = 1ull << 51, at = 1;
    prod_init(&p);
    /* [1, 2^51 - 1): a left edge of 50 nodes and a right edge of 50. */
    for (unsigned level = 0; level < 50; at += 1ull << level++)
        prod_push(&p, at, (struct prod_node){1.5, 0}, level);
    CHECK_U64(at, 1ull << 50);
    for (unsigned level = 49; level > 0; at += 1ull << level--)
        prod_push(&p, at, (struct prod_node){1.5, 0}, level);
    prod_push(&p, at, (struct prod_node){1.5, 0}, 0);
    CHECK_U64(p.end, end - 1);
    CHECK_U64(p.nodes, 100);
    CHECK(p.nodes <= PROD_NODES);
    /* The last leaf merges the right edge into one node. */
    prod_push(&p, end - 1, (struct prod_node){1.5, 0}, 0);
    CHECK_U64(p.nodes, 51);
    struct prod first;
    prod_init(&first);
    prod_push(&first, 0, (struct prod_node){1.5, 0}, 0);
    prod_merge(&first, &p);
    CHECK_U64(first.nodes, 1);
    CHECK_U64(first.level[0], 51);
}

static void test_counts(void)
{
    struct prod a, b;
    prod_init(&a);
    prod_init(&b);
    a.zeros = 1, a.infs = 2, a.nans = 3;
    b.zeros = 10, b.infs = 20, b.nans = 30;
    prod_merge(&a, &b);
    CHECK_U64(a.zeros, 11);
    CHECK_U64(a.infs, 22);
    CHECK_U64(a.nans, 33);
    struct prod_node empty = prod_value(&a);
    CHECK_DOUBLE(empty.mantissa, 1.0);
    CHECK_INT(empty.exponent, 0);
}

/* Checks that mantissa * 2^exponent is x. */
static void check_split(double x)
{
    double m;
    int e;
    CHECK(prod_split(x, &m, &e) == PROD_NUMBER, "%a", x);
    CHECK(fabs(m) >= 1 && fabs(m) < 2, "%a: %a", x, m);
    CHECK_DOUBLE(ldexp(m, e), x);
}

static void test_split(void)
{
    static const struct {
        double x;
        enum prod_special special;
        double sign;
    } rows[] = {{0.0, PROD_ZERO, 1},
                {-0.0, PROD_ZERO, -1},
                {INFINITY, PROD_INF, 1},
                {-INFINITY, PROD_INF, -1},
                {NAN, PROD_NAN, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double m;
        int e;
        CHECK(prod_split(rows[i].x, &m, &e) == rows[i].special, "%zu", i);
        CHECK_DOUBLE(m, rows[i].sign);
        CHECK_INT(e, 0);
    }
    for (int e = -1074; e < 1024; e++) {
        check_split(ldexp(1, e));
        check_split(-ldexp(1.75, e));
    }
    for (int i = 0; i < 20000; i++) {
        double x = double_of_bits(check_random());
        double y = double_of_bits(check_random_length() >> 12);
        if (isfinite(x))
            check_split(x);
        if (y != 0)
            check_split(-y);
    }
}

static void test_times(void)
{
    for (int i = 0; i < 20000; i++) {
        struct prod_node a = random_node(), b = random_node();
        CHECK(same(prod_times(a, b), times(a, b)));
        double m = ldexp(a.mantissa, (int)check_below(256));
        CHECK(same(prod_normal(m, 5), node_of(m, 5)));
    }
}

int main(void)
{
    test_push();
    test_merge();
    test_many_cuts();
    test_levels();
    test_counts();
    test_split();
    test_times();
    return check_end();
}
