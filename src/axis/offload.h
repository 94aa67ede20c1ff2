/* SPDX-License-Identifier: MIT */
/* Arrays in files, reduced on a device. */
#pragma once

#include "axis/device.h"
#include "axis/files.h"
#include "axis/files_parts.h"
#include "axis/tile.h"

/* Why a job is left to the CPU; NULL: the device does it. `inputs` as those of
 * axis_run. */
const char *offload_left(const struct axis_job *job,
                         const struct axis_device *device,
                         const struct input *inputs, size_t count);

/* What its contexts are for. */
struct axis_setup offload_setup(const struct axis_job *job);

/* How its tasks are cut. */
struct cut offload_cut(const struct axis_job *job);

/* A worker of a run, in a thread of its own. */
void offload_work(struct run *run);

/* Bytes of all answers for an output, about. */
size_t offload_answer_bytes(const struct axis_job *job);

/* What the operations of a job need. */
unsigned offload_measures(const struct axis_job *job);

/* Sets the values of n outputs from `first` on. Notes in again[n] which of them
 * the answers leave open. */
void offload_values(const struct tile *t, const struct axis_answers *answers,
                    uint64_t first, size_t n, bool *again);
