/* SPDX-License-Identifier: MIT */
/* Finds the names that options ask for among all those of a header. */
#pragma once

#include "csv/structure/record.h"
#include "csv/schema/table.h"

/* FNV-1a. */
uint64_t csv_hash(struct csv_span text);

/* A name to find in a header. */
struct csv_sought {
    struct csv_span name;
    size_t found; /* fields that have the name */
    size_t field; /* the first of them */
};

/* Finds n names in a table's header: among its names, or in `first`, the
 * header's record, where not all names are kept. Sets `found` and `field` of
 * each. Takes memory in proportion to n. False: no memory. */
bool csv_names_seek(const struct csv_table *table, struct csv_span first,
                    struct csv_sought *sought, size_t n);

/* A list of columns such as `price,"a,b",3-5`. */
struct csv_list {
    size_t n;
    struct csv_sought *sought; /* [n]: the items */
    struct csv_fields items;   /* with their quotes */
    char *room;                /* for the items without their quotes */
};

/* Splits a list and finds its items in a table's header. Without a header it
 * finds none. The caller closes the list, also after a failure. `option` is the
 * name of the list's option, for messages. */
bool csv_list_open(struct csv_list *l, const struct csv_table *table,
                   struct csv_span first, const char *option, const char *list,
                   struct error *e);
void csv_list_close(struct csv_list *l);

/* Sets *proved: whether the first record holds a name that the options ask for,
 * or the names of all columns of `like`. False: no memory. */
bool csv_proves_header(struct csv_span first, size_t fields,
                       struct csv_dialect dialect,
                       const struct csv_settings *settings,
                       const struct csv_table *like, bool *proved);
