/* SPDX-License-Identifier: MIT */
/*
 * The line on standard error that is drawn again and again. If a signal ends
 * the process, the line is erased first. There is one line for the process. One
 * thread at a time may call these functions; signals may arrive in any thread.
 */
#pragma once

#include <stdbool.h>

/* Prepares to draw. Returns whether to draw: standard error is a terminal that
 * is not dumb, or `anyway` is set. Until line_close, the signals INT, TERM, HUP
 * and PIPE erase the line before they end the process. Signals that were
 * ignored stay ignored. */
bool line_open(bool anyway);

/* Whether standard error is a terminal, where the line can be erased. Elsewhere
 * the last text stays. */
bool line_is_terminal(void);

/* The columns that a text may have in the current window: one fewer than the
 * window has, because some terminals wrap in the last one. */
unsigned line_width(void);

/* Replaces the text shown by this ASCII text. On a terminal the cursor is then
 * at its start. Never blocks: draws nothing if the process is in the background
 * or the terminal takes no output. */
void line_draw(const char *text);

/* Erases the line. Other text may then be written until the next line_draw. */
void line_erase(void);

/* Erases the line on a terminal; elsewhere ends it with LF. Restores the
 * signals. */
void line_close(void);
