/* SPDX-License-Identifier: MIT */
/* Plans --where, --let and --map: the columns that their expressions read, the
 * meaning of their names in a dataset, and the columns that are reduced. */
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
    struct expr_text name[FORMULAS_MAX]; /* of --let; `at` NULL: none */
    size_t count, lets;                  /* all; those of --let */
    uint64_t
        used_lets; /* bit i: another formula reads let i, or it is chosen */
    /* The columns that are reduced, and those of a key that has computed ones:
     * computed ones apart from the others. */
    struct formula_list {
        /* The formulas, in the order asked for. */
        struct chosen {
            uint8_t formula; /* its number in `source` */
            size_t items;    /* items of `others` before it; SIZE_MAX: all */
        } chosen[FORMULAS_MAX];
        size_t count;
        char *others; /* the list without computed columns; owned, or NULL */
        struct expr_text *item; /* owned: what `others` names, without quotes */
        char *names; /* owned: bytes of items that have doubled quotes */
    } columns, keys;
    bool has_map, has_condition;
    struct csv_used *used; /* [used_count], owned: names that may be columns */
    size_t used_count;
    char *bytes; /* the bytes of these names; owned */
    /* [literals], owned: the constants that may be meant as names */
    struct csv_used *literal;
    size_t literals;
};

/* Returns the number of the formula with this name among the first n, or n if
 * none of them has it. */
size_t formula_named(const struct formula_texts *t, struct expr_text name,
                     size_t n);

/* The expressions of one dataset, and the columns that they add. */
struct derived {
    struct formulas formulas;
    /* The columns that are reduced: those of the table and computed ones. */
    struct csv_table names;
    char *bytes; /* the names of computed columns; owned */
};

/* Copies the options to the plan and lists the names in the expressions, so
 * that the columns of text that they mean are read. */
bool formulas_resolve(struct plan *plan, const struct options *o,
                      struct error *e);

/* Parses the expressions for a dataset and sets the columns that it has then.
 * The dataset's table, if it is text, must be known. */
bool formulas_plan(const struct plan *plan, struct dataset *d, struct error *e);

/* Parts of formulas_plan: set the columns that are reduced; set those of a key
 * that has computed ones; set the names of all these. */
bool formulas_make_groups(const struct plan *plan, struct dataset *d,
                          struct error *e);
bool formulas_make_keys(const struct plan *plan, struct dataset *d,
                        struct error *e);
bool formulas_make_names(const struct plan *plan, struct dataset *d,
                         struct error *e);

/* Makes the kernel of a dataset's expressions for the device asked for. Returns
 * NULL, or the reason why the CPU computes them instead. */
const char *formulas_left(const struct plan *plan, struct dataset *d);

/* If groups are pairs of columns: sets that only selected rows are paired.
 * False with ERROR_USAGE if --dtype excludes that. */
bool formulas_pair(struct dataset *d, struct error *e);

/* Prints the expressions and where they are evaluated, for --explain. */
void explain_formulas(const struct plan *plan, const struct dataset *d,
                      FILE *to);

void formulas_close(struct plan *plan);
