/* SPDX-License-Identifier: MIT */
/* --where, --let and --map: which columns their expressions read, what their
 * names mean in a dataset, and which columns are then reduced. */
#pragma once

#include <stdio.h>

#include "expr/expr.h"
#include "csv/schema/table.h"
#include "formula/formula.h"

struct dataset;
struct options;
struct plan;

/* The expressions in the order in which they may read each other: those of
 * --let, then that of --map and that of --where. */
struct formula_texts {
    struct expr_source source[FORMULAS_MAX];
    struct expr_text name[FORMULAS_MAX]; /* of --let; null `at`: none */
    size_t count, lets;
    /* The formulas that are columns to reduce, in the order asked for. */
    struct chosen {
        uint8_t formula;
        size_t items; /* of `columns`, before it */
    } chosen[FORMULAS_MAX];
    size_t chosen_count;
    bool has_map, has_condition;
    struct csv_used *used; /* [used_count]: names that may be columns */
    size_t used_count;
    char *bytes;   /* of their names */
    char *columns; /* --columns without computed ones; or NULL */
};

/* Of one dataset. */
struct derived {
    struct formulas formulas;
    /* The columns that are reduced, those of the table and computed ones. */
    struct csv_table names;
    char *bytes; /* of names of computed columns */
};

/* Reads the names in the expressions, and sets what text is to be read. */
bool formulas_resolve(struct plan *plan, const struct options *o,
                      struct error *e);

/* Parses the expressions for a dataset, whose table is known, and sets its
 * columns. Elements: the input is raw. */
bool formulas_plan(const struct plan *plan, struct dataset *d, struct error *e);

/* For formulas_plan: set the columns that are reduced, and their names. */
bool formulas_make_groups(const struct plan *plan, struct dataset *d,
                          struct error *e);
bool formulas_make_names(const struct plan *plan, struct dataset *d,
                         struct error *e);

/* Makes the kernel of a dataset's expressions for the device asked for. NULL;
 * or why the CPU computes them. */
const char *formulas_left(const struct plan *plan, struct dataset *d);

/* Where an item of a list such as --columns ends. */
size_t formulas_item_bytes(const char *list);

/* Where groups are pairs of columns: the pairs are of selected rows alone. */
bool formulas_pair(struct dataset *d, struct error *e);

/* Prints the expressions and where they are evaluated, for --explain. */
void explain_formulas(const struct plan *plan, const struct dataset *d,
                      FILE *to);

void formulas_close(struct plan *plan);
