/* SPDX-License-Identifier: MIT */
/*
 * The search for the values of some ranks of a group, over several passes. For
 * each rank it knows a range of keys that has the rank's value. A pass counts
 * or keeps the values in the ranges, and the search narrows the ranges until
 * each is a single key.
 */
#pragma once

#include "base/error.h"
#include "reduce/ranks.h"

/* A rank, and the range of keys that has its value. */
struct rank_target {
    uint64_t rank;      /* from 0, in ascending order */
    uint64_t low, high; /* keys */
    uint64_t below, n;  /* values below the range, and in it */
};

struct rank_search {
    enum dtype dtype;
    uint64_t n;                 /* numbers of the group, without NaN */
    struct rank_target *target; /* [targets], owned */
    size_t targets;
    /* Integers that f64 cannot hold, ascending. Each counts as a value with its
     * key. */
    struct rank_wides wides;
    struct rank_parts asked; /* what the next pass does */
    struct rank_part *part;  /* its parts, owned */
    /* If is_kept, `kept` has the keys of all values in the targets' ranges,
     * kept_n of them, owned. Then the search needs no other data. */
    bool is_kept;
    struct rank_piece *kept;
    size_t kept_n;
};

/* Makes the first pass count all numbers in 2^bits bins or, with bits 0, keep
 * them. The caller owns `part`, which must last as long as *to. */
void rank_ask_all(struct rank_parts *to, struct rank_part *part,
                  enum dtype dtype, unsigned bits);

/* Begins a search among n numbers, after a first pass as above. The ranks are
 * below n, in any order. False if memory ran out. The caller closes the search
 * in any case. */
bool search_open(struct rank_search *s, enum dtype dtype, uint64_t n,
                 const uint64_t *rank, size_t ranks, struct error *e);
void search_close(struct rank_search *s);

/* Narrows the ranges by the results of a pass, and takes their kept keys if it
 * needs them. False if memory ran out, or if the data changed since the last
 * pass. */
bool search_narrow(struct rank_search *s, struct ranks *left, struct error *e);

/* Whether every range is one key. */
bool search_is_done(const struct rank_search *s);

/* Returns the number of values in ranges of more than one key, and sets *ranges
 * to the number of such ranges. */
uint64_t search_left(const struct rank_search *s, size_t *ranges);

/* Makes the next pass keep the keys of these ranges or count them, in 2^bits
 * bins each. */
void search_ask(struct rank_search *s, bool keeps, unsigned bits);

/* If fewer keys than this are in memory, they are sorted, not searched. */
enum { SEARCH_SORTED = 1 << 14 };

/* Ends a search by sorting its keys in memory, which must be few. */
bool search_sort(struct rank_search *s, struct error *e);

/* For search_sort.c: the index of the first wide integer whose key is at least
 * `key`; that of the first whose key is greater than `high`; and the error of
 * data that changed between two passes. */
size_t search_wides_below(const struct rank_search *s, uint64_t key);
size_t search_wides_end(const struct rank_search *s, uint64_t high);
bool search_changed(struct error *e);

/* Writes the values found, to[targets]. The search must be done. */
void search_write(const struct rank_search *s, struct rank_found *to);
