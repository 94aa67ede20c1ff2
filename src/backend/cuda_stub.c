/* SPDX-License-Identifier: MIT */
/* The cuda backend of a build without a CUDA compiler: its probe fails. */
#include "backend/registry.h"

static bool stub_probe(int gpu, struct error *e)
{
    (void)gpu;
    return error_set(e, ERROR_DEVICE,
                     "this gpureduce was built without CUDA\n"
                     "Use --device cpu, or build it where nvcc is.");
}

const struct backend backend_cuda = {
    .name = "cuda",
    .alias = "gpu",
    .title = "a GPU",
    .is_numbered = true,
    .probe = stub_probe,
};
