/* SPDX-License-Identifier: MIT */
/*
 * Columns of text. Beside its records, a table has a second one for the
 * distinct texts of each column of each record. A key there is a pair, a column
 * of a record and a text, and its rows count how often the text occurs.
 * base/memory.h counts the memory of these pairs. A record itself has the first
 * and the last text of each column.
 */
#pragma once

#include "reduce/distinct_memory.h"

struct by_addend;
struct by_table;
struct by_texts;

/* As by_step, for a column of text. */
enum distinct_lost by_step_texts(const struct by_addend *a,
                                 const uint32_t *which, size_t n);

/* The texts of one column of one record. */
struct by_text_tally {
    uint64_t n, most; /* distinct texts; how often the commonest occurs */
    uint64_t ties;    /* texts that occur as often, with that one */
    const char *text; /* the commonest, the least of several; in the table */
    uint32_t bytes;   /* of `text` */
};

/* Makes the tallies. Call it once, after the last text was added. */
enum distinct_lost by_texts_count(struct by_table *t);

/* The tally of a column of a record. Call it after by_texts_count. NULL: the
 * table has no texts. */
const struct by_text_tally *by_texts_of_record(const struct by_table *t,
                                               uint32_t id, size_t column);

void by_texts_close(struct by_texts *texts); /* may be NULL */
