/* SPDX-License-Identifier: MIT */
/*
 * Finds the rows of very wide records of which few fields are wanted, and keeps
 * only the ends of those fields. All ends of a record of 66 million empty
 * fields would take four times as much memory as its text.
 */
#pragma once

#include "csv/decode.h"
#include "csv/rows.h"

/* Which ends are kept: the end of each wanted field and of the field before it,
 * n in all. A row of the matrix has n + 2 entries: the end before the record,
 * the kept ends, and the end of the record's last field. Thus no wanted cell is
 * the last of its row; its end is therefore set before a CR that belongs to the
 * line end. Owned by the decoder. */
struct csv_few {
    const struct csv_table *table; /* the table of the fields; borrowed */
    uint32_t *field; /* [n]: fields whose ends are kept, ascending */
    size_t n;
    uint32_t *place; /* [columns]: the column's entry in a row */
    /* Memory for place and field; for the ends of a piece; for the matrix. */
    struct csv_room room, piece_room, row_room;
};

/* Whether keeping few ends pays for this table. If so, the rows take less
 * memory than their piece of the text. Where many fields are wanted, finding
 * all ends is faster. */
bool csv_is_few(const struct csv_table *table);

/* Sets which ends are kept for the table's columns. The table must outlive
 * `few`. False, with the error: no memory. */
bool csv_few_choose(struct csv_few *few, const struct csv_table *table,
                    struct error *e);
void csv_few_free(struct csv_few *few);

/* Does what `ends` of the loops and csv_find_rows do together: fills *rows,
 * notes the first ragged record where that is an error, and sets ends->at to
 * the matrix, which `few` owns. by_steps: walk the text with csv_step instead
 * of counting quotes. Sets *stray where counting quotes failed: then the caller
 * calls again with by_steps. False, with the error: no memory. */
bool csv_few_rows(struct csv_few *few, const struct csv_loops *loops,
                  struct csv_span text, struct csv_dialect dialect,
                  const struct csv_spec *spec, bool by_steps,
                  struct csv_rows *rows, struct csv_ends *ends,
                  struct csv_first_error *first_error, bool *stray,
                  struct error *e);

/* Finds the ends from byte `from` of the text on with csv_step, byte by byte.
 * *state is the state before that byte, and then the state at the end of the
 * text. */
void csv_ends_by_steps(struct csv_span text, size_t from,
                       struct csv_dialect dialect, enum csv_state *state,
                       struct csv_ends *out);
