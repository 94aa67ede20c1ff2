/* SPDX-License-Identifier: MIT */
/* Memory between two inaccessible pages. */
#pragma once

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

struct guard {
    char *at; /* `bytes` bytes, a multiple of the page size */
    size_t bytes;
};

static inline struct guard guard_open(size_t bytes)
{
    enum { PAGE = 4096 };
    struct guard g = {NULL, (bytes + PAGE - 1) / PAGE * PAGE};
    char *p = mmap(NULL, g.bytes + 2 * PAGE, PROT_NONE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED ||
        mprotect(p + PAGE, g.bytes, PROT_READ | PROT_WRITE) != 0) {
        perror("mmap");
        exit(1);
    }
    g.at = p + PAGE;
    return g;
}

/* Returns the last `bytes` bytes, which end at the inaccessible page. */
static inline void *guard_last(const struct guard *g, size_t bytes)
{
    return g->at + g->bytes - bytes;
}
