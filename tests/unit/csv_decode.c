/* SPDX-License-Identifier: MIT */
/* The decoder on tables of known cells: values, rows, counts; and in texts with
 * errors the first one, with its place. */
#include "csv/decode.h"

#include "csv_table_made.h"
#include "guard.h"

static struct guard room;

/* Checks the cells of one column, one after the other. */
static void check_column(const struct made *m, size_t rows, size_t field,
                         const struct column *got)
{
    size_t n = 0, size = dtype_info(m->plan.dtype)->size;
    uint64_t missing = 0, bad = 0;
    for (size_t row = 0; row < rows; row++) {
        const struct made_cell *cell = &m->cell[row * m->plan.fields + field];
        missing += cell->kind == CSV_CELL_MISSING;
        bad += cell->kind == CSV_CELL_BAD;
        if (cell->kind != CSV_CELL_NUMBER || n >= got->n)
            continue;
        const char *value = (const char *)got->values + n * size;
        CHECK(memcmp(value, &cell->bits, size) == 0, "row %zu, field %zu", row,
              field);
        CHECK(got->rows ? got->rows[n] == row : n == row, "row %zu", row);
        n++;
    }
    CHECK_U64(got->n, n);
    CHECK_U64(got->missing, missing);
    CHECK_U64(got->bad, bad);
    CHECK_U64(got->n + missing + bad, rows);
}

static void check_error(bool ok, const struct error *e, bool must_fail,
                        const char *message)
{
    CHECK(ok == !must_fail, "%s", ok ? message : e->text);
    if (ok || !must_fail)
        return;
    CHECK_INT(e->kind, ERROR_DATA);
    CHECK(strncmp(e->text, message, strlen(message)) == 0, "'%s' is not '%s'",
          e->text, message);
}

static void check_decoder(struct csv_decoder *d, const struct made *m,
                          const struct csv_spec *spec,
                          const struct csv_table *table)
{
    struct csv_text text = {m->text, m->bytes, 1, table, "t.csv"};
    struct error e = {.kind = ERROR_NONE};
    char message[512];
    size_t rows = SIZE_MAX;
    char *copy = guard_last(&room, m->bytes + CSV_PADDING);
    bool must_fail = made_first_error(m, spec, table, "t.csv", message);
    memcpy(copy, m->text, m->bytes + CSV_PADDING);
    text.at = copy;
    if (!CHECK(csv_decode_begin(d, &text, &rows, &e), "%s", e.text))
        return;
    CHECK_U64(rows,
              m->plan.ragged < m->plan.rows ? m->plan.ragged : m->plan.rows);
    for (size_t c = 0; c < table->columns; c++) {
        struct column column;
        csv_decode_column(d, c, &column);
        if (!must_fail)
            check_column(m, rows, table->field_of[c], &column);
    }
    check_error(csv_decode_end(d, &e), &e, must_fail, message);
}

/* Chooses some of the fields in any order. Returns how many. */
static size_t draw_columns(size_t fields, uint32_t *column)
{
    for (size_t i = 0; i < fields; i++) {
        size_t j = check_below(i + 1);
        column[i] = column[j];
        column[j] = (uint32_t)i;
    }
    return 1 + check_below(fields);
}

/* Decodes several texts with the best loops and with the portable ones; a
 * decoder is reused. */
static void check_plans(const struct made_plan *plan, int count, bool skip_bad,
                        bool missing_is_error)
{
    struct csv_spec spec = made_spec(plan);
    struct error e;
    spec.skip_bad = skip_bad;
    spec.missing_is_error = missing_is_error;
    struct csv_decoder *best = csv_decoder_new(&spec, false, &e);
    struct csv_decoder *portable = csv_decoder_new(&spec, true, &e);
    for (int i = 0; i < count; i++) {
        struct made_plan p = *plan;
        struct made m;
        struct csv_table table;
        uint32_t column[MADE_FIELDS_MAX];
        p.rows = check_below(plan->rows + 1);
        made_open(&m, &p);
        size_t columns = draw_columns(p.fields, column);
        made_table(&p, &table, columns, column);
        check_decoder(best, &m, &spec, &table);
        check_decoder(portable, &m, &spec, &table);
        csv_table_free(&table);
        made_close(&m);
    }
    csv_decoder_free(best);
    csv_decoder_free(portable);
}

static void test_good(void)
{
    for (int i = 0; i < 300; i++) {
        struct made_plan plan = made_plan_draw();
        check_plans(&plan, 3, false, false);
    }
}

