/* SPDX-License-Identifier: MIT */
/* The table of operations, and the result of each without data. */
#include "reduce/op.h"

#include <math.h>

#include "check.h"

static const char *const order[] = {
    "rows",
    "count",
    "n_missing",
    "n_bad",
    "n_nan",
    "n_inf",
    "sum",
    "prod",
    "min",
    "max",
    "mean",
    "argmin",
    "argmax",
    "first",
    "last",
    "l1",
    "l2",
    "linf",
    "sumsq",
    "rms",
    "var",
    "std",
    "var_pop",
    "std_pop",
    "skew",
    "kurtosis",
    "median",
    "q1",
    "q3",
    "iqr",
    "p99",
    "histogram",
    "range",
    "absmin",
    "absmax",
    "any",
    "alltrue",
    "cov",
    "corr",
    "nunique",
    "approx_nunique",
    "mode",
    "mode_count",
    "mode_ties",
    "reduce",
};

enum { OPS = sizeof order / sizeof order[0] };

static void test_order(void)
{
    for (size_t i = 0; i < OPS; i++) {
        const struct op *op = op_at(i);
        CHECK(op != NULL, "row %zu", i);
        if (op)
            CHECK_TEXT(op->name, order[i]);
    }
    CHECK(op_at(OPS) == NULL);
    CHECK(op_at(SIZE_MAX) == NULL);
}

static bool is_one_of(const char *name, const char *const *list)
{
    while (*list && strcmp(*list, name) != 0)
        list++;
    return *list;
}

static void test_rows(void)
{
    static const char *const counters[] = {"rows",  "count",  "n_missing",
                                           "n_bad", "reduce", NULL};
    static const char *const dear[] = {
        "prod", "first",      "last",      "skew",    "kurtosis",
        "cov",  "corr",       "median",    "q1",      "q3",
        "iqr",  "p99",        "histogram", "nunique", "approx_nunique",
        "mode", "mode_count", "mode_ties", "reduce",  NULL};
    const struct op *op;
    for (size_t i = 0; (op = op_at(i)); i++) {
        CHECK(op->about[0] != '\0' && !strpbrk(op->about, "\n\t"), "%s",
              op->name);
        CHECK(op->monoids < 1u << MONOIDS_END, "%s", op->name);
        CHECK((op->monoids == 0) == is_one_of(op->name, counters), "%s",
              op->name);
        CHECK(op->finish != NULL, "%s", op->name);
        CHECK(op->in_all == !is_one_of(op->name, dear), "%s", op->name);
        CHECK(op_reads_cells(op) == (i > 0), "%s", op->name);
        /* Names and synonyms are lower-case words, and each is unique. */
        char words[256], also[OP_SYNONYMS_MAX];
        snprintf(words, sizeof words, "%s, %s", op->name,
                 op_synonyms(also, op));
        for (char *w = strtok(words, ", "); w; w = strtok(NULL, ", ")) {
            CHECK(w[strspn(w, "abcdefghijklmnopqrstuvwxyz_012359")] == '\0',
                  "%s", w);
            CHECK(op_find(w) == op, "%s", w);
        }
    }
}

static void test_find(void)
{
    static const char *const aliases[][2] = {
        {"avg", "mean"},
        {"average", "mean"},
        {"total", "sum"},
        {"product", "prod"},
        {"minimum", "min"},
        {"maximum", "max"},
        {"stddev", "std"},
        {"sd", "std"},
        {"stdev", "std"},
        {"stddev_samp", "std"},
        {"pstdev", "std_pop"},
        {"var_samp", "var"},
        {"stddev_pop", "std_pop"},
        {"variance", "var"},
        {"ptp", "range"},
        {"arg_min", "argmin"},
        {"idxmin", "argmin"},
        {"norm", "l2"},
        {"arg_max", "argmax"},
        {"idxmax", "argmax"},
        {"bool_or", "any"},
        {"null_count", "n_missing"},
        {"bool_and", "alltrue"},
        {"p50", "median"},
        {"q2", "median"},
        {"p050.00", "median"},
        {"p07", "p7"},
        {"p99.90", "p99.9"},
        {"p100.0", "p100"},
        {"p00", "p0"},
        {"countunique", "nunique"},
        {"n_unique", "nunique"},
        {"count_distinct", "nunique"},
        {"countdistinct", "nunique"},
        {"approx_count_distinct", "approx_nunique"}};
    static const char *const none[] = {
        "",       " sum",   "sum ",  "SUM",   "su",     "sums", "sum,",
        "p100.1", "unique", "p1000", "p1.5x", "p1.2.3", "p1.",  "p101",
        "p",      "p.5",    "p-1",   "p1e1",  "pNN",    "P5"};
    for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; i++) {
        const struct op *op = op_find(aliases[i][0]);
        CHECK_TEXT(op ? op->name : NULL, aliases[i][1]);
    }
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        CHECK(op_find(none[i]) == NULL, "%s", none[i]);
}

