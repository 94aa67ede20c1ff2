/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "unpack/pipeline.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "unpack/pipeline_parts.h"

/* ---- inflating: under the lock, but for the step itself ---- */

static void publish(struct pipeline *p, struct job *job, struct block **block)
{
    if ((*block)->bytes == 0) {
        jobs_block_back(p, job, *block);
    } else {
        *job->last = *block;
        job->last = &(*block)->next;
        if (job == p->first)
            pthread_cond_signal(&p->output);
    }
    *block = NULL;
}

/* Whether another member may start where the job has come to. */
static bool is_between(const struct inflater *f)
{
    return f->at == INFLATER_BETWEEN;
}

/* There is nothing more to read. */
static bool end_job(struct inflater *f, struct inflater_out *out, bool *ended,
                    struct error *e)
{
    bool more;
    if (!inflater_flush(f, out, &more, e))
        return false;
    *ended = !more;
    return more || inflater_end(f, e);
}

/* Member after member, up to where the next job starts. A start that is found
 * later lies behind the input. */
static bool inflate_members(struct inflater *f, struct inflater_in *in,
                            struct inflater_out *out, uint64_t next,
                            struct error *e)
{
    bool ok = true;
    do {
        ok = inflater_step(f, in, out, e);
    } while (ok && f->offset < next && in->at < in->end && out->at < out->end);
    return ok;
}

/* Inflates what there is, into the block. */
static void step(struct pipeline *p, struct job *job, struct inflater *f,
                 struct block *block)
{
    struct inflater_out out = {block->data + block->bytes,
                               block->data + BLOCK_BYTES};
    struct inflater_in in = {NULL, NULL};
    bool at_end = p->filled == f->offset, ended = false;
    uint64_t from = f->offset;
    uint64_t next = job->next ? job->next->start : UINT64_MAX;
    size_t before = block->bytes;
    if (!at_end)
        in = window_at(p, f->offset);
    pthread_mutex_unlock(&p->lock);
    uint64_t since = p->meter ? meter_now() : 0;
    bool ok = at_end ? end_job(f, &out, &ended, &job->error)
                     : inflate_members(f, &in, &out, next, &job->error);
    block->bytes = (size_t)(out.at - block->data);
    block->offset = f->offset;
    if (p->meter)
        meter_add(p->meter, STAGE_INFLATE, since, block->bytes - before);
    pthread_mutex_lock(&p->lock);
    job->at = f->offset;
    p->used += f->offset - from;
    p->made += block->bytes - before;
    pthread_cond_signal(&p->room);
    if (!ok || ended)
        job->state = ok ? JOB_ENDED : JOB_FAILED;
}

/* Whether the job must wait: for a block to be taken, for bytes to be read, or
 * until it is known whether its start was one. */
static bool must_wait(const struct pipeline *p, const struct job *job,
                      const struct inflater *f, const struct block *block)
{
    if (!block && job->blocks >= p->quota)
        return true;
    if (f->offset == p->filled && !p->ended)
        return true;
    return is_between(f) && job->next && job->next->start < f->offset;
}

/* One thing after the other, until the job has ended. */
static void advance(struct pipeline *p, struct job *job, struct inflater *f,
                    struct block **block)
{
    if (job->confirmed)
        jobs_drop_passed(p, job);
    if (is_between(f) && job->next && job->next->start == f->offset) {
        job->state = JOB_MET;
        return;
    }
    if (must_wait(p, job, f, *block)) {
        pthread_cond_wait(&p->moved, &p->lock);
        return;
    }
    if (f->offset == p->filled && p->failed) {
        job->error = p->failure;
        job->state = JOB_FAILED;
        return;
    }
    if (!*block && !(*block = jobs_block(p, job))) {
        error_set(&job->error, ERROR_DATA, "out of memory");
        job->state = JOB_FAILED;
        return;
    }
    step(p, job, f, *block);
    if ((*block)->bytes == BLOCK_BYTES)
        publish(p, job, block);
}

static void run_job(struct pipeline *p, struct job *job, struct inflater *f)
{
    struct block *block = NULL;
    while (!p->stop && !job->dropped && job->state == JOB_RUNNING)
        advance(p, job, f, &block);
    if (block)
        publish(p, job, &block);
    if (job->dropped)
        jobs_leave(p, job);
    else if (job->state != JOB_RUNNING)
        jobs_settle(p, job);
}

