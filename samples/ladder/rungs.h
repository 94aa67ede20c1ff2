/* SPDX-License-Identifier: MIT */
/* The ladder's rungs as a C header: all that the host code knows of them. */
#pragma once

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>

struct gpu_result;

/* How a rung divides the n numbers, and what it sums. Each shape has its own
 * number of answers. */
enum shape {
    SHAPE_FLAT,       /* the whole input: one answer */
    SHAPE_LONG_ROWS,  /* LONG_ROWS rows: one answer for each row */
    SHAPE_SHORT_ROWS, /* rows of SHORT_COLUMNS numbers: an answer for each */
    SHAPE_COLUMNS,    /* LONG_ROWS rows: one answer for each column */
    SHAPES_END
};

enum { LONG_ROWS = 2048, SHORT_COLUMNS = 256 };

/* The buffers of a run. All pointers point to device memory and belong to the
 * fixture. */
struct work {
    float *in; /* n numbers, row after row; n % 2^18 == 0 */
    size_t n;
    size_t rows, columns; /* of the rung's shape */
    float *out;           /* the answers */
    float *partial[2];    /* two buffers of n / 512 sums */
    int multiprocessors;
    int waves; /* blocks a multiprocessor; only for reading alone */
    struct gpu_result *result; /* of the production kernel, instead of `out` */
    void *scratch; /* gpu_scratch_bytes(1) for the production kernel */
};

struct rung {
    const char *name;  /* the kernel's name with blanks instead of _ */
    const char *fixes; /* what was bad in the rungs before */
    enum shape shape;
    bool overwrites_input; /* the kernel writes over `in` */
    bool exact;            /* leaves limbs in `result`, not f32 in `out` */
    /* Starts the kernels. Sets *chain to the most additions on the way from any
     * number to the answer, which bounds the error. */
    cudaError_t (*launch)(const struct work *w, size_t *chain);
};

#ifdef __cplusplus
extern "C" {
#endif

/* In reading order. The name of the last row is NULL. */
extern const struct rung rungs[];

/* The ceiling: a kernel that only reads. */
cudaError_t launch_only_read(const struct work *w, size_t *chain);

#ifdef __cplusplus
}
#endif
