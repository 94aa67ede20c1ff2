/* SPDX-License-Identifier: MIT */
/* What the output formats share, and their functions. */
#pragma once

#include "output/formats.h"
#include "output/writer.h"
#include "run/answers.h"

struct printer;

/* How results are printed: a row of OUTPUT_FORMATS. */
struct form {
    void (*begin)(struct printer *p); /* before the first part; or NULL */
    /* The rows of a dataset. */
    void (*part)(struct printer *p, const struct answers_part *part);
    void (*end)(struct printer *p); /* after the last part; or NULL */
    const char *separator;          /* of the cells of a line */
    /* Names of files and columns, and texts of the data. */
    void (*put_name)(struct writer *w, const char *name, size_t bytes);
};

/* The edges of a histogram, as they are printed. */
struct print_edges {
    const uint64_t *of; /* the histogram's `edge`, which tells which it is */
    struct value *at;   /* [n], owned, with their decimals */
    size_t n;
    struct histogram room; /* with the counts of a key */
};

/* Where the answers go. */
struct printer {
    const struct answers *answers;
    const struct form *form;
    bool by_file, by_part, by_column; /* what tells the rows apart */
    bool has_bars; /* of histograms: for a person at a terminal */
    struct print_edges edges;
    const struct op *op[OPS_MAX]; /* those that are shown */
    size_t ops;
    size_t index[OPS_MAX]; /* [ops]: which of the plan's ops it is */
    size_t array_op;       /* the same of the array that is printed, in JSON */
    size_t cells;          /* of the line so far */
    size_t elements;       /* printed so far */
    struct writer to;
};

/* Prints rows [first, end) of a part. Any thread, each with a printer of its
 * own. */
typedef void print_rows_fn(struct printer *p, const struct answers_part *part,
                           size_t first, size_t end);

/* Prints all rows of a part: of many, blocks of rows in parallel. */
void print_all_rows(struct printer *p, const struct answers_part *part,
                    print_rows_fn *print);

/* Functions of the rows. */
void print_text(struct printer *p, const struct answers_part *part);
void print_header_once(struct printer *p);
void print_rows(struct printer *p, const struct answers_part *part);
void json_begin(struct printer *p);
void json_part(struct printer *p, const struct answers_part *part);
void jsonl_part(struct printer *p, const struct answers_part *part);
void json_end(struct printer *p);
void print_npy(struct printer *p, const struct answers_part *part);

/* -O npy of an array of many outputs, which is written as they are finished:
 * the header says the shape, so that what an error cuts short is no array. */
struct npy_stream {
    struct answers answers; /* of some outputs */
    struct answers_part part;
    struct printer p;
    bool began; /* something was written */
};

/* Whether the plan's results may be written so: no value of theirs can fail. */
bool npy_stream_suits(const struct plan *plan, const struct dataset *d);
void npy_stream_open(struct npy_stream *s, const struct plan *plan, int fd);
/* The array whose values come. */
void npy_stream_start(struct npy_stream *s, const struct dataset *d);
/* An axis_emit function. */
bool npy_stream_emit(void *stream, const struct values *values,
                     struct error *e);

/* Before anything is printed as npy: whether an array can have the values. */
bool npy_check(const struct printer *p, struct error *e);

/* Of arrays: text, and tables with the indexes of each output. */
void print_axes_text(struct printer *p, const struct answers_part *part);
void print_axes_table(struct printer *p, const struct answers_part *part);

/* Of arrays, in JSON: `"shape":[...],` and the values of an op. */
void json_shape(struct printer *p, const struct answers_part *part);
void json_array(struct printer *p, const struct answers_part *part, size_t op);

/* Results by key: a table, and in JSON `"by":{...},`. */
void print_by(struct printer *p, const struct answers_part *part);
void print_keys_header(struct printer *p, const struct answers_part *part);
void print_keys(struct printer *p, const struct answers_part *part, size_t row);
void json_by(struct printer *p, const struct answers_part *part, size_t row);

/* A line for each op; the value alone where there is no other. */
void print_ops(struct printer *p, const struct answers_part *part);

/* Cells of a line: a text, the file, its array, a column's name, the value of a
 * row; and the end of the line. `op` is a number of p->op. */
void print_cell(struct printer *p, const char *text);
void print_file(struct printer *p, const struct answers_part *part);
void print_part(struct printer *p, const struct answers_part *part);
void print_column(struct printer *p, const struct answers_part *part,
                  size_t column);
void print_value(struct printer *p, const struct answers_part *part, size_t row,
                 size_t op);
void print_line_end(struct printer *p);

/* The rows as a table of bins; and one as an object of JSON. */
void print_histograms(struct printer *p, const struct answers_part *part);
void json_histogram(struct printer *p, const struct answers_part *part,
                    size_t row);
void edges_free(struct print_edges *edges);

/* A matrix for each op, of pairs of columns. */
void print_matrices(struct printer *p, const struct answers_part *part);

/* The value of the plan's op of this number, for a row of the part. */
struct value printer_value(const struct printer *p,
                           const struct answers_part *part, size_t row,
                           size_t op);
