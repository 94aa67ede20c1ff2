/* SPDX-License-Identifier: MIT */
/* Prints histograms: a table with a line for each bin, with bars on a terminal,
 * or an object of JSON. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run/histograms.h"
#include "run/printer.h"

enum { BAR_MOST = 40 };

static void print_number(struct printer *p, const struct value *value)
{
    print_cell(p, "");
    writer_value(&p->to, value);
}

static void print_bar(struct printer *p, uint64_t count, uint64_t most)
{
    char bar[BAR_MOST + 1];
    const int n = most ? (int)((double)count / (double)most * BAR_MOST) : 0;
    memset(bar, '#', sizeof bar);
    bar[n] = '\0';
    print_cell(p, bar);
}

struct line {
    const struct answers_part *part;
    size_t row;
    uint64_t most; /* the greatest count of the row; 0: print no bars */
};

static void print_bin(struct printer *p, const struct line *line,
                      const struct value *low, const struct value *high,
                      uint64_t count)
{
    const struct value n = value_unsigned(count);
    if (p->by_file)
        print_file(p, line->part);
    if (p->by_part)
        print_part(p, line->part);
    if (line->part->by)
        print_keys(p, line->part, line->row);
    if (p->by_column)
        print_column(p, line->part,
                     line->part->by ? line->row % line->part->by->columns
                                    : line->row);
    print_number(p, low);
    print_number(p, high);
    print_number(p, &n);
    if (line->most)
        print_bar(p, count, line->most);
    print_line_end(p);
}

static uint64_t most_of(const struct histogram *h)
{
    uint64_t most = 1;
    for (size_t i = 0; i < h->bins; i++)
        most = h->count[i] > most ? h->count[i] : most;
    return most;
}

void edges_free(struct print_edges *edges)
{
    for (size_t i = 0; i < edges->n; i++)
        free((char *)(uintptr_t)edges->at[i].text);
    free(edges->at);
    edges->at = NULL;
    edges->n = 0;
    free(edges->room.count);
    edges->room.count = NULL;
}

/* Makes the edges of a histogram unless p->edges has them: the rows of a column
 * share them by key. False: no memory. */
static bool have_edges(struct printer *p, const struct histogram *h)
{
    static struct decimals decimals;
    struct print_edges *edges = &p->edges;
    const struct plan *plan = p->answers->plan;
    bool ok = true;
    if (edges->of == h->edge)
        return true;
    while (edges->n > 0)
        free((char *)(uintptr_t)edges->at[--edges->n].text);
    free(edges->at);
    edges->at = malloc((h->bins + 1) * sizeof *edges->at);
    decimals.digits = plan->digits;
    for (; ok && edges->at && h->bins > 0 && edges->n <= h->bins; edges->n++) {
        struct value *edge = &edges->at[edges->n];
        *edge =
            histogram_edge(h, edges->n, plan->has_digits ? &decimals : NULL);
        edge->text = edge->text ? strdup(edge->text) : NULL;
        ok = edge->text || !plan->has_digits;
    }
    ok = ok && edges->at;
    edges->of = ok ? h->edge : NULL;
    return ok;
}

/* The histogram of a row. Puts its edges into p->edges. NULL: no memory. */
static const struct histogram *
histogram_at(struct printer *p, const struct answers_part *part, size_t row)
{
    const struct histogram *h =
        histogram_of_row(part->histogram, part->by, row, &p->edges.room);
    if (h && have_edges(p, h))
        return h;
    p->to.failed = ENOMEM;
    return NULL;
}

/* Whether a line says whose it is. */
static bool has_names(const struct printer *p, const struct answers_part *part)
{
    return p->by_file || p->by_part || part->by || p->by_column;
}

static void print_row(struct printer *p, const struct answers_part *part,
                      size_t row)
{
    const struct histogram *h = histogram_at(p, part, row);
    if (!h)
        return;
    const struct value *edge = p->edges.at;
    const struct line line = {part, row, p->has_bars ? most_of(h) : 0};
    const struct value least = value_real(-INFINITY, DTYPE_f64),
                       greatest = value_real(INFINITY, DTYPE_f64),
                       nan = value_real(NAN, DTYPE_f64), none = value_none();
    const bool has_outside = h->bins > 0 && p->answers->plan->has_range;
    if (has_outside)
        print_bin(p, &line, &least, &edge[0], h->below);
    for (size_t i = 0; i < h->bins; i++)
        print_bin(p, &line, &edge[i], &edge[i + 1], h->count[i]);
    if (has_outside)
        print_bin(p, &line, &edge[h->bins], &greatest, h->above);
    if (h->nans > 0)
        print_bin(p, &line, &nan, &nan, h->nans);
    else if (h->bins == 0 && has_names(p, part)) /* there is no value */
        print_bin(p, &line, &none, &none, 0);
}

static void put_header(struct printer *p, const struct answers_part *part)
{
    if (p->by_file)
        print_cell(p, "file");
    if (p->by_part)
        print_cell(p, "name");
    print_keys_header(p, part);
    if (p->by_column)
        print_cell(p, "column");
    print_cell(p, "low");
    print_cell(p, "high");
    print_cell(p, "count");
    print_line_end(p);
}

void print_histograms(struct printer *p, const struct answers_part *part)
{
    if (part == p->answers->part || !print_same_keys(part, part - 1))
        put_header(p, part);
    for (size_t row = 0; row < part->rows; row++)
        print_row(p, part, row);
}

void json_histogram(struct printer *p, const struct answers_part *part,
                    size_t row)
{
    const struct histogram *h = histogram_at(p, part, row);
    if (!h)
        return;
    writer_text(&p->to, "{\"edges\":[");
    for (size_t i = 0; h->bins > 0 && i <= h->bins; i++) {
        writer_text(&p->to, i > 0 ? "," : "");
        writer_number(&p->to, &p->edges.at[i]);
    }
    writer_text(&p->to, "],\"counts\":[");
    for (size_t i = 0; i < h->bins; i++)
        print_count(p, i > 0 ? "," : "", h->count[i]);
    print_count(p, "],\"below\":", h->below);
    print_count(p, ",\"above\":", h->above);
    print_count(p, ",\"nan\":", h->nans);
    writer_text(&p->to, "}");
}
