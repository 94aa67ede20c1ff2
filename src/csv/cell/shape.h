/* SPDX-License-Identifier: MIT */
/* Texts that stand for numbers in notations that are not read, or for no value
 * at all. The text comes without the blanks and quotes around it. */
#pragma once

#include <stdbool.h>

#include "csv/structure/span.h"

/* -0x1F */
bool csv_is_hexadecimal(struct csv_span text);

/* 1.5D+03, as Fortran writes a double: with a point, or a sign after the D. */
bool csv_is_fortran(struct csv_span text);

/* 12K, 5 MiB, -1.5GB: a number, then a letter of K M G T P, then nothing, B or
 * i. */
bool csv_has_unit(struct csv_span text);

/* Whether programs write the text for a missing value: it is a known word, in
 * upper or lower case, or has only characters such as `-` or `?`. */
bool csv_is_missing_word(struct csv_span text);
