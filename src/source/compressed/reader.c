/* SPDX-License-Identifier: MIT */
/* The ring buffer of compressed bytes and the thread that fills it. */
#include <string.h>

#include "source/compressed/pipeline_parts.h"

enum {
    /* Bytes that must follow a place to test it for the start of a member. zstd
     * needs fewer. */
    AHEAD = GZIP_PREFIX - 1,
    STARTS = BUFFER_BYTES / JOB_BYTES_MIN + 2, /* the most in a buffer */
};

/* Starts of jobs found in one buffer, as file offsets. */
struct starts {
    uint64_t at[STARTS];
    unsigned n;
};

static size_t place_of(const struct pipeline *p, uint64_t offset)
{
    return (size_t)((offset - p->origin) % p->ring_bytes);
}

/* Bytes from the offset to the end of its buffer. */
static size_t left_in_buffer(const struct pipeline *p, uint64_t offset)
{
    return BUFFER_BYTES - (size_t)((offset - p->origin) % BUFFER_BYTES);
}

static uint64_t at_most(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

struct inflater_in ring_at(const struct pipeline *p, uint64_t offset)
{
    size_t n = (size_t)at_most(p->filled - offset, left_in_buffer(p, offset));
    const unsigned char *at = p->ring + place_of(p, offset);
    return (struct inflater_in){at, at + n};
}

static size_t find_in(const struct pipeline *p, const unsigned char *data,
                      size_t from, size_t bytes)
{
    return p->form.kind == UNPACK_ZSTD ? zstd_find(data, from, bytes)
                                       : gzip_find(data, from, bytes);
}

/* The first file offset in [from, to) where a member might start, or `to`.
 * AHEAD bytes follow `to`. */
static uint64_t find_member(struct pipeline *p, uint64_t from, uint64_t to)
{
    while (from < to) {
        size_t place = place_of(p, from);
        size_t end = (size_t)at_most(place + (to - from), p->ring_bytes);
        size_t at = find_in(p, p->ring, place, end);
        from += at - place;
        if (at < end)
            return from;
    }
    return to;
}

/* Searches for starts of jobs up to a file offset. Needs no lock: only the
 * reader uses these bytes and fields. */
static void find_starts(struct pipeline *p, uint64_t to, struct starts *starts)
{
    starts->n = 0;
    while (p->form.kind != UNPACK_DEFLATE && p->cut < to) {
        uint64_t from = p->cut > p->found ? p->cut : p->found;
        uint64_t at = find_member(p, from, to);
        if (at == to)
            break;
        starts->at[starts->n++] = at;
        p->cut = at + p->job_bytes;
    }
    p->found = to;
}

/* Moves p->found past the last bytes if no member can start in them, whatever
 * follows. Inflaters may then use these bytes, so an error in them is reported
 * without waiting for the rest of a pipe. */
static void release_end(struct pipeline *p, uint64_t read)
{
    for (; p->found < read; p->found++) {
        unsigned char first[GZIP_PREFIX];
        size_t n = 0;
        for (; n < GZIP_PREFIX && p->found + n < read; n++)
            first[n] = p->ring[place_of(p, p->found + n)];
        if (p->form.kind == UNPACK_ZSTD ? zstd_may_start(first, n)
                                        : gzip_may_start(first, n))
            return;
    }
}

/* The file offset of the first byte that a job still needs. */
static uint64_t first_needed(const struct pipeline *p)
{
    uint64_t first = p->filled;
    for (const struct inflate_job *job = p->first; job; job = job->next) {
        if (job->state <= JOB_RUNNING)
            first = at_most(first, job->at);
    }
    for (const struct inflate_job *job = p->dropped; job; job = job->next)
        first = at_most(first, job->at);
    return first;
}

/* Whether the buffer for the next bytes is free. */
static bool has_room(const struct pipeline *p, uint64_t read)
{
    return (read - p->origin) / BUFFER_BYTES -
               (first_needed(p) - p->origin) / BUFFER_BYTES <
           p->blocks / 2;
}

/* Reads more bytes into the ring, up to the end of a buffer at most, and finds
 * the starts of jobs. Called without the lock. */
static bool read_buffer(struct pipeline *p, uint64_t *read, bool *ended,
                        struct starts *starts, struct error *e)
{
    size_t got, want = left_in_buffer(p, *read);
    unsigned char *to = p->ring + place_of(p, *read);
    starts->n = 0;
    if (!source_read(&p->source, to, want, p->wake[0], &got, e))
        return false;
    /* The ring's first bytes also follow its last ones, for gzip_find. */
    memcpy(p->ring + p->ring_bytes, p->ring, AHEAD);
    *read += got;
    *ended = got == 0;
    /* The last AHEAD bytes are searched together with the bytes that follow. At
     * the end of the data they are too few for a member. */
    if (*read >= p->found + AHEAD)
        find_starts(p, *read - AHEAD, starts);
    release_end(p, *read);
    return true;
}

/* The least distance between starts of jobs, from the ratio so far. It affects
 * which thread inflates which bytes, but never the output. */
static size_t job_bytes(const struct pipeline *p)
{
    uint64_t out = p->blocks_max / p->live_max * (uint64_t)BLOCK_BYTES / 4 * 3;
    uint64_t bytes = at_most(out, JOB_OUT) * p->used / (p->made + 1);
    return bytes < JOB_BYTES_MIN   ? JOB_BYTES_MIN
           : bytes > JOB_BYTES_MAX ? JOB_BYTES_MAX
                                   : (size_t)bytes;
}

void *ring_read(void *pipeline)
{
    struct pipeline *p = pipeline;
    struct starts starts;
    struct error e;
    pthread_mutex_lock(&p->lock);
    uint64_t read = p->source.offset;
    while (!p->stop && !p->enough && !p->ended) {
        bool ended = false;
        if (!has_room(p, read)) {
            pthread_cond_wait(&p->room, &p->lock);
            continue;
        }
        pthread_mutex_unlock(&p->lock);
        bool ok = read_buffer(p, &read, &ended, &starts, &e);
        pthread_mutex_lock(&p->lock);
        /* The jobs must be added before `filled` lets inflaters use the bytes
         * after their starts. */
        for (unsigned i = 0; ok && i < starts.n; i++)
            jobs_add(p, starts.at[i]);
        if (!ok) {
            p->failed = true;
            p->failure = e;
        }
        p->ended = ended || !ok;
        p->filled = p->ended ? read : p->found;
        p->job_bytes = job_bytes(p);
        pipeline_staff(p);
        pipeline_wake(p);
        pthread_cond_broadcast(&p->moved);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}
