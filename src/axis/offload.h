/* SPDX-License-Identifier: MIT */
/* Reduces arrays in files on a device. */
#pragma once

#include "axis/device.h"
#include "axis/files.h"
#include "axis/files_parts.h"
#include "axis/tile.h"

/* Returns why the job is left to the CPU, or NULL if the device does it.
 * `inputs` as for axis_run. */
const char *offload_left(const struct axis_job *job,
                         const struct axis_device *device,
                         const struct input *inputs, size_t count);

/* Describes the job to the device's contexts. */
struct axis_setup offload_setup(const struct axis_job *job);

/* How its tasks are cut. */
struct cut offload_cut(const struct axis_job *job);

/* A worker of a run, in a thread of its own. */
void offload_work(struct run *run);

/* About how many bytes all answers for an output take. */
size_t offload_answer_bytes(const struct axis_job *job);

/* The measures that the operations of a job need, as bits of enum measure; 0 if
 * answers are not enough for one of them. */
unsigned offload_measures(const struct axis_job *job);

/* Sets the values of n outputs from `first` on. Sets in again[n] those that the
 * answers leave open. */
void offload_values(const struct tile *t, const struct axis_answers *answers,
                    uint64_t first, size_t n, bool *again);
