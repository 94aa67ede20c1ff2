/* SPDX-License-Identifier: MIT */
#include "csv_fixture.h"

#include "backend/registry.h"
#include "check.h"

struct fake_plan csv_plan_draw(void)
{
    struct random r = {check_random()};
    return rig_fake(&r);
}

struct csv_setting csv_setting_draw(size_t bytes)
{
    struct csv_setting s = {.backend = &backend_cpu,
                            .threads = 1 + (unsigned)check_below(4),
                            .monoids = MONOIDS_ALL,
                            .window = 1 + check_below(bytes + 10),
                            .portable = check_below(4) == 0};
    struct fake_plan plan = csv_plan_draw();
    if (check_below(2))
        s.window = bytes / 100 + 1 + check_below(bytes / 20 + 1);
    if (check_below(2))
        s.backend = fake_backend(&plan);
    return s;
}

struct states *csv_fixture_run_open(struct text_inputs *t,
                                    const struct csv_setting *s,
                                    struct error *e)
{
    struct engine_report report;
    const struct team first = {
        .backend = s->backend, .workers = s->threads, .chunk_bytes = s->window};
    const struct team beside =
        rig_beside(s->beside ? 2 : 0, s->beside, s->waits);
    struct job job = {.dtype = t->csv.spec.dtype,
                      .monoids = s->monoids,
                      .text = &t->csv.spec,
                      .reading = &reading_records,
                      .columns = t->input[0].table->columns,
                      .portable = s->portable};
    struct reduced reduced;
    struct states *out = NULL;
    if (rig_run(&job, &first, &beside, t->input, t->count, &reduced, &report,
                e)) {
        out = malloc(sizeof *out);
        *out = reduced.states;
    }
    if (s->backend != &backend_cpu)
        CHECK(!fake_complaint(), "%s", fake_complaint());
    return out;
}

struct states *csv_fixture_run(struct text_inputs *t,
                               const struct csv_setting *s, struct error *e)
{
    struct states *out = NULL;
    *e = (struct error){.kind = ERROR_NONE};
    if (text_inputs_open(t, e))
        out = csv_fixture_run_open(t, s, e);
    text_inputs_close(t);
    return out;
}

void csv_fixture_free(struct states *s)
{
    if (s)
        states_close(s);
    free(s);
}
