/* SPDX-License-Identifier: MIT */
/*
 * A backend that reduces on the CPU like the real one, but with delays and
 * injected failures. Each slot works in a thread of its own. It checks that its
 * caller follows the rules of engine/backend.h.
 */
#pragma once

#include <stdint.h>

#include "engine/backend.h"

#define FAKE_NEVER UINT64_MAX

struct fake_plan {
    unsigned slots;
    bool reads_anywhere;
    uint64_t seed;
    unsigned delay_us; /* a slot takes a random time of at most this */
    /* The chunk with this sequence number takes 60 ms. */
    uint64_t straggler;
    /* Called before each chunk is reduced, by the slot's thread, or NULL. */
    void (*before)(void);
    /* Opening fails for this context and all later ones, counted from 0. */
    uint64_t fail_open;
    /* The bytes that the slots of all open contexts may have, together: beyond
     * that, opening fails for lack of memory. A context of text takes as much
     * again with its first chunk, as a GPU does for columns. 0: any number. */
    size_t memory;
    /* Submitting or waiting for the chunk with this sequence number fails, and
     * so does every `every`th chunk after it (0: no other). The error names the
     * chunk. */
    uint64_t fail_submit, fail_wait, every;
};

/* Returns the backend for a plan. It is valid until the next call; one exists
 * at a time. */
const struct backend *fake_backend(const struct fake_plan *plan);

/* Takes memory of the plan's, if there is as much; gives it back. */
bool fake_take(size_t bytes, struct error *e);
void fake_give(size_t bytes);

/* Returns the first rule that the caller broke, contexts left open included, or
 * NULL. */
const char *fake_complaint(void);
