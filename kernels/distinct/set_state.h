/* SPDX-License-Identifier: MIT */
/* What set.c and contents.c share. */
#pragma once

#include "kernels/distinct/distinct.h"

/* Bits of a set of 32-bit keys. */
#define SET_BITS_32 ((size_t)1 << 32)

static inline unsigned set_size(const struct gpu_set *s)
{
    return dtype_size(s->dtype);
}

static inline size_t set_slots(const struct gpu_set *s)
{
    return (size_t)s->parts * SET_SLOTS;
}

/* Waits for the device. */
static inline cudaError_t set_fetch_tally(const struct gpu_set *s,
                                          struct gpu_set_tally *tally)
{
    const cudaError_t code = cudaDeviceSynchronize();
    return code != cudaSuccess ? code
                               : cudaMemcpy(tally, s->tally, sizeof *tally,
                                            cudaMemcpyDeviceToHost);
}
