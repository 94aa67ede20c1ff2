/* SPDX-License-Identifier: MIT */
/* The engine over tables of known cells. Any threads, windows, kinds of inputs
 * and backends must give the same counts, sums, products and places. */
#include <math.h>
#include <unistd.h>

#include "csv_fixture.h"
#include "backend/registry.h"
#include "csv_table_made.h"
#include "reduce/cpu/accumulator.h"
#include "reduce/op.h"

enum { TABLES_MAX = 3 };

static const char *list_of(const uint32_t *column, size_t columns,
                           char list[200])
{
    size_t used = 0;
    for (size_t c = 0; c < columns; c++)
        used += (size_t)snprintf(list + used, 200 - used, "%s%u", c ? "," : "",
                                 column[c] + 1);
    return list;
}

/* The expected results of a column. */
struct expected {
    uint64_t records;
    struct tally tally;
    union state state[MONOIDS_END];
};

/* Adds n values in order, as if they were raw elements. */
static void reduce(struct expected *x, enum dtype dtype, const void *values,
                   size_t n)
{
    const struct column column = {.dtype = dtype, .n = n, .values = values};
    for (int m = 0; m < MONOIDS_END; m++) {
        monoids[m].init(&x->state[m], dtype);
        if (monoids[m].add) {
            monoids[m].add(&x->state[m], &column);
            continue;
        }
        struct accumulator *work = malloc(sizeof *work);
        accumulator_init(work, (enum monoid)m, dtype);
        accumulator_begin(work, &x->state[m]);
        if (cpu_loops_base.run[m][dtype])
            cpu_loops_base.run[m][dtype](work, values, n, 0);
        accumulator_end(work);
        free(work);
    }
}

static void close_expected(struct expected *x)
{
    for (int m = 0; m < MONOIDS_END; m++) {
        if (monoids[m].add)
            monoids[m].compact->close(&x->state[m]);
    }
}

static void free_expected(struct expected *x, size_t columns)
{
    for (size_t c = 0; c < columns; c++)
        close_expected(&x[c]);
    free(x);
}

static uint64_t record_of(const void *records, uint64_t place)
{
    return ((const uint32_t *)records)[place];
}

/* Returns the expected results of a column of several tables, read one after
 * the other. */
static struct expected expect(const struct made *m, size_t tables, size_t field)
{
    struct expected want = {.records = 0};
    size_t size = dtype_info(m->plan.dtype)->size;
    char *values = malloc(TABLES_MAX * 3001 * size);
    uint32_t *record = malloc(TABLES_MAX * 3001 * sizeof *record);
    for (size_t t = 0; t < tables; t++) {
        for (size_t row = 0; row < m[t].plan.rows; row++) {
            struct made_cell *cell = &m[t].cell[row * m->plan.fields + field];
            want.tally.missing += cell->kind == CSV_CELL_MISSING;
            want.tally.bad += cell->kind == CSV_CELL_BAD;
            record[want.tally.n] = (uint32_t)want.records++;
            memcpy(values + want.tally.n * size, &cell->bits, size);
            want.tally.n += cell->kind == CSV_CELL_NUMBER;
        }
    }
    reduce(&want, m->plan.dtype, values, want.tally.n);
    for (int k = 0; k < MONOIDS_END; k++)
        state_map((enum monoid)k, &want.state[k], record_of, record);
    free(values);
    free(record);
    return want;
}

/* Compares the serialised states, since operations do not read every field.
 * Products of integers are left out: one that is too large keeps arbitrary
 * bits. */
static void compare_states(const struct states *got, size_t column,
                           const struct expected *want)
{
    static uint8_t a[STATE_BYTES_MAX], b[sizeof a];
    for (int m = 0; m < MONOIDS_END; m++) {
        if (!got->bank[m] ||
            (m == MONOID_prod && !dtype_is_float(got->schema.dtype)))
            continue;
        if (state_write((enum monoid)m, states_at(got, column, m), NULL) >
            sizeof a)
            continue;
        size_t n = state_write((enum monoid)m, states_at(got, column, m), a);
        CHECK_U64(state_write((enum monoid)m, &want->state[m], b), n);
        CHECK(memcmp(a, b, n) == 0, "%s of %" PRIu64, monoids[m].name,
              want->tally.n);
    }
}

