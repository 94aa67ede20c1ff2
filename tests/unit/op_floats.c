/* SPDX-License-Identifier: MIT */
/* Operations on float states made by hand: NaN, Inf, -0. */
#include "op_fixture.h"

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* Makes the states of 1 2 NaN 6 as f64. */
static void nan_fixture(struct fixture *f, enum nan_mode nan)
{
    fixture_init(f, DTYPE_f64, 4);
    f->totals.nan = nan;
    f->state[MONOID_count].count =
        (struct count){.nan = 1, .nonzero = 4, .first_nan = 2};
    set_exact(f, MONOID_sum, 9);
    set_exact(f, MONOID_sumabs, 9);
    set_exact(f, MONOID_sumsq, 41);
    set_extrema(f, MONOID_extrema, bits_of(1), 0, bits_of(6), 3);
    set_extrema(f, MONOID_absextrema, bits_of(1), 0, bits_of(6), 3);
    f->state[MONOID_prod].prod.nodes = 1;
    f->state[MONOID_prod].prod.node[0] = (struct prod_node){1.5, 3};
    f->state[MONOID_prod].prod.nans = 1;
    for (int m = MONOID_sum; m <= MONOID_sumsq; m++)
        f->state[m].exact.nan = 1;
    for (int m = MONOID_extrema; m <= MONOID_absextrema; m++) {
        f->state[m].extrema.nans = 1;
        f->state[m].extrema.first_nan = 2;
    }
}

static void test_nan(void)
{
    static const struct {
        const char *name;
        double skip; /* expected; 0: a root, checked below and in finish.c */
    } reals[] = {{"sum", 9},     {"prod", 12},   {"min", 1},   {"max", 6},
                 {"mean", 3},    {"l1", 9},      {"l2", 0},    {"linf", 6},
                 {"sumsq", 41},  {"rms", 0},     {"var", 7},   {"std", 0},
                 {"var_pop", 0}, {"std_pop", 0}, {"range", 5}, {"absmin", 1},
                 {"absmax", 6}};
    struct fixture f;
    for (size_t i = 0; i < sizeof reals / sizeof reals[0]; i++) {
        nan_fixture(&f, NAN_PROPAGATE);
        check_real(&f, reals[i].name, NAN);
        f.totals.nan = NAN_SKIP;
        if (reals[i].skip != 0)
            check_real(&f, reals[i].name, reals[i].skip);
    }
    check_real(&f, "l2", sqrt(41));
    check_real(&f, "std", sqrt(7));
    check_real(&f, "var_pop", 14.0 / 3);
    f.state[MONOID_ends].ends =
        (struct ends){.first = {bits_of(NAN), 0},
                      .last = {bits_of(-0.0), 3},
                      .first_number = {bits_of(2), 1},
                      .last_number = {bits_of(-0.0), 3}};
    check_real(&f, "first", 2);
    check_real(&f, "last", -0.0);
    f.totals.nan = NAN_PROPAGATE;
    check_real(&f, "first", NAN);
    f.totals.nan = NAN_SKIP;
    f.totals.rows = 9;
    f.totals.missing = 3;
    f.totals.bad = 2;
    f.state[MONOID_count].count.inf = 1;
    check_integer(&f, "rows", 9);
    check_integer(&f, "n_missing", 3);
    check_integer(&f, "n_bad", 2);
    check_integer(&f, "n_nan", 1);
    check_integer(&f, "n_inf", 1);
    check_integer(&f, "count", 3);
    check_integer(&f, "argmin", 0);
    check_integer(&f, "argmax", 3);
    check_integer(&f, "alltrue", 1);
    f.state[MONOID_count].count.nonzero = 1; /* the states of 0 0 NaN 0 */
    check_integer(&f, "any", 0);
    check_integer(&f, "alltrue", 0);
    f.totals.nan = NAN_PROPAGATE;
    check_integer(&f, "any", 1);
    check_integer(&f, "count", 4);
    check_integer(&f, "argmin", 2);
    check_integer(&f, "argmax", 2);
}

