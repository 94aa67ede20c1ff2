/* SPDX-License-Identifier: MIT */
/* Runs the engine over text, with the CPU or the fake backend. */
#pragma once

#include "../backends/engine_rig.h"
#include "csv_inputs.h"

struct csv_setting {
    const struct backend *backend;
    unsigned threads, monoids;
    size_t window; /* bytes */
    bool portable; /* the portable loops instead of the best */
    /* Window size in bytes of a second team on the CPU; 0: no second team. If
     * it waits, it joins as soon as it may. */
    size_t beside;
    bool waits;
};

/* Draws a setting for a text of this size, and a plan of the fake backend that
 * does not fail. */
struct csv_setting csv_setting_draw(size_t bytes);
struct fake_plan csv_plan_draw(void);

/* Opens the inputs, runs the engine and closes the inputs. Returns the states,
 * which the caller gives to csv_fixture_free, or NULL and the error. If the
 * fake backend reports a broken rule, a check fails. */
struct states *csv_fixture_run(struct text_inputs *t,
                               const struct csv_setting *s, struct error *e);

/* The same on open inputs, which stay open. */
struct states *csv_fixture_run_open(struct text_inputs *t,
                                    const struct csv_setting *s,
                                    struct error *e);
void csv_fixture_free(struct states *s);
