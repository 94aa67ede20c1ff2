/* SPDX-License-Identifier: MIT */
/* The names of a table's fields, and how one is found among many. */
#pragma once

#include "csv/record.h"
#include "csv/table.h"

/* Sets the names: what the header's cells say, or the numbers of the fields
 * where there is no header (first->n fields all the same). */
bool csv_names_read(struct csv_table *table, const struct csv_fields *first,
                    struct error *e);

/* Whether both tables have the same names in the same order. */
bool csv_names_same(const struct csv_table *a, const struct csv_table *b);

struct csv_span csv_name(const struct csv_table *table, size_t field);

/* Where each name is: open addressing, so that thousands are found in time. */
struct csv_index {
    const struct csv_table *table;
    uint32_t *slot; /* [mask + 1]: a field, or CSV_NO_COLUMN */
    size_t mask;
    bool *is_twice; /* [fields]: another field has the same name */
};

/* False where there is no memory. */
bool csv_index_make(struct csv_index *index, const struct csv_table *table);
void csv_index_free(struct csv_index *index);

enum csv_found { CSV_FOUND_NONE, CSV_FOUND_ONE, CSV_FOUND_SEVERAL };

/* The field of that name, the first of several. */
enum csv_found csv_index_find(const struct csv_index *index,
                              struct csv_span name, size_t *field);

/* Splits a list of columns such as `price,"a,b",3-5`; the items are to be freed
 * with csv_fields_free, and their quotes are still to be undone. */
bool csv_list_split(const char *option, const char *list,
                    struct csv_fields *items, struct error *e);

/* Undoes the quotes of an item; room: of its bytes. */
struct csv_span csv_list_item(struct csv_span item, char *room);

/* Whether a name that the options ask for, or all the names that the columns of
 * `like` have, stand in the first record. False where there is no memory. */
bool csv_proves_header(const struct csv_fields *first,
                       struct csv_dialect dialect,
                       const struct csv_wishes *wishes,
                       const struct csv_table *like, bool *proved);
