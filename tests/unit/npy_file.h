/* SPDX-License-Identifier: MIT */
/* Makes .npy files by hand and opens them with input_open. The including file
 * defines _GNU_SOURCE first. */
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "format/format.h"
#include "format/input.h"

enum { FILE_MAX = 1 << 17 };

/* A file in memory, and its path. */
static int memory;
static char path[40];
static unsigned char file[FILE_MAX];

static inline void save(size_t n)
{
    CHECK(ftruncate(memory, 0) == 0);
    CHECK(pwrite(memory, file, n, 0) == (ssize_t)n);
}

/* Writes version, header text and `data` bytes. Returns the size of the
 * file. */
static inline size_t make(int version, const char *header, size_t data)
{
    size_t length = strlen(header), at = version == 1 ? 10 : 12;
    memcpy(file, "\x93NUMPY", 6);
    file[6] = (unsigned char)version;
    file[7] = 0;
    for (size_t i = 8; i < at; i++)
        file[i] = (unsigned char)(length >> 8 * (i - 8));
    memcpy(file + at, header, length);
    memset(file + at + length, 0x41, data);
    return at + length + data;
}

/* Opens the first n bytes of the file. An input that opens is closed again; its
 * fields stay set. */
static inline bool look(size_t n, struct input *input, struct error *e)
{
    struct input_settings settings = {.format = format_find("npy")};
    save(n);
    *e = (struct error){.kind = ERROR_NONE};
    bool ok = input_open(input, path, &settings, false, e);
    if (ok)
        input_close(input);
    return ok;
}

static inline void check_refused(size_t n, const char *what)
{
    struct input input;
    struct error e;
    CHECK(!look(n, &input, &e), "%s", what);
    CHECK(e.kind == ERROR_DATA && e.text[0] != '\0', "%s: %s", what, e.text);
    CHECK(strstr(e.text, path) != NULL, "%s: %s", what, e.text);
}

static inline void npy_start(void)
{
    memory = memfd_create("array", MFD_CLOEXEC);
    CHECK(memory >= 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", memory);
}
