/* SPDX-License-Identifier: MIT */
/*
 * The distinct values of a run on a device, and the registers that estimate how
 * many there are. All contexts of the run there add to the same; the last that
 * has added gives them to the states. Registers of several devices and of the
 * CPU are merged, sets are not. Any thread may call these functions, each for
 * its own context.
 */
#pragma once

#include <cuda_runtime_api.h>
#include <stdbool.h>

#include "engine/job.h"
#include "engine/owner.h"

struct cuda_sets;

/* The monoids of a job of elements that are kept on the device, where its
 * context has a part in cuda_sets; 0: none. */
unsigned cuda_sets_monoids(const struct job *job);

/* Joins the run's sets, which the first context makes on its device, the
 * thread's current one. NULL: there is no memory. */
struct cuda_sets *cuda_sets_join(const struct job *job, cudaStream_t stream,
                                 struct error *e);

/* Starts to add n elements of the type that is computed with, at a multiple of
 * 16 bytes in device memory. Waits for the device where a set grows. */
bool cuda_sets_add(struct cuda_sets *s, const void *data, size_t n,
                   cudaStream_t stream, struct error *e);

/* Called once, after the context's last cuda_sets_add. The last context adds
 * all that there is to the owner's states. */
bool cuda_sets_collect(struct cuda_sets *s, struct owner *owner,
                       struct error *e);

/* Ends a context's part, whether it has collected or not. NULL will do. */
void cuda_sets_leave(struct cuda_sets *s, bool has_collected);
