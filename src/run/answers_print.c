/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "output/writer.h"
#include "run/answers.h"

/* Where the answers go, line by line, with tabs between the cells. */
struct printer {
    const struct answers *answers;
    bool by_file, by_column;      /* what tells the rows apart */
    const struct op *op[OPS_MAX]; /* those that are shown */
    size_t ops;
    size_t index[OPS_MAX]; /* [ops]: which of the plan's ops it is */
    bool op_per_line;      /* else a line for each row */
    size_t cells;          /* of the line so far */
    struct writer to;
};

static void begin_cell(struct printer *p)
{
    if (p->cells++ > 0)
        writer_text(&p->to, "\t");
}

static void put_text(struct printer *p, const char *text)
{
    begin_cell(p);
    writer_text(&p->to, text);
}

static void put_file(struct printer *p, const struct answers_part *part)
{
    begin_cell(p);
    writer_name(&p->to, answers_file(part), strlen(answers_file(part)));
}

static void put_column(struct printer *p, const struct answers_part *part,
                       size_t row)
{
    const struct csv_span name = dataset_column_name(part->names, row);
    begin_cell(p);
    writer_name(&p->to, name.at, name.bytes);
}

static void put_value(struct printer *p, const struct answers_part *part,
                      size_t row, size_t op)
{
    const struct answers *a = p->answers;
    const struct value value = values_at(
        &a->values, (part->first + row) * a->plan->ops + p->index[op]);
    begin_cell(p);
    writer_value(&p->to, &value);
}

static void end_line(struct printer *p)
{
    writer_text(&p->to, "\n");
    p->cells = 0;
}

static void print_header(struct printer *p, const struct answers_part *part)
{
    if (p->by_file)
        put_text(p, "file");
    if (p->by_column)
        put_text(p, p->op_per_line ? "op" : "column");
    for (size_t i = 0; !p->op_per_line && i < p->ops; i++)
        put_text(p, p->op[i]->name);
    for (size_t row = 0; p->op_per_line && row < part->rows; row++)
        put_column(p, part, row);
    end_line(p);
}

static void print_rows(struct printer *p, const struct answers_part *part)
{
    for (size_t row = 0; row < part->rows; row++) {
        if (p->by_file)
            put_file(p, part);
        if (p->by_column)
            put_column(p, part, row);
        for (size_t i = 0; i < p->ops; i++)
            put_value(p, part, row, i);
        end_line(p);
    }
}

/* The value alone where there is no other. */
static void print_ops(struct printer *p, const struct answers_part *part)
{
    for (size_t i = 0; i < p->ops; i++) {
        if (p->by_file)
            put_file(p, part);
        if (p->by_column || p->ops > 1)
            put_text(p, p->op[i]->name);
        for (size_t row = 0; row < part->rows; row++)
            put_value(p, part, row, i);
        end_line(p);
    }
}

static bool same_columns(const struct answers_part *a,
                         const struct answers_part *b)
{
    bool same = a->rows == b->rows;
    for (size_t row = 0; same && row < a->rows; row++) {
        const struct csv_span x = dataset_column_name(a->names, row),
                              y = dataset_column_name(b->names, row);
        same = x.bytes == y.bytes &&
               (x.bytes == 0 || memcmp(x.at, y.at, x.bytes) == 0);
    }
    return same;
}

static bool is_any(const struct answers *a, size_t op)
{
    const size_t ops = a->plan->ops;
    for (size_t i = op; i < a->values.n; i += ops) {
        if (values_at(&a->values, i).word[0] != 0)
            return true;
    }
    return false;
}

static bool is_shown(const struct answers *a, size_t op)
{
    switch (a->plan->shown[op]) {
    case SHOWN_FOR_TEXT:
        return a->has_text;
    case SHOWN_FOR_BINARY:
        return a->has_binary;
    case SHOWN_IF_ANY:
        return is_any(a, op);
    default:
        return true;
    }
}

static void choose_ops(struct printer *p)
{
    const struct plan *plan = p->answers->plan;
    for (size_t i = 0; i < plan->ops; i++) {
        if (is_shown(p->answers, i)) {
            p->index[p->ops] = i;
            p->op[p->ops++] = plan->op[i];
        }
    }
}

bool answers_print(const struct answers *a, int fd, struct error *e)
{
    const bool is_table = a->plan->per_file || a->by_column;
    struct printer p;
    p.answers = a;
    p.by_file = a->plan->per_file;
    p.by_column = a->by_column;
    p.op_per_line = !is_table || (a->by_column && a->plan->op_per_line);
    p.ops = p.cells = 0;
    choose_ops(&p);
    writer_start(&p.to, fd);
    for (size_t i = 0; i < a->parts; i++) {
        const struct answers_part *part = &a->part[i];
        /* Files whose columns differ get a header line each. */
        if (is_table &&
            (i == 0 || (p.op_per_line && !same_columns(part, part - 1))))
            print_header(&p, part);
        if (p.op_per_line)
            print_ops(&p, part);
        else
            print_rows(&p, part);
    }
    return writer_end(&p.to, e);
}
