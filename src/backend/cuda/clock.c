/* SPDX-License-Identifier: MIT */
#include "backend/cuda/clock.h"

void cuda_clock_open(struct cuda_clock *c, struct meter *meter)
{
    *c = (struct cuda_clock){0};
    if (!meter_wants_detail(meter))
        return;
    for (unsigned i = 0; i < CUDA_MARKS; i++) {
        if (cudaEventCreate(&c->event[i]) != cudaSuccess) {
            /* Clears the error, which the next launch would report. */
            cudaGetLastError();
            cuda_clock_close(c);
            return;
        }
    }
    c->meter = meter;
}

void cuda_clock_close(struct cuda_clock *c)
{
    for (unsigned i = 0; i < CUDA_MARKS; i++) {
        if (c->event[i])
            cudaEventDestroy(c->event[i]);
    }
    *c = (struct cuda_clock){0};
}

static void record(struct cuda_clock *c, enum stage stage, cudaStream_t stream)
{
    if (!c->meter || c->marks == CUDA_MARKS)
        return;
    c->stage[c->marks] = stage;
    cudaEventRecord(c->event[c->marks++], stream);
}

void cuda_clock_begin(struct cuda_clock *c, cudaStream_t stream)
{
    c->marks = 0;
    record(c, STAGES_END, stream);
}

void cuda_clock_mark(struct cuda_clock *c, enum stage stage,
                     cudaStream_t stream)
{
    if (c->marks > 0)
        record(c, stage, stream);
}

void cuda_clock_put(struct cuda_clock *c, uint64_t bytes)
{
    for (unsigned i = 1; i < c->marks; i++) {
        float ms = 0;
        if (cudaEventElapsedTime(&ms, c->event[i - 1], c->event[i]) ==
            cudaSuccess)
            meter_put(c->meter, c->stage[i], (uint64_t)(1e6 * (double)ms),
                      bytes);
    }
    c->marks = 0;
}
