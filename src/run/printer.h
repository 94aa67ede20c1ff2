/* SPDX-License-Identifier: MIT */
/* The functions of the output formats, and what they share. */
#pragma once

#include "output/formats.h"
#include "output/writer.h"
#include "run/answers.h"

struct printer;

/* How results are printed: a row of OUTPUT_FORMATS. */
struct form {
    void (*begin)(struct printer *p); /* before the first part; or NULL */
    /* Prints the rows of a dataset. */
    void (*part)(struct printer *p, const struct answers_part *part);
    void (*end)(struct printer *p); /* after the last part; or NULL */
    char separator; /* between the cells of a line; 0: no cells */
    /* Writes the name of a file or column, or a text of the data. */
    void (*put_name)(struct writer *w, const char *name, size_t bytes);
};

/* The edges of a histogram as values to print, kept for rows that share them.
 */
struct print_edges {
    const uint64_t *of; /* `edge` of the histogram that these are of */
    struct value *at;   /* [n], owned, also their texts (--digits) */
    size_t n;
    struct histogram room; /* by key: for histogram_of_row; owns `count` */
};

/* Prints the answers to a writer. One thread at a time uses it. */
struct printer {
    const struct answers *answers;
    const struct form *form;
    bool by_file, by_part, by_column; /* names that each row is printed with */
    bool has_bars; /* histograms get bars: output is a terminal */
    struct print_edges edges;
    const struct op *op[OPS_MAX]; /* [ops]: those that are printed */
    size_t ops;
    size_t index[OPS_MAX]; /* [ops]: the number of each in plan->op */
    size_t array_op;       /* JSON: that number, of the array being printed */
    size_t cells;          /* in the line so far */
    size_t elements;       /* JSON: printed so far */
    struct writer to;
};

/* Prints lines [first, end) of a part. Threads call it in parallel, each with
 * its own printer. */
typedef void print_lines_fn(struct printer *p, const struct answers_part *part,
                            size_t first, size_t end);

/* Prints n lines of so many cells each. If there are many, threads format
 * blocks of them in parallel. */
void print_lines(struct printer *p, const struct answers_part *part, size_t n,
                 size_t cells, print_lines_fn *print);

/* The functions in the rows of OUTPUT_FORMATS. */
void print_text(struct printer *p, const struct answers_part *part);
void print_header_once(struct printer *p);
void print_rows(struct printer *p, const struct answers_part *part);
void json_begin(struct printer *p);
void json_part(struct printer *p, const struct answers_part *part);
void json_end(struct printer *p);
void print_npy(struct printer *p, const struct answers_part *part);

/* Writes the array of -O npy while its outputs are finished, before all are
 * known. The header has the shape, so a file that an error cuts short is not a
 * valid array. */
struct npy_stream {
    struct answers answers; /* has the values of the latest outputs only */
    struct answers_part part;
    struct printer p;
    bool began; /* the header was written */
};

/* Whether the plan's results may be streamed: no operation on an output can
 * fail. */
bool npy_stream_suits(const struct plan *plan, const struct dataset *d);
void npy_stream_open(struct npy_stream *s, const struct plan *plan, int fd);
/* Sets the dataset whose values follow. */
void npy_stream_start(struct npy_stream *s, const struct dataset *d);
/* For struct axis_emit: writes the next values. */
bool npy_stream_emit(void *stream, const struct values *values,
                     struct error *e);

/* False, with the error, if a NumPy array cannot hold the values. Call it
 * before anything is printed as npy. */
bool npy_check(const struct printer *p, struct error *e);

/* False, with the error, if results by key of several files need more than one
 * header. Call it before anything is printed as csv or tsv. */
bool print_by_check(const struct answers *a, struct error *e);

/* Print results of arrays: as text, and as tables with the indexes of each
 * output. */
void print_axes_text(struct printer *p, const struct answers_part *part);
void print_axes_table(struct printer *p, const struct answers_part *part);

/* Print results of arrays in JSON: `"shape":[...],`; the values of an op. */
void json_shape(struct printer *p, const struct answers_part *part);
void json_array(struct printer *p, const struct answers_part *part, size_t op);

/* Print results by key: the whole table; the keys in a header; the keys of a
 * row; the keys of a row in JSON, `"by":{...},`. */
void print_by(struct printer *p, const struct answers_part *part);
/* Whether two parts have the same names of keys, or no keys. */
bool print_same_keys(const struct answers_part *a,
                     const struct answers_part *b);
void print_keys_header(struct printer *p, const struct answers_part *part);
void print_keys(struct printer *p, const struct answers_part *part, size_t row);
void json_by(struct printer *p, const struct answers_part *part, size_t row);

/* Prints a line for each op, or the value alone if it is the only one. */
void print_ops(struct printer *p, const struct answers_part *part);

/* Print a cell of a line: a text, a text of the data, the file, its array, a
 * column's name, the value of a row; or the end of the line. `op` is an index
 * of p->op. */
void print_cell(struct printer *p, const char *text);
void print_name(struct printer *p, const char *name, size_t bytes);
void print_file(struct printer *p, const struct answers_part *part);
void print_part(struct printer *p, const struct answers_part *part);
void print_column(struct printer *p, const struct answers_part *part,
                  size_t column);
void print_value(struct printer *p, const struct answers_part *part, size_t row,
                 size_t op);
void print_line_end(struct printer *p);

/* Writes a count after its key, which is written as it is. */
void print_count(struct printer *p, const char *key, uint64_t n);

/* Print all rows as a table of bins; one row as an object of JSON. */
void print_histograms(struct printer *p, const struct answers_part *part);
void json_histogram(struct printer *p, const struct answers_part *part,
                    size_t row);
void edges_free(struct print_edges *edges);

/* Prints the results of pairs of columns, as a matrix for each op. */
void print_matrices(struct printer *p, const struct answers_part *part);

/* The value of plan->op[op] in a row of the part. */
struct value printer_value(const struct printer *p,
                           const struct answers_part *part, size_t row,
                           size_t op);
