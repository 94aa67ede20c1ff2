/* SPDX-License-Identifier: MIT */
/* Reading a zip archive's directory, for zip.c. One thread at a time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/element.h"
#include "base/error.h"

/* Bytes of an entry of the directory, at least. */
enum { ENTRY_BYTES = 46 };

struct archive {
    int fd;                              /* borrowed */
    uint64_t start, bytes;               /* of the archive in the file */
    const char *file;                    /* borrowed; for messages */
    uint64_t directory, directory_bytes; /* offset from `start`; size */
    unsigned char *entries;              /* the directory, owned */
};

/* An entry of the directory. */
struct entry {
    const char *name; /* in archive.entries, without a NUL */
    size_t name_bytes;
    unsigned flags, method;
    uint32_t crc;           /* of the contents */
    uint64_t packed, bytes; /* compressed and uncompressed size */
    uint64_t local;         /* offset of the member's own header from `start` */
};

/* Finds the directory and reads it. The caller sets the fields before
 * `directory`. It frees `entries`, even after a failure. */
bool directory_read(struct archive *a, struct error *e);

/* Reads the entry at offset *at of the directory, and moves *at past it. */
bool directory_next(const struct archive *a, size_t *at, struct entry *entry,
                    struct error *e);

/* Reads `bytes` at offset `at` of the archive. False if the archive has
 * fewer. */
bool archive_read(const struct archive *a, uint64_t at, void *to, size_t bytes,
                  struct error *e);

/* Sets the error of a damaged archive. Returns false. */
bool archive_bad(const struct archive *a, const char *what, struct error *e);
