/* SPDX-License-Identifier: MIT */
/* Reading of a zip archive and its directory, for zip.c. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct archive {
    int fd;
    uint64_t start, bytes;
    const char *file;
    uint64_t directory, directory_bytes; /* from `start` on */
    unsigned char *entries;              /* the directory */
};

/* An entry of the directory. */
struct entry {
    const char *name; /* name_bytes, not terminated */
    size_t name_bytes;
    unsigned flags, method;
    uint32_t crc;
    uint64_t packed, bytes, local;
};

/* Finds the directory and reads it. What comes before `directory` is the
 * caller's to set; entries is to be freed, also after a failure. */
bool directory_read(struct archive *a, struct error *e);

/* The entry at *at of the directory; *at moves behind it. */
bool directory_next(const struct archive *a, size_t *at, struct entry *entry,
                    struct error *e);

/* Bytes of the archive; false unless all of them are there. */
bool archive_read(const struct archive *a, uint64_t at, void *to, size_t bytes,
                  struct error *e);

/* A number of 1 to 8 bytes. */
uint64_t archive_number(const unsigned char *p, unsigned bytes);

/* The error of an archive that is damaged. */
bool archive_bad(const struct archive *a, const char *what, struct error *e);
