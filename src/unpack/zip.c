/* SPDX-License-Identifier: MIT */
/*
 * PKWARE's APPNOTE.TXT 6.3: at the end of the archive a record that tells where
 * the directory is; with zip64 a second one before it, for what needs 64 bits.
 * NumPy's archives have zip64 fields in the members' own headers, too, which
 * are not needed: the directory tells everything.
 */
#include "unpack/zip.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "input/io.h"

enum {
    END_BYTES = 22,
    END64_BYTES = 56,
    LOCATOR_BYTES = 20,
    ENTRY_BYTES = 46,
    LOCAL_BYTES = 30,
    COMMENT_MAX = 65535,
    DIRECTORY_MAX = 64 << 20, /* a million members */
    NAMES_SHOWN = 20,
};

enum {
    END_MAGIC = 0x06054b50,
    END64_MAGIC = 0x06064b50,
    LOCATOR_MAGIC = 0x07064b50,
    ENTRY_MAGIC = 0x02014b50,
    LOCAL_MAGIC = 0x04034b50,
};

enum { STORED = 0, DEFLATED = 8, ENCRYPTED = 1 << 0 | 1 << 6 | 1 << 13 };

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

static uint64_t little(const unsigned char *p, unsigned bytes)
{
    uint64_t n = 0;
    for (unsigned i = 0; i < bytes; i++)
        n |= (uint64_t)p[i] << 8 * i;
    return n;
}

static bool bad(const struct archive *a, const char *what, struct error *e)
{
    char name[QUOTE_MAX];
    return error_set(e, ERROR_DATA, "%s: corrupt zip archive: %s",
                     quote(name, a->file), what);
}

static bool read_at(const struct archive *a, uint64_t at, void *to,
                    size_t bytes, struct error *e)
{
    size_t got;
    if (at > a->bytes || bytes > a->bytes - at)
        return bad(a, "it refers to bytes beyond its end", e);
    if (!io_pread(a->fd, to, bytes, a->start + at, &got))
        return error_errno(e, a->file, "cannot be read");
    return got == bytes || bad(a, "it ends early", e);
}

/* The directory's place from the zip64 record, where there is one. */
static bool read_end64(struct archive *a, uint64_t end, struct error *e)
{
    unsigned char locator[LOCATOR_BYTES], record[END64_BYTES];
    if (end < LOCATOR_BYTES)
        return true;
    if (!read_at(a, end - LOCATOR_BYTES, locator, sizeof locator, e))
        return false;
    if (little(locator, 4) != LOCATOR_MAGIC)
        return true;
    if (!read_at(a, little(locator + 8, 8), record, sizeof record, e))
        return false;
    if (little(record, 4) != END64_MAGIC)
        return bad(a, "its zip64 record is not where it should be", e);
    a->directory_bytes = little(record + 40, 8);
    a->directory = little(record + 48, 8);
    return true;
}

/* Finds the record at the end, whose comment must reach to the end. */
static bool find_directory(struct archive *a, struct error *e)
{
    size_t tail = a->bytes < END_BYTES + COMMENT_MAX ? (size_t)a->bytes
                                                     : END_BYTES + COMMENT_MAX;
    unsigned char *bytes = malloc(tail + 1);
    if (!bytes)
        return error_set(e, ERROR_DATA, "out of memory");
    bool ok = read_at(a, a->bytes - tail, bytes, tail, e), found = false;
    size_t at = tail >= END_BYTES ? tail - END_BYTES + 1 : 0;
    while (ok && !found && at-- > 0)
        found = little(bytes + at, 4) == END_MAGIC &&
                at + END_BYTES + little(bytes + at + 20, 2) == tail;
    if (found) {
        a->directory_bytes = little(bytes + at + 12, 4);
        a->directory = little(bytes + at + 16, 4);
    }
    free(bytes);
    if (!ok || !found)
        return ok && bad(a,
                         "it has no directory at its end (is it "
                         "truncated?)",
                         e);
    uint64_t end = a->bytes - tail + at;
    if (!read_end64(a, end, e))
        return false;
    if (a->directory > end || a->directory_bytes > end - a->directory)
        return bad(a, "its directory is not inside it", e);
    return a->directory_bytes <= DIRECTORY_MAX ||
           bad(a, "its directory is of over 64 MiB", e);
}

/* The zip64 field holds, in this order, what did not fit into 32 bits. */
static bool read_zip64(struct entry *entry, const unsigned char *p, size_t n)
{
    uint64_t *const values[] = {&entry->bytes, &entry->packed, &entry->local};
    for (int i = 0; i < 3; i++) {
        if (*values[i] != UINT32_MAX)
            continue;
        if (n < 8)
            return false;
        *values[i] = little(p, 8);
        p += 8;
        n -= 8;
    }
    return true;
}

