/* SPDX-License-Identifier: MIT */
/* Writes the states of a dataset to the file of --save-state. */
#pragma once

#include "run/answers.h"

/* Call it after the dataset was reduced. */
bool saving_write(const struct plan *plan, const struct dataset *d,
                  const struct outcome *outcome, struct error *e);
