/* SPDX-License-Identifier: MIT */
/* Text on its way to a descriptor, written in pieces of a fixed size. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "reduce/value.h"

enum { WRITER_BYTES = 64 << 10 };

struct writer {
    int fd;
    int failed; /* errno of the write that did; the rest is dropped. Or 0 */
    size_t used;
    char piece[WRITER_BYTES];
};

void writer_start(struct writer *w, int fd);

/* What does not fit the piece. */
void writer_put_long(struct writer *w, const char *bytes, size_t n);

static inline void writer_put(struct writer *w, const char *bytes, size_t n)
{
    if (n > WRITER_BYTES - w->used) {
        writer_put_long(w, bytes, n);
        return;
    }
    memcpy(w->piece + w->used, bytes, n);
    w->used += n;
}

static inline void writer_text(struct writer *w, const char *text)
{
    writer_put(w, text, strlen(text));
}

void writer_value(struct writer *w, const struct value *value);

/* As number_json has it. */
void writer_number(struct writer *w, const struct value *value);

/* Foreign text, made safe as base/quote.h does for TSV cells. */
void writer_name(struct writer *w, const char *name, size_t bytes);

/* Foreign text as a string of JSON, which base/quote.h describes. */
void writer_json(struct writer *w, const char *name, size_t bytes);

/* Foreign text as a cell of CSV: byte for byte, in quotes where RFC 4180 asks
 * for them. */
void writer_csv(struct writer *w, const char *name, size_t bytes);

/* Writes what is left. False where any of it could not be written. */
bool writer_end(struct writer *w, struct error *e);
