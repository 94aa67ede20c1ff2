/* SPDX-License-Identifier: MIT */
/* Reduces datasets, one or many together, and reads the values of the
 * operations from their states. */
#pragma once

#include "output/sink.h"
#include "run/answers.h"

struct npy_stream;

/* Runs the dataset as planned and appends its values. On success the caller
 * closes outcome->reduced. */
bool dataset_run(const struct plan *plan, struct dataset *d, struct sink *sink,
                 struct outcome *outcome, struct values *values,
                 struct npy_stream *stream, struct error *e);

/* The most datasets that one set of threads reduces together. A model has many
 * small tensors; if the threads waited for each other after each of them, they
 * would do little else. */
enum { DATASET_BATCH = 512 };

/* The number of the plan's datasets from `first` on that are reduced together:
 * arrays of one FILE or a few; 1 if their states may be large. */
size_t dataset_batch(const struct plan *plan, size_t first);

/* Runs the opened datasets d[n] and sets outcome[n]. The caller passes each
 * outcome to dataset_settle, or closes its `reduced`. On failure nothing is
 * held. */
bool dataset_run_batch(const struct plan *plan, const struct dataset *d,
                       size_t n, struct outcome *outcome, struct error *e);

/* Appends the values of one of them, as dataset_run does. */
bool dataset_settle(const struct plan *plan, struct dataset *d,
                    struct outcome *outcome, struct values *values,
                    struct error *e);
