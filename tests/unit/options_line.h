/* SPDX-License-Identifier: MIT */
/* Parses a command line. */
#pragma once

#include <getopt.h>

#include "check.h"
#include "cli/options.h"

enum { ARGUMENTS = 16, LINE = 4096 };

/* The words of the last line; the parsed options borrow them. */
static char line_text[LINE];
static char *argument[ARGUMENTS + 1];

/* Parses "gpureduce LINE". Single blanks separate the words; '' is an empty
 * word. */
static inline bool parse(const char *line, struct options *o, struct error *e)
{
    int n = 0;
    argument[n++] = (char *)"gpureduce";
    snprintf(line_text, sizeof line_text, "%s", line);
    for (char *p = strtok(line_text, " "); p; p = strtok(NULL, " "))
        argument[n++] = strcmp(p, "''") == 0 ? p + 2 : p;
    argument[n] = NULL;
    optind = 0; /* glibc: starts a new scan */
    *e = (struct error){.kind = ERROR_NONE};
    return options_parse(o, n, argument, e);
}
