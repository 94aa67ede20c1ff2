/* SPDX-License-Identifier: MIT */
/* What bench_kernels is compared with: CUB's reductions of the same toolkit. */
#pragma once

#include "kernels/common/launch.h"

/* The buffers of a peer, all in device memory; the caller owns them. */
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
    const char *name; /* NULL in the row after the last */
    peer_fn *run;
};

enum { PEERS_MAX = 3 };

/* Returns the peers of a monoid, up to a row without a name. Each does at most
 * the work of the monoid's kernel. */
const struct peer *peers_of(enum monoid monoid, enum dtype dtype);