static void *inflate_jobs(void *arg)
{
    struct worker *w = arg;
    struct pipeline *p = w->pipeline;
    pthread_mutex_lock(&p->lock);
    if (w->job)
        run_job(p, w->job, w->inflater);
    while (!p->stop) {
        struct job *job = jobs_take(p);
        if (job) {
            inflater_start(w->inflater, &p->form, job->start);
            run_job(p, job, w->inflater);
            continue;
        }
        p->idle++;
        pthread_cond_wait(&p->moved, &p->lock);
        p->idle--;
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

/* ---- threads ---- */

static bool start_worker(struct pipeline *p, struct worker *w)
{
    if (!w->inflater)
        w->inflater = inflater_new(p->source.name);
    w->pipeline = p;
    if (!w->inflater || pthread_create(&w->thread, NULL, inflate_jobs, w) != 0)
        return false;
    p->started++;
    return true;
}

void pipeline_staff(struct pipeline *p)
{
    unsigned more = p->waiting > p->idle ? p->waiting - p->idle : 0;
    for (; more > 0 && p->started < p->threads; more--) {
        /* Fewer will do: there is one. */
        if (!start_worker(p, &p->worker[p->started]))
            p->threads = p->started;
    }
}

static void stop(struct pipeline *p)
{
    pthread_mutex_lock(&p->lock);
    p->stop = true;
    pthread_cond_broadcast(&p->moved);
    pthread_cond_signal(&p->room);
    pthread_mutex_unlock(&p->lock);
    /* The end of a pipe that nobody writes to is something to read. */
    close(p->wake[1]);
}

static void free_memory(struct pipeline *p)
{
    jobs_free(p);
    for (unsigned i = 0; i < BUFFERS; i++)
        free(p->buffer[i]);
    for (unsigned i = 0; i < INFLATERS_MAX; i++)
        inflater_free(p->worker[i].inflater);
    pthread_cond_destroy(&p->output);
    pthread_cond_destroy(&p->room);
    pthread_cond_destroy(&p->moved);
    pthread_mutex_destroy(&p->lock);
    free(p);
}

void pipeline_free(struct pipeline *p)
{
    stop(p);
    pthread_join(p->reader, NULL);
    /* The reader was the one that started others. */
    for (unsigned i = 0; i < p->started; i++)
        pthread_join(p->worker[i].thread, NULL);
    close(p->wake[0]);
    free_memory(p);
}

static bool make_locks(struct pipeline *p)
{
    if (pthread_mutex_init(&p->lock, NULL) != 0)
        return false;
    if (pthread_cond_init(&p->moved, NULL) == 0) {
        if (pthread_cond_init(&p->room, NULL) == 0) {
            if (pthread_cond_init(&p->output, NULL) == 0)
                return true;
            pthread_cond_destroy(&p->room);
        }
        pthread_cond_destroy(&p->moved);
    }
    pthread_mutex_destroy(&p->lock);
    return false;
}

static void set_shares(struct pipeline *p, unsigned threads)
{
    p->threads = threads < INFLATERS_MAX ? threads : INFLATERS_MAX;
    p->live_max = LIVE * p->threads;
    if (p->live_max > BLOCKS / 2)
        p->live_max = BLOCKS / 2;
    p->quota = BLOCKS / p->live_max;
    p->job_bytes = JOB_BYTES_MIN;
}

/* The first job, the one that is under way, and its thread. The reader comes
 * last: once there is one, bytes of a pipe may be gone. */
static bool start_threads(struct pipeline *p, struct inflater *inflater)
{
    jobs_add(p, inflater->offset);
    if (!p->first)
        return false;
    p->worker[0].job = jobs_take(p);
    p->worker[0].inflater = inflater;
    pthread_mutex_lock(&p->lock);
    bool ok = start_worker(p, &p->worker[0]);
    if (ok && pthread_create(&p->reader, NULL, window_read, p) != 0) {
        p->stop = true; /* before it has done anything */
        ok = false;
    }
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
    if (!p || !make_locks(p)) {
        free(p);
        return NULL;
    }
    p->source = *source;
    p->form = inflater->form;
    p->meter = meter;
    p->last = &p->first;
    p->origin = p->packed = inflater->offset;
    p->filled = p->found = p->origin + rest_bytes;
    set_shares(p, threads);
    p->cut = p->origin + p->job_bytes;
    if (pipe2(p->wake, O_CLOEXEC) == 0) {
        if (window_put(p, rest, rest_bytes) && start_threads(p, inflater))
            return p;
        close(p->wake[0]);
        close(p->wake[1]);
    }
    p->worker[0].inflater = NULL; /* stays the caller's */
    free_memory(p);
    return NULL;
}

/* ---- giving out ---- */

/* The caller has taken all of the first job's first block. */
static void take_back(struct pipeline *p, struct job *job)
{
    struct block *block = job->first;
    job->first = block->next;
    if (!job->first)
        job->last = &job->first;
    if (p->meter && block->offset > p->packed)
        atomic_fetch_add_explicit(&p->meter->packed, block->offset - p->packed,
                                  memory_order_relaxed);
    p->packed = block->offset > p->packed ? block->offset : p->packed;
    /* It waits where it has had its share. */
    if (job->blocks == p->quota)
        pthread_cond_broadcast(&p->moved);
    jobs_block_back(p, job, block);
}

/* All of a job that has ended was given out: on to the next. */
static bool end_first(struct pipeline *p, bool *ended, struct error *e)
{
    struct job *job = p->first;
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
        struct job *job = p->first;
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
