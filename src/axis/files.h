/* SPDX-License-Identifier: MIT */
/* Arrays in files that are mapped: any part can be read at any time, by many
 * threads. */
#pragma once

#include "axis/tile.h"

/* Whether all inputs are such files. */
bool files_suit(const struct axis_job *job, const struct input *inputs,
                size_t count);

/* As axis_run. If a file cannot be mapped, returns false and sets *unmapped,
 * and no value was set. */
bool files_run(const struct axis_job *job, struct input *inputs, size_t count,
               struct axis_sink *sink, struct axis_report *report,
               bool *unmapped, struct error *e);
