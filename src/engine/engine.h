/* SPDX-License-Identifier: MIT */
/* Runs a job over a dataset: gives chunks to workers, and merges their
 * states. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/meter.h"
#include "chunk/lines.h"
#include "engine/backend.h"
#include "engine/job.h"

/* A team: the workers of one backend on one device. */
struct team {
    const struct backend *backend;
    int device; /* number of the device, or of the first of several */
    unsigned workers;
    size_t chunk_bytes; /* used instead of job->chunk_bytes */
    /* If the device lacks memory for a worker's slots, that worker's chunks are
     * halved, down to this size, of which they remain a multiple. 0: they are
     * not. If a worker of the run's only team finds no memory in any case, it
     * leaves the data to the others; the run fails if there are none. */
    size_t chunk_least;
    bool is_short; /* its chunks were halved since an earlier run failed */

    /* The team does not start with the run. It joins (join.h) only if both
     * together end earlier than the first team alone. Each of its workers then
     * takes the place of a worker of the first team; one or two of those stop
     * while the device is still starting. Only the last team may wait. If it
     * cannot start, the first team continues alone. It uses as many devices,
     * from `device` on, as there are places for their workers. */
    bool waits;
    double start_up; /* seconds until it can begin; others work until then */
    double end;      /* seconds that its use adds to the end of the process */
    /* How busy the first team's threads must be for this team to join, 0 to 1:
     * threads that wait for a disk do not need help. */
    double busy;
    double rate; /* bytes/s that one worker feeds to a device */
    double most; /* most bytes/s that a device takes */
    double bus;  /* bytes/s of the bus that `most` needs; 0: no bus */
};

/* Halves the size of a team's chunks. False: they are as small as they may get.
 */
static inline bool team_halve(const struct team *team, size_t *chunk_bytes)
{
    const size_t least = team->chunk_least;
    if (least == 0 || *chunk_bytes / 2 < least)
        return false;
    *chunk_bytes = *chunk_bytes / 2 / least * least;
    return true;
}

enum {
    TEAMS_MAX = 16,
    /* Bytes of a team's reason, with its NUL. */
    TEAM_REASON = 200,
};

/* Statistics of a run that has ended. */
struct engine_report {
    double wall;    /* seconds */
    uint64_t bytes; /* of the data */
    struct team_report {
        unsigned workers; /* workers that had a context */
        uint64_t bytes;
        size_t chunk_bytes; /* the least of a worker; 0: as planned */
    } team[TEAMS_MAX];
    /* Why the team that waited joined or did not; "" without such a team. */
    char reason[TEAM_REASON];
};

/* The results of a dataset. */
struct reduced {
    struct states states;     /* indexes are those of the whole dataset */
    uint64_t skipped;         /* text: ragged records, which are not read */
    struct chunk_notes notes; /* if job->notes; else empty */
    struct groups *groups;    /* owned: of a job by keys; else NULL */
};

void reduced_close(struct reduced *r);

/* Reduces the inputs, which share a dtype, as one dataset, by the workers of
 * the teams; the calling thread is one of them. Results do not depend on the
 * teams. On success the caller closes *out, which has states of job_groups
 * groups. On failure *out holds nothing, and *e is the error that comes first
 * in the data. The engine sets index, device, chunk_bytes, meter, run and
 * is_shared in its own copies of the job. */
bool engine_run(const struct job *job, const struct team *teams, size_t count,
                struct input *inputs, size_t inputs_count, struct reduced *out,
                struct engine_report *report, struct error *e);

/* One of several datasets that are reduced by the same threads. */
struct engine_part {
    const struct job *job;
    const struct team *teams; /* [count]; the first reduces it */
    size_t count;
    struct input *inputs; /* [inputs_count] */
    size_t inputs_count;
    struct reduced reduced;      /* results, the caller's to close */
    struct engine_report report; /* its times are not set */
};

/* Reduces part[n], each as engine_run does, in order but without a wait between
 * two: a worker that finds no more chunks of one part continues with the next.
 * On failure no results are held, and *e is the error that comes first. */
bool engine_run_all(struct engine_part *part, size_t n, unsigned threads,
                    struct error *e);