static bool read_extra(struct entry *entry, const unsigned char *p, size_t n)
{
    while (n >= 4) {
        size_t bytes = (size_t)little(p + 2, 2);
        if (bytes > n - 4)
            return false;
        if (little(p, 2) == 1)
            return read_zip64(entry, p + 4, bytes);
        p += 4 + bytes;
        n -= 4 + bytes;
    }
    /* Padding of fewer bytes than a field has is seen, and harmless. */
    return true;
}

/* The entry at *at of the directory; *at moves behind it. */
static bool next_entry(const struct archive *a, size_t *at, struct entry *entry,
                       struct error *e)
{
    const unsigned char *p = a->entries + *at;
    size_t left = (size_t)a->directory_bytes - *at;
    if (left < ENTRY_BYTES || little(p, 4) != ENTRY_MAGIC)
        return bad(a, "an entry of its directory is none", e);
    size_t name = (size_t)little(p + 28, 2), extra = (size_t)little(p + 30, 2);
    size_t all = ENTRY_BYTES + name + extra + (size_t)little(p + 32, 2);
    if (all > left)
        return bad(a, "an entry of its directory is cut off", e);
    *entry = (struct entry){.name = (const char *)p + ENTRY_BYTES,
                            .name_bytes = name,
                            .flags = (unsigned)little(p + 8, 2),
                            .method = (unsigned)little(p + 10, 2),
                            .crc = (uint32_t)little(p + 16, 4),
                            .packed = little(p + 20, 4),
                            .bytes = little(p + 24, 4),
                            .local = little(p + 42, 4)};
    if (!read_extra(entry, p + ENTRY_BYTES + name, extra))
        return bad(a, "a zip64 field is cut off", e);
    *at += all;
    return true;
}

static bool is_folder(const struct entry *entry)
{
    return entry->name_bytes == 0 || entry->name[entry->name_bytes - 1] == '/';
}

static bool is_named(const struct entry *entry, const char *wanted,
                     const char *suffix)
{
    size_t n = strlen(wanted), s = strlen(suffix);
    return entry->name_bytes == n + s && memcmp(entry->name, wanted, n) == 0 &&
           memcmp(entry->name + n, suffix, s) == 0;
}

/* What the directory holds of what is looked for. */
struct found {
    unsigned members;         /* in all */
    unsigned exact, short_of; /* of that name, and of it less ".npy" */
    struct entry last, last_exact, last_short;
};

static bool look_through(const struct archive *a, const char *wanted,
                         struct found *found, struct error *e)
{
    struct entry entry;
    for (size_t at = 0; at < a->directory_bytes;) {
        if (!next_entry(a, &at, &entry, e))
            return false;
        if (is_folder(&entry))
            continue;
        found->members++;
        found->last = entry;
        if (wanted && is_named(&entry, wanted, "")) {
            found->exact++;
            found->last_exact = entry;
        } else if (wanted && is_named(&entry, wanted, ".npy")) {
            found->short_of++;
            found->last_short = entry;
        }
    }
    return true;
}

/* Appends the members' names, as they are to be given. */
static void append_names(const struct archive *a, char *text, size_t size)
{
    struct entry entry;
    unsigned shown = 0, n = 0;
    for (size_t at = 0; next_entry(a, &at, &entry, NULL);) {
        if (is_folder(&entry))
            continue;
        char name[QUOTE_MAX];
        size_t bytes = entry.name_bytes, used = strlen(text);
        if (bytes > 4 && memcmp(entry.name + bytes - 4, ".npy", 4) == 0)
            bytes -= 4;
        quote_bytes(name, entry.name, bytes);
        n++;
        if (shown == NAMES_SHOWN || used + strlen(name) + 40 > size)
            continue;
        snprintf(text + used, size - used, "%s%s", shown ? ", " : "", name);
        shown++;
    }
    size_t used = strlen(text);
    if (n > shown)
        snprintf(text + used, size - used, " and %u more", n - shown);
}

/* There is not the one member that was asked for. */
static bool tell_names(const struct archive *a, const char *wanted,
                       const struct found *found, struct error *e)
{
    char file[QUOTE_MAX], name[QUOTE_MAX], names[2048] = "";
    if (found->members == 0)
        return error_set(e, ERROR_DATA, "%s: the archive is empty",
                         quote(file, a->file));
    if (found->exact + found->short_of > 1)
        return error_set(e, ERROR_DATA,
                         "%s: the archive has several members %s",
                         quote(file, a->file), quote(name, wanted));
    append_names(a, names, sizeof names);
    if (wanted)
        return error_set(e, ERROR_USAGE,
                         "%s: the archive has no %s\nIt has %s.",
                         quote(file, a->file), quote(name, wanted), names);
    return error_set(e, ERROR_USAGE,
                     "%s: the archive has %u members\n"
                     "Give FILE:NAME, where NAME is one of %s.",
                     quote(file, a->file), found->members, names);
}

