/* SPDX-License-Identifier: MIT */
/*
 * A backend that reduces on the CPU like the real one, but takes its time, is
 * done with slots in its own threads, fails where it is told to, and watches
 * whether its caller keeps to engine/backend.h.
 */
#pragma once

#include <stdint.h>

#include "engine/backend.h"

#define FAKE_NEVER UINT64_MAX

struct fake_plan {
    unsigned slots;
    bool reads_anywhere;
    uint64_t seed;
    unsigned delay_us; /* a slot takes up to so long */
    /* The chunk of this sequence number takes 60 ms. */
    uint64_t straggler;
    /* Contexts from this one on, counted in the order of opening, fail to open.
     */
    uint64_t fail_open;
    /* The submit, the wait of this chunk fails, and of every `every`th later
     * one; each error tells the sequence number. */
    uint64_t fail_submit, fail_wait, every;
};

/* One at a time: it is valid until the next call. */
const struct backend *fake_backend(const struct fake_plan *plan);

/* What the last one saw its caller do wrong, or NULL; contexts left open, too.
 */
const char *fake_complaint(void);
