/* SPDX-License-Identifier: MIT */
#include "base/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool terminal_is_dumb(void)
{
    const char *kind = getenv("TERM");
    return !kind || !*kind || strcmp(kind, "dumb") == 0;
}

bool terminal_is(int fd)
{
    return isatty(fd) && !getenv("OMPI_COMM_WORLD_RANK");
}

bool terminal_has_colour(int fd)
{
    const char *unwanted = getenv("NO_COLOR");
    return isatty(fd) && !terminal_is_dumb() && !(unwanted && *unwanted);
}
