/* SPDX-License-Identifier: MIT */
/*
 * Notes to the user: what was assumed about the data, and what was left out.
 * They are gathered and printed together, so that an assumption about a
 * thousand files takes two lines. One thread at a time.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct note {
    const char *kind; /* static string; equal strings are one kind */
    const char *file; /* borrowed; NULL: the note is about several files */
    const char *last; /* borrowed; the last file counted in `more` */
    char *text;       /* owned, one line */
    size_t more;      /* files counted since notes_print, without a line */
    bool is_printed;
};

struct notes {
    struct note *note; /* [room], owned; n of them are used */
    size_t n, room;
};

/* Values of `most` for notes_add. One file is example enough for an assumption.
 * Counts differ from file to file, so that three of them are printed. */
enum { NOTE_ASSUMED = 1, NOTE_COUNTED = 3 };

/* Adds a line about a file, or about several files if `file` is NULL. Of each
 * kind, `most` files get a line and further files are only counted. Borrows
 * kind and file. Does nothing if `notes` is NULL. */
#if defined(__GNUC__)
__attribute__((format(printf, 5, 6)))
#endif
void notes_add(struct notes *notes, const char *kind, size_t most,
               const char *file, const char *format, ...);

/* Prints the lines and counts added since the last call, each after
 * `prefix`. */
void notes_print(struct notes *notes, FILE *to, const char *prefix);
void notes_free(struct notes *notes);
