/* SPDX-License-Identifier: MIT */
/* The histogram of each column of a dataset. One pass finds the range of the
 * values, unless --range gives it; the next pass counts them. Small data and
 * pipes are kept in memory between the two. */
#pragma once

#include "reduce/histogram.h"
#include "run/answers.h"
#include "run/passes.h"

/* The histograms of a run. Used by the main thread. */
struct histograms {
    struct histogram *of; /* [groups], owned */
    size_t groups;
    struct passes passes; /* what each pass asks */
};

void histograms_close(struct histograms *h);

/* The histogram of a row of results. By key, the rows of a column share their
 * bins; the histogram is then made in *room, whose `count` must be NULL or come
 * from the previous call. The caller frees room->count. NULL: no memory. */
const struct histogram *histogram_of_row(const struct histogram *of,
                                         const struct by_rows *by, size_t row,
                                         struct histogram *room);

/* Closes and frees n histograms; `of` may be NULL. */
void histograms_free(struct histogram *of, size_t n);

/* As histogram_open, with the edges of --range. */
bool histograms_range(struct histogram *of, const struct plan *plan,
                      enum dtype dtype, struct error *e);

/* For quantiles and histograms: sets what the first pass asks, in *ranked and
 * *job. The caller calls histograms_close in any case. */
bool histograms_begin(const struct plan *plan, const struct dataset *d,
                      struct job *job, struct histograms *ranked,
                      struct error *e);

/* Runs the passes that follow the first. The outcome takes ownership of the
 * histograms. */
bool histograms_end(const struct plan *plan, const struct dataset *d,
                    struct histograms *ranked, struct outcome *outcome,
                    struct engine_report *report, struct error *e);
