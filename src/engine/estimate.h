/* SPDX-License-Identifier: MIT */
/*
 * What a run is seen to do, and how long it will take, alone and with a team
 * that might join.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/meter.h"
#include "engine/engine.h"

/* What was seen of the first team. */
struct estimate {
    double rate;      /* bytes/s that it takes */
    double busy;      /* its processor time per wall time and worker, 0 to 1 */
    double left;      /* bytes that nobody has taken */
    double rough;     /* share by which rate may be too low */
    unsigned workers; /* of it */
    double alone, joined; /* seconds to the end; set by estimate_pays */
};

/* Workers of the team on one device: they take the places of others. */
unsigned estimate_feeders(const struct team *team, unsigned places);

/* Workers that stop while the team starts: its start gets a processor to
 * itself, and all of two, which would do little meanwhile and make it longer.
 */
enum { ESTIMATE_STOPPED_MAX = 2 };
unsigned estimate_stopped(unsigned workers);

/* Whether it is worth that the team joins, by what is known of it. */
bool estimate_pays(struct estimate *look, const struct team *team);

/* The run, as it was when it was last looked at. */
struct watch {
    const struct meter *meter;
    const struct team *first;
    uint64_t end; /* of meter->cut, when all data are cut */
    uint64_t at;  /* ns */
    double processor;
    uint64_t cut;
    unsigned looks; /* so far */
};

/* Before the run; bytes: of data that it will cut. */
void watch_init(struct watch *w, const struct meter *meter,
                const struct team *first, uint64_t bytes);

/* From here to the next look. */
void watch_mark(struct watch *w);

/* What was done since; marks. */
struct estimate watch_look(struct watch *w);

/* Bytes that nobody has taken. */
double watch_left(const struct watch *w);
