/* SPDX-License-Identifier: MIT */
/* The names of a table's fields. */
#pragma once

#include "csv/structure/record.h"
#include "csv/schema/table.h"

/* Sets the names of all fields (all), or of the columns and the first field,
 * unless they are set already. A name is the cell of the first record or,
 * without a header, the number of the field. False, with the error: no memory.
 */
bool csv_names_read(struct csv_table *table, struct csv_span first, bool all,
                    struct error *e);

/* Whether both tables have the same names in the same order, and, where not all
 * are kept, the same columns. */
bool csv_names_same(const struct csv_table *a, const struct csv_table *b);

/* The name of a field whose name is kept. It points into table->names. */
struct csv_span csv_name(const struct csv_table *table, size_t field);

/* The name in a cell of the header: without the blanks around it, and without
 * its quotes even where bytes follow them. `room` has as many bytes as the
 * cell; the name may point into it. */
struct csv_span csv_name_of(struct csv_span field, struct csv_dialect dialect,
                            char *room);

/* Name i of a table whose names are all kept, for text_suggest. */
const char *csv_names_next(size_t i, const void *table);
