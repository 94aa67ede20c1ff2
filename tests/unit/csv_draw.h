/* SPDX-License-Identifier: MIT */
/* Text at random that has all the structure there is, of any few letters. */
#pragma once

#include "check.h"

static inline void csv_draw(char *text, size_t n, unsigned char delimiter)
{
    static const char *const alphabets[] = {
        "\"d\n\r1", "\"\n",   "\"\"\"1d\n", "\"d\n", "1111111111d\n\"",
        "d\n",      "\r\n1d", "\"1",        "1",     "\"11111111111111111d\n"};
    const char *letters = alphabets[check_below(10)];
    for (size_t i = 0; i < n; i++) {
        char c = letters[check_below(strlen(letters))];
        text[i] = c == 'd' ? (char)delimiter : c;
    }
}

static inline unsigned char csv_draw_delimiter(void)
{
    static const unsigned char delimiters[] = {',', '\t', ';', ' ', 'x', 0xe9};
    return delimiters[check_below(sizeof delimiters)];
}
