/* SPDX-License-Identifier: MIT */
/* The kernels of expressions over raw data, tested without a GPU: compiled as
 * C++ with a grid of one thread, and compared with expr_evaluate element by
 * element. Skipped if there is no C++ compiler. */
#define _GNU_SOURCE
#include <math.h>

#include "kernel_fixture.h"
#include "formula/formula.h"

/* The last KERNELLESS cases have no kernel. */
enum { N = 400, SKIP = 77, KERNELLESS = 5 };

static const struct {
    const char *dtype, *let, *map, *where;
    bool is_odd; /* some value does not fit */
} cases[] = {
    {"f32", NULL, "x*x", NULL, false},
    {"f32", NULL, NULL, "x > 1 && !(x >= 7 || isnan(x))", false},
    {"f64", NULL, "x > 0 ? sqrt(x) - 1/x : -x**3 + x**-2", NULL, false},
    {"f64", "abs(x) + 0.1", "round(y) + rint(y) - floor(-y) * trunc(y)",
     "y != 2.1 || x < -1e300", false},
    {"f64", NULL, "max(x, 0.5, -x) - min(x, 2)", "isfinite(x)", false},
    {"i32", NULL, "x + i - 3 * -x", "i % 3 == 1", false},
    {"i16", NULL, "abs(x) % 7 + max(x, 2) - min(x, -x)", NULL, false},
    {"i32", "x * 2", "y + 1", NULL, false},
    {"i8", NULL, "x ** 3", "x ** 2 >= 9 or not (x < 1)", false},
    {"i64", NULL, "x * 3", "x != 5", true},
    {"i64", NULL, "x + 0.5", NULL, true},
    {"i64", NULL, "x % x", NULL, true},
    {"u64", NULL, "x % 7", NULL, true},
    {"u32", NULL, "x / 7 > i", NULL, false},
    {"u8", NULL, "coalesce(x, 1) + ismissing(x)", "true", false},
    {"i32", NULL, "isfinite(x) ? x : 5", "!isnan(x)", false},
    {"f64", NULL, "x in (0, 1.5, nan, 7, 9007199254740993)", NULL, false},
    {"i32", NULL, "x * (x in (3, -5.0, 7.5, 1e300))",
     "x not in (9223372036854775808, 0)", false},
    {"bool", NULL, "x ? i : -1", "x || i % 3 == 0", false},
    {"bool", NULL, "x ? i : -1", NULL, true},
    {"f64", NULL, "x ** 64 - x ** -64", NULL, false},
    {"f64", NULL, "x ** 65", NULL, false},
    {"f64", NULL, "x ** -65", NULL, false},
    {"f32", NULL, "exp(x)", NULL, false},
    {"f16", NULL, "x", NULL, false},
    {"f64", NULL, "x in (0, missing)", NULL, false},
};
enum { CASES = sizeof cases / sizeof cases[0] };

/* The expressions of each case, as the plan makes them. */
static struct {
    struct formulas f;
    struct expr expr[3];
    struct formula_input input[3];
    uint8_t of_group[1];
    enum dtype dtype;
    bool is_bool;
} made[CASES];

/* Finds x, i, and y, the column that --let makes. The context is the number of
 * the case. */
static bool find(void *context, const struct expr_name *name,
                 struct expr_column *column, struct error *why)
{
    const size_t c = *(const size_t *)context;
    (void)why;
    if (name->call.at)
        return false;
    column->index = *name->name.at == 'x' ? 0 : *name->name.at == 'i' ? 1 : 2;
    column->type = column->index == 0 && dtype_is_float(made[c].dtype)
                       ? EXPR_FLOAT
                       : EXPR_INTEGER;
    if (column->index == 0 && made[c].is_bool)
        column->type = EXPR_BOOL;
    if (column->index == 2)
        column->type = made[c].expr[0].type;
    return true;
}

static void parse(size_t c, const char *text, bool is_condition)
{
    const struct expr_names names = {find, &c};
    struct formulas *f = &made[c].f;
    struct error e;
    if (!text)
        return;
    const struct expr_source source = {"--map", text, strlen(text), false};
    CHECK(
        expr_parse(&made[c].expr[f->count++], source, is_condition, &names, &e),
        "%s", e.text);
    f->has_condition = is_condition;
}

static const char *make(size_t c)
{
    const struct formula_input input[] = {
        {FORMULA_ELEMENTS, 0}, {FORMULA_INDEX, 0}, {FORMULA_COMPUTED, 0}};
    struct formulas *f = &made[c].f;
    bool is_big;
    made[c].is_bool = strcmp(cases[c].dtype, "bool") == 0;
    CHECK(dtype_find(made[c].is_bool ? "u8" : cases[c].dtype, &made[c].dtype,
                     &is_big));
    memcpy(made[c].input, input, sizeof input);
    f->expr = made[c].expr;
    f->input = made[c].input;
    f->inputs = 3;
    f->of_group = made[c].of_group;
    parse(c, cases[c].let, false);
    made[c].of_group[0] = cases[c].map ? (uint8_t)f->count : FORMULA_NONE;
    parse(c, cases[c].map, false);
    parse(c, cases[c].where, true);
    return formulas_kernel(f, made[c].dtype, made[c].is_bool, 0);
}

