/* SPDX-License-Identifier: MIT */
/* Shared by the benchmarks: a clock, medians, threads. */
#pragma once

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts the n figures in place and returns the median. */
static inline double median(double *figures, int n)
{
    qsort(figures, (size_t)n, sizeof *figures, by_size);
    return figures[n / 2];
}

/* Runs work(argument, i) in threads i = 0 .. n - 1 and waits for them. */
struct team_member {
    pthread_t thread;
    void (*work)(void *argument, int i);
    void *argument;
    int i;
};

static inline void *team_start(void *p)
{
    struct team_member *m = p;
    m->work(m->argument, m->i);
    return NULL;
}

static inline void team(int n, void (*work)(void *argument, int i),
                        void *argument)
{
    struct team_member member[256];
    n = n < 256 ? n : 256;
    for (int i = 0; i < n; i++) {
        member[i] =
            (struct team_member){.work = work, .argument = argument, .i = i};
        if (pthread_create(&member[i].thread, NULL, team_start, &member[i])) {
            perror("pthread_create");
            exit(1);
        }
    }
    for (int i = 0; i < n; i++)
        pthread_join(member[i].thread, NULL);
}