/* Compares the results of every operation. */
static void compare(const struct states *got, size_t column,
                    const struct expected *want)
{
    const struct tally *tally = &got->tally[column];
    const struct op *op;
    CHECK_U64(tally_rows(tally), want->records);
    CHECK_U64(tally->n, want->tally.n);
    CHECK_U64(tally->missing, want->tally.missing);
    CHECK_U64(tally->bad, want->tally.bad);
    compare_states(got, column, want);
    for (size_t i = 0; (op = op_at(i)); i++) {
        struct totals a = {.dtype = got->schema.dtype, .n = tally->n}, b = a;
        struct value x, y;
        struct error e, f;
        if (op_monoids(op, NAN_PROPAGATE) & ~got->monoids)
            continue;
        for (int m = 0; m < MONOIDS_END; m++) {
            a.state[m] = got->bank[m] ? states_at(got, column, m) : NULL;
            b.state[m] = &want->state[m];
        }
        bool ok = op_finish(op, &a, &x, &e);
        CHECK(ok == op_finish(op, &b, &y, &f), "%s", op->name);
        CHECK(!ok || value_same(&x, &y), "%s of %" PRIu64, op->name, tally->n);
    }
}

struct tables {
    struct made made[TABLES_MAX];
    size_t count, columns, bytes;
    uint32_t column[MADE_FIELDS_MAX];
    char list[200];
    struct text_inputs inputs;
};

static void tables_open(struct tables *t, const struct made_plan *plan)
{
    *t = (struct tables){.count = 1 + check_below(TABLES_MAX)};
    t->columns = 1 + check_below(plan->fields);
    for (size_t c = 0; c < t->columns; c++)
        t->column[c] = (uint32_t)((c * 5 + plan->rows) % plan->fields);
    while (t->columns > 1 && plan->fields % 5 == 0)
        t->columns = 1; /* a stride of 5 would not visit all fields */
    t->inputs.csv = text_settings(plan->dtype, plan->delimiter,
                                  list_of(t->column, t->columns, t->list));
    t->inputs.csv.spec = made_spec(plan);
    t->inputs.count = t->count;
    for (size_t i = 0; i < t->count; i++) {
        struct made_plan p = *plan;
        p.rows = 1 + check_below(plan->rows + 1);
        made_open(&t->made[i], &p);
        t->inputs.source[i] =
            (struct text_source){.kind = (enum text_kind)check_below(3),
                                 .text = t->made[i].text,
                                 .bytes = t->made[i].bytes};
        t->bytes += t->made[i].bytes;
    }
}

static void tables_close(struct tables *t)
{
    for (size_t i = 0; i < t->count; i++)
        made_close(&t->made[i]);
}

static void check_runs(const struct made_plan *plan, int runs)
{
    struct tables t;
    struct error e;
    tables_open(&t, plan);
    t.inputs.csv.spec.skip_bad = true;
    struct expected *want = calloc(t.columns, sizeof *want);
    for (size_t c = 0; c < t.columns; c++)
        want[c] = expect(t.made, t.count, t.column[c]);
    for (int i = 0; i < runs; i++) {
        struct csv_setting s = csv_setting_draw(t.bytes);
        if (check_below(4) == 0)
            s.monoids = 1 + (unsigned)check_below(s.monoids);
        if (check_below(3) == 0)
            s.beside = 1 + check_below(check_below(2) ? t.bytes + 1 : 200);
        s.waits = check_below(2);
        struct states *got = csv_fixture_run(&t.inputs, &s, &e);
        if (CHECK(got != NULL, "%s", e.text))
            for (size_t c = 0; c < t.columns; c++)
                compare(got, c, &want[c]);
        csv_fixture_free(got);
    }
    free_expected(want, t.columns);
    tables_close(&t);
}

static void test_tables(void)
{
    for (int i = 0; i < CHECK_ROUNDS(120); i++) {
        struct made_plan plan = made_plan_draw();
        plan.bad = i % 3 ? 0 : 5;
        check_runs(&plan, 5);
    }
}

static struct text_inputs one_file(const char *text, size_t bytes)
{
    struct text_inputs t = {.csv = text_settings(DTYPE_f64, ',', "1-"),
                            .count = 1};
    t.source[0].text = text;
    t.source[0].bytes = bytes;
    return t;
}

/* Numbers near 1: their product never overflows and takes several leaves. Some
 * are missing. */
