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

/* Splits a list of columns such as `price,"a,b",3-5`; the items are to be freed
 * with csv_fields_free, and their quotes are still to be undone. */
bool csv_list_split(const char *option, const char *list,
                    struct csv_fields *items, struct error *e);

/* Undoes the quotes of an item; room: of its bytes. */
struct csv_span csv_list_item(struct csv_span item, char *room);

/* Seeks the items of a list in a table's header; none is found where it has no
 * header. sought: [items->n]; room, for what quotes stand for: of the list's
 * bytes. False where there is no memory. */
bool csv_list_seek(const struct csv_table *table, struct csv_span first,
                   const struct csv_fields *items, char *room,
                   struct csv_sought *sought);

/* Whether a name that the options ask for, or all the names that the columns of
 * `like` have, stand in the first record. False where there is no memory. */
bool csv_proves_header(struct csv_span first, size_t fields,
                       struct csv_dialect dialect,
                       const struct csv_settings *settings,
                       const struct csv_table *like, bool *proved);
