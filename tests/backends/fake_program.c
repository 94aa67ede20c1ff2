/* SPDX-License-Identifier: MIT */
/*
 * gpureduce_fake: the whole program with the fake backend in its registry.
 * `--device fake` or `--device gpu` runs all code above the backend on a
 * machine without a GPU. If a caller breaks the rules of engine/backend.h, the
 * program exits with status 70. FAKE_MEMORY=BYTES bounds what all open contexts
 * take together (fake.h). With FAKE_LOST=1 every chunk of records or
 * elements that the device is given fails.
 */
#include <stdio.h>
#include <stdlib.h>

#include "backend/registry.h"
#include "fake.h"
#include "fake_axis.h"

enum { EXIT_MISUSE = 70 };

static struct fake_plan plan = {.slots = 2,
                                .delay_us = 300,
                                .straggler = FAKE_NEVER,
                                .fail_open = FAKE_NEVER,
                                .fail_submit = FAKE_NEVER,
                                .fail_wait = FAKE_NEVER};
static const struct context_kind *contexts;

static void report_misuse(void)
{
    const char *complaint = fake_complaint();
    if (!complaint)
        return;
    fprintf(stderr, "gpureduce_fake: %s\n", complaint);
    fflush(NULL);
    _Exit(EXIT_MISUSE);
}

static void start(void)
{
    const char *memory = getenv("FAKE_MEMORY");
    if (memory)
        plan.memory = strtoull(memory, NULL, 10);
    if (getenv("FAKE_LOST")) {
        plan.fail_wait = 0;
        plan.every = 1;
    }
    contexts = fake_backend(&plan)->contexts(NULL);
    atexit(report_misuse);
}

static bool program_probe(int gpu, struct error *e)
{
    return gpu == 0 || error_set(e, ERROR_DEVICE, "there is no device %d", gpu);
}

static bool program_is_coherent(int gpu)
{
    return gpu == 0;
}

static struct context *program_open(const struct job *job, struct error *e)
{
    if (!program_probe(job->device, e))
        return NULL;
    return contexts->open(job, e);
}

static void *program_slot(struct context *context, unsigned slot)
{
    return contexts->slot(context, slot);
}

static bool program_submit(struct context *context, unsigned slot,
                           const struct chunk *chunk, struct error *e)
{
    return contexts->submit(context, slot, chunk, e);
}

static bool program_wait(struct context *context, unsigned slot,
                         struct owner *owner, struct error *e)
{
    return contexts->wait(context, slot, owner, e);
}

static void program_close(struct context *context)
{
    contexts->close(context);
}

static const struct context_kind *program_contexts(const struct job *job)
{
    static const struct context_kind kind = {
        2,    program_open,  program_slot, program_submit, program_wait,
        NULL, program_close, false};
    (void)job;
    return &kind;
}

static const struct backend row = {
    .name = "fake",
    .alias = "gpu",
    .title = "a fake GPU",
    .is_numbered = true,
    .faster_on_host = MONOID_BIT(distinct),
    .kept = MONOID_BIT(sketch), /* on the device, as the plan assumes */
    .kept_alone = MONOID_BIT(distinct),
    .start_up = 0.2,
    .end = 0.1,
    .elements = {.chunk = 4 << 20, .workers = 8, .rate = 1e9, .most = 1e10},
    .records = {.chunk = 6 << 20, .workers = 8, .rate = 1e9, .most = 1e10},
    .prepare = start,
    .probe = program_probe,
    .is_coherent = program_is_coherent,
    .contexts = program_contexts,
    .axes = &fake_axis_device};

const struct backend *const backends[] = {&backend_cpu, &row, NULL};