static void test_synonyms(void)
{
    char also[OP_SYNONYMS_MAX];
    CHECK_TEXT(op_synonyms(also, op_find("mean")), "avg, average");
    CHECK_TEXT(op_synonyms(also, op_find("sum")), "total");
    CHECK_TEXT(op_synonyms(also, op_find("rows")), "");
}

static void check_foreign(const char *name, const char *says)
{
    struct error e = {.kind = ERROR_NONE};
    CHECK(op_foreign(name, &e) == (says != NULL), "%s", name);
    if (says) {
        CHECK_INT(e.kind, ERROR_USAGE);
        CHECK(strstr(e.text, says), "%s: %s", name, e.text);
    }
}

/* NumPy's names and words that name no one quantile get a hint. Other words do
 * not. */
static void test_foreign(void)
{
    static const char *const none[] = {"sum",  "p", "pop",     "nan",   "p1x",
                                       "nanx", "",  "medians", "media", ","};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        check_foreign(none[i], NULL);
    check_foreign("quantiles", "say which: median, q1");
    check_foreign("p101", "from p0 to p100");
    check_foreign("p100.5", "from p0 to p100");
    check_foreign("nanmedian", "say --nan skip -o median");
    check_foreign("nansum", "say --nan skip -o sum");
    check_foreign("nanmean", "say --nan skip -o mean");
    check_foreign("nanstd", "say --nan skip -o std_pop");
    check_foreign("nanvar", "say --nan skip -o var_pop");
}

static void test_monoids(void)
{
    const struct op *op;
    for (size_t i = 0; (op = op_at(i)); i++) {
        unsigned count = MONOID_BIT(count);
        CHECK_U64(op_monoids(op, NAN_PROPAGATE), op->monoids);
        CHECK_U64(op_monoids(op, NAN_ERROR), op->monoids | count);
        /* Operations whose own monoid counts NaN need no other. */
        CHECK_U64(op_monoids(op, NAN_SKIP), op->monoids ? op->monoids : count);
    }
}

/* An integer, or a double of some type. */
struct want {
    bool is_real;
    double real;
    bool negative;
    uint64_t magnitude;
};

static void check_value(const struct value *got, const struct want *want,
                        const char *op, const char *dtype)
{
    if (!CHECK((got->kind == VALUE_REAL) == want->is_real, "%s %s", op, dtype))
        return;
    if (want->is_real) {
        CHECK_DOUBLE(got->real, want->real);
        return;
    }
    CHECK(got->word[0] == want->magnitude && got->negative == want->negative,
          "%s of %s: %d %" PRIu64, op, dtype, got->negative, got->word[0]);
    CHECK_U64(got->word[1] | got->word[2] | got->word[3], 0);
}

static const struct {
    bool is_float;
    uint64_t greatest, least; /* magnitudes of the limits */
} limits[] = {
    [DTYPE_f16] = {true, 0, 0},
    [DTYPE_bf16] = {true, 0, 0},
    [DTYPE_f32] = {true, 0, 0},
    [DTYPE_f64] = {true, 0, 0},
    [DTYPE_i8] = {false, 127, 128},
    [DTYPE_i16] = {false, 32767, 32768},
    [DTYPE_i32] = {false, 2147483647, 2147483648},
    [DTYPE_i64] = {false, INT64_MAX, 1ull << 63},
    [DTYPE_u8] = {false, 255, 0},
    [DTYPE_u16] = {false, 65535, 0},
    [DTYPE_u32] = {false, 4294967295, 0},
    [DTYPE_u64] = {false, UINT64_MAX, 0},
};

/* Returns the value that --empty identity prints. */
static struct want identity_of(const char *name, enum dtype dtype)
{
    bool is_float = limits[dtype].is_float;
    uint64_t greatest = limits[dtype].greatest, least = limits[dtype].least;
    if (!strcmp(name, "min"))
        return (struct want){is_float, INFINITY, false, greatest};
    if (!strcmp(name, "max"))
        return (struct want){is_float, -INFINITY, least > 0, least};
    if (!strcmp(name, "absmin"))
        return (struct want){is_float, INFINITY, false,
                             least ? least : greatest};
    if (!strcmp(name, "absmax"))
        return (struct want){is_float, 0, false, 0};
    return (struct want){true, NAN, false, 0};
}

/* Whether an operation has a value without data, and which. Reals print as
 * `type`. */
