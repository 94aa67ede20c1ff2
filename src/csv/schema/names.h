/* SPDX-License-Identifier: MIT */
/* The names of a table's fields. */
#pragma once

#include "csv/structure/record.h"
#include "csv/schema/table.h"

/* Sets the names that are not set yet, of all fields or of the columns: the
 * cells of the first record or, without a header, the numbers of the fields. */
bool csv_names_read(struct csv_table *table, struct csv_span first, bool all,
                    struct error *e);

/* Whether both tables have the same names in the same order, and, where not all
 * are kept, the same columns. */
bool csv_names_same(const struct csv_table *a, const struct csv_table *b);

/* The name of a field that is kept. */
struct csv_span csv_name(const struct csv_table *table, size_t field);

/* The text of a cell of the header: without the blanks around it, and without
 * its quotes even where more follows them. room: of the cell's bytes. */
struct csv_span csv_name_of(struct csv_span field, struct csv_dialect dialect,
                            char *room);
