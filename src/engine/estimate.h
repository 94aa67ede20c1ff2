/* SPDX-License-Identifier: MIT */
/*
 * Measures a run while it runs, and estimates how long it will take alone and
 * with a team that may join.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/meter.h"
#include "engine/engine.h"

/* A measurement of the first team, and the times estimated from it. */
struct estimate {
    double rate;      /* bytes/s that the first team reduces */
    double busy;      /* its processor time / (wall time * workers), 0 to 1 */
    double left;      /* bytes that no worker has taken */
    double rough;     /* share by which `rate` may be too low */
    unsigned workers; /* of the first team */
    /* Expected seconds to the end, without and with the team; set by
     * estimate_pays. */
    double alone, joined;
};

/* The number of the team's workers on one device. Each takes a place of the
 * first team, which has `places`. */
unsigned estimate_feeders(const struct team *team, unsigned places);

/* The number of the first team's `workers` that stop while the joining team
 * starts. Normally 1, so that the start has a processor to itself. One or two
 * workers all stop: they would do little work and delay the start. */
enum { ESTIMATE_STOPPED_MAX = 2 };
unsigned estimate_stopped(unsigned workers);

/* Whether joining pays: it is estimated to be at least 5 % faster, more while
 * the measurement is rough, and the first team is busy enough. Sets alone and
 * joined. */
bool estimate_pays(struct estimate *estimate, const struct team *team);

/* Whether the run ends earlier if it is cut short and the team restarts it
 * alone. `bytes`: of all the data. `more`: seconds that the team needs in
 * addition to reading them. Sets alone and joined. */
bool estimate_pays_instead(struct estimate *estimate, const struct team *team,
                           double bytes, double more);

/* The state of the run at the last mark, where a measurement begins. Used by
 * one thread. */
struct watch {
    const struct meter *meter;
    const struct team *first;
    uint64_t end;     /* the value of meter->cut when all data is cut */
    uint64_t at;      /* time of the mark, ns */
    double processor; /* processor time of the process at the mark, s */
    uint64_t cut;     /* meter->cut at the mark */
    unsigned looks;   /* measurements so far */
};

/* Call it before the run. bytes: of the data to be cut. */
void watch_init(struct watch *w, const struct meter *meter,
                const struct team *first, uint64_t bytes);

/* Marks the start of a measurement. */
void watch_mark(struct watch *w);

/* Measures the work since the mark, and sets the mark again. */
struct estimate watch_look(struct watch *w);

/* Bytes that no worker has taken. */
double watch_left(const struct watch *w);
