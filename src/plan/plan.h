/* SPDX-License-Identifier: MIT */
/*
 * Options and a look at the inputs become a plan, const from then on: which
 * datasets there are, what is computed of each, on which devices, in which
 * chunks. Options are checked against each other here and nowhere else.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"
#include "base/notes.h"
#include "cli/options.h"
#include "engine/engine.h"
#include "format/input.h"

/* Inputs reduced together. */
struct dataset {
    struct input *inputs; /* part of the plan's */
    size_t count;
    const struct csv_table *table; /* of text: says the columns; or NULL */
    uint64_t bytes; /* known ones, INPUT_UNKNOWN with a stream among them */
    struct job job;
    struct team team[TEAMS_MAX];
    size_t teams;
};

struct plan {
    const struct options *options;
    struct input_settings settings;
    struct csv_settings csv;
    struct input *inputs;
    size_t input_count;
    struct dataset *datasets;
    size_t dataset_count;
    int device[DEVICES_MAX]; /* numbers of those asked for */
    unsigned devices;
    const char *device_reason; /* why this device */
};

/* Opens the inputs. What is assumed about them goes to the notes. In any case
 * the plan must be given to plan_free. The options and the notes must outlive
 * it. */
bool plan_make(struct plan *plan, const struct options *options,
               struct notes *notes, struct error *e);
void plan_free(struct plan *plan);

/* Another way to compute the same: other chunks and threads, and the other
 * device, or the CPU's portable loops where there is no other or the CPU was
 * asked for. */
void plan_verification(const struct plan *plan, const struct dataset *d,
                       struct dataset *other);

/* Plans a dataset whose first input was deferred: to be called when its turn
 * comes, before it is reduced. Planning one again changes nothing. */
bool plan_dataset(const struct plan *plan, struct dataset *d, struct error *e);

/* --explain. */
void plan_explain(const struct plan *plan, FILE *to);
