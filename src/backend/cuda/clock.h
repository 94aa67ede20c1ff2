/* SPDX-License-Identifier: MIT */
/* For -v: how long a slot's chunk takes on the device, stage by stage. Chunks
 * of other contexts share its copy engine and its processors: waiting for them
 * counts.
 */
#pragma once

#include <cuda_runtime_api.h>
#include <stdint.h>

#include "base/meter.h"

enum { CUDA_MARKS = 5 };

struct cuda_clock {
    struct meter *meter; /* NULL: nobody asks, and all this does nothing */
    unsigned marks;
    cudaEvent_t event[CUDA_MARKS];
    enum stage stage[CUDA_MARKS]; /* that ends with the mark */
};

/* Without events, should there be none, it does nothing. */
void cuda_clock_open(struct cuda_clock *c, struct meter *meter);
void cuda_clock_close(struct cuda_clock *c);

/* A chunk begins; a stage of it is on the stream now. */
void cuda_clock_begin(struct cuda_clock *c, cudaStream_t stream);
void cuda_clock_mark(struct cuda_clock *c, enum stage stage,
                     cudaStream_t stream);

/* When the chunk is done: gives the times to the meter. */
void cuda_clock_put(struct cuda_clock *c, uint64_t bytes);
