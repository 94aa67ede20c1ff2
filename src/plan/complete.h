/* SPDX-License-Identifier: MIT */
/*
 * What a shell offers for a word that is being typed. The scripts in
 * completions/ call `gpureduce --complete N WORD...` with the words of the line
 * but the program's own name: N of them, then the one that is typed, up to the
 * cursor, then those after it. The words come without the shell's quotes.
 */
#pragma once

#include <stdio.h>

#include "cli/options.h"

/* Prints "WORD<TAB>DESCRIPTION" for each word that the typed one may become,
 * after a line "list" where a comma and more may follow it, or a line "files"
 * where the shell knows better. Prints nothing where there is nothing to offer,
 * and never an error. Column names are read from the first regular file of the
 * line, by its first records only; names with control bytes are left out. */
void complete_print(const struct options *o, FILE *to);
