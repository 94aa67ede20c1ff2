/* SPDX-License-Identifier: MIT */
/* A dataset that is an array, reduced along axes. */
#pragma once

#include "output/sink.h"
#include "run/answers.h"

struct npy_stream;

/* Reduces the dataset and appends its values, [d->rows][plan->ops], or gives
 * them to the stream, which may be NULL; the rows are outputs, in C order.
 * Completes the geometry of d. */
bool axes_run(const struct plan *plan, struct dataset *d, struct sink *sink,
              struct outcome *outcome, struct values *values,
              struct npy_stream *stream, struct error *e);
