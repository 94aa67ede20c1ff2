/* SPDX-License-Identifier: MIT */
#include "input/format.h"

#include <string.h>

#include "input/foreign.h"

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

static bool ends_with(const char *name, const char *suffix)
{
    size_t n = strlen(name), s = strlen(suffix);
    return n >= s && strcmp(name + n - s, suffix) == 0;
}

const struct format *format_guess(struct input *input, struct error *e)
{
    const unsigned char *bytes;
    size_t have;
    const struct format *format;
    if (!input_head(input, FOREIGN_HEAD, &bytes, &have, e))
        return NULL;
    for (size_t i = 0; (format = format_at(i)); i++) {
        if (format->is_magic && format->is_magic(bytes, have))
            return format;
    }
    const struct foreign *foreign =
        foreign_find(bytes, have, input->compression);
    if (foreign) {
        foreign_refuse(foreign, input, e);
        return NULL;
    }
    for (size_t i = 0; (format = format_at(i)); i++) {
        if (format->suffix && ends_with(input_inside(input), format->suffix))
            return format;
    }
    return format_find("raw");
}