static bool empty_value(const char *name, enum dtype dtype, struct want *want)
{
    static const struct {
        const char *name;
        uint64_t value;
        bool real; /* a real for float dtypes */
    } rows[] = {{"count", 0, false},     {"sum", 0, true},
                {"prod", 1, true},       {"l1", 0, true},
                {"linf", 0, true},       {"sumsq", 0, true},
                {"any", 0, false},       {"alltrue", 1, false},
                {"rows", 0, false},      {"n_missing", 0, false},
                {"n_bad", 0, false},     {"n_nan", 0, false},
                {"n_inf", 0, false},     {"histogram", 0, false},
                {"nunique", 0, false},   {"mode_count", 0, false},
                {"mode_ties", 0, false}, {"approx_nunique", 0, false},
                {"reduce", 0, false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(rows[i].name, name) != 0)
            continue;
        *want = (struct want){rows[i].real && limits[dtype].is_float,
                              (double)rows[i].value, false, rows[i].value};
        return true;
    }
    *want = (struct want){true, 0.0, false, 0}; /* l2 is always real */
    return strcmp(name, "l2") == 0;
}

static void check_empty(const struct op *op, struct totals *t)
{
    struct value got;
    struct want want;
    struct error e = {.kind = ERROR_NONE};
    const char *dtype = dtype_info(t->dtype)->name;
    bool has_value = empty_value(op->name, t->dtype, &want);
    CHECK((op->identity == NULL) == has_value, "%s", op->name);
    t->empty = EMPTY_ERROR;
    CHECK(op_finish(op, t, &got, &e) == has_value, "%s %s", op->name, dtype);
    if (has_value) {
        check_value(&got, &want, op->name, dtype);
    } else {
        CHECK_INT(e.kind, ERROR_DATA);
        CHECK(strncmp(e.text, op->name, strlen(op->name)) == 0, "%s", e.text);
        CHECK(strstr(e.text, "--empty identity") != NULL, "%s", e.text);
        want = identity_of(op->name, t->dtype);
    }
    t->empty = EMPTY_BLANK;
    CHECK(op_finish(op, t, &got, &e), "%s %s", op->name, dtype);
    CHECK((got.kind == VALUE_NONE) == !has_value, "%s %s", op->name, dtype);
    t->empty = EMPTY_IDENTITY;
    CHECK(op_finish(op, t, &got, &e), "%s %s", op->name, dtype);
    check_value(&got, &want, op->name, dtype);
}

/* No elements, or nothing but NaN that are skipped. */
static void test_empty(void)
{
    const struct op *op;
    for (int d = 0; d < DTYPES_END; d++) {
        union state state[MONOIDS_END];
        const struct value none = value_unsigned(0);
        struct totals t = {.dtype = (enum dtype)d, .folded = &none};
        for (int m = 0; m < MONOIDS_END; m++) {
            monoids[m].init(&state[m], (enum dtype)d);
            t.state[m] = &state[m];
        }
        for (t.nan = NAN_PROPAGATE; t.nan <= NAN_ERROR; t.nan++) {
            for (size_t i = 0; (op = op_at(i)); i++)
                check_empty(op, &t);
        }
        if (!limits[d].is_float)
            continue;
        t.nan = NAN_SKIP;
        t.n = 3;
        state[MONOID_count].count.nan = 3;
        state[MONOID_count].count.nonzero = 3;
        state[MONOID_prod].prod.nans = 3;
        state[MONOID_sum].exact.nan = 3;
        state[MONOID_sumabs].exact.nan = 3;
        state[MONOID_sumsq].exact.nan = 3;
        state[MONOID_sumcube].exact.nan = 3;
        state[MONOID_sumfourth].exact.nan = 3;
        state[MONOID_sumab].exact.nan = 3;
        state[MONOID_extrema].extrema.nans = 3;
        state[MONOID_absextrema].extrema.nans = 3;
        state[MONOID_ranks].ranks.nans = 3;
        for (size_t i = 0; (op = op_at(i)); i++) {
            if (strcmp(op->name, "n_nan") != 0)
                check_empty(op, &t);
        }
    }
}

/* The identities of bool operations are bools. */
static void test_bool(void)
{
    static const char *const ops[] = {"min", "max", "absmin", "absmax"};
    struct totals t = {
        .dtype = DTYPE_u8, .is_bool = true, .empty = EMPTY_IDENTITY};
    for (int i = 0; i < 4; i++) {
        struct value got;
        struct error e;
        union state state;
        const struct op *op = op_find(ops[i]);
        enum monoid monoid = i < 2 ? MONOID_extrema : MONOID_absextrema;
        monoids[monoid].init(&state, DTYPE_u8);
        t.state[monoid] = &state;
        CHECK(op_finish(op, &t, &got, &e), "%s", ops[i]);
        CHECK_U64(got.word[0], i % 2 ? 0 : 1);
    }
}

int main(void)
{
    test_order();
    test_rows();
    test_find();
    test_synonyms();
    test_foreign();
    test_monoids();
    test_empty();
    test_bool();
    return check_end();
}
