/* SPDX-License-Identifier: MIT */
/* Prints results that are arrays: as text, as tables with an index for each
 * axis, and as elements of JSON. */
#include <inttypes.h>
#include <stdio.h>

#include "run/printer.h"

/* The result's shape. */
struct result {
    unsigned rank;
    uint64_t size[RESULT_RANK_MAX];
};

static struct result result_of(const struct answers_part *part)
{
    struct result r;
    geometry_result(&part->geometry, &r.rank, r.size);
    return r;
}

/* "axis0", "axis2", ...: the axes that are not reduced. */
static void print_header(struct printer *p, const struct geometry *g)
{
    char name[16];
    for (unsigned d = 0; d < g->rank; d++) {
        snprintf(name, sizeof name, "axis%u", d);
        if (!g->reduced[d])
            print_cell(p, name);
    }
    if (g->bins)
        print_cell(p, "bin");
    for (size_t i = 0; i < p->ops; i++)
        print_cell(p, p->op[i]->name);
    print_line_end(p);
}

/* Sets index[] to the indexes of a row, one for each axis. */
static void find_indexes(const struct result *r, size_t row, uint64_t *index)
{
    for (unsigned d = r->rank; d-- > 0; row /= r->size[d])
        index[d] = row % r->size[d];
}

/* Advances the indexes to the next row, the last index first. */
static void count_on(const struct result *r, uint64_t *index)
{
    unsigned d = r->rank;
    while (d-- > 0 && ++index[d] == r->size[d])
        index[d] = 0;
}

/* The result's shape without the axes that are reduced. */
static struct result kept_of(const struct answers_part *part)
{
    struct geometry g = part->geometry;
    struct result r;
    g.keeps = false;
    geometry_result(&g, &r.rank, r.size);
    return r;
}

static void print_table_rows(struct printer *p, const struct answers_part *part,
                             size_t first, size_t end)
{
    const struct result r = kept_of(part);
    uint64_t index[RESULT_RANK_MAX];
    find_indexes(&r, first, index);
    for (size_t row = first; row < end; row++) {
        for (unsigned d = 0; d < r.rank; d++) {
            print_cell(p, "");
            print_count(p, "", index[d]);
        }
        for (size_t i = 0; i < p->ops; i++)
            print_value(p, part, row, i);
        print_line_end(p);
        count_on(&r, index);
    }
}

void print_axes_table(struct printer *p, const struct answers_part *part)
{
    print_header(p, &part->geometry);
    print_lines(p, part, part->rows, p->ops, print_table_rows);
}

/* Prints one value a line, or for two axes one row of values a line. */
static void print_values(struct printer *p, const struct answers_part *part,
                         size_t first, size_t end)
{
    const struct result r = result_of(part);
    const uint64_t width = r.rank == 2 ? r.size[1] : 1;
    p->cells = first % width;
    for (size_t row = first; row < end; row++) {
        print_value(p, part, row, 0);
        if ((row + 1) % width == 0)
            print_line_end(p);
    }
}

void print_axes_text(struct printer *p, const struct answers_part *part)
{
    if (p->ops == 1)
        print_lines(p, part, part->rows, p->ops, print_values);
    else if (result_of(part).rank > 0)
        print_axes_table(p, part);
    else
        print_ops(p, part);
}

void json_shape(struct printer *p, const struct answers_part *part)
{
    const struct result r = result_of(part);
    writer_text(&p->to, "\"shape\":[");
    for (unsigned d = 0; d < r.rank; d++)
        print_count(p, d > 0 ? "," : "", r.size[d]);
    writer_text(&p->to, "],");
}

static void put_brackets(struct printer *p, unsigned n, const char *bracket)
{
    while (n-- > 0)
        writer_text(&p->to, bracket);
}

/* The number of last axes that begin again with this row: the brackets to open.
 */
static unsigned turns(const struct result *r, size_t row)
{
    unsigned n = 0;
    while (n < r->rank && row % r->size[r->rank - 1 - n] == 0) {
        row /= r->size[r->rank - 1 - n];
        n++;
    }
    return n;
}

/* An array without elements: "[[],[]]" of shape (2, 0). */
static void put_nothing(struct printer *p, const struct result *r, unsigned d)
{
    if (d == r->rank)
        return;
    writer_text(&p->to, "[");
    for (uint64_t i = 0; i < r->size[d]; i++) {
        writer_text(&p->to, i > 0 ? "," : "");
        put_nothing(p, r, d + 1);
    }
    writer_text(&p->to, "]");
}

/* The values of p->array_op, as nested arrays. */
static void json_rows(struct printer *p, const struct answers_part *part,
                      size_t first, size_t end)
{
    const struct result r = result_of(part);
    for (size_t row = first; row < end; row++) {
        const struct value value = printer_value(p, part, row, p->array_op);
        const unsigned n = turns(&r, row);
        put_brackets(p, row > 0 ? n : 0, "]");
        writer_text(&p->to, row > 0 ? "," : "");
        put_brackets(p, n, "[");
        writer_number(&p->to, &value);
    }
}

void json_array(struct printer *p, const struct answers_part *part, size_t op)
{
    const struct result r = result_of(part);
    if (part->rows == 0)
        put_nothing(p, &r, 0);
    p->array_op = op;
    print_lines(p, part, part->rows, p->ops, json_rows);
    put_brackets(p, part->rows > 0 ? r.rank : 0, "]");
}
