/* SPDX-License-Identifier: MIT */
#include "input/format.h"

#include <string.h>

#include "base/quote.h"

static const struct format table[] = {
    {"raw", "elements and nothing else", NULL, NULL, raw_look},
    /* Without its magic it is an error that the format reports better. */
    {"npy", "NumPy array file", ".npy", npy_is_magic, npy_look},
    {"csv", "text, fields separated by commas", ".csv", NULL, csv_look},
    {"tsv", "text, fields separated by tabs", ".tsv", NULL, tsv_look},
};

const struct format *format_at(size_t i)
{
    return i < sizeof table / sizeof table[0] ? &table[i] : NULL;
}

const struct format *format_find(const char *name)
{
    const struct format *format;
    for (size_t i = 0; (format = format_at(i)); i++) {
        if (strcmp(format->name, name) == 0)
            return format;
    }
    return NULL;
}

/* Read as raw, these would give a number that means nothing. */
static const struct {
    const char *magic, *what, *hint;
    bool is_inside; /* foreign only inside of what is compressed */
} foreign[] = {
    {"\x1f\x8b", "gzip data in compressed data", "unpack it first", true},
    {"PK\x03\x04", "an archive in compressed data", "unpack it first", true},
    {"\x28\xb5\x2f\xfd", "zstd data", "zstd -dc FILE | gpureduce [-f csv]",
     false},
    {"\xfd" "7zXZ", "xz data", "xz -dc FILE | gpureduce [-f csv]", false},
};

static bool ends_with(const char *name, const char *suffix)
{
    size_t n = strlen(name), s = strlen(suffix);
    return n >= s && strcmp(name + n - s, suffix) == 0;
}

static bool refuse_foreign(const struct input *input,
                           const unsigned char *bytes, size_t have,
                           struct error *e)
{
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++) {
        const char *magic = foreign[i].magic;
        char name[QUOTE_MAX];
        if (foreign[i].is_inside && !input->compression)
            continue;
        if (have >= strlen(magic) && memcmp(bytes, magic, strlen(magic)) == 0)
            return error_set(e, ERROR_USAGE,
                             "%s: %s is not supported (%s)\n"
                             "Use --format raw if it is plain elements.",
                             quote(name, input->name), foreign[i].what,
                             foreign[i].hint);
    }
    return true;
}

const struct format *format_guess(struct input *input, struct error *e)
{
    const unsigned char *bytes;
    size_t have;
    const struct format *format;
    if (!input_head(input, 8, &bytes, &have, e))
        return NULL;
    for (size_t i = 0; (format = format_at(i)); i++) {
        if (format->is_magic && format->is_magic(bytes, have))
            return format;
    }
    if (!refuse_foreign(input, bytes, have, e))
        return NULL;
    for (size_t i = 0; (format = format_at(i)); i++) {
        if (format->suffix && ends_with(input_inside(input), format->suffix))
            return format;
    }
    return format_find("raw");
}
