/* SPDX-License-Identifier: MIT */
/* What the files of the pipeline share. The lock guards all fields, with three
 * exceptions. The reader alone uses the bytes that it is reading; an inflater's
 * thread alone uses its inflater and the block that it fills; the caller alone
 * uses the block that it copies from. */
#pragma once

#include <pthread.h>

#include "source/compressed/pipeline.h"

enum {
    /* The reader fills the ring in steps of this size. */
    BUFFER_BYTES = 256 << 10,
    /* A block, with its header of 64 bytes, is 256 KiB. It is filled by one
     * call of a codec and copied out while it is in cache. All blocks together
     * are 32 to 128 MiB; the latter is a member of 8 MiB for each of 16
     * threads. The ring of compressed bytes is half of that. */
    BLOCK_BYTES = (256 << 10) - 64,
    BLOCKS_MIN = 128,
    BLOCKS_MAX = 512,
    BLOCKS_EACH = 32,
    /* Output for each byte of input above which BLOCKS_BOMB are enough: such
     * data are inflated as fast as they are copied, or are a bomb. The ratio
     * counts once there is this much output. */
    RATIO_MAX = 32,
    RATIO_AFTER = 1 << 20,
    BLOCKS_BOMB = 64,
    /* Then only the first job decodes a zstd frame with a larger window. */
    WINDOW_BOMB = 512 << 10,
    /* Blocks reserved for the first job, so that it never waits for another. */
    BLOCKS_FIRST = 16,
    /* With BLOCKS_AHEAD blocks of output (32 MiB, or 50 ms of one thread), the
     * first job waits for the caller. At BLOCKS_AGAIN it continues. */
    BLOCKS_AHEAD = 128,
    BLOCKS_AGAIN = 112,
    /* Output that a job should have, if that is at most three quarters of its
     * share of the blocks; and the least and most compressed bytes for it. */
    JOB_OUT = 1 << 20,
    JOB_BYTES_MIN = 16 << 10,
    JOB_BYTES_MAX = 256 << 10,
    /* Most jobs that are started and not fully given to the caller: for each
     * thread, and in addition. On 2 cores, 8 kept both busy when the caller was
     * late; 4 did not. With 16 threads, 24 were faster than 48: inflaters that
     * run far ahead take processors from the caller. */
    LIVE_EACH = 2,
    LIVE_MORE = 8,
    INFLATERS_MAX = 64,
};

struct block {
    struct block *next;
    size_t bytes, taken; /* of output: in the block; copied to the caller */
    uint64_t offset;     /* file offset after the input that filled it */
    _Alignas(64) unsigned char data[BLOCK_BYTES];
};

struct inflate_job {
    struct inflate_job *next; /* in the order of the file */
    uint64_t start;           /* file offset */
    uint64_t at;              /* file offset up to which it has inflated */
    enum {
        JOB_WAITING, /* no thread has taken it */
        JOB_RUNNING,
        JOB_MET,   /* ended exactly where the next job starts */
        JOB_ENDED, /* ended at the end of the data */
        JOB_FAILED,
    } state;
    bool confirmed;              /* its start is known to be a member's */
    bool dropped;                /* cancelled: its start is not a member's */
    struct block *first, **last; /* owned: output not given to the caller yet */
    unsigned blocks;             /* blocks that it has, filled or not */
    struct error error;          /* with JOB_FAILED */
};

struct inflate_worker {
    struct pipeline *pipeline;
    struct inflater *inflater;
    /* The job to start with, which the inflater has begun; or NULL. */
    struct inflate_job *job;
    pthread_t thread;
};

struct pipeline {
    pthread_mutex_t lock;
    /* One condition for each reason to wait. With a single condition, each
     * block woke many threads that found nothing to do; this cost 16 threads
     * more than half of their time. */
    pthread_cond_t work;     /* inflaters wait for a job to take */
    pthread_cond_t moved;    /* jobs wait for bytes, or for earlier jobs */
    pthread_cond_t returned; /* jobs wait for blocks */
    pthread_cond_t room;   /* the reader waits for a free buffer of the ring */
    pthread_cond_t output; /* the caller waits for output of the first job */
    bool stop;             /* set by pipeline_free */
    bool enough; /* the last job that counts has ended: read no more */
    int wake[2]; /* a pipe; closing its write end wakes the reader */

