/* SPDX-License-Identifier: MIT */
/* Reduces a dataset that is an array along axes. */
#pragma once

#include "output/sink.h"
#include "run/answers.h"

struct npy_stream;

/* Reduces the dataset. Its rows are the outputs in C order. Appends their
 * values, [d->rows][plan->ops], or passes them to the stream if that is not
 * NULL. Completes the geometry of d. */
bool axes_run(const struct plan *plan, struct dataset *d, struct sink *sink,
              struct outcome *outcome, struct values *values,
              struct npy_stream *stream, struct error *e);
