/* SPDX-License-Identifier: MIT */
/*
 * Groups that are pairs of columns. Only records with a value in both columns
 * count. A covariance has two columns; a weighted sum has one and its weights.
 */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

enum pairing_kind {
    PAIRING_NONE, /* a group is a column */
    PAIRING_ONE,  /* one group: the first two columns */
    /* Each column with itself and with those after it: (0,0) (0,1) ... (1,1)
     * (1,2) ... */
    PAIRING_MATRIX,
    PAIRING_WEIGHTS, /* each column with the column of weights */
};

struct pairing {
    enum pairing_kind kind;
    size_t columns; /* paired columns; a column only of weights is not one */
    size_t weight;  /* number of the column of weights */
};

struct column_pair {
    size_t first, second;
};

static inline size_t pairing_groups(const struct pairing *p)
{
    return p->kind == PAIRING_ONE      ? 1
           : p->kind == PAIRING_MATRIX ? p->columns * (p->columns + 1) / 2
                                       : p->columns;
}

/* The group of columns first <= second of a matrix. */
static inline size_t pairing_group(const struct pairing *p,
                                   struct column_pair pair)
{
    return pair.first * p->columns - pair.first * (pair.first + 1) / 2 +
           pair.second;
}

/* The columns of a group. In a matrix, the first column is the greatest whose
 * group with itself is at most this one. The root that estimates it is off by
 * less than one. */
static inline struct column_pair pairing_at(const struct pairing *p,
                                            size_t group)
{
    const double twice = 2.0 * (double)p->columns + 1;
    if (p->kind == PAIRING_ONE)
        return (struct column_pair){0, 1};
    if (p->kind == PAIRING_WEIGHTS)
        return (struct column_pair){group, p->weight};
    size_t first =
        (size_t)((twice - sqrt(twice * twice - 8.0 * (double)group)) / 2);
    while (pairing_group(p, (struct column_pair){first, first}) > group)
        first--;
    while (pairing_group(p, (struct column_pair){first + 1, first + 1}) <=
           group)
        first++;
    const size_t own = pairing_group(p, (struct column_pair){first, first});
    return (struct column_pair){first, first + group - own};
}

/* Whether a group may have no records without an error: two different columns
 * of a matrix may have none in common. A column without values is found in its
 * group with itself. */
static inline bool pairing_may_be_empty(const struct pairing *p, size_t group)
{
    const struct column_pair pair = pairing_at(p, group);
    return p->kind == PAIRING_MATRIX && pair.first != pair.second;
}

/* The group that has the counts of a column by itself. */
static inline size_t pairing_of_column(const struct pairing *p, size_t column)
{
    return p->kind == PAIRING_MATRIX
               ? pairing_group(p, (struct column_pair){column, column})
           : p->kind == PAIRING_WEIGHTS && column < p->columns ? column
                                                               : 0;
}

/* The pair of the next group; after the last group, that of the first. */
static inline struct column_pair pairing_next(const struct pairing *p,
                                              struct column_pair pair)
{
    if (p->kind == PAIRING_WEIGHTS)
        return (struct column_pair){(pair.first + 1) % p->columns, p->weight};
    if (p->kind == PAIRING_MATRIX && ++pair.second == p->columns)
        pair.second = pair.first = (pair.first + 1) % p->columns;
    return pair;
}