    struct source source;
    struct unpack_form form;
    struct meter *meter;

    pthread_t reader;
    struct inflate_worker worker[INFLATERS_MAX];
    /* of `worker`: the most; running; without a job */
    unsigned threads, started, idle;

    /* One mapping: all blocks, and the ring of the compressed bytes from
     * `origin` on. Only what is used takes memory. */
    unsigned char *memory;
    size_t memory_bytes;
    unsigned char *ring; /* in `memory` */
    size_t ring_bytes;
    uint64_t origin, filled; /* file offsets; jobs may read up to `filled` */
    uint64_t found;          /* starts of jobs were searched for up to here */
    uint64_t cut;            /* file offset; no job starts before it */
    size_t job_bytes;        /* least distance between starts of jobs */
    bool ended;              /* no bytes come after `filled` */
    bool failed;             /* reading failed at `filled` */
    struct error failure;    /* then, why */

    struct inflate_job *first, **last; /* jobs not fully given to the caller */
    struct inflate_job *dropped; /* dropped jobs whose threads still run */
    struct inflate_job *spare_job;
    unsigned waiting; /* jobs that no thread has taken */
    /* jobs taken by a thread and not fully given to the caller: they may have
     * blocks */
    unsigned live;
    unsigned live_max;
    unsigned taken;      /* blocks that jobs have now */
    unsigned blocks;     /* the most blocks; at first BLOCKS_BOMB */
    unsigned blocks_max; /* the most there is room for in `memory` */
    unsigned fresh;      /* blocks of `memory` that were ever used */
    uint64_t wide;       /* of inflaters; at first WINDOW_BOMB */
    /* A codec's state for frames with wider windows; and the inflater that has
     * it now, and whose own is here meanwhile, or NULL. */
    void *stream;
    struct inflater *holder;
    struct block *spare;

    uint64_t used, made; /* compressed bytes inflated, bytes of output */

    uint64_t packed; /* file offset up to which the caller has the output */
};

/* Callers of the functions below hold the lock, unless no thread has been
 * started. pipeline_inflate and ring_read take it themselves. */

/* Wakes an idle inflater if a job waits. The woken thread wakes the next
 * one. */
void pipeline_wake(struct pipeline *p);

/* pipeline.c: starts more inflaters if jobs wait for one. */
void pipeline_staff(struct pipeline *p);

/* inflate_jobs.c: the thread of an inflate_worker. */
void *pipeline_inflate(void *worker);

/* reader.c: the reader's thread. */
void *ring_read(void *pipeline);

/* The bytes at a file offset below `filled`, up to the end of a buffer. */
struct inflater_in ring_at(const struct pipeline *p, uint64_t offset);

/* jobs.c. Appends a job. Without memory it adds none, and the job before
 * inflates its bytes instead. */
void jobs_add(struct pipeline *p, uint64_t start);

/* Takes the first waiting job and marks it running. Returns NULL if none waits,
 * or if the running jobs will need the blocks: few jobs that can finish are
 * better than many that wait halfway. */
struct inflate_job *jobs_take(struct pipeline *p);

/* Drops the jobs that start before the `at` of this job, which is confirmed. */
void jobs_drop_passed(struct pipeline *p, struct inflate_job *job);

/* Call when a job has ended: confirms or drops the jobs after it. */
void jobs_settle(struct pipeline *p, struct inflate_job *job);

/* Call when the thread of a dropped job has left it. Recycles the job. */
void jobs_leave(struct pipeline *p, struct inflate_job *job);

/* Removes the first job, once the caller has all of its output. */
void jobs_pop(struct pipeline *p);

/* Whether the job may take a block. jobs_block takes one; jobs_block_back gives
 * it back. */
bool jobs_may_have_block(const struct pipeline *p,
                         const struct inflate_job *job);
struct block *jobs_block(struct pipeline *p, struct inflate_job *job);
void jobs_block_back(struct pipeline *p, struct inflate_job *job,
                     struct block *block);

void jobs_free(struct pipeline *p);
