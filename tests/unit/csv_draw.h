/* SPDX-License-Identifier: MIT */
/* Random text of a few letters, with all the structure there is. */
#pragma once

#include "check.h"
#include "csv/structure/machine.h"

static inline void csv_draw(char *text, size_t n, struct csv_dialect dialect)
{
    static const char *const alphabets[] = {"\"d\n\r1",
                                            "\"\n",
                                            "\"\"\"1d\n",
                                            "\"d\n",
                                            "1111111111d\n\"",
                                            "d\n",
                                            "\r\n1d",
                                            "\"1",
                                            "1",
                                            "\"11111111111111111d\n",
                                            "#\n1d",
                                            "#\n\"d1",
                                            "d\t 1\n",
                                            "d\"\t 1\n"};
    const char *letters = alphabets[check_below(14)];
    for (size_t i = 0; i < n; i++) {
        char c = letters[check_below(strlen(letters))];
        text[i] = (char)(c == 'd'    ? dialect.delimiter
                         : c == '"'  ? dialect.quote
                         : c == '\n' ? dialect.end
                                     : c);
    }
}

static inline unsigned char csv_draw_delimiter(void)
{
    static const unsigned char delimiters[] = {',', '\t', ';', ' ', 'x', 0xe9};
    return delimiters[check_below(sizeof delimiters)];
}

static inline struct csv_dialect csv_draw_dialect(void)
{
    struct csv_dialect d = csv_dialect_of(csv_draw_delimiter());
    if (check_below(2))
        return d;
    d.quote = "\"'q"[check_below(3)];
    d.quotes = check_below(4) > 0;
    d.end = check_below(3) ? '\n' : '\r';
    d.comment = '#';
    d.comments = check_below(2);
    d.blank = check_below(3) == 0;
    if (d.blank)
        d.delimiter = ' ';
    return d;
}
