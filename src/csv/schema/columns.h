/* SPDX-License-Identifier: MIT */
/* Which fields of a table are the columns to reduce. */
#pragma once

#include "csv/schema/seen.h"
#include "csv/schema/table.h"

/* What the columns of a table are chosen from. All of it is borrowed. */
struct csv_choice {
    const char *file;            /* the name of the input */
    struct csv_span sample;      /* the first bytes of the input */
    struct csv_span first;       /* the first record */
    bool is_all;                 /* the sample is the whole input */
    const struct csv_look *look; /* what the sample's records hold */
    const struct csv_settings *settings;
};

/* Adds the columns that the settings list, or else every numeric column of the
 * sample, except for excluded ones. Notes columns that are left out although
 * they look like numbers. False, with the error. */
bool csv_choose_columns(struct csv_table *table,
                        const struct csv_choice *choice, struct error *e);

/* Sets all columns of the table: those of csv_choose_columns, of weights and of
 * keys, and its inputs, which expressions read. False, with the error. */
bool csv_choose(struct csv_table *table, const struct csv_choice *choice,
                struct error *e);
