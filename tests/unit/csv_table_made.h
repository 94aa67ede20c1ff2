/* SPDX-License-Identifier: MIT */
/* Random tables of which every cell is known, and their text. */
#pragma once

#include "check.h"
#include "csv/cell/cell.h"
#include "csv/schema/table.h"
#include "csv_oracle.h"

enum { MADE_FIELDS_MAX = 12, MADE_CELL_MAX = 64 };

struct made_cell {
    enum csv_cell kind;
    uint64_t bits;
    const char *shown; /* as a message shows it; NULL: not compared */
};

/* How to make a table. Chances are 1 in this number; 0: never. */
struct made_plan {
    enum dtype dtype;
    char delimiter;
    size_t rows, fields;
    unsigned missing, bad, odd, blank_lines;
    bool words_first; /* -999 is one of the missing-value words */
    size_t ragged;    /* the row with another number of fields, or SIZE_MAX */
    long more;        /* how many fields it has more (or fewer, if negative) */
};

struct made {
    struct made_plan plan;
    struct made_cell *cell; /* [rows][fields], as if no row were ragged */
    char *text;
    size_t bytes;         /* of text, without the padding */
    struct oracle oracle; /* the places of all fields */
};

/* Draws a plan of a table without errors. */
struct made_plan made_plan_draw(void);

/* Draws a table and its text, which ends with LF and is followed by readable
 * padding. made_close frees both. */
void made_open(struct made *m, const struct made_plan *plan);
void made_close(struct made *m);

/* Returns the spec of a plan, and its table with these fields as columns. */
struct csv_spec made_spec(const struct made_plan *plan);
void made_table(const struct made_plan *plan, struct csv_table *table,
                size_t columns, const uint32_t *fields);

/* Returns whether the table has an error under this spec, and writes the
 * message of the first one, with `name` as the file's name. */
bool made_first_error(const struct made *m, const struct csv_spec *spec,
                      const struct csv_table *table, const char *name,
                      char message[512]);
