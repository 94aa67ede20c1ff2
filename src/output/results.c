/* SPDX-License-Identifier: MIT */
#include "output/results.h"

#include <string.h>

void results_begin(struct writer *w, const struct results *r)
{
    if (!r->by_file && !r->by_column)
        return;
    if (r->by_file)
        writer_text(w, "file");
    if (r->by_column)
        writer_text(w, r->by_file ? "\tcolumn" : "column");
    for (size_t i = 0; i < r->ops; i++) {
        writer_text(w, "\t");
        writer_text(w, r->op[i]->name);
    }
    writer_text(w, "\n");
}

static void put_lines(struct writer *w, const struct results *r,
                      const struct result *row)
{
    for (size_t i = 0; i < r->ops; i++) {
        if (r->ops > 1) {
            writer_text(w, r->op[i]->name);
            writer_text(w, "\t");
        }
        writer_value(w, &row->value[i]);
        writer_text(w, "\n");
    }
}

void results_row(struct writer *w, const struct results *r,
                 const struct result *row)
{
    if (!r->by_file && !r->by_column) {
        put_lines(w, r, row);
        return;
    }
    if (r->by_file)
        writer_name(w, row->file, strlen(row->file));
    if (r->by_file && r->by_column)
        writer_text(w, "\t");
    if (r->by_column)
        writer_name(w, row->column, row->column_bytes);
    for (size_t i = 0; i < r->ops; i++) {
        writer_text(w, "\t");
        writer_value(w, &row->value[i]);
    }
    writer_text(w, "\n");
}
