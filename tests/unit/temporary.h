/* SPDX-License-Identifier: MIT */
/* Files of a test, in one folder, which is removed when the test ends. */
#pragma once

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEMPORARY_MAX = 512 };

static char temporary_folder[256];

static inline void temporary_clean(void)
{
    char command[TEMPORARY_MAX];
    snprintf(command, sizeof command, "rm -rf '%s'", temporary_folder);
    if (system(command) != 0)
        fprintf(stderr, "%s failed\n", command);
}

/* Writes the path of a file in the folder and returns it. */
static inline const char *temporary_path(char out[TEMPORARY_MAX],
                                         const char *name)
{
    if (temporary_folder[0] == '\0') {
        const char *base = getenv("TMPDIR");
        snprintf(temporary_folder, sizeof temporary_folder, "%s/unit.XXXXXX",
                 base && strlen(base) < 200 ? base : "/tmp");
        if (!mkdtemp(temporary_folder)) {
            perror(temporary_folder);
            exit(1);
        }
        atexit(temporary_clean);
    }
    snprintf(out, TEMPORARY_MAX, "%s/%s", temporary_folder, name);
    return out;
}

static inline void temporary_write(const char *path, const void *bytes,
                                   size_t n)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, n, file) != n || fclose(file) != 0) {
        perror(path);
        exit(1);
    }
}
