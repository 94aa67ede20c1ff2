/* SPDX-License-Identifier: MIT */
/*
 * Finds what a shell offers for a word that is being typed. The scripts in
 * completions/ call `gpureduce --complete N WORD...` with the words of the line
 * but the program's own name: N of them, then the one that is typed, up to the
 * cursor, then those after it. The words come without the shell's quotes.
 */
#pragma once

#include <stdio.h>

#include "cli/options.h"

/* Prints "WORD<TAB>DESCRIPTION" for each word that the typed one may become. A
 * line "list" comes first if a comma and another item may follow. A line
 * "files" alone means that the shell should offer files. Prints nothing if
 * there is nothing to offer, and never an error. Column names come from the
 * first records of the first regular file on the line, without names that have
 * control bytes. */
void complete_print(const struct options *o, FILE *to);
