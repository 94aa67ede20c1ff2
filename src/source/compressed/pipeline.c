/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "source/compressed/pipeline.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "source/compressed/pipeline_parts.h"

/* ---- threads ---- */

static bool start_worker(struct pipeline *p, struct inflate_worker *w)
{
    if (!w->inflater)
        w->inflater = inflater_new(&p->source, inflater_codec(p->form.kind));
    w->pipeline = p;
    if (!w->inflater ||
        pthread_create(&w->thread, NULL, pipeline_inflate, w) != 0)
        return false;
    p->started++;
    return true;
}

void pipeline_staff(struct pipeline *p)
{
    unsigned more = p->waiting > p->idle ? p->waiting - p->idle : 0;
    for (; more > 0 && p->started < p->threads; more--) {
        /* Without memory or threads for more inflaters, the pipeline uses those
         * that it has, at least one. */
        if (!start_worker(p, &p->worker[p->started]))
            p->threads = p->started;
    }
}

void pipeline_wake(struct pipeline *p)
{
    if (p->waiting > 0 && p->idle > 0)
        pthread_cond_signal(&p->work);
}

static void stop(struct pipeline *p)
{
    pthread_mutex_lock(&p->lock);
    p->stop = true;
    pthread_cond_broadcast(&p->work);
    pthread_cond_broadcast(&p->moved);
    pthread_cond_broadcast(&p->returned);
    pthread_cond_signal(&p->room);
    pthread_mutex_unlock(&p->lock);
    /* Wakes the reader from a poll of wake[0]: a pipe at its end is
     * readable. */
    close(p->wake[1]);
}

enum { CONDS = 5 };

static pthread_cond_t *cond_of(struct pipeline *p, int i)
{
    pthread_cond_t *const all[CONDS] = {&p->work, &p->moved, &p->returned,
                                        &p->room, &p->output};
    return all[i];
}

static void destroy_locks(struct pipeline *p, int conds)
{
    while (conds-- > 0)
        pthread_cond_destroy(cond_of(p, conds));
    pthread_mutex_destroy(&p->lock);
}

static void free_memory(struct pipeline *p)
{
    jobs_free(p);
    if (p->stream)
        inflater_codec(p->form.kind)->end(p->stream);
    munmap(p->memory, p->memory_bytes);
    for (unsigned i = 0; i < INFLATERS_MAX; i++)
        inflater_free(p->worker[i].inflater);
    destroy_locks(p, CONDS);
    free(p);
}

void pipeline_free(struct pipeline *p)
{
    stop(p);
    pthread_join(p->reader, NULL);
    /* This comes after joining the reader, because the reader starts these
     * threads. */
    for (unsigned i = 0; i < p->started; i++)
        pthread_join(p->worker[i].thread, NULL);
    close(p->wake[0]);
    free_memory(p);
}

static bool make_locks(struct pipeline *p)
{
    if (pthread_mutex_init(&p->lock, NULL) != 0)
        return false;
    for (int i = 0; i < CONDS; i++) {
        if (pthread_cond_init(cond_of(p, i), NULL) != 0) {
            destroy_locks(p, i);
            return false;
        }
    }
    return true;
}

static void set_shares(struct pipeline *p, unsigned threads)
{
    p->threads = threads < INFLATERS_MAX ? threads : INFLATERS_MAX;
    p->blocks = BLOCKS_BOMB;
    p->wide = WINDOW_BOMB;
    p->blocks_max = BLOCKS_EACH * p->threads;
    if (p->blocks_max < BLOCKS_MIN)
        p->blocks_max = BLOCKS_MIN;
    if (p->blocks_max > BLOCKS_MAX)
        p->blocks_max = BLOCKS_MAX;
    p->live_max = LIVE_EACH * p->threads + LIVE_MORE;
    p->job_bytes = JOB_BYTES_MIN;
}

/* Maps the memory of blocks and ring. Blocks after the first 2 MiB get huge
 * pages where the system has them: on 16 cores the whole run was 5 % faster,
 * and a small file takes no more memory. */
static bool map_memory(struct pipeline *p)
{
    enum { HUGE = 2 << 20, PAGE = 4096 };
    size_t blocks = p->blocks_max * sizeof(struct block);
    p->ring_bytes = p->blocks_max / 2 * (size_t)BUFFER_BYTES;
    p->memory_bytes = blocks + p->ring_bytes + PAGE;
    p->memory = mmap(NULL, p->memory_bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p->memory == MAP_FAILED)
        return false;
    madvise(p->memory + HUGE, blocks - HUGE, MADV_HUGEPAGE);
    p->ring = p->memory + blocks;
    return true;
}

