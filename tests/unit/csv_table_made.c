/* SPDX-License-Identifier: MIT */
#include "csv_table_made.h"

static bool one_in(unsigned n)
{
    return n > 0 && check_below(n) == 0;
}

struct made_plan made_plan_draw(void)
{
    static const enum dtype dtypes[] = {DTYPE_f64, DTYPE_f32, DTYPE_i32,
                                        DTYPE_u64, DTYPE_i8};
    static const unsigned chances[] = {0, 0, 3, 20, 200};
    return (struct made_plan){.dtype = dtypes[check_below(5)],
                              .delimiter = ",;\t"[check_below(3)],
                              .rows = check_below(one_in(5) ? 3000 : 60),
                              .fields = 1 + check_below(MADE_FIELDS_MAX),
                              .missing = chances[check_below(5)],
                              .odd = chances[check_below(5)],
                              .blank_lines = chances[check_below(5)],
                              .words_first = one_in(3),
                              .ragged = SIZE_MAX};
}

/* Draws a number: one that every dtype can hold, or any that this one can. */
static void draw_number(enum dtype dtype, char *text, uint64_t *bits)
{
    uint64_t x = check_random_length();
    *bits = 0;
    if (dtype == DTYPE_u64) {
        sprintf(text, "%" PRIu64, *bits = x);
    } else if (!dtype_is_float(dtype)) {
        int32_t value = dtype == DTYPE_i8 ? (int8_t)x : (int32_t)x;
        sprintf(text, "%" PRId32, value);
        memcpy(bits, &value, dtype_info(dtype)->size);
    } else {
        int form = (int)check_below(3);
        double d = (double)(int64_t)x / (double)(1ull << check_below(63));
        sprintf(text, form == 0 ? "%.17g" : form == 1 ? "%.3f" : "%.0f", d);
        /* Integers beyond 2^53 need a point to be read as f64. */
        if ((d > 0x1p53 || d < -0x1p53) && !strpbrk(text, ".e"))
            strcat(text, ".");
        float f = strtof(text, NULL);
        d = strtod(text, NULL);
        if (dtype == DTYPE_f32)
            memcpy(bits, &f, sizeof f);
        else
            memcpy(bits, &d, sizeof d);
    }
}

/* Writes the text plain, in quotes, or with blanks inside or around quotes. */
static void decorate(char *to, const char *text)
{
    static const char *const formats[] = {"%s", "\"%s\"", "\" %s \"", " %s  "};
    snprintf(to, MADE_CELL_MAX, formats[check_below(4)], text);
}

static void make_missing(const struct made_plan *p, char *text)
{
    static const char *const texts[] = {"",   " ",         "\"\"", "\" \"",
                                        "NA", "\" null\"", "N/A"};
    const char *chosen =
        p->words_first && one_in(2) ? "-999" : texts[check_below(7)];
    strcpy(text, chosen);
}

static const char *make_bad(const struct made_plan *p, char *text)
{
    static const char *const texts[][2] = {
        {"x", "'x'"},         {"\"1;,\t\"", "'1;,'"},
        {"1e", "'1e'"},       {"\"\n2\"", "'\\n2'"},
        {"\"1\"2", NULL},     {"\"1\" 2", NULL},
        {"1\"\"", "'1\"\"'"}, {" \"x\"", "'x'"},
        {"0x1", "'0x1'"},     {"\"a\"\"b\"", "'a\"b'"},
        {"\r1", "'\\x0d1'"},  {"NaNs", "'NaNs'"}};
    size_t i = check_below(12);
    if (!dtype_is_float(p->dtype) && one_in(3)) {
        strcpy(text, "1.0");
        return "'1.0'";
    }
    strcpy(text, texts[i][0]);
    return texts[i][1];
}

static void make_cell(const struct made_plan *p, struct made_cell *cell,
                      char text[MADE_CELL_MAX])
{
    char number[MADE_CELL_MAX - 8];
    *cell = (struct made_cell){CSV_CELL_NUMBER, 0, NULL};
    if (one_in(p->bad)) {
        cell->kind = CSV_CELL_BAD;
        cell->shown = make_bad(p, text);
    } else if (one_in(p->missing)) {
        cell->kind = CSV_CELL_MISSING;
        make_missing(p, text);
    } else {
        draw_number(p->dtype, number, &cell->bits);
        if (strcmp(number, "-999") == 0 && p->words_first)
            cell->kind = CSV_CELL_MISSING;
        if (one_in(p->odd))
            decorate(text, number);
        else
            strcpy(text, number);
    }
}

static void put(struct made *m, const char *text)
{
    size_t n = strlen(text);
    memcpy(m->text + m->bytes, text, n);
    m->bytes += n;
}

