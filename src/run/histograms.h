/* SPDX-License-Identifier: MIT */
/* The histogram of each column of a dataset: the pass in which its values are
 * counted follows one that finds their range, unless that was asked for. */
#pragma once

#include "reduce/histogram.h"
#include "run/answers.h"
#include "run/passes.h"

/* Of the groups of a run. */
struct histograms {
    struct histogram *of; /* [groups] */
    size_t groups;
    struct passes passes; /* what the first pass asks */
};

/* Before the first pass: sets what it asks. In any case to be closed. */
bool histograms_open(struct histograms *h, const struct plan *plan,
                     const struct dataset *d, struct error *e);
void histograms_close(struct histograms *h);

/* After it: counts the values, in another pass where that is needed. */
bool histograms_finish(struct histograms *h, const struct plan *plan,
                       const struct dataset *d, struct reduced *reduced,
                       struct engine_report *report, struct error *e);

/* The histogram of a row of results: by key those of a column share their
 * bins, and the counts are set in *room, whose `count` is NULL or from the call
 * before, and the caller's to free. NULL: no memory. */
const struct histogram *histogram_of_row(const struct histogram *of,
                                         const struct by_rows *by, size_t row,
                                         struct histogram *room);

/* Of n rows; NULL will do. */
void histograms_free(struct histogram *of, size_t n);

/* As histogram_open, for the range that the user gave. */
bool histograms_range(struct histogram *of, const struct plan *plan,
                      enum dtype dtype, struct error *e);

/* Of quantiles and histograms: sets what the first pass asks, and *job with it.
 * In any case *ranked is to be closed. */
bool histograms_begin(const struct plan *plan, const struct dataset *d,
                      struct job *job, struct histograms *ranked,
                      struct error *e);

/* Runs the passes that follow the first. The outcome takes the histograms. */
bool histograms_end(const struct plan *plan, const struct dataset *d,
                    struct histograms *ranked, struct outcome *outcome,
                    struct engine_report *report, struct error *e);
