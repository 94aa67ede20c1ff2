/* SPDX-License-Identifier: MIT */
/*
 * Safetensors: 8 bytes with the length of the header; the header, a JSON object
 * with the type, shape and place of each tensor; and the data. The format's
 * rules are checked before any data are read: the tensors fill the data without
 * gaps and overlaps, and the size of each is that of its shape and type.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/element.h"
#include "base/quote.h"
#include "format/format.h"
#include "format/tensors.h"

enum { HEADER_MAX = 100000000 /* as in the format's own library */ };

/* The bytes of the shortest header with a tensor. After a shorter one the file
 * ends. */
enum {
    SHORTEST =
        sizeof "{\"\":{\"dtype\":\"U8\",\"shape\":[],\"data_offsets\":[0,1]}}" -
        1
};

bool safetensors_is_magic(const unsigned char *bytes, size_t have)
{
    const uint64_t length =
        have >= TENSORS_PREFIX ? little_endian(bytes, TENSORS_PREFIX) : 0;
    if (have <= TENSORS_PREFIX || length < 2 || length > HEADER_MAX)
        return false;
    const unsigned char *text = bytes + TENSORS_PREFIX;
    have -= TENSORS_PREFIX;
    if (length < SHORTEST && have != length)
        return false;
    /* JSON has no NUL, and small integers of 64 bits have some. */
    return text[0] == '{' && (have == 1 || strchr(" \t\r\n\"}", text[1])) &&
           !memchr(text, '\0', have < length ? have : length);
}

static int by_name(const void *a, const void *b)
{
    const struct pack_part *x = a, *y = b;
    return strcmp(x->name, y->name);
}

static int by_place(const void *a, const void *b)
{
    const struct pack_part *x = a, *y = b;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? -1 : 1;
    return by_name(a, b);
}

static bool check_names(struct tensors *h)
{
    struct pack *pack = h->pack;
    if (pack->count > 0)
        qsort(pack->part, pack->count, sizeof *pack->part, by_name);
    for (size_t i = 1; i < pack->count; i++) {
        if (strcmp(pack->part[i - 1].name, pack->part[i].name) == 0)
            return tensors_bad_one(h, &pack->part[i], "appears twice");
    }
    return true;
}

/* Sorts the tensors by their places in the file, and checks that they fill
 * it. */
static bool check_places(struct tensors *h)
{
    struct pack *pack = h->pack;
    uint64_t end = 0;
    if (pack->count > 0)
        qsort(pack->part, pack->count, sizeof *pack->part, by_place);
    for (size_t i = 0; i < pack->count; i++) {
        struct pack_part *part = &pack->part[i];
        if (part->offset < end)
            return tensors_bad_one(h, part, "overlaps the one before it");
        if (part->offset > end)
            return tensors_bad_one(h, part,
                                   "has bytes before it that belong to "
                                   "no tensor");
        end += part->bytes;
        part->offset += pack->offset;
    }
    if (end > h->data)
        return error_named(h->e, ERROR_DATA, h->input->name,
                           "truncated: %" PRIu64 " of the tensors' %" PRIu64
                           " bytes are there",
                           h->data, end);
    return end == h->data ||
           error_named(h->e, ERROR_DATA, h->input->name,
                       "%" PRIu64 " byte%s after the last tensor",
                       h->data - end, h->data - end == 1 ? "" : "s");
}

/* Loads and reads the header. Returns the pack; NULL with the error. */
static struct pack *load(struct input *input, struct error *e)
{
    const unsigned char *bytes;
    size_t have, length = 0;
    struct tensors h = {.input = input, .e = e};
    if (!input_head(input, TENSORS_PREFIX, &bytes, &have, e))
        return NULL;
    length = little_endian(bytes, (unsigned)have);
    if (have < TENSORS_PREFIX || length > HEADER_MAX ||
        length > input->bytes - TENSORS_PREFIX) {
        tensors_bad(&h, have < TENSORS_PREFIX || length <= HEADER_MAX
                            ? "the file ends within it"
                            : "it is longer than 100 MB");
        return NULL;
    }
    if (!input_head(input, TENSORS_PREFIX + length, &bytes, &have, e))
        return NULL;
    if (have < TENSORS_PREFIX + length) {
        tensors_bad(&h, "the file ends within it");
        return NULL;
    }
    h.start = (const char *)bytes + TENSORS_PREFIX;
    h.data = input->bytes - TENSORS_PREFIX - length;
    h.pack = pack_new(e);
    if (!h.pack)
        return NULL;
    h.pack->offset = input->offset + TENSORS_PREFIX + length;
    h.pack->bytes = h.data;
    if (tensors_read(&h, length) && check_names(&h) && check_places(&h))
        return h.pack;
    pack_free(h.pack);
    return NULL;
}

/* Tensors can be read only from a plain file. */
static bool check_file(const struct input *input, struct error *e)
{
    if (input->settings->skip_bytes)
        return error_set(e, ERROR_USAGE,
                         "--skip-bytes is for raw data, not for "
                         "safetensors");
    if (!input->compression && input->regular)
        return true;
    if (!input->compression && input->is_file)
        return error_named(e, ERROR_DATA, input->name,
                           "the file is empty, so it is not safetensors");
    return error_named(e, ERROR_USAGE, input->name,
                       "safetensors cannot be read from %s\n"
                       "Give it as a file.",
                       input->compression ? "compressed data" : "a pipe");
}

bool safetensors_look(struct input *input,
                      const struct input_settings *settings, struct error *e)
{
    const char *wanted = input->member;
    (void)settings;
    if (!check_file(input, e))
        return false;
    struct pack *pack = load(input, e);
    if (!pack)
        return false;
    size_t i = 0;
    while (wanted && i < pack->count && strcmp(pack->part[i].name, wanted) != 0)
        i++;
    if (wanted && i < pack->count) {
        const bool ok = pack_set(input, pack, &pack->part[i], e);
        pack_free(pack);
        return ok;
    }
    input->pack = pack;
    return pack_select(pack, wanted, input_file(input), e);
}
