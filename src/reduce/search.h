/* SPDX-License-Identifier: MIT */
/*
 * The search for the values of some ranks of a group, over several passes. Each
 * rank has a range of keys in which its value is; a pass counts or keeps what
 * is in the ranges, and that narrows them until each is one key.
 */
#pragma once

#include "base/error.h"
#include "reduce/ranks.h"

/* A rank, and the range in which its value is. */
struct rank_target {
    uint64_t rank;      /* from 0, in ascending order */
    uint64_t low, high; /* keys */
    uint64_t below, n;  /* values below the range, and in it */
};

struct rank_search {
    enum dtype dtype;
    uint64_t n; /* numbers of the group */
    struct rank_target *target;
    size_t targets;
    /* The integers that f64 cannot hold, ascending; they count as values of
     * their keys. */
    struct rank_wides wides;
    /* What the next pass asks; `part` is owned. */
    struct rank_parts asked;
    struct rank_part *part;
    /* Keys that are in memory, if is_kept: all that the ranges of the targets
     * have, which are then searched alone. */
    bool is_kept;
    struct rank_piece *kept;
    size_t kept_n;
};

/* Asks for the first pass's whole range, of 2^bits bins, or to keep it: bits
 * 0. `part` is the caller's, as long as *to is used. */
void rank_ask_all(struct rank_parts *to, struct rank_part *part,
                  enum dtype dtype, unsigned bits);

/* Begins a search among n numbers, of which a first pass asked as above. The
 * ranks are below n, and may be in any order. False where there is no memory;
 * the search must be given to search_close in any case. */
bool search_open(struct rank_search *s, enum dtype dtype, uint64_t n,
                 const uint64_t *rank, size_t ranks, struct error *e);
void search_close(struct rank_search *s);

/* Narrows the ranges by what a pass left, of which it takes what it needs.
 * False where there is no memory, or the data are not those of the pass before.
 */
bool search_narrow(struct rank_search *s, struct ranks *left, struct error *e);

/* Whether every range is one key. */
bool search_is_done(const struct rank_search *s);

/* How many values the ranges that are more than one key have, and how many such
 * ranges there are. */
uint64_t search_left(const struct rank_search *s, size_t *ranges);

/* Sets `asked` to these ranges: to keep their keys, or to count them in 2^bits
 * bins each. */
void search_ask(struct rank_search *s, bool keeps, unsigned bits);

/* Fewer keys in memory than this are sorted. */
enum { SEARCH_SORTED = 1 << 14 };

/* Ends a search whose keys in memory are few: sorts them. */
bool search_sort(struct rank_search *s, struct error *e);

/* For search_sort.c: the number of the first wide integer whose key is not
 * less, and of the first behind those up to a key; and the error of data that
 * are not those of the pass before. */
size_t search_wides_below(const struct rank_search *s, uint64_t key);
size_t search_wides_end(const struct rank_search *s, uint64_t high);
bool search_changed(struct error *e);

/* Writes the values of a search that is done: [targets]. */
void search_write(const struct rank_search *s, struct rank_found *to);
