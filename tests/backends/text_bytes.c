/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

char *bytes_more(struct bytes *b, size_t n)
{
    if (b->room - b->n < n) {
        b->room = 2 * b->room + n + 64;
        b->at = realloc(b->at, b->room);
        if (!b->at) {
            fprintf(stderr, "check_text: out of memory\n");
            exit(2);
        }
    }
    b->n += n;
    return b->at + b->n - n;
}

void bytes_add(struct bytes *b, const void *at, size_t n)
{
    if (n > 0)
        memcpy(bytes_more(b, n), at, n);
}

void bytes_fill(struct bytes *b, char c, size_t n)
{
    if (n > 0)
        memset(bytes_more(b, n), c, n);
}
