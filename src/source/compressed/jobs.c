/* SPDX-License-Identifier: MIT */
/* The list of jobs. The caller holds the pipeline's lock. */
#include <stdlib.h>

#include "source/compressed/pipeline_parts.h"

/* Bytes of output for each byte of input, assumed until there is output. */
static const double RATIO = 3;

static bool is_finished(const struct inflate_job *job)
{
    return job->state != JOB_WAITING && job->state != JOB_RUNNING;
}

void jobs_add(struct pipeline *p, uint64_t start)
{
    struct inflate_job *job = p->spare_job ? p->spare_job : malloc(sizeof *job);
    if (!job)
        return;
    if (p->spare_job)
        p->spare_job = job->next;
    job->next = NULL;
    job->start = job->at = start;
    job->state = JOB_WAITING;
    job->confirmed = p->first == NULL;
    job->dropped = false;
    job->first = NULL;
    job->last = &job->first;
    job->blocks = 0;
    *p->last = job;
    p->last = &job->next;
    p->waiting++;
}

/* Estimates how many blocks the job will have in all, from the ratio of output
 * to input so far. */
static double blocks_of(const struct pipeline *p, const struct inflate_job *job)
{
    uint64_t end = job->next ? job->next->start : p->filled;
    double ratio = p->used ? (double)p->made / (double)p->used : RATIO;
    double made = (double)(end - job->start) * ratio / BLOCK_BYTES;
    return is_finished(job) || made < job->blocks ? job->blocks : made + 1;
}

struct inflate_job *jobs_take(struct pipeline *p)
{
    struct inflate_job *job = p->first;
    double blocks = 0;
    if (p->waiting == 0 || p->live >= p->live_max)
        return NULL;
    for (; job->state != JOB_WAITING; job = job->next)
        blocks += blocks_of(p, job);
    if (job != p->first &&
        blocks + blocks_of(p, job) > p->blocks - BLOCKS_FIRST)
        return NULL;
    job->state = JOB_RUNNING;
    p->waiting--;
    p->live++;
    return job;
}

bool jobs_may_have_block(const struct pipeline *p,
                         const struct inflate_job *job)
{
    return job == p->first ? p->taken < p->blocks && job->blocks < BLOCKS_AHEAD
                           : p->taken < p->blocks - BLOCKS_FIRST;
}

struct block *jobs_block(struct pipeline *p, struct inflate_job *job)
{
    struct block *block = p->spare;
    if (block)
        p->spare = block->next;
    else
        block = (struct block *)p->memory + p->fresh++;
    block->next = NULL;
    block->bytes = block->taken = 0;
    job->blocks++;
    p->taken++;
    return block;
}

/* Spare blocks are a stack, because the block used last is in cache. */
void jobs_block_back(struct pipeline *p, struct inflate_job *job,
                     struct block *block)
{
    job->blocks--;
    block->next = p->spare;
    p->spare = block;
    /* Wakes jobs when the first block is free, which the first job may take,
     * and again when more than BLOCKS_FIRST blocks are free for other jobs. */
    if (p->taken == p->blocks || p->taken == p->blocks - 2 * BLOCKS_FIRST ||
        job->blocks == BLOCKS_AGAIN)
        pthread_cond_broadcast(&p->returned);
    p->taken--;
}

static void recycle(struct pipeline *p, struct inflate_job *job)
{
    while (job->first) {
        struct block *block = job->first;
        job->first = block->next;
        jobs_block_back(p, job, block);
    }
    p->live -= job->state != JOB_WAITING;
    job->next = p->spare_job;
    p->spare_job = job;
}

/* Removes the job that *at points to from the list. */
static struct inflate_job *unlink_job(struct pipeline *p,
                                      struct inflate_job **at)
{
    struct inflate_job *job = *at;
    *at = job->next;
    if (p->last == &job->next)
        p->last = at;
    return job;
}

/* Drops the job that *at points to. If it is running, its thread notices, and
 * calls jobs_leave. */
static void drop(struct pipeline *p, struct inflate_job **at)
{
    struct inflate_job *job = unlink_job(p, at);
    p->waiting -= job->state == JOB_WAITING;
    if (job->state == JOB_RUNNING) {
        job->dropped = true;
        job->next = p->dropped;
        p->dropped = job;
        pthread_cond_broadcast(&p->moved);
        pthread_cond_broadcast(&p->returned);
        return;
    }
    recycle(p, job);
}

void jobs_leave(struct pipeline *p, struct inflate_job *job)
{
    struct inflate_job **at = &p->dropped;
    while (*at != job)
        at = &(*at)->next;
    *at = job->next;
    recycle(p, job);
    pipeline_wake(p);
    pthread_cond_signal(&p->room);
}

void jobs_drop_passed(struct pipeline *p, struct inflate_job *job)
{
    bool any = false;
    for (; job->next && job->next->start < job->at; any = true)
        drop(p, &job->next);
    if (any) {
        pipeline_wake(p);
        pthread_cond_signal(&p->room);
    }
}

void jobs_settle(struct pipeline *p, struct inflate_job *job)
{
    while (job->confirmed && job->state == JOB_MET) {
        job = job->next;
        job->confirmed = true;
    }
    /* Jobs after the end of the data, or after an error, do not count. */
    p->enough = job->confirmed && is_finished(job);
    while (p->enough && job->next)
        drop(p, &job->next);
    pthread_cond_broadcast(&p->moved);
    pthread_cond_signal(&p->room);
    pthread_cond_signal(&p->output);
}

void jobs_pop(struct pipeline *p)
{
    recycle(p, unlink_job(p, &p->first));
    pipeline_wake(p);
    /* The new first job may take more blocks. */
    pthread_cond_broadcast(&p->returned);
}

static void free_jobs(struct inflate_job *job)
{
    while (job) {
        struct inflate_job *next = job->next;
        free(job);
        job = next;
    }
}

void jobs_free(struct pipeline *p)
{
    free_jobs(p->first);
    free_jobs(p->dropped);
    free_jobs(p->spare_job);
}
