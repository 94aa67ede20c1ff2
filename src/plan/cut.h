/* SPDX-License-Identifier: MIT */
/*
 * A text is cut where its first record from a byte on starts. Whether that byte
 * is inside quotes depends on all bytes before it, so they are scanned, as fast
 * as one thread can. All parts look at the start of the file for the header and
 * the columns, so they agree on these.
 *
 * The parts of one run need no scan. They guess the starts from the bytes that
 * follow, all in the same way. The first part starts right. A part that starts
 * right and ends inside quotes fails, as a text does that never closes them: so
 * if no part fails, each ends where a record does, and the next starts right.
 */
#pragma once

#include "format/input.h"

/* Narrows a text to the records that start in its bytes [first, end). With
 * `guesses` the lines of its table are those of the whole text. */
bool cut_text(struct input *input, uint64_t first, uint64_t end, bool guesses,
              struct error *e);
