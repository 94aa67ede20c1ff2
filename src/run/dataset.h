/* SPDX-License-Identifier: MIT */
/* Reduces datasets, one or many together, and reads the values that the
 * operations have of them. */
#pragma once

#include "output/sink.h"
#include "run/answers.h"

struct npy_stream;

/* Runs the dataset as planned and adds its values. On success outcome->reduced
 * is the caller's to close. */
bool dataset_run(const struct plan *plan, struct dataset *d, struct sink *sink,
                 struct outcome *outcome, struct values *values,
                 struct npy_stream *stream, struct error *e);

/* Datasets that are reduced together, by one set of threads: a model has many
 * tensors, and threads that wait for each other after each of them would do
 * nothing else where they are small. */
enum { DATASET_BATCH = 512 };

/* How many of the plan's datasets from `first` on are reduced together: arrays
 * of one FILE; 1 where their states may be large. */
size_t dataset_batch(const struct plan *plan, size_t first);

/* Runs d[n], which are opened, and sets outcome[n]. The caller passes each to
 * dataset_settle, or closes its `reduced`. On failure nothing is held. */
bool dataset_run_batch(const struct plan *plan, const struct dataset *d,
                       size_t n, struct outcome *outcome, struct error *e);

/* Adds the values of one of them. As dataset_run after its run. */
bool dataset_settle(const struct plan *plan, struct dataset *d,
                    struct outcome *outcome, struct values *values,
                    struct error *e);