static void test_bad(void)
{
    static const unsigned chances[] = {2, 10, 100, 1000};
    for (int i = 0; i < 400; i++) {
        struct made_plan plan = made_plan_draw();
        plan.bad = chances[i % 4];
        check_plans(&plan, 3, i / 4 % 2, check_below(2));
    }
}

static void test_ragged(void)
{
    for (int i = 0; i < 400; i++) {
        struct made_plan plan = made_plan_draw();
        plan.rows = 60;
        plan.ragged = check_below(60);
        plan.more = plan.fields > 1 && i % 2
                        ? -1 - (long)check_below(plan.fields - 1)
                        : 1 + (long)check_below(3);
        plan.bad = i % 3 ? 100 : 0;
        check_plans(&plan, 3, i % 5 == 0, check_below(2));
    }
}

/* Lines and columns count from the start of the file, not of the text. */
static void check_place(const char *content, uint64_t line, const char *want)
{
    struct made_plan plan = {.dtype = DTYPE_f64, .delimiter = ',', .fields = 2};
    struct csv_spec spec = made_spec(&plan);
    struct csv_table table;
    struct error e = {.kind = ERROR_NONE};
    uint32_t both[] = {1, 0};
    size_t rows, n = strlen(content);
    char *copy = calloc(1, n + CSV_PADDING);
    memcpy(copy, content, n);
    made_table(&plan, &table, 2, both);
    struct csv_text text = {copy, n, line, &table, "a\tb.csv"};
    struct csv_decoder *d = csv_decoder_new(&spec, false, &e);
    CHECK(csv_decode_begin(d, &text, &rows, &e));
    for (size_t c = 0; c < 2; c++)
        csv_decode_column(d, c, &(struct column){0});
    CHECK(!csv_decode_end(d, &e));
    CHECK(strncmp(e.text, want, strlen(want)) == 0, "'%s' is not '%s'", e.text,
          want);
    csv_decoder_free(d);
    csv_table_free(&table);
    free(copy);
}

static void test_places(void)
{
    check_place("1,x\n", 7,
                "a\\tb.csv:7:3: not a number: 'x' (column "
                "field\\t1)\nTry --na ");
    check_place("1,2\n3,4\n5, y \r\n", 7, "a\\tb.csv:9:3: not a number: 'y' ");
    check_place("\n\r\n\n x,y\n", 1, "a\\tb.csv:4:1: not a number: 'x' ");
    check_place("\"1\",\"\n\nz\"\n", 1,
                "a\\tb.csv:1:5: not a number: "
                "'\\n\\nz' ");
    check_place("\"\n1\",z\n", 1, "a\\tb.csv:1:1: not a number: '\\n1' ");
    check_place("\" 1\n\",2\n3,4\n", 1, "a\\tb.csv:1:1: not a number: '1\\n'");
    check_place("\"1 \",2\n\"\t3\",x\"\n", 1,
                "a\\tb.csv:2:6: not a number: "
                "'x\"' ");
    check_place("1,2\n3\n4,x\n", 1,
                "a\\tb.csv:2: 1 field where the first "
                "record has 2");
    check_place("1,2\n\n3,4,5\n", 1, "a\\tb.csv:3: 3 fields where the first");
    check_place("1,x\n3\n", 1, "a\\tb.csv:1:3: not a number: 'x'");
    check_place("x,y\n", 1, "a\\tb.csv:1:1: not a number: 'x'");
    check_place(" \n", 3, "a\\tb.csv:3: 1 field where");
    check_place(",,\n", 3, "a\\tb.csv:3: 3 fields where");
    check_place("\xc3\xa4,\xff\n", 3,
                "a\\tb.csv:3:1: not a number: "
                "'\xc3\xa4' ");
    check_place("1,\xff\n", 3, "a\\tb.csv:3:3: not a number: '\\xff' ");
}

/* A field that is too long is reported with its place. */
static void test_long_field(void)
{
    size_t n = CSV_FIELD_MAX + 100;
    char *content = malloc(n);
    memset(content, 'x', n);
    memcpy(content, "1,2\n3,\"", 7);
    memcpy(content + n - 3, "\"\n", 3);
    check_place(content, 1,
                "a\\tb.csv:2:3: a field of over 1048576 bytes "
                "(column field\\t1)");
    free(content);
}

int main(void)
{
    room = guard_open(8 << 20);
    test_good();
    test_bad();
    test_ragged();
    test_places();
    test_long_field();
    return check_end();
}
