/* SPDX-License-Identifier: MIT */
/* The plan says which call faults.c makes fail, and when. */
#pragma once

#include <stdatomic.h>

struct fault_plan {
    const char *call, *mode, *log;
    unsigned long at;
    int error;
    atomic_bool *fired; /* where to note that a fault happened; NULL: nowhere */
};

/* Runs the program once for each request, in a child process. Returns in each
 * child, with the arguments of that run, their number in *argc and its plan in
 * *plan. Never returns in the server itself. */
char **fault_serve(struct fault_plan *plan, int *argc);
