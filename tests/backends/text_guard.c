/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "text_subjects.h"

void text_pad(char *to, size_t n, struct random *r)
{
    static const char bytes[] = "\"\n,\r1.e \t";
    for (size_t i = 0; i < n; i++)
        to[i] = bytes[random_below(r, sizeof bytes)];
}

char *text_guard_place(struct text_guard *g, const struct text_chunk *c,
                       struct random *r)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), n = c->text.n;
    size_t room = (n + CSV_PADDING + page - 1) / page * page;
    text_guard_free(g);
    g->bytes = room + 2 * page;
    g->at = mmap(NULL, g->bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *start = (char *)g->at + page;
    if (g->at == MAP_FAILED ||
        mprotect(start, room, PROT_READ | PROT_WRITE) != 0) {
        perror("check_text: mmap");
        exit(2);
    }
    char *to = start;
    if (random_below(r, 2))
        to += room - n - CSV_PADDING;
    if (n > 0)
        memcpy(to, c->text.at, n);
    text_pad(to + n, CSV_PADDING, r);
    return to;
}

void text_guard_free(struct text_guard *g)
{
    if (g->at)
        munmap(g->at, g->bytes);
    g->at = NULL;
}