static void put_row(struct made *m, size_t row)
{
    const struct made_plan *p = &m->plan;
    char delimiter[2] = {p->delimiter, 0}, text[MADE_CELL_MAX];
    size_t n = p->fields + (row == p->ragged ? (size_t)p->more : 0);
    struct made_cell spare;
    while (one_in(p->blank_lines))
        put(m, one_in(2) ? "\n" : "\r\n");
    for (size_t f = 0; f < n || f < p->fields; f++) {
        struct made_cell *cell = &m->cell[row * p->fields + f];
        make_cell(p, f < p->fields ? cell : &spare, text);
        if (f >= n)
            continue;
        if (f > 0)
            put(m, delimiter);
        /* Else the record would be a blank line. */
        put(m, n == 1 && !*text ? " " : text);
    }
    put(m, one_in(p->odd) ? "\r\n" : "\n");
}

void made_open(struct made *m, const struct made_plan *plan)
{
    size_t cells = (plan->rows + 1) * (plan->fields + 3);
    *m = (struct made){.plan = *plan};
    m->cell = calloc(cells, sizeof *m->cell);
    m->text = malloc(cells * MADE_CELL_MAX + 8192);
    for (size_t row = 0; row < plan->rows; row++)
        put_row(m, row);
    memset(m->text + m->bytes, '"', 64);
    oracle_read(&m->oracle, m->text, m->bytes, plan->delimiter);
    CHECK_U64(m->oracle.records, plan->rows);
}

void made_close(struct made *m)
{
    free(m->cell);
    free(m->text);
    oracle_free(&m->oracle);
}

struct csv_spec made_spec(const struct made_plan *plan)
{
    struct csv_spec spec = {.dtype = plan->dtype};
    struct error e;
    CHECK(csv_words_init(
        &spec.words,
        plan->words_first ? CSV_WORDS_DEFAULT ",-999" : CSV_WORDS_DEFAULT, &e));
    return spec;
}

void made_table(const struct made_plan *plan, struct csv_table *table,
                size_t columns, const uint32_t *fields)
{
    *table = (struct csv_table){
        .dialect = csv_dialect_of((unsigned char)plan->delimiter),
        .fields = plan->fields,
        .columns = columns,
        .valued = columns,
        .line = 1};
    table->name = calloc(plan->fields, sizeof *table->name);
    table->names = malloc(plan->fields * 32);
    table->field_of = malloc(columns * sizeof *table->field_of);
    for (size_t f = 0; f < plan->fields; f++) {
        table->name[f] = table->names + 32 * f;
        snprintf(table->name[f], 32, "field\t%zu", f);
    }
    for (size_t c = 0; c < columns; c++)
        table->field_of[c] = fields[c];
}

static bool tell(const struct made *m, const struct csv_spec *spec,
                 const struct made_cell *cell, const struct oracle_field *at,
                 size_t field, const char *name, char message[512])
{
    int n = snprintf(message, 512, "%s:%" PRIu64 ":%" PRIu64 ": ", name,
                     at->line, at->column);
    char *to = message + n;
    size_t room = 512 - (size_t)n;
    if (cell->kind == CSV_CELL_MISSING)
        snprintf(to, room, "missing value (column field\\t%zu)", field);
    else if (!cell->shown)
        snprintf(to, room, "not ");
    else
        snprintf(to, room, "not %s: %s (column field\\t%zu)\n",
                 dtype_is_float(m->plan.dtype)
                     ? "a number"
                     : dtype_info(spec->dtype)->long_name,
                 cell->shown, field);
    return true;
}

static bool is_column(const struct csv_table *table, size_t field)
{
    size_t c = 0;
    while (c < table->columns && table->field_of[c] != field)
        c++;
    return c < table->columns;
}

bool made_first_error(const struct made *m, const struct csv_spec *spec,
                      const struct csv_table *table, const char *name,
                      char message[512])
{
    size_t fields = m->plan.fields;
    for (size_t row = 0; row < m->plan.rows; row++) {
        const struct oracle_record *r = &m->oracle.record[row];
        if (r->fields != fields) {
            snprintf(message, 512,
                     "%s:%" PRIu64 ": %zu field%s where the first record has "
                     "%zu",
                     name, r->line, r->fields, r->fields == 1 ? "" : "s",
                     fields);
            return true;
        }
        for (size_t f = 0; f < fields; f++) {
            const struct made_cell *cell = &m->cell[row * fields + f];
            bool wrong =
                (cell->kind == CSV_CELL_BAD && !spec->skip_bad) ||
                (cell->kind == CSV_CELL_MISSING && spec->missing_is_error);
            if (wrong && is_column(table, f))
                return tell(m, spec, cell, &m->oracle.field[r->first + f], f,
                            name, message);
        }
    }
    return false;
}
