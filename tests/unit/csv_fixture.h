/* SPDX-License-Identifier: MIT */
/* The engine run over text, with the CPU or the fake backend. */
#pragma once

#include "../backends/engine_rig.h"
#include "csv_inputs.h"

struct csv_setting {
    const struct backend *backend;
    unsigned threads, monoids;
    size_t window;
    bool portable;
    /* A team of the CPU beside it, of windows of so many bytes; 0: none. It may
     * wait, and then joins as soon as it may. */
    size_t beside;
    bool waits;
};

/* A random one for text of so many bytes; of the fake one, the plan does not
 * fail. */
struct csv_setting csv_setting_draw(size_t bytes);
struct fake_plan csv_plan_draw(void);

/* Opens the inputs, runs the engine, closes them: states, to be given to
 * csv_fixture_free, or NULL with the error. A complaint of the fake backend is
 * a failed check. */
struct states *csv_fixture_run(struct text_inputs *t,
                               const struct csv_setting *s, struct error *e);

/* The same, on inputs that are open. */
struct states *csv_fixture_run_open(struct text_inputs *t,
                                    const struct csv_setting *s,
                                    struct error *e);
void csv_fixture_free(struct states *s);
