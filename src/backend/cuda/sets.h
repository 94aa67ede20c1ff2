/* SPDX-License-Identifier: MIT */
/*
 * The distinct values of a run on a device, and the registers that estimate how
 * many there are. All contexts of the run on that device add to the same sets.
 * The last context to collect adds them to the states. Registers of several
 * devices and of the CPU can be merged; sets cannot. Any thread may call these
 * functions, each for its own context.
 */
#pragma once

#include <cuda_runtime_api.h>
#include <stdbool.h>

#include "engine/job.h"
#include "engine/owner.h"

struct cuda_sets;

/* The monoids of a job of elements that the device keeps in cuda_sets; 0:
 * none. */
unsigned cuda_sets_monoids(const struct job *job);

/* Joins the run's sets on the job's device, which must be the thread's current
 * one. The first context makes the sets. NULL without memory. */
struct cuda_sets *cuda_sets_join(const struct job *job, cudaStream_t stream,
                                 struct error *e);

/* Starts to add n elements, which are in device memory at a multiple of 16
 * bytes and already widened. Waits for the device if a set must grow. */
bool cuda_sets_add(struct cuda_sets *s, const void *data, size_t n,
                   cudaStream_t stream, struct error *e);

/* Each context calls it once, after its last cuda_sets_add. The last context to
 * call it adds all sets to the owner's states. */
bool cuda_sets_collect(struct cuda_sets *s, struct owner *owner,
                       struct error *e);

/* A context that has joined leaves the sets, whether it has collected or not.
 * The last to leave frees them. s may be NULL. */
void cuda_sets_leave(struct cuda_sets *s, bool has_collected);