static void test_products(void)
{
    enum { ROWS = 50000 };
    char *text = malloc(ROWS * 24);
    double *values = malloc(ROWS * sizeof *values);
    size_t bytes = 0;
    struct expected want = {.records = ROWS};
    for (size_t i = 0; i < ROWS; i++) {
        double x = ldexp((double)(check_random() >> 11), -53) + 0.54;
        bool missing = check_below(9) == 0;
        if (!missing)
            values[want.tally.n++] =
                strtod((sprintf(text + bytes, "%.17g", x), text + bytes), NULL);
        want.tally.missing += missing;
        bytes += (size_t)sprintf(text + bytes, missing ? "NA\n" : "%.17g\n", x);
    }
    reduce(&want, DTYPE_f64, values, want.tally.n);
    for (int i = 0; i < CHECK_ROUNDS(30); i++) {
        struct text_inputs t = one_file(text, bytes);
        struct csv_setting s = csv_setting_draw(bytes);
        struct error e;
        s.monoids = MONOID_BIT(prod) | MONOID_BIT(count);
        t.source[0].kind = (enum text_kind)(i % 2);
        struct states *got = csv_fixture_run(&t, &s, &e);
        if (CHECK(got != NULL, "%s", e.text))
            compare(got, 0, &want);
        csv_fixture_free(got);
    }
    close_expected(&want);
    free(values);
    free(text);
}

/* Many columns of values that are multiplied in order, while the first chunk is
 * slow. */
static void test_many_columns(void)
{
    enum { FIELDS = 600, ROWS = 1000 };
    size_t bytes = ROWS * FIELDS * 2;
    char *text = malloc(bytes);
    for (size_t i = 0; i < bytes; i++)
        text[i] = i % 2 == 0                           ? '1'
                  : i % (2 * FIELDS) == 2 * FIELDS - 1 ? '\n'
                                                       : ',';
    struct text_inputs t = one_file(text, bytes);
    struct fake_plan plan = csv_plan_draw();
    plan.straggler = 0;
    plan.slots = 3;
    struct csv_setting s = {.backend = fake_backend(&plan),
                            .threads = 4,
                            .monoids = MONOID_BIT(prod) | MONOID_BIT(count),
                            .window = bytes / 100};
    struct error e;
    struct states *got = csv_fixture_run(&t, &s, &e);
    CHECK(got != NULL, "%s", e.text);
    double ones[ROWS];
    for (size_t i = 0; i < ROWS; i++)
        ones[i] = 1;
    struct expected want = {.tally.n = ROWS, .records = ROWS};
    reduce(&want, DTYPE_f64, ones, ROWS);
    for (size_t c = 0; got && c < FIELDS; c++)
        compare(got, c, &want);
    close_expected(&want);
    csv_fixture_free(got);
    free(text);
}

/* Every window size up to that of a small file, and a large one. */
static void sweep(const struct backend *backend)
{
    for (int i = 0; i < 3; i++) {
        struct made_plan plan = made_plan_draw();
        struct tables t;
        struct error e;
        plan.rows = 200;
        plan.bad = i % 2 ? 0 : 5;
        tables_open(&t, &plan);
        t.inputs.csv.spec.skip_bad = true;
        struct expected *want = calloc(t.columns, sizeof *want);
        for (size_t c = 0; c < t.columns; c++)
            want[c] = expect(t.made, t.count, t.column[c]);
        for (size_t window = 1; window <= 4097; window++) {
            struct csv_setting s = {.backend = backend,
                                    .threads = 1 + (unsigned)check_below(4),
                                    .monoids = MONOIDS_ALL,
                                    .window = window > 4096 ? 65536 : window};
            struct states *got = csv_fixture_run(&t.inputs, &s, &e);
            if (CHECK(got != NULL, "window %zu: %s", window, e.text))
                for (size_t c = 0; c < t.columns; c++)
                    compare(got, c, &want[c]);
            csv_fixture_free(got);
        }
        printf("%zu tables of %zu bytes, %zu columns of %s\n", t.count, t.bytes,
               t.columns, dtype_info(plan.dtype)->name);
        free_expected(want, t.columns);
        tables_close(&t);
    }
}

static int sweep_with(const char *name)
{
    struct error e;
    bool gpu = strcmp(name, "gpu") == 0;
    if (gpu && !backend_cuda.probe(0, &e)) {
        printf("skipped: %s\n", e.text);
        return 77;
    }
    alarm(500);
    sweep(gpu ? &backend_cuda : &backend_cpu);
    return check_end();
}

/* unit_csv_engine [--sweep cpu|gpu] */
int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--sweep") == 0)
        return sweep_with(argv[2]);
    alarm(500); /* ends a hang */
    test_tables();
    test_products();
    test_many_columns();
    return check_end();
}
