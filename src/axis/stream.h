/* SPDX-License-Identifier: MIT */
/* Arrays that can only be read once, in order: pipes, what is compressed, and
 * what cannot be mapped. */
#pragma once

#include "axis/tile.h"

/* As axis_run. The job's first axis may be open; it ends with the data. */
bool stream_run(const struct axis_job *job, struct input *inputs, size_t count,
                struct axis_sink *sink, struct axis_report *report,
                struct error *e);
