/* SPDX-License-Identifier: MIT */
/* The answers for a chunk, in one block of memory of the host or device. */
#pragma once

#include <cuda_runtime_api.h>

#include "axis/device.h"
#include "kernels/axis/axis.h"

struct place {
    struct axis_answers at;
    uint64_t *doubtfuls; /* [MEASURE_SUMS] */
    uint64_t room;       /* of each list */
    size_t copied;       /* bytes without the lists */
    size_t bytes;
};

/* Cuts the memory at `base` for the answers of n outputs. Nothing there is
 * touched, so that base may be NULL. */
struct place place_answers(const struct axis_setup *s, char *base, uint64_t n);

/* The arrays of a measure, for its kernel. */
struct axis_results place_results(const struct place *p, int measure);

/* Fetches the lists of what is doubtful, which are mostly empty. The rest of
 * `got` is the copy of what the device has. */
bool place_lists(struct place *got, const struct place *device,
                 cudaStream_t stream, struct error *e);
