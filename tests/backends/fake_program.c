/* SPDX-License-Identifier: MIT */
/*
 * Makes the fake backend the GPU of a whole program: gpureduce_fake is
 * gpureduce, linked with this in place of the CUDA backend. `--device gpu`
 * then drives every line above the backend on a machine without a GPU. A
 * caller that breaks the rules of engine/backend.h makes the program exit
 * with status 70.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "fake.h"

enum { EXIT_MISUSE = 70 };

static const struct fake_plan plan = {.slots = 2,
                                      .delay_us = 300,
                                      .straggler = FAKE_NEVER,
                                      .fail_open = FAKE_NEVER,
                                      .fail_submit = FAKE_NEVER,
                                      .fail_wait = FAKE_NEVER};
static const struct lane_kind *lanes;
static pthread_once_t once = PTHREAD_ONCE_INIT;

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
    lanes = fake_backend(&plan)->lanes(NULL);
    atexit(report_misuse);
}

static bool program_probe(int gpu, struct error *e)
{
    return gpu == 0 || error_set(e, ERROR_DEVICE, "there is no GPU %d", gpu);
}

static struct lane *program_open(const struct job *job, struct error *e)
{
    if (!program_probe(job->gpu, e))
        return NULL;
    pthread_once(&once, start);
    return lanes->open(job, e);
}

static void *program_slot(struct lane *lane, unsigned slot)
{
    return lanes->slot(lane, slot);
}

static bool program_submit(struct lane *lane, unsigned slot,
                           const struct chunk *chunk, struct error *e)
{
    return lanes->submit(lane, slot, chunk, e);
}

static bool program_wait(struct lane *lane, unsigned slot, struct owner *owner,
                         struct error *e)
{
    return lanes->wait(lane, slot, owner, e);
}

static void program_close(struct lane *lane)
{
    lanes->close(lane);
}

static const struct lane_kind *program_lanes(const struct job *job)
{
    static const struct lane_kind kind = {
        2,    program_open, program_slot, program_submit, program_wait,
        NULL, program_close};
    (void)job;
    return &kind;
}

const struct backend backend_cuda = {
    .name = "gpu", .probe = program_probe, .lanes = program_lanes};
