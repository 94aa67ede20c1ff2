/* SPDX-License-Identifier: MIT */
/* Prints lines of cells: text, csv and tsv. */
#include <string.h>

#include "run/printer.h"

static void begin_cell(struct printer *p)
{
    if (p->cells++ > 0)
        writer_put(&p->to, &p->form->separator, 1);
}

void print_name(struct printer *p, const char *name, size_t bytes)
{
    begin_cell(p);
    p->form->put_name(&p->to, name, bytes);
}

void print_cell(struct printer *p, const char *text)
{
    begin_cell(p);
    writer_text(&p->to, text);
}

void print_file(struct printer *p, const struct answers_part *part)
{
    const char *file = answers_file(part->input);
    print_name(p, file, strlen(file));
}

void print_part(struct printer *p, const struct answers_part *part)
{
    const char *name = part->input->part ? part->input->part : "";
    print_name(p, name, strlen(name));
}

void print_column(struct printer *p, const struct answers_part *part,
                  size_t row)
{
    const struct csv_span name = dataset_column_name(part->names, row);
    print_name(p, name.at, name.bytes);
}

void print_value(struct printer *p, const struct answers_part *part, size_t row,
                 size_t op)
{
    const struct value value = printer_value(p, part, row, p->index[op]);
    begin_cell(p);
    if (value.kind == VALUE_TEXT)
        p->form->put_name(&p->to, value.text, value.bytes);
    else
        writer_value(&p->to, &value);
}

void print_line_end(struct printer *p)
{
    writer_text(&p->to, "\n");
    p->cells = 0;
}

void print_header_once(struct printer *p)
{
    if (p->answers->plan->has_axes || p->answers->plan->by)
        return;
    if (p->by_file)
        print_cell(p, "file");
    if (p->by_part)
        print_cell(p, "name");
    if (p->by_column)
        print_cell(p, "column");
    if (p->by_column && p->answers->plan->of_pairs)
        print_cell(p, "with");
    for (size_t i = 0; i < p->ops; i++)
        print_cell(p, p->op[i]->name);
    print_line_end(p);
}

/* Prints the name of a row's column, or of both columns of a pair. */
static void print_names(struct printer *p, const struct answers_part *part,
                        size_t row)
{
    if (!p->answers->plan->of_pairs) {
        print_column(p, part, row);
        return;
    }
    const struct column_pair pair = pairing_at(&part->pairing, row);
    print_column(p, part, pair.first);
    print_column(p, part, pair.second);
}

void print_rows(struct printer *p, const struct answers_part *part)
{
    if (part->by) {
        print_by(p, part);
        return;
    }
    if (part->has_axes) {
        print_axes_table(p, part);
        return;
    }
    for (size_t row = 0; row < part->rows; row++) {
        if (answers_is_itself(part, row))
            continue;
        if (p->by_file)
            print_file(p, part);
        if (p->by_part)
            print_part(p, part);
        if (p->by_column)
            print_names(p, part, row);
        for (size_t i = 0; i < p->ops; i++)
            print_value(p, part, row, i);
        print_line_end(p);
    }
}

/* Prints the header of a table with one operation a line. */
static void print_header_of_ops(struct printer *p,
                                const struct answers_part *part)
{
    if (p->by_file)
        print_cell(p, "file");
    if (p->by_column)
        print_cell(p, "op");
    for (size_t row = 0; row < part->rows; row++)
        print_column(p, part, row);
    print_line_end(p);
}

void print_ops(struct printer *p, const struct answers_part *part)
{
    for (size_t i = 0; i < p->ops; i++) {
        if (p->by_file)
            print_file(p, part);
        if (p->by_column || p->ops > 1)
            print_cell(p, p->op[i]->name);
        for (size_t row = 0; row < part->rows; row++)
            print_value(p, part, row, i);
        print_line_end(p);
    }
}

static bool same_columns(const struct answers_part *a,
                         const struct answers_part *b)
{
    bool same = a->rows == b->rows;
    for (size_t row = 0; same && row < a->rows; row++) {
        same = csv_span_same(dataset_column_name(a->names, row),
                             dataset_column_name(b->names, row));
    }
    return same;
}

void print_text(struct printer *p, const struct answers_part *part)
{
    const struct answers *a = p->answers;
    const bool is_first = part == a->part,
               is_table = p->by_file || p->by_part || p->by_column;
    if (part->by) {
        print_by(p, part);
        return;
    }
    if (part->has_axes) {
        print_axes_text(p, part);
        return;
    }
    if (p->by_column && a->plan->of_pairs) {
        print_matrices(p, part);
        return;
    }
    const bool op_per_line =
        !is_table || (p->by_column && !p->by_part && a->plan->op_per_line);
    if (!op_per_line) {
        if (is_first)
            print_header_once(p);
        print_rows(p, part);
        return;
    }
    /* Files whose columns differ get a header line each. */
    if (is_table && (is_first || !same_columns(part, part - 1)))
        print_header_of_ops(p, part);
    print_ops(p, part);
}