/* Adds the first job, which continues what the inflater has begun, and starts
 * its thread. The reader starts last: once it runs, it may have taken bytes
 * from a pipe. */
static bool start_threads(struct pipeline *p, struct inflater *inflater)
{
    jobs_add(p, inflater->offset);
    if (!p->first)
        return false;
    p->worker[0].job = jobs_take(p);
    p->worker[0].inflater = inflater;
    pthread_mutex_lock(&p->lock);
    bool ok = start_worker(p, &p->worker[0]);
    if (ok && pthread_create(&p->reader, NULL, ring_read, p) != 0) {
        p->stop = true; /* set while the worker still waits for the lock */
        ok = false;
    }
    p->holder = ok ? inflater : NULL;
    pthread_mutex_unlock(&p->lock);
    if (!ok && p->started)
        pthread_join(p->worker[0].thread, NULL);
    return ok;
}

struct pipeline *pipeline_new(const struct source *source,
                              struct inflater *inflater,
                              const unsigned char *rest, size_t rest_bytes,
                              unsigned threads, struct meter *meter)
{
    struct pipeline *p = calloc(1, sizeof *p);
    if (p)
        set_shares(p, threads);
    if (!p || !map_memory(p) || !make_locks(p)) {
        if (p && p->ring)
            munmap(p->memory, p->memory_bytes);
        free(p);
        return NULL;
    }
    p->source = *source;
    p->form = inflater->form;
    p->meter = meter;
    p->last = &p->first;
    p->origin = p->packed = inflater->offset;
    p->filled = p->found = p->origin + rest_bytes;
    p->cut = p->origin + p->job_bytes;
    if (pipe2(p->wake, O_CLOEXEC) == 0) {
        memcpy(p->ring, rest, rest_bytes);
        if (start_threads(p, inflater))
            return p;
        close(p->wake[0]);
        close(p->wake[1]);
    }
    p->worker[0].inflater = NULL; /* the caller keeps it */
    free_memory(p);
    return NULL;
}

/* ---- giving out ---- */

/* Takes back the first job's first block, once the caller has all of it. */
static void take_back(struct pipeline *p, struct inflate_job *job)
{
    struct block *block = job->first;
    job->first = block->next;
    if (!job->first)
        job->last = &job->first;
    if (p->meter && block->offset > p->packed)
        atomic_fetch_add_explicit(&p->meter->packed, block->offset - p->packed,
                                  memory_order_relaxed);
    p->packed = block->offset > p->packed ? block->offset : p->packed;
    jobs_block_back(p, job, block);
}

/* Call when the caller has all output of a job that ended. Moves to the next
 * job, or reports the end of the data or the error. */
static bool end_first(struct pipeline *p, bool *ended, struct error *e)
{
    struct inflate_job *job = p->first;
    *ended = job->state == JOB_ENDED;
    if (job->state == JOB_FAILED) {
        *e = job->error;
        return false;
    }
    if (job->state == JOB_MET)
        jobs_pop(p);
    return true;
}

static size_t copy_out(struct pipeline *p, struct block *block,
                       unsigned char *to, size_t want)
{
    size_t left = block->bytes - block->taken;
    size_t n = left < want ? left : want;
    pthread_mutex_unlock(&p->lock);
    memcpy(to, block->data + block->taken, n);
    pthread_mutex_lock(&p->lock);
    block->taken += n;
    return n;
}

bool pipeline_read(struct pipeline *p, unsigned char *to, size_t want,
                   size_t *got, struct error *e)
{
    bool ok = true, ended = false;
    *got = 0;
    pthread_mutex_lock(&p->lock);
    while (ok && !ended && *got < want) {
        struct inflate_job *job = p->first;
        if (job->first) {
            *got += copy_out(p, job->first, to + *got, want - *got);
            if (job->first->taken == job->first->bytes)
                take_back(p, job);
        } else if (job->state == JOB_RUNNING || job->state == JOB_WAITING) {
            pthread_cond_wait(&p->output, &p->lock);
        } else {
            ok = end_first(p, &ended, e);
        }
    }
    pthread_mutex_unlock(&p->lock);
    return ok;
}
