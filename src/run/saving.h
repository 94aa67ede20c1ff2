/* SPDX-License-Identifier: MIT */
/* Writes the states of a dataset, to memory or to the file of --save-state. */
#pragma once

#include "run/answers.h"
#include "saved/bytes.h"

/* Appends them to *to. Call it after the dataset was reduced. */
bool saving_bytes(const struct plan *plan, const struct dataset *d,
                  const struct outcome *outcome, struct saved_bytes *to,
                  struct error *e);

/* Writes them to plan->save. */
bool saving_write(const struct plan *plan, const struct dataset *d,
                  const struct outcome *outcome, struct error *e);
