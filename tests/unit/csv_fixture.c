/* SPDX-License-Identifier: MIT */
#include "csv_fixture.h"

#include "backend/registry.h"
#include "check.h"

struct fake_plan csv_plan_draw(void)
{
    return (struct fake_plan){.slots = 1 + (unsigned)check_below(3),
                              .reads_anywhere = check_below(2),
                              .seed = check_random(),
                              .delay_us = (unsigned)check_below(3) * 200,
                              .straggler = FAKE_NEVER,
                              .fail_open = FAKE_NEVER,
                              .fail_submit = FAKE_NEVER,
                              .fail_wait = FAKE_NEVER};
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
    const struct team teams[] = {{.backend = s->backend,
                                  .workers = s->threads,
                                  .chunk_bytes = s->window},
                                 {.backend = &backend_cpu,
                                  .workers = 2,
                                  .chunk_bytes = s->beside,
                                  .waits = s->waits,
                                  .rate = 1e18,
                                  .most = 1e18}};
    struct job job = {.dtype = t->csv.spec.dtype,
                      .monoids = s->monoids,
                      .text = &t->csv.spec,
                      .reading = &reading_records,
                      .columns = t->input[0].table->columns,
                      .portable = s->portable};
    struct reduced reduced;
    struct states *out = NULL;
    if (engine_run(&job, teams, s->beside ? 2 : 1, t->input, t->count, &reduced,
                   &report, e)) {
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
