/* SPDX-License-Identifier: MIT */
/* What bench_kernels compares with: CUB's reductions of the same toolkit. */
#pragma once

#include "kernels/common/launch.h"

/* Where the peers work: all in device memory. */
struct peer_chunk {
    const void *data; /* n elements */
    size_t n;
    void *temporary; /* PEER_BYTES */
    void *out, *out_index;
};

enum { PEER_BYTES = 64 << 20 };

typedef cudaError_t peer_fn(const struct peer_chunk *chunk,
                            cudaStream_t stream);

struct peer {
    const char *name; /* NULL: there is none */
    peer_fn *run;
};

enum { PEERS_MAX = 3 };

/* Those that a monoid compares with, up to the first that is none: each does
 * at most what the monoid's kernel does. */
const struct peer *peers_of(enum monoid monoid, enum dtype dtype);
