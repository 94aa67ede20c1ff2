/* SPDX-License-Identifier: MIT */
/*
 * Notes to the user: what was assumed about the data, and what was left out.
 * They are gathered and printed together, each kind once however many files it
 * applies to. One thread at a time.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct note {
    const char *kind; /* a constant; notes of the same text are of one kind */
    const char *file; /* borrowed */
    const char *last; /* of `more`, borrowed */
    char *text;
    size_t more; /* further files */
    bool is_said;
};

struct notes {
    struct note *note;
    size_t n, room;
};

/* Of an assumption one file is an example. What is counted differs from file
 * to file. */
enum { NOTE_ASSUMED = 1, NOTE_COUNTED = 3 };

/* Adds a line about a file (NULL: several files). Notes of a kind are said of
 * `most` files, and further files are only counted. Nothing is added where
 * `notes` is NULL. */
#if defined(__GNUC__)
__attribute__((format(printf, 5, 6)))
#endif
void notes_add(struct notes *notes, const char *kind, size_t most,
               const char *file, const char *format, ...);

/* Prints what was not printed before, each line after `prefix`. */
void notes_print(struct notes *notes, FILE *to, const char *prefix);
void notes_free(struct notes *notes);
