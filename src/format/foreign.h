/* SPDX-License-Identifier: MIT */
/*
 * Formats that are known by their first bytes, and not read: each with the
 * command that makes something readable of it. Adding one is a row.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct input;
struct foreign_text; /* foreign_look.h */

/* Bytes of a file's start that are enough for every row. */
enum { FOREIGN_HEAD = 4096 };

struct foreign {
    const char *words;  /* as values of --format, separated by blanks */
    const char *what;   /* with its article */
    const char *remedy; /* a command; FILE stands for the file's name */
    /* Known by the bytes at an offset, or by one of the functions. */
    const char *magic;
    unsigned char bytes;
    unsigned short offset;
    bool is_weak;   /* the magic could start a text: only if no text follows */
    bool is_inside; /* foreign only within compressed data */
    bool (*is)(const char *head, size_t have);
    bool (*is_text)(struct foreign_text t);
};

/* The row that the first bytes belong to, or NULL. Is_inside: they come out of
 * compressed data. */
const struct foreign *foreign_find(const unsigned char *head, size_t have,
                                   bool is_inside);

/* The row of a value of --format, or NULL. */
const struct foreign *foreign_named(const char *word);

/* False, with the error: the input is of that format. */
bool foreign_refuse(const struct foreign *foreign, const struct input *input,
                    struct error *e);
