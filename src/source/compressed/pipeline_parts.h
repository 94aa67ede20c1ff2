/* SPDX-License-Identifier: MIT */
/* What the files of the pipeline share. All of it is under its lock, but for
 * what a thread has taken: the reader the bytes that it is reading, a job's
 * thread its inflater and the block that it fills, the caller the block that
 * it copies from. */
#pragma once

#include <pthread.h>

#include "source/compressed/pipeline.h"

enum {
    /* The ring buffer of compressed bytes: by the number of threads, 16 to 64
     * MiB.
     */
    BUFFER_BYTES = 256 << 10,
    BUFFERS_MAX = 256,
    /* A block is filled by one call of zlib and copied out while it is in
     * cache. Together 32 to 128 MiB: a member of 8 MiB for each of 16 threads.
     */
    BLOCK_BYTES = 256 << 10,
    BLOCKS_MIN = 128,
    BLOCKS_MAX = 512,
    BLOCKS_EACH = 32,
    /* Of these, kept for the first job, for which nothing is to wait. */
    BLOCKS_FIRST = 16,
    /* What a job shall come to, at most three quarters of its share of the
     * blocks; and the compressed bytes which that may be. */
    JOB_OUT = 1 << 20,
    JOB_BYTES_MIN = 16 << 10,
    JOB_BYTES_MAX = 256 << 10,
    /* Jobs under way for each thread: of 2 cores, 4 kept both at work when the
     * caller was late, 2 did not. */
    LIVE = 4,
    INFLATERS_MAX = 64,
};

struct block {
    struct block *next;
    size_t bytes, taken;
    uint64_t offset; /* in the file, of what comes behind it */
    unsigned char data[BLOCK_BYTES];
};

struct inflate_job {
    struct inflate_job *next; /* in the order of the file */
    uint64_t start;           /* in the file */
    uint64_t at;              /* where it is now */
    enum {
        JOB_WAITING,
        JOB_RUNNING,
        JOB_MET,   /* ended where the next one starts */
        JOB_ENDED, /* at the end of the file */
        JOB_FAILED,
    } state;
    bool confirmed;
    bool dropped; /* its start was none; its thread has not seen that yet */
    struct block *first, **last;
    unsigned blocks; /* filled ones and the one being filled */
    struct error error;
};

struct inflate_worker {
    struct pipeline *pipeline;
    struct inflater *inflater;
    struct inflate_job
        *job; /* to start with, its inflater being there; or NULL */
    pthread_t thread;
};

struct pipeline {
    pthread_mutex_t lock;
    /* Who waits for what: a wake-up of many that find nothing to do, once for
     * each block, cost 16 threads more than half of their time. */
    pthread_cond_t work;     /* a thread, for a job to take */
    pthread_cond_t moved;    /* a job, for bytes, or what comes before it */
    pthread_cond_t returned; /* a job, for blocks */
    pthread_cond_t room;     /* the reader, for the ring to move on */
    pthread_cond_t output;   /* the caller, for what the first job gives */
    bool stop;
    bool enough; /* the last job that counts has come to its end */
    int wake[2]; /* a pipe, written to when the reader shall stop */

    struct source source;
    struct unpack_form form;
    struct meter *meter;

    pthread_t reader;
    struct inflate_worker worker[INFLATERS_MAX];
    unsigned threads, started, idle;

    /* Compressed bytes from `origin` on, buffers used in turn. */
    unsigned char *buffer[BUFFERS_MAX];
    unsigned buffers;
    uint64_t origin, filled; /* offsets in the file */
    uint64_t found;          /* up to here starts of jobs were looked for */
    uint64_t cut;            /* the next job starts here or later */
    size_t job_bytes;        /* up to where a job is to reach */
    bool ended;              /* nothing comes after `filled` */
    bool failed;
    struct error failure; /* of reading, at `filled` */

    struct inflate_job *first, **last; /* jobs not given out yet */
    struct inflate_job *dropped;       /* that are still running */
    struct inflate_job *spare_job;
    unsigned waiting; /* jobs that nobody has taken up */
    unsigned live;    /* jobs that may have blocks */
    unsigned live_max;
    unsigned taken;  /* blocks that jobs have */
    unsigned blocks; /* that there may be */
    struct block *spare;

    uint64_t used, made; /* compressed bytes so far, and what they came to */

    uint64_t packed; /* in the file, what was given out reaches to here */
};

/* Wakes a thread that has no job where there is one. It wakes the next. */
void pipeline_wake(struct pipeline *p);

/* pipeline.c: starts more inflaters where jobs wait for one. Under the lock. */
void pipeline_staff(struct pipeline *p);

/* inflate_jobs.c: an inflater's thread. */
void *pipeline_inflate(void *worker);

/* reader.c: the reader's thread. */
void *ring_read(void *pipeline);

/* The bytes at an offset below `filled`, as many as lie side by side. */
struct inflater_in ring_at(const struct pipeline *p, uint64_t offset);

/* Puts bytes into the ring before there are threads. */
bool ring_put(struct pipeline *p, const unsigned char *bytes, size_t n);

/* jobs.c. Adds a job behind the last; without memory, that one goes on. */
void jobs_add(struct pipeline *p, uint64_t start);

/* The first job that waits, now running; NULL if there is none, or if what is
 * under way will need the blocks. Rather few jobs that come to their end than
 * many that wait in the midst. */
struct inflate_job *jobs_take(struct pipeline *p);

/* A confirmed job has come to its `at`: drops those that start before. */
void jobs_drop_passed(struct pipeline *p, struct inflate_job *job);

/* The job has come to an end: confirms or drops what comes after it. */
void jobs_settle(struct pipeline *p, struct inflate_job *job);

/* Its thread has left a job that was dropped. */
void jobs_leave(struct pipeline *p, struct inflate_job *job);

/* The first job was given out. */
void jobs_pop(struct pipeline *p);

/* Whether there is a block for the job; then, the block: NULL without memory.
 */
bool jobs_may_have_block(const struct pipeline *p,
                         const struct inflate_job *job);
struct block *jobs_block(struct pipeline *p, struct inflate_job *job);
void jobs_block_back(struct pipeline *p, struct inflate_job *job,
                     struct block *block);

void jobs_free(struct pipeline *p);
