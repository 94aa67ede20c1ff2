/* SPDX-License-Identifier: MIT */
/*
 * Formats that gpureduce recognises by their first bytes but does not read.
 * Each row has a command that converts such a file to a format that gpureduce
 * reads.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct input;
struct foreign_text; /* foreign_look.h */

/* The number of first bytes that is enough to test every row. */
enum { FOREIGN_HEAD = 4096 };

struct foreign {
    const char *words;  /* values of --format, separated by blanks */
    const char *what;   /* a noun with its article, for messages */
    const char *remedy; /* a command; FILE stands for the file's name */
    /* The format is recognised by `bytes` bytes of `magic` at `offset`, or by
     * one of the functions `is` and `is_text`. */
    const char *magic;
    unsigned char bytes;
    unsigned short offset;
    /* Plain text may start with the magic, so a head that is all text is not
     * this format. */
    bool is_weak;
    bool is_inside; /* this row is only for the contents of compressed data */
    bool (*is)(const char *head, size_t have);
    bool (*is_text)(struct foreign_text t);
};

/* The row that the first bytes match, or NULL. `is_inside`: they are the
 * contents of compressed data. */
const struct foreign *foreign_find(const unsigned char *head, size_t have,
                                   bool is_inside);

/* The row for this value of --format, or NULL. */
const struct foreign *foreign_named(const char *word);

/* Sets the error that the input is of that format. Returns false. */
bool foreign_refuse(const struct foreign *foreign, const struct input *input,
                    struct error *e);
