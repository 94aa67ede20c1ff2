/* SPDX-License-Identifier: MIT */
#include "engine_rig.h"

#include <malloc.h>
#include <stdatomic.h>
#include <unistd.h>

#include "backend/registry.h"

enum { DEADLOCK_SECONDS = 300, FILLED_EVERY = 7, FILLER = 0xa5 };

struct fake_plan rig_fake(struct random *r)
{
    return (struct fake_plan){.slots = 1 + (unsigned)random_below(r, 3),
                              .reads_anywhere = random_below(r, 2),
                              .seed = random_next(r),
                              .delay_us = (unsigned)random_below(r, 3) * 250,
                              .straggler = FAKE_NEVER,
                              .fail_open = FAKE_NEVER,
                              .fail_submit = FAKE_NEVER,
                              .fail_wait = FAKE_NEVER};
}

struct team rig_beside(unsigned workers, size_t chunk_bytes, bool waits)
{
    return (struct team){.backend = &backend_cpu,
                         .workers = workers,
                         .chunk_bytes = chunk_bytes,
                         .waits = waits,
                         .rate = 1e18,
                         .most = 1e18,
                         .bus = 1e18};
}

void rig_fill(void)
{
    /* Tests of text call it twice a run. FILLED_EVERY is odd, so that it fills
     * after the first call of some runs and after the second of others. */
    static atomic_uint calls;
    bool fills = atomic_fetch_add(&calls, 1) % FILLED_EVERY == 0;
    mallopt(M_PERTURB, fills ? FILLER : 0);
}

bool rig_run(const struct job *job, const struct team *first,
             const struct team *beside, struct input *inputs, size_t count,
             struct reduced *out, struct engine_report *report, struct error *e)
{
    const struct team teams[2] = {*first, *beside};
    rig_fill();
    alarm(DEADLOCK_SECONDS);
    bool ok = engine_run(job, teams, beside->workers ? 2 : 1, inputs, count,
                         out, report, e);
    alarm(0);
    return ok;
}
