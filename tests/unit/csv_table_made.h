/* SPDX-License-Identifier: MIT */
/* Tables of which every cell is known, and their text. */
#pragma once

#include "check.h"
#include "csv/cell/cell.h"
#include "csv/schema/table.h"
#include "csv_oracle.h"

enum { MADE_FIELDS_MAX = 12, MADE_CELL_MAX = 64 };

struct made_cell {
    enum csv_cell kind;
    uint64_t bits;
    const char *shown; /* in a message; NULL: nobody's business */
};

/* What a table is to be like; chances are one in so many, 0: none. */
struct made_plan {
    enum dtype dtype;
    char delimiter;
    size_t rows, fields;
    unsigned missing, bad, odd, blank_lines;
    bool words_first; /* -999 means missing */
    size_t ragged;    /* row with another number of fields, or SIZE_MAX */
    long more;        /* fields that it has more */
};

struct made {
    struct made_plan plan;
    struct made_cell *cell; /* [rows][fields], as if none were ragged */
    char *text;
    size_t bytes;
    struct oracle oracle; /* the places of all */
};

/* A plan at random of a table without faults. */
struct made_plan made_plan_draw(void);

/* Text and cells at random; the text ends with LF and is followed by what may
 * be read. */
void made_open(struct made *m, const struct made_plan *plan);
void made_close(struct made *m);

/* Its spec, and its table with these fields for columns. */
struct csv_spec made_spec(const struct made_plan *plan);
void made_table(const struct made_plan *plan, struct csv_table *table,
                size_t columns, const uint32_t *fields);

/* Whether a message names the first error of the table under this spec;
 * if there is none, *rows tells the records in order. */
bool made_first_error(const struct made *m, const struct csv_spec *spec,
                      const struct csv_table *table, const char *name,
                      char message[512]);
