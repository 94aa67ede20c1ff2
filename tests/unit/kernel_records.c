/* SPDX-License-Identifier: MIT */
/* The kernels of expressions over records, whose columns have missing cells:
 * compiled as C++ and compared with expr_evaluate record by record. Skipped if
 * there is no C++ compiler. */
#define _GNU_SOURCE
#include <math.h>

#include "kernel_fixture.h"
#include "formula/formula.h"

/* The table has columns a, b and c. The groups are a, c and the formulas of
 * `let`. The last KERNELLESS cases have no kernel. */
enum { N = 1000, PITCH = 1024, COLUMNS = 3, SKIP = 77, KERNELLESS = 3 };

static const struct {
    const char *dtype, *let[2], *where;
    bool is_odd; /* some value does not fit */
} cases[] = {
    {"f64", {"a*b", NULL}, NULL, false},
    {"f64", {NULL}, "a > 0 && b < 1", false},
    {"f64", {"a/b - c", "-y + a**3"}, "a > 1 || !(b <= c)", false},
    {"f64",
     {"coalesce(a, b, 1) * 2", "ismissing(y)"},
     "c != 0 || a == 1",
     false},
    {"f64",
     {"a > b ? c : sqrt(b)", "min(a, b, y)"},
     "ismissing(b) || b > a",
     false},
    {"f64", {"a > 0 && b > 0", "(a > 1) + (b > 1)"}, NULL, false},
    {"f64",
     {"a > 0 or b > 0 or isnan(c)", "y ? 1 : a"},
     "c not in (3, 1)",
     false},
    {"f64", {NULL}, "false", false},
    {"i64", {NULL}, "a * b % 7 > 1 && c / 2 > 0.5", false},
    {"i64", {NULL}, "a * 9223372036854775807 > 1", true},
    {"u64", {NULL}, "a + 1 > b", false},
    {"f32", {NULL}, "a + b > c", false},
    {"i8", {NULL}, "max(a, b) - c > 0 and coalesce(c, 7) != 7", false},
    {"i64", {"a + b", NULL}, NULL, false},
    {"f64", {"log(a)", NULL}, NULL, false},
    {"f64", {"i + a", NULL}, NULL, false},
};
enum { CASES = sizeof cases / sizeof cases[0] };

static struct {
    struct formulas f;
    struct expr expr[3];
    struct formula_input input[5];
    uint8_t of_group[4];
    uint32_t column_of[4];
    enum dtype dtypes[4], dtype;
} made[CASES];

/* Finds a, b, c, i, and y, which is the first formula of `let`. */
static bool find(void *context, const struct expr_name *name,
                 struct expr_column *column, struct error *why)
{
    const size_t c = *(const size_t *)context;
    const char letter = name->name.at ? *name->name.at : ' ';
    (void)why;
    if (name->call.at)
        return false;
    column->index = letter == 'y'   ? 4
                    : letter == 'i' ? 3
                                    : (uint32_t)(letter - 'a');
    column->type = letter == 'y'                   ? made[c].expr[0].type
                   : letter == 'i'                 ? EXPR_INTEGER
                   : dtype_is_float(made[c].dtype) ? EXPR_FLOAT
                                                   : EXPR_INTEGER;
    return true;
}

static void parse(size_t c, const char *text, bool is_condition)
{
    const struct expr_names names = {find, &c};
    struct formulas *f = &made[c].f;
    struct error e;
    const struct expr_source source = {"--let", text, strlen(text), false};
    CHECK(
        expr_parse(&made[c].expr[f->count++], source, is_condition, &names, &e),
        "%s", e.text);
    f->has_condition = is_condition;
}

static void add_group(size_t c, uint8_t formula, uint32_t column)
{
    const size_t g = made[c].f.groups++;
    made[c].of_group[g] = formula;
    made[c].column_of[g] = column;
    made[c].dtypes[g] = formula == FORMULA_NONE ? made[c].dtype : FORMULA_DTYPE;
}

