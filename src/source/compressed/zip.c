/* SPDX-License-Identifier: MIT */
/* Chooses a member of a zip archive and finds its bytes. */
#include "source/compressed/zip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "source/compressed/zip_parts.h"

enum { LOCAL_BYTES = 30, LOCAL_MAGIC = 0x04034b50, NAMES_SHOWN = 20 };

enum { STORED = 0, DEFLATED = 8, ENCRYPTED = 1 << 0 | 1 << 6 | 1 << 13 };

bool zip_is_folder(const struct entry *entry)
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

/* The result of a search of the directory for the wanted member. */
struct found {
    unsigned members; /* of any name */
    /* members named as wanted; named so plus ".npy" */
    unsigned exact, with_npy;
    struct entry last, last_exact, last_with_npy; /* the last of each */
};

static bool find_candidates(const struct archive *a, const char *wanted,
                            struct found *found, struct error *e)
{
    struct entry entry;
    for (size_t at = 0; at < a->directory_bytes;) {
        if (!directory_next(a, &at, &entry, e))
            return false;
        if (zip_is_folder(&entry))
            continue;
        found->members++;
        found->last = entry;
        if (wanted && is_named(&entry, wanted, "")) {
            found->exact++;
            found->last_exact = entry;
        } else if (wanted && is_named(&entry, wanted, ".npy")) {
            found->with_npy++;
            found->last_with_npy = entry;
        }
    }
    return true;
}

/* Appends the members' names as the user may give them. */
static void append_names(const struct archive *a, char *text, size_t size)
{
    struct entry entry;
    unsigned shown = 0, n = 0;
    for (size_t at = 0; directory_next(a, &at, &entry, NULL);) {
        if (zip_is_folder(&entry))
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

/* Sets the error that no member, or more than one, fits the wanted name. */
static bool refuse_choice(const struct archive *a, const char *wanted,
                          const struct found *found, struct error *e)
{
    char name[QUOTE_MAX], names[2048] = "";
    if (found->members == 0)
        return error_named(e, ERROR_DATA, a->file, "the archive is empty");
    if (found->exact == 1 && found->with_npy == 1)
        return error_named(e, ERROR_DATA, a->file,
                           "two members may be meant by %s\n"
                           "Append .npy to it, or take it off.",
                           quote(name, wanted));
    if (found->exact + found->with_npy > 1)
        return error_named(e, ERROR_DATA, a->file,
                           "the archive has several members %s",
                           quote(name, wanted));
    append_names(a, names, sizeof names);
    if (wanted)
        return error_named(e, ERROR_USAGE, a->file,
                           "the archive has no %s\nIt has %s.",
                           quote(name, wanted), names);
    return error_named(e, ERROR_USAGE, a->file,
                       "the archive has %u members\n"
                       "Give FILE:NAME, where NAME is one of %s.",
                       found->members, names);
}

/* Whether the wanted name is printed for another member than it is the name of:
 * a.npy.npy is an array called a.npy. */
static bool ends_in_npy(const char *wanted)
{
    const size_t bytes = strlen(wanted);
    return bytes > 4 && strcmp(wanted + bytes - 4, ".npy") == 0;
}

static bool choose(const struct archive *a, const char *wanted,
                   struct entry *entry, struct error *e)
{
    struct found found = {.members = 0};
    if (!find_candidates(a, wanted, &found, e))
        return false;
    const bool is_unclear =
        wanted && found.with_npy == 1 && ends_in_npy(wanted);
    if (wanted ? found.exact == 1 && !is_unclear : found.members == 1)
        *entry = wanted ? found.last_exact : found.last;
    else if (wanted && found.exact == 0 && found.with_npy == 1)
        *entry = found.last_with_npy;
    else
        return refuse_choice(a, wanted, &found, e);
    return true;
}

bool zip_check_kind(const struct archive *a, const struct entry *entry,
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
           archive_bad(
               a, "compressed and uncompressed sizes of a stored member differ",
               e);
}

bool zip_find_data(const struct archive *a, const struct entry *entry,
                   uint64_t *data, struct error *e)
{
    unsigned char local[LOCAL_BYTES];
    char name[UINT16_MAX];
    if (!archive_read(a, entry->local, local, sizeof local, e))
        return false;
    size_t name_bytes = (size_t)little_endian(local + 26, 2);
    if (little_endian(local, 4) != LOCAL_MAGIC ||
        little_endian(local + 8, 2) != entry->method ||
        name_bytes != entry->name_bytes)
        return archive_bad(a, "a member is not where its directory says", e);
    if (!archive_read(a, entry->local + LOCAL_BYTES, name, name_bytes, e))
        return false;
    if (memcmp(name, entry->name, name_bytes) != 0)
        return archive_bad(a, "a member is not where its directory says", e);
    *data =
        entry->local + LOCAL_BYTES + name_bytes + little_endian(local + 28, 2);
    return (*data <= a->directory && entry->packed <= a->directory - *data) ||
           archive_bad(a, "a member overlaps the central directory", e);
}

uint64_t zip_least_end(const struct entry *entry)
{
    uint64_t end;
    return __builtin_add_overflow(entry->local, LOCAL_BYTES + entry->name_bytes,
                                  &end) ||
                   __builtin_add_overflow(end, entry->packed, &end)
               ? UINT64_MAX
               : end;
}

/* Fails if another member overlaps the bytes from this one's header to
 * `end`. */
static bool check_overlap(const struct archive *a, const struct entry *entry,
                          uint64_t end, struct error *e)
{
    struct entry other;
    for (size_t at = 0; at < a->directory_bytes;) {
        if (!directory_next(a, &at, &other, e))
            return false;
        if (other.name == entry->name)
            continue;
        const uint64_t other_end = zip_least_end(&other);
        if (other.local < end && other_end > entry->local)
            return archive_bad(a, "its members overlap", e);
    }
    return true;
}

bool zip_set_member(const struct archive *a, const struct entry *entry,
                    uint64_t data, struct zip_member *member, struct error *e)
{
    *member = (struct zip_member){
        .name = strndup(entry->name, entry->name_bytes),
        .packed = entry->packed,
        .form = {.kind =
                     entry->method == STORED ? UNPACK_STORED : UNPACK_DEFLATE,
                 .offset = a->start + data,
                 .crc = entry->crc,
                 .bytes = entry->bytes}};
    return member->name || error_memory(e);
}

bool zip_find(int fd, uint64_t start, uint64_t bytes, const char *wanted,
              const char *file, struct zip_member *member, struct error *e)
{
    struct archive a = {.fd = fd, .start = start, .bytes = bytes, .file = file};
    struct entry entry;
    uint64_t data;
    bool ok = directory_read(&a, e) && choose(&a, wanted, &entry, e) &&
              zip_check_kind(&a, &entry, e) &&
              zip_find_data(&a, &entry, &data, e) &&
              check_overlap(&a, &entry, data + entry.packed, e) &&
              zip_set_member(&a, &entry, data, member, e);
    free(a.entries);
    return ok;
}