static uint64_t bits_of(enum dtype dtype, size_t i)
{
    static const double reals[] = {0,    -0.0,   1,        1.5,       -2.5,
                                   7,    NAN,    INFINITY, -INFINITY, 1e-320,
                                   3e38, -1e300, 0x1p53};
    const size_t some = sizeof reals / sizeof reals[0];
    if (dtype_is_float(dtype) && i < some)
        return dtype_from_double(dtype, reals[i]);
    if (dtype_is_float(dtype))
        return dtype_from_double(dtype, (double)check_below(2000) / 8 - 125);
    /* The last element of a 64-bit type is its greatest integer. */
    return i + 1 == N ? UINT64_MAX >> (dtype == DTYPE_i64)
                      : check_below(200) - (dtype_is_signed(dtype) ? 100 : 0);
}

struct record {
    size_t c, row;
    uint64_t bits;
};

static bool read_name(const void *context, uint32_t index, enum expr_type type,
                      struct expr_value *value, struct error *e)
{
    const struct record *r = context;
    const enum dtype dtype = made[r->c].dtype;
    const unsigned left = 64 - 8 * (unsigned)dtype_info(dtype)->size;
    const struct expr_record record = {read_name, r};
    if (index == 2)
        return expr_evaluate(&made[r->c].expr[0], &record, value, e);
    *value = (struct expr_value){.type = type};
    if (type == EXPR_FLOAT)
        value->real = dtype_to_double(dtype, r->bits);
    else if (index == 1)
        value->integer = (__int128)(1000 + r->row);
    else if (type == EXPR_BOOL)
        value->truth = r->bits;
    else if (dtype_is_signed(dtype))
        value->integer = (int64_t)(r->bits << left) >> left;
    else
        value->integer = r->bits;
    return true;
}

static bool evaluate(size_t c, size_t formula, const struct record *r,
                     struct expr_value *value)
{
    const struct expr_record record = {read_name, r};
    struct error e;
    return expr_evaluate(&made[c].expr[formula], &record, value, &e);
}

static bool same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b);
}

/* Checks the values that the kernel made of one element. */
static bool check_element(size_t c, const struct record *r, const void *plain,
                          const void *nan, bool *is_selected)
{
    const struct formulas *f = &made[c].f;
    const enum dtype dtype = cases[c].map ? DTYPE_f64 : made[c].dtype;
    const size_t size = dtype_info(dtype)->size;
    struct expr_value value;
    double want = dtype_to_double(made[c].dtype, r->bits);
    if (f->has_condition && !evaluate(c, f->count - 1, r, &value))
        return false;
    *is_selected = !f->has_condition || value.truth;
    if (cases[c].map && !evaluate(c, made[c].of_group[0], r, &value))
        return !*is_selected;
    if (cases[c].map)
        want = value.type == EXPR_FLOAT  ? value.real
               : value.type == EXPR_BOOL ? value.truth
                                         : (double)value.integer;
    const double x = dtype_to_double(
        dtype, dtype_load(dtype, (const char *)plain + r->row * size));
    const double y = dtype_to_double(
        dtype, dtype_load(dtype, (const char *)nan + r->row * size));
    return *is_selected ? same(x, want) && same(y, want)
                        : x == 0 && (signbit(x) || !dtype_is_float(dtype)) &&
                              (y != y || !dtype_is_float(dtype));
}

typedef void kernel_fn(const void *data, uint64_t n, uint64_t first,
                       void *plain, void *nan, struct formula_counts *counts);

static void check_case(size_t c, kernel_fn *run)
{
    static uint64_t data[N], plain[N], nan[N];
    const size_t size = dtype_info(made[c].dtype)->size;
    struct formula_counts counts = {0, 0, 0, 0};
    uint64_t selected = 0;
    char *at = (char *)data;
    for (size_t i = 0; i < N; i++) {
        uint64_t bits = bits_of(made[c].dtype, i);
        if (made[c].is_bool && !cases[c].is_odd)
            bits &= 1;
        memcpy(at + i * size, &bits, size);
    }
    run(data, N, 1000, plain, nan, &counts);
    CHECK_INT(counts.odd != 0, cases[c].is_odd);
    for (size_t i = 0; i < N && !counts.odd; i++) {
        const struct record r = {c, i,
                                 dtype_load(made[c].dtype, at + i * size)};
        bool is_selected = false;
        CHECK(check_element(c, &r, plain, nan, &is_selected), "%s %s row %zu",
              cases[c].map ? cases[c].map : "", cases[c].dtype, i);
        selected += is_selected;
    }
    CHECK(counts.odd || counts.selected == selected, "case %zu", c);
}

int main(void)
{
    const char *text[CASES];
    for (size_t c = 0; c < CASES; c++) {
        const char *why = make(c);
        text[c] = made[c].f.kernel;
        CHECK(!why == (c + KERNELLESS < CASES), "%s", why ? why : "a kernel");
    }
    void *library = compile_kernels(text, CASES);
    if (!library && check_state.failed == 0) {
        printf("skipped: there is no C++ compiler\n");
        return SKIP;
    }
    for (size_t c = 0; library && text[c]; c++) {
        kernel_fn *run;
        void *found = kernel_at(library, c);
        memcpy(&run, &found, sizeof run);
        if (CHECK(found))
            check_case(c, run);
    }
    for (size_t c = 0; c < CASES; c++) {
        for (size_t i = 0; i < made[c].f.count; i++)
            expr_free(&made[c].expr[i]);
        free(made[c].f.kernel);
    }
    return check_end();
}