static void test_nan_error(void)
{
    struct fixture f;
    const struct op *op;
    nan_fixture(&f, NAN_ERROR);
    for (size_t i = 0; (op = op_at(i)); i++) {
        struct value value;
        struct error e;
        CHECK(!finish(&f, op->name, &value, &e), "%s", op->name);
        CHECK_INT(e.kind, ERROR_DATA);
        CHECK(strstr(e.text, "element 2 ") && strstr(e.text, "--nan skip"),
              "%s: %s", op->name, e.text);
    }
}

static void set_infs(struct fixture *f, uint64_t plus, uint64_t minus)
{
    f->state[MONOID_sum].exact.plus_inf = plus;
    f->state[MONOID_sum].exact.minus_inf = minus;
    f->state[MONOID_sumabs].exact.plus_inf = plus + minus;
    f->state[MONOID_sumsq].exact.plus_inf = plus + minus;
}

static void test_inf(void)
{
    static const char *const nans[] = {"var", "std", "var_pop", "std_pop"};
    static const char *const infs[] = {"l1", "l2", "sumsq", "rms"};
    static const struct {
        uint64_t plus, minus;
        double sum;
    } rows[] = {{1, 0, INFINITY}, {0, 2, -INFINITY}, {1, 1, NAN}};
    for (size_t i = 0; i < 3; i++) {
        struct fixture f;
        fixture_init(&f, DTYPE_f32, 5);
        set_exact(&f, MONOID_sum, -3);
        set_infs(&f, rows[i].plus, rows[i].minus);
        check_real(&f, "sum", rows[i].sum);
        check_real(&f, "mean", rows[i].sum);
        for (size_t j = 0; j < 4; j++) {
            check_real(&f, nans[j], NAN);
            check_real(&f, infs[j], INFINITY);
        }
    }
}

static void test_negative_zero(void)
{
    struct fixture f;
    fixture_init(&f, DTYPE_f64, 2);
    f.state[MONOID_sum].exact.not_negative_zero = false;
    check_real(&f, "sum", -0.0);
    check_real(&f, "mean", -0.0);
    f.state[MONOID_sum].exact.not_negative_zero = true;
    check_real(&f, "sum", 0.0);
    set_extrema(&f, MONOID_extrema, 1ull << 63, 0, 1ull << 63, 0);
    check_real(&f, "min", -0.0);
    check_real(&f, "range", 0.0);
}

static void test_few(void)
{
    struct fixture f;
    fixture_init(&f, DTYPE_f64, 1);
    set_exact(&f, MONOID_sum, 5);
    set_exact(&f, MONOID_sumsq, 25);
    check_real(&f, "var", NAN);
    check_real(&f, "std", NAN);
    check_real(&f, "var_pop", 0.0);
    check_real(&f, "std_pop", 0.0);
}

static void check_prod(struct prod_node node, uint64_t zeros, uint64_t infs,
                       double want)
{
    struct fixture f;
    fixture_init(&f, DTYPE_f32, 9);
    struct prod *p = &f.state[MONOID_prod].prod;
    p->nodes = 1;
    p->node[0] = node;
    p->zeros = zeros;
    p->infs = infs;
    check_real(&f, "prod", want);
}

static void test_prod(void)
{
    check_prod((struct prod_node){1.5, 4}, 0, 0, 24);
    check_prod((struct prod_node){-1.5, -1074}, 0, 0, -0x1p-1073);
    check_prod((struct prod_node){1.25, 1024}, 0, 0, INFINITY);
    check_prod((struct prod_node){-1.25, 1ll << 60}, 0, 0, -INFINITY);
    check_prod((struct prod_node){-1.25, -(1ll << 60)}, 0, 0, -0.0);
    check_prod((struct prod_node){1.25, 1ll << 60}, 1, 0, 0.0);
    check_prod((struct prod_node){-1.25, 3}, 1, 0, -0.0);
    check_prod((struct prod_node){-1.25, 3}, 0, 2, -INFINITY);
    check_prod((struct prod_node){1.25, 3}, 1, 1, NAN);
}

int main(void)
{
    test_nan();
    test_nan_error();
    test_inf();
    test_negative_zero();
    test_few();
    test_prod();
    return check_end();
}
