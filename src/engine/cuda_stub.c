/* SPDX-License-Identifier: MIT */
/* Stands in for cuda.c where the build had no CUDA compiler. */
#include "engine/backend.h"

static bool stub_probe(int gpu, struct error *e)
{
    (void)gpu;
    return error_set(e, ERROR_DEVICE,
                     "this gpureduce was built without CUDA\n"
                     "Use --device cpu, or build it where nvcc is.");
}

static struct lane *stub_open(const struct job *job, struct error *e)
{
    stub_probe(job->gpu, e);
    return NULL;
}

static const struct lane_kind *stub_lanes(const struct job *job)
{
    static const struct lane_kind kind = {.slots = 1, .open = stub_open};
    (void)job;
    return &kind;
}

const struct backend backend_cuda = {
    .name = "gpu",
    .probe = stub_probe,
    .lanes = stub_lanes,
};
