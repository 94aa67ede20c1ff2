/* SPDX-License-Identifier: MIT */
/* Whether the environment allows colour and a moving cursor on a terminal. */
#pragma once

#include <stdbool.h>

/* Whether the terminal cannot move the cursor other than by CR and LF: TERM is
 * "dumb", empty or not set. */
bool terminal_is_dumb(void);

/* Whether the user sees what is written there. The terminal that mpirun gives
 * its processes, whose bytes it copies elsewhere, does not count. */
bool terminal_is(int fd);

/* Whether the descriptor is a terminal that shows colours, and the user allows
 * them: NO_COLOR is empty or not set. */
bool terminal_has_colour(int fd);
