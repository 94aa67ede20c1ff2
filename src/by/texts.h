/* SPDX-License-Identifier: MIT */
/*
 * Columns of text. A table has the distinct texts of each column of each of its
 * records, and how often each occurs, in a table of such pairs; the first and
 * the last text are in the records. base/memory.h counts the pairs.
 */
#pragma once

#include "reduce/distinct_memory.h"

struct by_addend;
struct by_table;
struct by_texts;

/* by_step for texts. */
enum distinct_lost by_step_texts(const struct by_addend *a,
                                 const uint32_t *which, size_t n);

/* What a column of a record has. */
struct by_text_tally {
    uint64_t n, most; /* distinct texts; how often the commonest occurs */
    const char *text; /* which is that, the least of several; in the table */
    uint32_t bytes;
};

/* Counts the pairs, once, after the last text. */
enum distinct_lost by_texts_count(struct by_table *t);

/* After that. NULL: no column of the table has texts. */
const struct by_text_tally *by_texts_of_record(const struct by_table *t,
                                               uint32_t id, size_t column);

void by_texts_close(struct by_texts *texts); /* may be NULL */
