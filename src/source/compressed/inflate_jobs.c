/* SPDX-License-Identifier: MIT */
/* The thread of an inflater. It holds the pipeline's lock all the time, except
 * while it inflates in step(). */
#include "source/compressed/pipeline_parts.h"

/* Appends the block to the job's output, or gives it back if it is empty. */
static void publish(struct pipeline *p, struct inflate_job *job,
                    struct block **block)
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

/* Whether the job has just ended a member. */
static bool is_between(const struct inflater *f)
{
    return f->at == INFLATER_BETWEEN;
}

/* Inflates member after member, up to the start of the next job. If the reader
 * adds a job meanwhile, its start is after this input. */
static bool inflate_members(struct inflater *f, struct inflater_in *in,
                            struct inflater_out *out, uint64_t next,
                            struct error *e)
{
    bool ok = true;
    do {
        ok = inflater_step(f, in, out, e);
    } while (ok && f->at != INFLATER_WIDE && f->offset < next &&
             in->at < in->end && out->at < out->end);
    return ok;
}

/* Allows all blocks once the ratio shows that the data are no bomb. */
static void allow_blocks(struct pipeline *p)
{
    if (p->blocks == p->blocks_max || p->made < RATIO_AFTER ||
        p->made / RATIO_MAX > p->used)
        return;
    p->blocks = p->blocks_max;
    p->wide = INFLATER_WIDE_MIN;
    pipeline_wake(p);
    pthread_cond_broadcast(&p->returned);
    pthread_cond_signal(&p->room);
}

/* Inflates the available input into the block, without the lock. */
static void step(struct pipeline *p, struct inflate_job *job,
                 struct inflater *f, struct block *block)
{
    struct inflater_out out = {block->data + block->bytes,
                               block->data + BLOCK_BYTES};
    static const unsigned char nothing;
    struct inflater_in in = {&nothing, &nothing};
    bool is_used = p->filled == f->offset, ended = false;
    bool at_end = is_used && p->ended;
    uint64_t from = f->offset;
    uint64_t next = job->next ? job->next->start : UINT64_MAX;
    size_t before = block->bytes;
    f->wide = p->wide;
    if (!is_used)
        in = ring_at(p, f->offset);
    pthread_mutex_unlock(&p->lock);
    uint64_t since = p->meter ? meter_now() : 0;
    bool ok = at_end ? inflater_finish(f, &out, &ended, &job->error)
                     : inflate_members(f, &in, &out, next, &job->error);
    block->bytes = (size_t)(out.at - block->data);
    block->offset = f->offset;
    if (p->meter)
        meter_add(p->meter, STAGE_INFLATE, since, block->bytes - before);
    pthread_mutex_lock(&p->lock);
    job->at = f->offset;
    p->used += f->offset - from;
    p->made += block->bytes - before;
    allow_blocks(p);
    if ((f->offset - p->origin) / BUFFER_BYTES !=
        (from - p->origin) / BUFFER_BYTES)
        pthread_cond_signal(&p->room);
    if (!ok || ended)
        job->state = ok ? JOB_ENDED : JOB_FAILED;
}

/* Swaps the inflater's stream for the pipeline's, or back. Only that stream
 * decodes frames that must wait their turn, so memory holds one such window:
 * a freed one might stay in the heap of its thread. */
static void swap_streams(struct pipeline *p, struct inflater *f)
{
    void *stream = f->stream;
    f->stream = p->stream;
    p->stream = stream;
    p->holder = p->holder ? NULL : f;
}

/* Whether the job must wait. It waits for the reader if it has used all bytes.
 * After a member that goes past the next job's start, it also waits to be
 * confirmed or dropped. If it is confirmed, that start was false. */
static bool must_wait(const struct pipeline *p, const struct inflate_job *job,
                      const struct inflater *f)
{
    if (f->offset == p->filled && !p->ended)
        return !f->is_full;
    return is_between(f) && job->next && job->next->start < f->offset;
}

/* Does one step of the job or waits once. Sets job->state when the job ends. */
static void advance(struct pipeline *p, struct inflate_job *job,
                    struct inflater *f, struct block **block)
{
    if (job->confirmed)
        jobs_drop_passed(p, job);
    if (is_between(f) && job->next && job->next->start == f->offset) {
        job->state = JOB_MET;
        return;
    }
    if (must_wait(p, job, f)) {
        pthread_cond_wait(&p->moved, &p->lock);
        return;
    }
    /* One frame at a time may take much memory. */
    bool is_wide = f->at == INFLATER_WIDE && f->header.zstd.window > p->wide;
    if ((is_wide && job != p->first) ||
        (!*block && !jobs_may_have_block(p, job))) {
        pthread_cond_wait(&p->returned, &p->lock);
        return;
    }
    if (f->offset == p->filled && p->failed) {
        job->error = p->failure;
        job->state = JOB_FAILED;
        return;
    }
    if (!*block)
        *block = jobs_block(p, job);
    if (is_wide)
        swap_streams(p, f);
    step(p, job, f, *block);
    if (p->holder == f && f->at != INFLATER_BODY)
        swap_streams(p, f);
    if ((*block)->bytes == BLOCK_BYTES)
        publish(p, job, block);
}

static void run_job(struct pipeline *p, struct inflate_job *job,
                    struct inflater *f)
{
    struct block *block = NULL;
    while (!p->stop && !job->dropped && job->state == JOB_RUNNING)
        advance(p, job, f, &block);
    if (block)
        publish(p, job, &block);
    if (p->holder == f)
        swap_streams(p, f);
    if (job->dropped)
        jobs_leave(p, job);
    else if (job->state != JOB_RUNNING)
        jobs_settle(p, job);
}

void *pipeline_inflate(void *arg)
{
    struct inflate_worker *w = arg;
    struct pipeline *p = w->pipeline;
    pthread_mutex_lock(&p->lock);
    if (w->job)
        run_job(p, w->job, w->inflater);
    while (!p->stop) {
        struct inflate_job *job = jobs_take(p);
        if (job) {
            pipeline_wake(p);
            inflater_start(w->inflater, &p->form, job->start);
            run_job(p, job, w->inflater);
            continue;
        }
        p->idle++;
        pthread_cond_wait(&p->work, &p->lock);
        p->idle--;
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}
