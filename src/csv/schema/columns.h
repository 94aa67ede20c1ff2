/* SPDX-License-Identifier: MIT */
/* Which fields of a table are the columns to reduce. */
#pragma once

#include "csv/schema/seen.h"
#include "csv/schema/table.h"

/* What the columns are chosen by. */
struct csv_choice {
    const char *file; /* its name */
    struct csv_span sample;
    struct csv_span first; /* record */
    bool is_all;
    const struct csv_look *look; /* at the records of the sample */
    const struct csv_settings *settings;
};

/* Adds the columns that the settings ask for, or every numeric one of the
 * sample, without those that are excluded. Says which are left out though they
 * look like numbers. */
bool csv_choose_columns(struct csv_table *table,
                        const struct csv_choice *choice, struct error *e);

/* Sets the table's columns, those and the one of weights. */
bool csv_choose(struct csv_table *table, const struct csv_choice *choice,
                struct error *e);
