/* SPDX-License-Identifier: MIT */
/* Prints results of pairs of columns as text: a matrix for each operation. */
#include <string.h>

#include "run/printer.h"

static void put_row_head(struct printer *p, const struct answers_part *part,
                         const char *op)
{
    if (p->by_file)
        print_file(p, part);
    if (p->ops > 1)
        print_cell(p, op);
}

static void put_matrix(struct printer *p, const struct answers_part *part,
                       size_t op)
{
    const size_t columns = part->pairing.columns;
    const bool is_whole = part->pairing.kind == PAIRING_MATRIX;
    for (size_t i = 0; i < columns; i++) {
        put_row_head(p, part, p->op[op]->name);
        print_column(p, part, i);
        for (size_t j = 0; j < columns; j++) {
            const struct column_pair pair =
                i < j ? (struct column_pair){i, j} : (struct column_pair){j, i};
            if (is_whole)
                print_value(p, part, pairing_group(&part->pairing, pair), op);
            else if (i == j)
                print_cell(p, "");
            else
                print_value(p, part, 0, op);
        }
        print_line_end(p);
    }
}

void print_matrices(struct printer *p, const struct answers_part *part)
{
    if (p->by_file)
        print_cell(p, "file");
    if (p->ops > 1)
        print_cell(p, "op");
    print_cell(p, "column");
    for (size_t c = 0; c < part->pairing.columns; c++)
        print_column(p, part, c);
    print_line_end(p);
    for (size_t i = 0; i < p->ops; i++)
        put_matrix(p, part, i);
}
