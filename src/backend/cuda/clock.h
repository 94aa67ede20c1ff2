/* SPDX-License-Identifier: MIT */
/* For -v: measures how long a slot's chunk takes on the device, stage by stage.
 * Contexts share the copy engine and the processors: the time of a stage
 * includes waiting for other contexts. */
#pragma once

#include <cuda_runtime_api.h>
#include <stdint.h>

#include "base/meter.h"

enum { CUDA_MARKS = 5 };

struct cuda_clock {
    /* borrowed; NULL: the clock does nothing */
    struct meter *meter;
    unsigned marks;
    cudaEvent_t event[CUDA_MARKS];
    enum stage stage[CUDA_MARKS]; /* stage[i] ends with event[i] */
};

/* meter may be NULL. If the driver gives no events, the clock does nothing. */
void cuda_clock_open(struct cuda_clock *c, struct meter *meter);
void cuda_clock_close(struct cuda_clock *c);

/* `begin` marks the start of a chunk; `mark` marks the end of a stage. Call
 * `mark` after putting the stage's work on the stream. */
void cuda_clock_begin(struct cuda_clock *c, cudaStream_t stream);
void cuda_clock_mark(struct cuda_clock *c, enum stage stage,
                     cudaStream_t stream);

/* Adds the times of the chunk's stages to the meter. Call it when the work is
 * done. `bytes` is the size of the chunk. */
void cuda_clock_put(struct cuda_clock *c, uint64_t bytes);
