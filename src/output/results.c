/* SPDX-License-Identifier: MIT */
#include "output/results.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/quote.h"
#include "output/number.h"

/* Text that grows. A failure sticks. (open_memstream may lose text when it is
 * closed and say nothing.) */
struct text {
    char *at;
    size_t bytes, room;
    bool failed;
};

static void put(struct text *t, const char *piece)
{
    size_t n = strlen(piece);
    if (n > t->room - t->bytes) {
        size_t room = 2 * t->room + n + 4096;
        char *grown = realloc(t->at, room);
        t->failed |= !grown;
        if (!grown)
            return;
        t->at = grown;
        t->room = room;
    }
    memcpy(t->at + t->bytes, piece, n);
    t->bytes += n;
}

static void put_name(struct text *t, const char *name, size_t bytes)
{
    char part[8];
    for (size_t step; (step = escape_next(part, name, bytes)); bytes -= step) {
        put(t, part);
        name += step;
    }
}

static void put_number(struct text *t, const struct value *value)
{
    char number[NUMBER_MAX];
    number_text(number, value);
    put(t, number);
}

static void put_column(struct text *t, const struct result *row)
{
    put_name(t, row->column, row->column ? row->column_bytes : 0);
}

static void print_table(const struct results *r, struct text *t)
{
    if (r->by_file)
        put(t, "file");
    if (r->by_column)
        put(t, r->by_file ? "\tcolumn" : "column");
    for (size_t i = 0; i < r->ops; i++) {
        put(t, "\t");
        put(t, r->op[i]->name);
    }
    for (const struct result *row = r->row; row < r->row + r->rows; row++) {
        put(t, "\n");
        if (r->by_file)
            put_name(t, row->file, strlen(row->file));
        if (r->by_file && r->by_column)
            put(t, "\t");
        if (r->by_column)
            put_column(t, row);
        for (size_t i = 0; i < r->ops; i++) {
            put(t, "\t");
            put_number(t, &row->value[i]);
        }
    }
    put(t, "\n");
}

/* How many rows from this one on are of its dataset. */
static size_t rows_of_dataset(const struct results *r, size_t at)
{
    size_t n = 1;
    while (at + n < r->rows && r->row[at + n].dataset == r->row[at].dataset)
        n++;
    return n;
}

static bool same_columns(const struct result *a, const struct result *b,
                         size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (a[i].column_bytes != b[i].column_bytes ||
            (a[i].column_bytes > 0 &&
             memcmp(a[i].column, b[i].column, a[i].column_bytes) != 0))
            return false;
    }
    return true;
}

static void put_columns(const struct results *r, const struct result *row,
                        size_t n, struct text *t)
{
    put(t, r->by_file ? "file\top" : "op");
    for (size_t i = 0; i < n; i++) {
        put(t, "\t");
        put_column(t, &row[i]);
    }
    put(t, "\n");
}

/* A line for each op. Files whose columns differ get a header line each. */
static void print_op_lines(const struct results *r, struct text *t)
{
    size_t before = 0;
    for (size_t at = 0, n; at < r->rows; before = n, at += n) {
        const struct result *row = &r->row[at];
        n = rows_of_dataset(r, at);
        if (n != before || !same_columns(row, row - before, n))
            put_columns(r, row, n, t);
        for (size_t i = 0; i < r->ops; i++) {
            if (r->by_file) {
                put_name(t, row->file, strlen(row->file));
                put(t, "\t");
            }
            put(t, r->op[i]->name);
            for (size_t c = 0; c < n; c++) {
                put(t, "\t");
                put_number(t, &row[c].value[i]);
            }
            put(t, "\n");
        }
    }
}

static void print_lines(const struct results *r, struct text *t)
{
    for (size_t i = 0; i < r->ops; i++) {
        if (r->ops > 1) {
            put(t, r->op[i]->name);
            put(t, "\t");
        }
        put_number(t, &r->row[0].value[i]);
        put(t, "\n");
    }
}

static bool write_all(int fd, const char *p, size_t bytes, struct error *e)
{
    while (bytes > 0) {
        ssize_t n = write(fd, p, bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            struct pollfd ready = {.fd = fd, .events = POLLOUT};
            poll(&ready, 1, -1);
            continue;
        }
        if (n < 0)
            return error_set(e, ERROR_DATA, "write error: %s",
                             strerror(errno));
        p += n;
        bytes -= (size_t)n;
    }
    return true;
}

bool results_text(const struct results *r, int fd, struct error *e)
{
    struct text t = {.at = NULL};
    if (r->by_column && r->op_per_line)
        print_op_lines(r, &t);
    else if (r->by_file || r->by_column)
        print_table(r, &t);
    else
        print_lines(r, &t);
    bool ok = t.failed ? error_set(e, ERROR_DATA, "out of memory")
                       : write_all(fd, t.at, t.bytes, e);
    free(t.at);
    return ok;
}
