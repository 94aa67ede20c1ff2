/* SPDX-License-Identifier: MIT */
/* A piece of text. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct csv_span {
    const char *at;
    size_t bytes;
};

static inline bool csv_span_same(struct csv_span a, struct csv_span b)
{
    return a.bytes == b.bytes &&
           (a.bytes == 0 || memcmp(a.at, b.at, a.bytes) == 0);
}

/* Whether the byte is a blank, which does not count around a cell's text. */
static inline bool csv_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* The text without the blanks around it. */
static inline struct csv_span csv_trim(struct csv_span s)
{
    while (s.bytes > 0 && csv_blank(s.at[0]))
        s.at++, s.bytes--;
    while (s.bytes > 0 && csv_blank(s.at[s.bytes - 1]))
        s.bytes--;
    return s;
}
