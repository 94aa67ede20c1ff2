/* SPDX-License-Identifier: MIT */
/* Runs a job over a dataset: gives chunks to workers, merges their states. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/meter.h"
#include "chunk/lines.h"
#include "engine/backend.h"
#include "engine/job.h"

/* Workers of one kind on one device. */
struct team {
    const struct backend *backend;
    int device; /* its number */
    unsigned workers;
    size_t chunk_bytes; /* as job->chunk_bytes, which it stands for */

    /* Starts only when the first team has been seen to need longer than this
     * one would with it; takes the places of as many of the first's workers,
     * one of them while it starts. The last team alone may wait; where it
     * cannot be started the first goes on. It is then on all devices from `gpu`
     * on that the first has workers for. */
    bool waits;
    double start_up; /* seconds until it could begin, in which others work */
    double end;      /* seconds more that the process then takes to end */
    /* Share of the time that the first's threads must be at work, 0 to 1: who
     * waits for a disk is not helped. */
    double busy;
    double rate; /* bytes/s that a worker would bring it, ... */
    double most; /* ... and that a device would take, ... */
    double bus;  /* ... or less, where its speed is less than this; 0: never */
};

enum {
    TEAMS_MAX = 16,
    /* A team's reason for what it did, with its NUL. */
    TEAM_REASON = 200,
};

/* What became of a run. */
struct engine_report {
    double wall;    /* seconds */
    uint64_t bytes; /* of the data */
    struct team_report {
        unsigned workers; /* that there were */
        uint64_t bytes;
    } team[TEAMS_MAX];
    char reason[TEAM_REASON]; /* of the team that waited; else "" */
};

/* What is left of a dataset. */
struct reduced {
    struct states states; /* indexes are those of the whole dataset */
    uint64_t skipped;     /* text: ragged records of which nothing was read */
    struct chunk_notes notes; /* where the job wants them, else none */
};

void reduced_close(struct reduced *r);

/* Reduces the inputs, which share a dtype, as one dataset with the teams'
 * workers. *out, with states of
 * job_groups, is the caller's to close. Results do not
 * depend on the teams. On failure it holds nothing, and the error is the one
 * that comes first in the data. job->index, device and chunk_bytes are
 * set by the engine. */
bool engine_run(const struct job *job, const struct team *teams, size_t count,
                struct input *inputs, size_t inputs_count, struct reduced *out,
                struct engine_report *report, struct error *e);
