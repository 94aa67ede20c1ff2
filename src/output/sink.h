/* SPDX-License-Identifier: MIT */
/*
 * Everything that a run prints on standard error goes through the sink: notes,
 * the tables of -v, and the bar, which is erased before other text. Only main
 * prints the error that ends a run. On a terminal the program's name is bold,
 * unless base/terminal.h says that colours are off. Only the thread that
 * carries out the plan may call these functions.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "base/notes.h"
#include "output/progress.h"

/* The caller sets `to` and `quiet`; the rest starts as zero. */
struct sink {
    FILE *to;
    bool quiet;         /* print only the tables */
    struct notes notes; /* gathered until sink_notes */
    struct progress bar;
};

/* Prints the error that ends a run. Only main calls it, and a rank that ends
 * all others (ranks/link.h). */
void sink_error(FILE *to, const struct error *e);

/* Prints a line now, unless quiet. */
void sink_say(struct sink *sink, const char *text);

/* Prints the notes gathered since the last call, unless quiet. */
void sink_notes(struct sink *sink);

/* Between these two calls the caller may print a table to the file returned. */
FILE *sink_hold(struct sink *sink);
void sink_resume(struct sink *sink);