static const char *make(size_t c)
{
    const struct formula_input input[] = {{FORMULA_CELLS, 0},
                                          {FORMULA_CELLS, 1},
                                          {FORMULA_CELLS, 2},
                                          {FORMULA_INDEX, 0},
                                          {FORMULA_COMPUTED, 0}};
    struct formulas *f = &made[c].f;
    bool is_big;
    CHECK(dtype_find(cases[c].dtype, &made[c].dtype, &is_big));
    memcpy(made[c].input, input, sizeof input);
    *f = (struct formulas){.expr = made[c].expr,
                           .input = made[c].input,
                           .inputs = 5,
                           .of_group = made[c].of_group,
                           .column_of = made[c].column_of,
                           .dtypes = made[c].dtypes};
    add_group(c, FORMULA_NONE, 0);
    add_group(c, FORMULA_NONE, 2);
    for (uint8_t i = 0; i < 2 && cases[c].let[i]; i++) {
        parse(c, cases[c].let[i], false);
        add_group(c, i, 0);
    }
    if (cases[c].where)
        parse(c, cases[c].where, true);
    return formulas_kernel(f, made[c].dtype, false, COLUMNS);
}

/* Decoded columns, laid out as on the device. */
static uint64_t data[COLUMNS * PITCH];
static uint32_t used[COLUMNS * PITCH / 32];

static void put_data(enum dtype dtype)
{
    static const double reals[] = {0, -0.0, 1, NAN, INFINITY, -2.5, 1e300, 3};
    const size_t size = dtype_info(dtype)->size;
    memset(used, 0, sizeof used);
    for (size_t i = 0; i < COLUMNS * PITCH; i++) {
        const uint64_t bits =
            dtype_is_float(dtype)
                ? dtype_from_double(dtype, reals[check_below(8)])
                : check_below(9) - (dtype_is_signed(dtype) ? 4 : 0);
        memcpy((char *)data + i * size, &bits, size);
        used[i / 32] |= (uint32_t)(check_below(5) > 0) << i % 32;
    }
}

struct record {
    size_t c, row;
};

static bool has_cell(size_t column, size_t row)
{
    return used[(column * PITCH + row) / 32] >> row % 32 & 1;
}

static bool read_name(const void *context, uint32_t index, enum expr_type type,
                      struct expr_value *value, struct error *e)
{
    const struct record *r = context;
    const enum dtype dtype = made[r->c].dtype;
    const size_t size = dtype_info(dtype)->size;
    const unsigned left = 64 - 8 * (unsigned)size;
    const struct expr_record record = {read_name, r};
    if (index == 4)
        return expr_evaluate(&made[r->c].expr[0], &record, value, e);
    const uint64_t bits =
        dtype_load(dtype, (char *)data + (index * PITCH + r->row) * size);
    *value = (struct expr_value){.type = type};
    if (!has_cell(index, r->row))
        value->type = EXPR_MISSING;
    else if (type == EXPR_FLOAT)
        value->real = dtype_to_double(dtype, bits);
    else if (dtype_is_signed(dtype))
        value->integer = (int64_t)(bits << left) >> left;
    else
        value->integer = bits;
    return true;
}

static struct expr_value evaluate(size_t c, size_t formula, size_t row)
{
    const struct record r = {c, row};
    const struct expr_record record = {read_name, &r};
    struct expr_value value = {.type = EXPR_MISSING};
    struct error e;
    CHECK(expr_evaluate(&made[c].expr[formula], &record, &value, &e));
    return value;
}

static bool is_selected(size_t c, size_t row)
{
    const struct formulas *f = &made[c].f;
    if (!f->has_condition)
        return true;
    const struct expr_value value = evaluate(c, f->count - 1, row);
    return value.type == EXPR_BOOL && value.truth;
}

