/* SPDX-License-Identifier: MIT */
/* Arrays that can only be read once, in order: pipes, compressed files, and
 * files that cannot be mapped. */
#pragma once

#include "axis/tile.h"

/* As axis_run. The first axis may be SIZE_OPEN; then it ends with the data. */
bool stream_run(const struct axis_job *job, struct input *inputs, size_t count,
                struct axis_sink *sink, struct axis_report *report,
                struct error *e);
