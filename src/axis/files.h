/* SPDX-License-Identifier: MIT */
/* Reduces arrays in mapped files, any part of which any thread can read at any
 * time. */
#pragma once

#include "axis/tile.h"

/* Whether all inputs are such files. */
bool files_suit(const struct axis_job *job, const struct input *inputs,
                size_t count);

/* As axis_run. If a file cannot be mapped, sets *unmapped and returns false,
 * without having set a value. */
bool files_run(const struct axis_job *job, struct input *inputs, size_t count,
               struct axis_sink *sink, struct axis_report *report,
               bool *unmapped, struct error *e);
