/* SPDX-License-Identifier: MIT */
/*
 * The format is PKWARE's APPNOTE.TXT 6.3. A record at the end of the archive
 * says where the directory is; with zip64 a second record before it has the
 * 64-bit values. NumPy also writes zip64 fields into the members' own headers.
 * They are not read, since the directory has every value.
 */
#include "source/compressed/directory.h"

#include <stdlib.h>

#include "source/io.h"

enum {
    END_BYTES = 22,
    END64_BYTES = 56,
    LOCATOR_BYTES = 20,
    COMMENT_MAX = 65535,
    DIRECTORY_MAX = 64 << 20, /* a million members */
};

enum {
    END_MAGIC = 0x06054b50,
    END64_MAGIC = 0x06064b50,
    LOCATOR_MAGIC = 0x07064b50,
    ENTRY_MAGIC = 0x02014b50,
};

bool archive_bad(const struct archive *a, const char *what, struct error *e)
{
    return error_named(e, ERROR_DATA, a->file, "corrupt zip archive: %s", what);
}

bool archive_read(const struct archive *a, uint64_t at, void *to, size_t bytes,
                  struct error *e)
{
    size_t got;
    if (at > a->bytes || bytes > a->bytes - at)
        return archive_bad(a, "it refers to bytes beyond its end", e);
    if (!io_pread(a->fd, to, bytes, a->start + at, &got))
        return error_errno(e, a->file, "cannot be read");
    return got == bytes || archive_bad(a, "it ends early", e);
}

/* Reads the directory's offset and size from the zip64 record, if there is
 * one. */
static bool read_end64(struct archive *a, uint64_t end, struct error *e)
{
    unsigned char locator[LOCATOR_BYTES], record[END64_BYTES];
    if (end < LOCATOR_BYTES)
        return true;
    if (!archive_read(a, end - LOCATOR_BYTES, locator, sizeof locator, e))
        return false;
    if (little_endian(locator, 4) != LOCATOR_MAGIC)
        return true;
    if (!archive_read(a, little_endian(locator + 8, 8), record, sizeof record,
                      e))
        return false;
    if (little_endian(record, 4) != END64_MAGIC)
        return archive_bad(a, "its zip64 record is not where it should be", e);
    a->directory_bytes = little_endian(record + 40, 8);
    a->directory = little_endian(record + 48, 8);
    return true;
}

/* Finds the end record, whose comment must end where the archive ends, and
 * takes the directory's place from it. */
static bool find_directory(struct archive *a, struct error *e)
{
    size_t tail = a->bytes < END_BYTES + COMMENT_MAX ? (size_t)a->bytes
                                                     : END_BYTES + COMMENT_MAX;
    unsigned char *bytes = malloc(tail + 1);
    if (!bytes)
        return error_memory(e);
    bool ok = archive_read(a, a->bytes - tail, bytes, tail, e), found = false;
    size_t at = tail >= END_BYTES ? tail - END_BYTES + 1 : 0;
    while (ok && !found && at-- > 0)
        found = little_endian(bytes + at, 4) == END_MAGIC &&
                at + END_BYTES + little_endian(bytes + at + 20, 2) == tail;
    if (found) {
        a->directory_bytes = little_endian(bytes + at + 12, 4);
        a->directory = little_endian(bytes + at + 16, 4);
    }
    free(bytes);
    if (!ok || !found)
        return ok && archive_bad(a,
                                 "it has no directory at its end (is it "
                                 "truncated?)",
                                 e);
    uint64_t end = a->bytes - tail + at;
    if (!read_end64(a, end, e))
        return false;
    if (a->directory > end || a->directory_bytes > end - a->directory)
        return archive_bad(a, "its central directory lies outside the file", e);
    return a->directory_bytes <= DIRECTORY_MAX ||
           archive_bad(a, "its central directory is larger than 64 MiB", e);
}

/* The zip64 field has the values that do not fit into 32 bits, in this
 * order. */
static bool read_zip64(struct entry *entry, const unsigned char *p, size_t n)
{
    uint64_t *const values[] = {&entry->bytes, &entry->packed, &entry->local};
    for (int i = 0; i < 3; i++) {
        if (*values[i] != UINT32_MAX)
            continue;
        if (n < 8)
            return false;
        *values[i] = little_endian(p, 8);
        p += 8;
        n -= 8;
    }
    return true;
}

static bool read_extra(struct entry *entry, const unsigned char *p, size_t n)
{
    while (n >= 4) {
        size_t bytes = (size_t)little_endian(p + 2, 2);
        if (bytes > n - 4)
            return false;
        if (little_endian(p, 2) == 1)
            return read_zip64(entry, p + 4, bytes);
        p += 4 + bytes;
        n -= 4 + bytes;
    }
    /* Some writers leave padding that is shorter than a field; this is not an
     * error. */
    return true;
}

bool directory_next(const struct archive *a, size_t *at, struct entry *entry,
                    struct error *e)
{
    const unsigned char *p = a->entries + *at;
    size_t left = (size_t)a->directory_bytes - *at;
    if (left < ENTRY_BYTES || little_endian(p, 4) != ENTRY_MAGIC)
        return archive_bad(
            a, "an entry of its central directory has a wrong signature", e);
    size_t name = (size_t)little_endian(p + 28, 2),
           extra = (size_t)little_endian(p + 30, 2);
    size_t all = ENTRY_BYTES + name + extra + (size_t)little_endian(p + 32, 2);
    if (all > left)
        return archive_bad(a, "an entry of its central directory is cut off",
                           e);
    *entry = (struct entry){.name = (const char *)p + ENTRY_BYTES,
                            .name_bytes = name,
                            .flags = (unsigned)little_endian(p + 8, 2),
                            .method = (unsigned)little_endian(p + 10, 2),
                            .crc = (uint32_t)little_endian(p + 16, 4),
                            .packed = little_endian(p + 20, 4),
                            .bytes = little_endian(p + 24, 4),
                            .local = little_endian(p + 42, 4)};
    if (!read_extra(entry, p + ENTRY_BYTES + name, extra))
        return archive_bad(a, "a zip64 field is cut off", e);
    *at += all;
    return true;
}

bool directory_read(struct archive *a, struct error *e)
{
    a->entries = NULL;
    if (!find_directory(a, e))
        return false;
    size_t bytes = (size_t)a->directory_bytes;
    a->entries = malloc(bytes + 1);
    if (!a->entries)
        return error_memory(e);
    return archive_read(a, a->directory, a->entries, bytes, e);
}
