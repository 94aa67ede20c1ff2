/* SPDX-License-Identifier: MIT */
/* Whether the environment allows colour and a moving cursor on a terminal. */
#pragma once

#include <stdbool.h>

/* Whether it moves the cursor by no more than CR and LF: TERM is dumb or "", or
 * is not set. */
bool terminal_is_dumb(void);

/* Whether the descriptor is a terminal that shows colours, and the user wants
 * them: NO_COLOR is not set, or is "". */
bool terminal_has_colour(int fd);
