/* SPDX-License-Identifier: MIT */
/* Parts of the writer and the reader of struct saved. */
#pragma once

#include "by/groups.h"
#include "saved/saved.h"

void saved_put_state(struct saved_bytes *to, enum monoid monoid,
                     const union state *s);
void saved_put_ends(struct saved_bytes *to, const struct text_ends *ends);

/* Reads a state of n elements and merges it into *into. Positions must be less
 * than `elements`. */
void saved_get_state(struct saved_reader *r, enum monoid monoid,
                     enum dtype dtype, uint64_t n, uint64_t elements,
                     union state *into);
void saved_get_ends(struct saved_reader *r, uint64_t elements,
                    struct text_ends *into);

/* Write and read the keys, texts or elements, and their records, which have
 * their first rows. */
bool saved_put_keys(struct saved_bytes *to, struct groups *g, struct error *e);
/* The same for the keys of a table, in no particular order. */
void saved_put_table(struct saved_bytes *to, const struct groups *g,
                     uint32_t table);
bool saved_get_keys(struct saved_reader *r, struct groups *g,
                    const struct saved_question *q, uint64_t elements);
bool saved_merge_keys(struct groups *into, struct groups *from,
                      struct error *e);

/* Makes the groups of a question by keys. False, with the error, if it
 * contradicts itself or memory ran out. */
bool saved_groups(struct saved *s, struct error *e);

/* Makes the states' schema of a question. False if it contradicts itself, needs
 * more bytes than the reader has left, or (r->lost) finds no memory. */
bool saved_schema(struct saved *s, struct saved_reader *r,
                  struct schema *schema);
