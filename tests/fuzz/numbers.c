/* SPDX-License-Identifier: MIT */
/* Lines of any bytes as numbers of every dtype, by every function and in
 * columns, against libc and integers of any size: see ../numbers. */
#include "fuzz.h"

#include <string.h>

#include "../numbers/readers.h"

void run_numbers(const struct target *t, const unsigned char *p, size_t n)
{
    static struct run run;
    static char text[TEXT_MAX + 1];
    const unsigned char *end = p + n;
    (void)t;
    memset(&run, 0, sizeof run);
    run_start(&run, n);
    for (; p < end; p++) { /* a text ends at LF or NUL */
        size_t length = 0;
        for (; p < end && *p != '\n' && *p != 0 && length < TEXT_MAX; p++)
            text[length++] = (char)*p;
        text[length] = '\0';
        if (length > 0)
            check_text(&run, text, length);
    }
    run_end(&run);
    if (run.failures > 0)
        wrong("numbers", "see above", "as the oracles");
}