static bool choose(const struct archive *a, const char *wanted,
                   struct entry *entry, struct error *e)
{
    struct found found = {.members = 0};
    if (!look_through(a, wanted, &found, e))
        return false;
    if (wanted ? found.exact == 1 : found.members == 1)
        *entry = wanted ? found.last_exact : found.last;
    else if (wanted && found.exact == 0 && found.short_of == 1)
        *entry = found.last_short;
    else
        return tell_names(a, wanted, &found, e);
    return true;
}

static bool check_kind(const struct archive *a, const struct entry *entry,
                       struct error *e)
{
    char file[QUOTE_MAX], name[QUOTE_MAX];
    quote(file, a->file);
    quote_bytes(name, entry->name, entry->name_bytes);
    if (entry->flags & ENCRYPTED)
        return error_set(e, ERROR_DATA, "%s: %s is encrypted", file, name);
    if (entry->method != STORED && entry->method != DEFLATED)
        return error_set(e, ERROR_DATA,
                         "%s: %s is compressed by method %u, which is not "
                         "supported (stored and deflated are)",
                         file, name, entry->method);
    return entry->method != STORED || entry->packed == entry->bytes ||
           bad(a, "a stored member has two lengths", e);
}

/* Where the member's own header ends: it must say the same as the directory. */
static bool find_data(const struct archive *a, const struct entry *entry,
                      uint64_t *data, struct error *e)
{
    unsigned char local[LOCAL_BYTES];
    char name[UINT16_MAX];
    if (!read_at(a, entry->local, local, sizeof local, e))
        return false;
    size_t name_bytes = (size_t)little(local + 26, 2);
    if (little(local, 4) != LOCAL_MAGIC ||
        little(local + 8, 2) != entry->method ||
        name_bytes != entry->name_bytes)
        return bad(a, "a member is not where its directory says", e);
    if (!read_at(a, entry->local + LOCAL_BYTES, name, name_bytes, e))
        return false;
    if (memcmp(name, entry->name, name_bytes) != 0)
        return bad(a, "a member is not where its directory says", e);
    *data = entry->local + LOCAL_BYTES + name_bytes + little(local + 28, 2);
    return (*data <= a->directory && entry->packed <= a->directory - *data) ||
           bad(a, "a member reaches into the directory", e);
}

/* Whether another member claims some of the same bytes. */
static bool check_overlap(const struct archive *a, const struct entry *entry,
                          uint64_t end, struct error *e)
{
    struct entry other;
    for (size_t at = 0; at < a->directory_bytes;) {
        if (!next_entry(a, &at, &other, e))
            return false;
        if (other.name == entry->name)
            continue;
        uint64_t least = LOCAL_BYTES + other.name_bytes, other_end;
        if (__builtin_add_overflow(other.local, least, &other_end) ||
            __builtin_add_overflow(other_end, other.packed, &other_end) ||
            (other.local < end && other_end > entry->local))
            return bad(a, "its members overlap", e);
    }
    return true;
}

static bool set_member(const struct archive *a, const struct entry *entry,
                       struct zip_member *member, struct error *e)
{
    uint64_t data;
    if (!check_kind(a, entry, e) || !find_data(a, entry, &data, e) ||
        !check_overlap(a, entry, data + entry->packed, e))
        return false;
    *member = (struct zip_member){
        .name = strndup(entry->name, entry->name_bytes),
        .packed = entry->packed,
        .form = {.kind =
                     entry->method == STORED ? UNPACK_STORED : UNPACK_DEFLATE,
                 .offset = a->start + data,
                 .crc = entry->crc,
                 .bytes = entry->bytes}};
    return member->name || error_set(e, ERROR_DATA, "out of memory");
}

bool zip_find(int fd, uint64_t start, uint64_t bytes, const char *wanted,
              const char *file, struct zip_member *member, struct error *e)
{
    struct archive a = {.fd = fd, .start = start, .bytes = bytes, .file = file};
    struct entry entry;
    if (!find_directory(&a, e))
        return false;
    a.entries = malloc((size_t)a.directory_bytes + 1);
    if (!a.entries)
        return error_set(e, ERROR_DATA, "out of memory");
    bool ok =
        read_at(&a, a.directory, a.entries, (size_t)a.directory_bytes, e) &&
        choose(&a, wanted, &entry, e) && set_member(&a, &entry, member, e);
    free(a.entries);
    return ok;
}
