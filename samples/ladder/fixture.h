/* SPDX-License-Identifier: MIT */
/* Runs rungs on the GPU, times them, and judges their answers. A CUDA call that
 * fails ends the program. */
#pragma once

#include "data.h"

struct fixture {
    struct work work;
    float *pristine; /* the numbers again, for rungs that spoil theirs */
    struct data data;
    size_t most;    /* answers of any shape */
    double *answer; /* room for them */
    cudaEvent_t start, stop;
};

struct verdict {
    bool right;
    double error; /* the largest; a share of the sum of magnitudes */
};

/* Of many runs on the same data. */
struct spread {
    size_t different; /* answers */
    double least, greatest;
};

void must(cudaError_t code);

/* Room for n numbers. */
void fixture_open(struct fixture *fixture, size_t n);
void fixture_close(struct fixture *fixture);

/* Makes the numbers of a kind, here and on the GPU. */
void fixture_load(struct fixture *fixture, enum data_kind kind);

/* Whether a run's answers are what they may be: of an exact rung the true sums,
 * rounded once, else within the bound on the rounding of a tree that deep; all
 * true to the bit for DATA_WHOLE. */
struct verdict fixture_judge(struct fixture *fixture, const struct rung *rung);

/* Median seconds of so many runs, after two that do not count. */
double fixture_time(struct fixture *fixture, const struct rung *rung, int runs);

/* The same of reading alone, at the best of some grids. */
double fixture_ceiling(struct fixture *fixture, int runs);

/* Of a flat rung. */
struct spread fixture_spread(struct fixture *fixture, const struct rung *rung,
                             int runs);

/* The true sum of all, rounded once. */
double fixture_truth(const struct fixture *fixture);
