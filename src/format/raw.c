/* SPDX-License-Identifier: MIT */
/* Raw data: elements and nothing else. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/notes.h"
#include "base/quote.h"
#include "format/format.h"

/* Takes the dtype from the suffix, as in data.f32, data.I16 or data.float64. */
static bool dtype_of_suffix(const char *name, enum dtype *dtype, bool *is_bool)
{
    const char *dot = strrchr(name, '.');
    char type[16] = "";
    bool unused;
    for (size_t i = 0; dot && i + 1 < sizeof type && dot[i + 1]; i++)
        type[i] = (char)tolower((unsigned char)dot[i + 1]);
    *is_bool = dtype_is_bool(type);
    return isalpha((unsigned char)type[0]) && dtype_find(type, dtype, &unused);
}

const char *raw_type_of(const char *name)
{
    enum dtype dtype;
    bool is_bool;
    if (!dtype_of_suffix(name, &dtype, &is_bool))
        return NULL;
    return is_bool ? "bool" : dtype_info(dtype)->name;
}

bool raw_is_name(const char *name)
{
    const char *dot = strrchr(name, '.');
    return raw_type_of(name) || (dot && (strcasecmp(dot, ".bin") == 0 ||
                                         strcasecmp(dot, ".raw") == 0));
}

/* Whether the suffix has the form of a type: letters, a width in bits, and
 * perhaps a byte order. */
static bool is_like_type(const char *name)
{
    const char *at = strrchr(name, '.');
    size_t letters = 0;
    while (at && isalpha((unsigned char)at[1 + letters]))
        letters++;
    if (letters == 0 || letters > 5)
        return false;
    char *end;
    const unsigned long bits = strtoul(at + 1 + letters, &end, 10);
    return end > at + 1 + letters && bits % 8 == 0 && bits > 0 && bits <= 128 &&
           (!*end || strcasecmp(end, "le") == 0 || strcasecmp(end, "be") == 0);
}

/* Adds a note if the suffix of the file's name, such as .s16 or .f32be, looks
 * like the name of a type, and no type has that name. */
static void note_suffix(const struct input *input,
                        const struct input_settings *settings)
{
    char quoted[QUOTE_MAX];
    const char *name = input_inside(input);
    if (settings->csv && input->dtype_assumed && is_like_type(name))
        notes_add(settings->csv->notes, "type", NOTE_ASSUMED, input->name,
                  "its elements are read as f32: %s is no type; say -t",
                  quote(quoted, strrchr(name, '.') + 1));
}

bool raw_look(struct input *input, const struct input_settings *settings,
              struct error *e)
{
    input->exact = false;
    input->big_endian = settings->has_order && settings->big_endian;
    input->is_bool = settings->is_bool;
    if (settings->has_dtype)
        input->dtype = settings->dtype;
    else if (!dtype_of_suffix(input_inside(input), &input->dtype,
                              &input->is_bool)) {
        input->dtype = DTYPE_f32;
        input->dtype_assumed = true;
    }
    uint64_t skip = settings->skip_bytes;
    if (input->bytes == INPUT_UNKNOWN) {
        const unsigned char *bytes;
        size_t have;
        /* The bytes to skip in a stream are read when its turn comes. A file of
         * size 0, as in /proc, may have bytes, so one byte is read: an empty
         * file need not stay open. */
        input->offset += skip;
        if (!input->is_file)
            return true;
        if (!input_head(input, 1, &bytes, &have, e))
            return false;
        if (have == 0 && skip == 0 && !input->compression)
            input->bytes = 0;
        else
            note_suffix(input, settings);
        return true;
    }
    if (skip > input->bytes)
        return error_named(e, ERROR_DATA, input->name,
                           "--skip-bytes %" PRIu64 " is more than its %" PRIu64
                           " bytes",
                           skip, input->bytes);
    input->offset += skip;
    input->bytes -= skip;
    note_suffix(input, settings);
    return true;
}
