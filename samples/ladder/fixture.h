/* SPDX-License-Identifier: MIT */
/* Runs rungs on the GPU, times them and checks their answers. A failed CUDA
 * call ends the program. */
#pragma once

#include "data.h"

struct fixture {
    struct work work;
    float *pristine; /* copy of the input, for rungs that overwrite it */
    struct data data;
    size_t answers_max; /* the number of answers of the shape that has most */
    double *answer;     /* [answers_max] */
    cudaEvent_t start, stop;
};

struct verdict {
    bool right;
    double error; /* the largest one, as a share of the sum of magnitudes */
};

/* The answers of many runs on the same data. */
struct spread {
    size_t different; /* distinct answers */
    double least, greatest;
};

void must(cudaError_t code);

/* Allocates memory for n numbers, on the host and on the GPU. */
void fixture_open(struct fixture *fixture, size_t n);
void fixture_close(struct fixture *fixture);

/* Makes numbers of this kind, on the host and on the GPU. */
void fixture_load(struct fixture *fixture, enum data_kind kind);

/* Runs a rung and checks its answers. An exact rung must give the true sums,
 * rounded once. Any other rung must stay within the rounding error of a tree of
 * its depth, and must be exact for DATA_WHOLE. */
struct verdict fixture_judge(struct fixture *fixture, const struct rung *rung);

/* Returns the median seconds of `runs` runs, after two runs that are not
 * counted. */
double fixture_time(struct fixture *fixture, const struct rung *rung, int runs);

/* Returns the median seconds of reading alone, with the fastest of several
 * grids. */
double fixture_ceiling(struct fixture *fixture, int runs);

/* Counts the different answers of a rung that has one answer. */
struct spread fixture_spread(struct fixture *fixture, const struct rung *rung,
                             int runs);

/* Returns the exact sum of all numbers, rounded once. */
double fixture_exact_sum(const struct fixture *fixture);
