/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "output/results.h"
#include "run/answers.h"

/* What the answers are printed by: the ops that are shown. */
struct printer {
    const struct answers *answers;
    struct writer *to;
    struct results results;
    const struct op *op[OPS_MAX];
    size_t shown[OPS_MAX]; /* [results.ops]: which of the plan's ops it is */
};

static struct value value_of(const struct printer *p,
                             const struct answers_part *part, size_t row,
                             size_t op)
{
    return values_at(&p->answers->values,
                     (part->first + row) * p->answers->plan->ops +
                         p->shown[op]);
}

/* A line for each row. */
static void print_rows(const struct printer *p, const struct answers_part *part)
{
    struct value value[OPS_MAX];
    for (size_t row = 0; row < part->rows; row++) {
        const struct csv_span name = dataset_column_name(part->names, row);
        const struct result result = {answers_file(part), name.at, name.bytes,
                                      value};
        for (size_t i = 0; i < p->results.ops; i++)
            value[i] = value_of(p, part, row, i);
        results_row(p->to, &p->results, &result);
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

static void print_columns(const struct printer *p,
                          const struct answers_part *part)
{
    writer_text(p->to, p->results.by_file ? "file\top" : "op");
    for (size_t row = 0; row < part->rows; row++) {
        const struct csv_span name = dataset_column_name(part->names, row);
        writer_text(p->to, "\t");
        writer_name(p->to, name.at, name.bytes);
    }
    writer_text(p->to, "\n");
}

/* A line for each op. */
static void print_ops(const struct printer *p, const struct answers_part *part)
{
    for (size_t i = 0; i < p->results.ops; i++) {
        if (p->results.by_file) {
            writer_name(p->to, answers_file(part), strlen(answers_file(part)));
            writer_text(p->to, "\t");
        }
        writer_text(p->to, p->op[i]->name);
        for (size_t row = 0; row < part->rows; row++) {
            const struct value value = value_of(p, part, row, i);
            writer_text(p->to, "\t");
            writer_value(p->to, &value);
        }
        writer_text(p->to, "\n");
    }
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
            p->shown[p->results.ops] = i;
            p->op[p->results.ops++] = plan->op[i];
        }
    }
}

bool answers_print(const struct answers *a, int fd, struct error *e)
{
    const bool op_per_line = a->by_column && a->plan->op_per_line;
    const struct answers_part *part = a->part, *const end = part + a->parts;
    struct writer writer;
    struct printer p = {.answers = a, .to = &writer};
    p.results = (struct results){
        .op = p.op, .by_file = a->plan->per_file, .by_column = a->by_column};
    choose_ops(&p);
    writer_start(&writer, fd);
    if (!op_per_line)
        results_begin(&writer, &p.results);
    for (; part < end; part++) {
        if (!op_per_line) {
            print_rows(&p, part);
            continue;
        }
        /* Files whose columns differ get a header line each. */
        if (part == a->part || !same_columns(part, part - 1))
            print_columns(&p, part);
        print_ops(&p, part);
    }
    return writer_end(&writer, e);
}