/* Returns whether a group has a value in the row, and its bits. */
static bool group_value(size_t c, size_t g, size_t row, uint64_t *bits)
{
    const size_t size = dtype_info(made[c].dtype)->size;
    const uint32_t column = made[c].column_of[g];
    *bits = 0;
    if (made[c].of_group[g] == FORMULA_NONE) {
        memcpy(bits, (char *)data + (column * PITCH + row) * size, size);
        return has_cell(column, row);
    }
    const struct expr_value value = evaluate(c, made[c].of_group[g], row);
    if (value.type == EXPR_MISSING)
        return false;
    const double x = value.type == EXPR_FLOAT  ? value.real
                     : value.type == EXPR_BOOL ? value.truth
                                               : (double)value.integer;
    memcpy(bits, &x, sizeof x);
    return true;
}

static bool same(enum dtype dtype, uint64_t a, uint64_t b)
{
    const double x = dtype_to_double(dtype, a), y = dtype_to_double(dtype, b);
    return a == b || (x != x && y != y);
}

typedef void kernel_fn(const void *data, const uint32_t *used, uint64_t n,
                       uint64_t pitch, void *to, uint32_t *to_used,
                       unsigned (*cells)[2], struct formula_counts *counts);

static void check_case(size_t c, kernel_fn *run, size_t n)
{
    static uint64_t to[4 * PITCH];
    static uint32_t to_used[4 * PITCH / 32];
    const enum dtype dtype = made[c].dtype;
    const size_t size = dtype_info(dtype)->size;
    unsigned cells[4][2] = {{0}};
    struct formula_counts counts = {0, 0, 0, 0};
    put_data(dtype);
    run(data, used, n, PITCH, to, to_used, cells, &counts);
    /* With few rows, every value may fit. */
    if (n == 0 || n > 30)
        CHECK_INT(counts.odd != 0, cases[c].is_odd && n > 30);
    for (size_t g = 0; g < made[c].f.groups; g++) {
        unsigned want[2] = {0, 0};
        for (size_t i = 0; i < n && !counts.odd; i++) {
            const size_t at = g * PITCH + i;
            uint64_t bits = 0, got = 0;
            const bool is = is_selected(c, i);
            const bool has = is && group_value(c, g, i, &bits);
            memcpy(&got, (char *)to + at * size, size);
            want[0] += has;
            want[1] += is && !has;
            CHECK(has == (to_used[at / 32] >> i % 32 & 1) &&
                      (!has || same(dtype, got, bits)),
                  "case %zu group %zu row %zu", c, g, i);
        }
        CHECK(cells[g][0] == want[0] && (counts.odd || cells[g][1] == want[1]),
              "case %zu group %zu", c, g);
    }
}

/* The limit of columns, and the first or last column of another type. */
static void test_groups(void)
{
    static const char many[] = "they select records of more than 256 columns",
                      other[] =
                          "computed columns are of f64, and the cells are not";
    enum dtype dtypes[257];
    for (size_t g = 0; g < 257; g++)
        dtypes[g] = DTYPE_f32;
    struct formulas f = {.groups = 257, .dtypes = dtypes};
    CHECK_TEXT(formulas_kernel(&f, DTYPE_f32, false, COLUMNS), many);
    f.groups = 256;
    for (size_t g = 0; g < 256; g += 255) {
        dtypes[g] = FORMULA_DTYPE;
        CHECK_TEXT(formulas_kernel(&f, DTYPE_f32, false, COLUMNS), other);
        dtypes[g] = DTYPE_f32;
    }
}

int main(void)
{
    static const size_t rows[] = {0, 1, 31, 32, 33, N};
    const char *text[CASES];
    test_groups();
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
        for (size_t k = 0; CHECK(found) && k < sizeof rows / sizeof *rows; k++)
            check_case(c, run, rows[k]);
    }
    for (size_t c = 0; c < CASES; c++) {
        for (size_t i = 0; i < made[c].f.count; i++)
            expr_free(&made[c].expr[i]);
        free(made[c].f.kernel);
    }
    return check_end();
}
