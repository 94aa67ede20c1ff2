/* SPDX-License-Identifier: MIT */
/* How the names that options ask for are found among all those of a header. */
#pragma once

#include "csv/structure/record.h"
#include "csv/schema/table.h"

/* A name that is sought in a header. */
struct csv_sought {
    struct csv_span name;
    size_t found; /* fields that have the name */
    size_t field; /* the first of them */
};

/* Finds n names in a table's header: in `first`, its record, where not all
 * names are kept. Takes memory in proportion to n; false where there is none.
 */
bool csv_names_seek(const struct csv_table *table, struct csv_span first,
                    struct csv_sought *sought, size_t n);

/* A list of columns such as `price,"a,b",3-5`. */
struct csv_list {
    size_t n;
    struct csv_sought *sought; /* [n]: the items */
    struct csv_fields items;   /* with their quotes */
    char *room;                /* for what the quotes stand for */
};

/* Splits a list and seeks its items in a table's header; none is found where it
 * has no header. The list is to be closed, also after a failure. `option` is
 * for messages. */
bool csv_list_open(struct csv_list *l, const struct csv_table *table,
                   struct csv_span first, const char *option, const char *list,
                   struct error *e);
void csv_list_close(struct csv_list *l);

/* Whether a name that the options ask for, or all the names that the columns of
 * `like` have, stand in the first record. False where there is no memory. */
bool csv_proves_header(struct csv_span first, size_t fields,
                       struct csv_dialect dialect,
                       const struct csv_settings *settings,
                       const struct csv_table *like, bool *proved);
