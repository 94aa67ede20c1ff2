/* SPDX-License-Identifier: MIT */
/* Histograms: a table with a line for each bin, bars on a terminal, an object
 * in elements. */
#include <math.h>
#include <string.h>

#include "reduce/histogram.h"
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
    uint64_t most; /* of all counts; 0: there are no bars */
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
    if (p->by_column)
        print_column(p, line->part, line->row);
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

/* Edge i, as it is printed. */
static struct value edge_at(struct printer *p, const struct histogram *h,
                            size_t i, struct decimals *decimals)
{
    const struct plan *plan = p->answers->plan;
    decimals->digits = plan->digits;
    return histogram_edge(h, i, plan->has_digits ? decimals : NULL);
}

static void print_row(struct printer *p, const struct answers_part *part,
                      size_t row)
{
    static struct decimals a, b;
    const struct histogram *h = &part->histogram[row];
    const struct line line = {part, row, p->has_bars ? most_of(h) : 0};
    const struct value least = value_real(-INFINITY, DTYPE_f64),
                       greatest = value_real(INFINITY, DTYPE_f64),
                       nan = value_real(NAN, DTYPE_f64);
    struct value low, high;
    if (h->bins > 0 && p->answers->plan->has_range) {
        high = edge_at(p, h, 0, &a);
        print_bin(p, &line, &least, &high, h->below);
    }
    for (size_t i = 0; i < h->bins; i++) {
        low = edge_at(p, h, i, &a);
        high = edge_at(p, h, i + 1, &b);
        print_bin(p, &line, &low, &high, h->count[i]);
    }
    if (h->bins > 0 && p->answers->plan->has_range) {
        low = edge_at(p, h, h->bins, &a);
        print_bin(p, &line, &low, &greatest, h->above);
    }
    if (h->nans > 0)
        print_bin(p, &line, &nan, &nan, h->nans);
}

void print_histograms(struct printer *p, const struct answers_part *part)
{
    if (part == p->answers->part) {
        if (p->by_file)
            print_cell(p, "file");
        if (p->by_part)
            print_cell(p, "name");
        if (p->by_column)
            print_cell(p, "column");
        print_cell(p, "low");
        print_cell(p, "high");
        print_cell(p, "count");
        print_line_end(p);
    }
    for (size_t row = 0; row < part->rows; row++)
        print_row(p, part, row);
}

static void put_count(struct printer *p, const char *key, uint64_t count)
{
    const struct value n = value_unsigned(count);
    writer_text(&p->to, key);
    writer_number(&p->to, &n);
}

void json_histogram(struct printer *p, const struct histogram *h)
{
    static struct decimals decimals;
    writer_text(&p->to, "{\"edges\":[");
    for (size_t i = 0; h->bins > 0 && i <= h->bins; i++) {
        const struct value edge = edge_at(p, h, i, &decimals);
        writer_text(&p->to, i > 0 ? "," : "");
        writer_number(&p->to, &edge);
    }
    writer_text(&p->to, "],\"counts\":[");
    for (size_t i = 0; i < h->bins; i++)
        put_count(p, i > 0 ? "," : "", h->count[i]);
    put_count(p, "],\"below\":", h->below);
    put_count(p, ",\"above\":", h->above);
    put_count(p, ",\"nan\":", h->nans);
    writer_text(&p->to, "}");
}
