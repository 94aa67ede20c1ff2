/* SPDX-License-Identifier: MIT */
/* A buffered writer of text to a descriptor. It writes large pieces.
 * One thread at a time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "reduce/value.h"

enum { WRITER_BYTES = 64 << 10 };

/* Text in memory, in place of a descriptor. */
struct writer_memory {
    char *at; /* [bytes], owned by the caller, who frees it */
    size_t bytes, room;
};

struct writer {
    int fd;                       /* borrowed */
    struct writer_memory *memory; /* not NULL: the text goes here instead */
    int failed;  /* errno of a failed write, or 0; text after it is dropped */
    size_t used; /* bytes of piece */
    char piece[WRITER_BYTES];
};

void writer_start(struct writer *w, int fd);

/* Starts a writer that appends to memory. If memory runs out, the write fails
 * with ENOMEM. */
void writer_start_memory(struct writer *w, struct writer_memory *memory);

/* For writer_put only: writes text that does not fit into the piece. The last
 * byte stays in the piece, so that the output is not whole before writer_end.
 */
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

/* Writes a value like number_text. */
void writer_value(struct writer *w, const struct value *value);

/* Writes a value like number_json. */
void writer_number(struct writer *w, const struct value *value);

/* Writes foreign text as a TSV cell, with the escapes of base/quote.h. */
void writer_name(struct writer *w, const char *name, size_t bytes);

/* Writes foreign text as a JSON string, in its quotes (base/quote.h). */
void writer_json(struct writer *w, const char *name, size_t bytes);

/* Writes foreign text as a CSV cell: byte for byte, in quotes if RFC 4180
 * requires them. */
void writer_csv(struct writer *w, const char *name, size_t bytes);

/* Writes the rest. False with the error if any write failed. */
bool writer_end(struct writer *w, struct error *e);
