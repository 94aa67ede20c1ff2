/* SPDX-License-Identifier: MIT */
/* The places of a chunk's answers in one block of memory, of the host or the
 * device. */
#pragma once

#include <cuda_runtime_api.h>

#include "axis/device.h"
#include "kernels/axis/axis.h"

struct place {
    struct axis_answers at;
    uint64_t *doubtfuls; /* [MEASURE_SUMS]: entries of each list */
    uint64_t room;       /* most entries of each list */
    size_t copied;       /* bytes without the lists */
    size_t bytes;
};

/* Divides the memory at `base` for the answers of n outputs. It does not touch
 * the memory, so base may be NULL. */
struct place place_answers(const struct axis_setup *s, char *base, uint64_t n);

/* The arrays of a measure, for its kernel. */
struct axis_results place_results(const struct place *p, int measure);

/* Fetches the lists of doubtful outputs, which are mostly empty. The rest of
 * `got` has already been copied from the device. */
bool place_lists(struct place *got, const struct place *device,
                 cudaStream_t stream, struct error *e);
