/* SPDX-License-Identifier: MIT */
/*
 * The rows of a text of very wide records of which few fields are wanted: only
 * the ends of those are kept. All ends of a record of 66 million empty fields
 * would take four times as much memory as its text.
 */
#pragma once

#include "csv/decode.h"
#include "csv/rows.h"

/* The fields whose ends are kept: those wanted, and the one before each. A row
 * has the end before it, theirs, and that of its last field: [rows][n + 2]. No
 * cell is the last of a row: its end is before the CR of a line end. */
struct csv_few {
    const struct csv_table *table; /* that they are of */
    uint32_t *field;               /* [n], ascending */
    size_t n;
    uint32_t *place; /* [columns]: of a column's cell in a row */
    struct csv_room room, piece_room, row_room;
};

/* Whether it is worth it: rows of few fields take less memory than their text's
 * piece, and all ends are found faster where many are wanted. */
bool csv_is_few(const struct csv_table *table);

/* Sets which ends are kept for the table's columns. False where there is no
 * memory. */
bool csv_few_choose(struct csv_few *few, const struct csv_table *table,
                    struct error *e);
void csv_few_free(struct csv_few *few);

/* As ends of the loops and csv_find_rows. by_steps: quotes cannot be counted;
 * *stray is set where that turns out. ends->at is the matrix of rows. */
bool csv_few_rows(struct csv_few *few, const struct csv_loops *loops,
                  struct csv_span text, struct csv_dialect dialect,
                  const struct csv_spec *spec, bool by_steps,
                  struct csv_rows *rows, struct csv_ends *ends,
                  struct csv_first_error *first_error, bool *stray,
                  struct error *e);

/* Finds ends by the definition, from a byte on, after which the state is
 * *state. */
void csv_ends_by_steps(struct csv_span text, size_t from,
                       struct csv_dialect dialect, enum csv_state *state,
                       struct csv_ends *out);
