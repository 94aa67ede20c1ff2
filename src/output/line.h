/* SPDX-License-Identifier: MIT */
/*
 * The one line on standard error that is drawn over and over, and what becomes
 * of it when a signal ends the process. One for the process; its functions are
 * called by one thread at a time, the signals come in any.
 */
#pragma once

#include <stdbool.h>

/* Ready to draw where standard error is a terminal that is not dumb, or anyway.
 * From here to
 * line_close INT, TERM, HUP and PIPE erase the line before they end the
 * process; those that were ignored stay so. */
bool line_open(bool anyway);

/* Whether it can be taken back. Elsewhere the last text stays. */
bool line_is_terminal(void);

/* How many columns a text may have, as the window is now: one fewer than it
 * has, for in the last some terminals wrap. */
unsigned line_width(void);

/* Puts the ASCII text in place of what is shown, and at a terminal the cursor
 * where the text starts. Never waits, and draws nothing
 * where the process is in the background or the terminal takes nothing. */
void line_draw(const char *text);

/* Other text may be written to the terminal from here to the next draw. */
void line_erase(void);

/* Erases; what is no terminal gets the end of its line. */
void line_close(void);
