/* SPDX-License-Identifier: MIT */
/* The ladder's rungs, a C header: what the program knows of the kernels. */
#pragma once

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>

struct gpu_result;

/* How a rung sees the n numbers, and what it sums: each shape has its own
 * number of answers. */
enum shape {
    SHAPE_FLAT,       /* all of them: one answer */
    SHAPE_LONG_ROWS,  /* LONG_ROWS rows: an answer a row */
    SHAPE_SHORT_ROWS, /* rows of SHORT_COLUMNS: an answer a row */
    SHAPE_COLUMNS,    /* LONG_ROWS rows: an answer a column */
    SHAPES_END
};

enum { LONG_ROWS = 2048, SHORT_COLUMNS = 256 };

/* What a rung works on. All pointers but the struct's own are to device
 * memory. */
struct work {
    float *in; /* n numbers, row after row; n % 2^18 == 0 */
    size_t n;
    size_t rows, columns; /* by the rung's shape */
    float *out;           /* the answers */
    float *partial[2];    /* room for n / 512 sums each */
    int multiprocessors;
    int waves;                 /* blocks a multiprocessor, for reading alone */
    struct gpu_result *result; /* of the production kernel, instead of out */
    void *scratch;             /* gpu_scratch_bytes(1), for it */
};

struct rung {
    const char *name;  /* with _ for blanks, the name of its kernel */
    const char *fixes; /* the trouble of the rungs before it */
    enum shape shape;
    bool spoils; /* its input */
    bool exact;  /* leaves limbs in result, not an f32 in out */
    /* Starts the kernels. *chain: the most additions that any number goes
     * through on its way into the answer, for the bound on the error. */
    cudaError_t (*launch)(const struct work *w, size_t *chain);
};

#ifdef __cplusplus
extern "C" {
#endif

/* From the bottom up; the name of the last is NULL. */
extern const struct rung rungs[];

/* The ceiling: reads everything, keeps next to nothing. */
cudaError_t launch_only_read(const struct work *w, size_t *chain);

#ifdef __cplusplus
}
#endif
