/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "source/ahead.h"

#include <fcntl.h>
#include <stdbool.h>

enum { SLOW_PIECES = 6, PIECE_MIN = 64 << 10 };

/* Bytes of one request; and how many bytes ahead of the piece just read the
 * requests go. */
static const uint64_t STEP = 8 << 20, DISTANCE = 128 << 20;

void ahead_init(struct ahead *a, int fd, uint64_t end)
{
    a->fd = fd;
    a->end = end;
    atomic_init(&a->slow, 0);
    atomic_init(&a->asked, 0);
}

/* Whether pieces arrive at under 0.5 GB/s, too slow for the page cache. One
 * slow piece proves nothing: its thread may not have been scheduled. So slow
 * pieces count up and fast ones count down. At SLOW_PIECES the file is taken as
 * cold for good. */
static bool is_cold(struct ahead *a, size_t bytes, uint64_t ns)
{
    int slow = atomic_load_explicit(&a->slow, memory_order_relaxed);
    if (slow >= SLOW_PIECES || bytes < PIECE_MIN)
        return slow >= SLOW_PIECES;
    if (ns >= 2 * (uint64_t)bytes)
        slow = atomic_fetch_add(&a->slow, 1) + 1;
    else if (slow > 0)
        atomic_fetch_sub(&a->slow, 1);
    return slow >= SLOW_PIECES;
}

void ahead_note(struct ahead *a, uint64_t offset, size_t bytes, uint64_t ns)
{
    if (!is_cold(a, bytes, ns))
        return;
    uint64_t goal = offset + bytes + DISTANCE;
    goal = goal < a->end ? goal : a->end;
    uint64_t asked = atomic_load(&a->asked);
    while (asked < goal) {
        uint64_t from = asked > offset + bytes ? asked : offset + bytes;
        uint64_t to = from + STEP;
        if (atomic_compare_exchange_weak(&a->asked, &asked, to)) {
            readahead(a->fd, (off_t)from, STEP);
            asked = to;
        }
    }
}
