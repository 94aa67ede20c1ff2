/* SPDX-License-Identifier: MIT */
/*
 * Safetensors: 8 bytes with the length of a header, the header, a JSON object
 * with the type, shape and place of each tensor, and the data. The format's
 * rules are checked before anything is read: the tensors fill the data without
 * gaps and overlaps, and each has the bytes of its shape and type.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "format/format.h"
#include "format/json.h"
#include "format/pack.h"

enum {
    PREFIX = 8,
    HEADER_MAX = 100000000, /* as in the format's own library */
};

/* The types of the format. One that is not computed with has no dtype. */
static const struct type {
    const char *name;
    unsigned bits;
    enum dtype dtype;
} types[] = {
    {"F64", 64, DTYPE_f64},
    {"F32", 32, DTYPE_f32},
    {"F16", 16, DTYPE_f16},
    {"BF16", 16, DTYPE_bf16},
    {"F8_E4M3", 8, DTYPE_f8e4m3},
    {"F8_E5M2", 8, DTYPE_f8e5m2},
    {"I8", 8, DTYPE_i8},
    {"I16", 16, DTYPE_i16},
    {"I32", 32, DTYPE_i32},
    {"I64", 64, DTYPE_i64},
    {"U8", 8, DTYPE_u8},
    {"U16", 16, DTYPE_u16},
    {"U32", 32, DTYPE_u32},
    {"U64", 64, DTYPE_u64},
    {"BOOL", 8, DTYPE_u8},
    {"C64", 64, DTYPES_ALL_END},
    {"F8_E8M0", 8, DTYPES_ALL_END},
    {"F6_E2M3", 6, DTYPES_ALL_END},
    {"F6_E3M2", 6, DTYPES_ALL_END},
    {"F4", 4, DTYPES_ALL_END},
};

/* A header while it is read. */
struct header {
    const struct input *input;
    struct json json;
    const char *start; /* of the JSON */
    struct pack *pack;
    size_t room, sizes_room, sizes; /* of pack->part and pack->sizes */
    char *text;                     /* where the next name goes */
    uint64_t data;                  /* bytes after the header */
    struct error *e;
};

bool safetensors_is_magic(const unsigned char *bytes, size_t have)
{
    uint64_t length = 0;
    for (int i = 7; have >= PREFIX && i >= 0; i--)
        length = length << 8 | bytes[i];
    return have > PREFIX && length >= 2 && length <= HEADER_MAX &&
           bytes[PREFIX] == '{' &&
           (have == PREFIX + 1 || strchr(" \t\r\n\"}", bytes[PREFIX + 1]));
}

static bool bad(const struct header *h, const char *what)
{
    return error_named(h->e, ERROR_DATA, h->input->name,
                       "malformed safetensors header: %s", what);
}

static bool malformed(const struct header *h)
{
    return error_named(h->e, ERROR_DATA, h->input->name,
                       "malformed safetensors header: %s, at byte %zu",
                       h->json.wrong, PREFIX + (size_t)(h->json.at - h->start));
}

static bool bad_tensor(const struct header *h, const struct pack_part *part,
                       const char *what)
{
    char name[QUOTE_MAX];
    return error_named(h->e, ERROR_DATA, h->input->name,
                       "malformed safetensors header: tensor %s %s",
                       quote(name, part->name), what);
}

/* Room for one more; false without memory. */
static bool grow(void *array, size_t *room, size_t used, size_t size)
{
    void **at = array;
    if (used < *room)
        return true;
    const size_t more = *room ? 2 * *room : 64;
    void *grown = realloc(*at, more * size);
    if (!grown)
        return false;
    *at = grown;
    *room = more;
    return true;
}

static bool read_shape(struct header *h, struct pack_part *part)
{
    struct json *j = &h->json;
    part->shape = h->sizes;
    if (!json_need(j, '['))
        return malformed(h);
    if (json_take(j, ']'))
        return true;
    do {
        if (!grow(&h->pack->sizes, &h->sizes_room, h->sizes, sizeof(uint64_t)))
            return error_memory(h->e);
        if (!json_whole(j, &h->pack->sizes[h->sizes]))
            return malformed(h);
        h->sizes++;
        part->rank++;
    } while (json_take(j, ','));
    return json_need(j, ']') || malformed(h);
}

static bool read_offsets(struct header *h, struct pack_part *part)
{
    struct json *j = &h->json;
    uint64_t end;
    if (!json_need(j, '[') || !json_whole(j, &part->offset) ||
        !json_need(j, ',') || !json_whole(j, &end) || !json_need(j, ']'))
        return malformed(h);
    if (end < part->offset)
        return bad_tensor(h, part, "ends before it starts");
    part->bytes = end - part->offset;
    return true;
}

static bool read_string(struct header *h, const char **text)
{
    *text = h->text;
    char *end = json_string(&h->json, h->text);
    if (!end)
        return malformed(h);
    h->text = end;
    return true;
}

/* Reads the value of a key of a tensor. Keys of later versions are skipped. */
static bool read_key(struct header *h, struct pack_part *part, unsigned *seen)
{
    static const char *const keys[] = {"dtype", "shape", "data_offsets"};
    const char *key;
    size_t i = 0;
    if (!read_string(h, &key) || (!json_need(&h->json, ':') && !malformed(h)))
        return false;
    while (i < 3 && strcmp(key, keys[i]) != 0)
        i++;
    if (*seen >> i & 1 && i < 3)
        return bad_tensor(h, part, "has a key twice");
    *seen |= 1u << i;
    return i == 0   ? read_string(h, &part->dtype_name)
           : i == 1 ? read_shape(h, part)
           : i == 2 ? read_offsets(h, part)
                    : json_skip(&h->json) || malformed(h);
}

/* Checks that the tensor has the bytes of its shape and type. */
static bool check_size(struct header *h, struct pack_part *part)
{
    uint64_t elements = 1, bits;
    bool is_empty = false, is_large = false;
    const struct type *type = NULL;
    for (unsigned d = 0; d < part->rank; d++) {
        const uint64_t size = h->pack->sizes[part->shape + d];
        is_empty |= size == 0;
        is_large |= size && __builtin_mul_overflow(elements, size, &elements);
    }
    for (size_t i = 0; !type && i < sizeof types / sizeof types[0]; i++)
        type = strcmp(types[i].name, part->dtype_name) ? NULL : &types[i];
    part->dtype = type ? type->dtype : DTYPES_ALL_END;
    part->is_bool = type && strcmp(type->name, "BOOL") == 0;
    if (!type)
        return true; /* how large its elements are is not known */
    elements = is_empty ? 0 : elements;
    if ((is_large && !is_empty) ||
        __builtin_mul_overflow(elements, type->bits, &bits))
        return bad_tensor(h, part, "has a shape that is too large");
    return (bits % 8 == 0 && bits / 8 == part->bytes) ||
           bad_tensor(h, part, "has not the bytes of its shape and dtype");
}

static bool read_tensor(struct header *h, struct pack_part *part)
{
    unsigned seen = 0;
    if (!json_need(&h->json, '{'))
        return malformed(h);
    do {
        if (!read_key(h, part, &seen))
            return false;
    } while (json_take(&h->json, ','));
    if (!json_need(&h->json, '}'))
        return malformed(h);
    return (seen & 7) == 7
               ? check_size(h, part)
               : bad_tensor(h, part, "lacks dtype, shape or data_offsets");
}

static bool read_entry(struct header *h, bool *has_metadata)
{
    struct pack *pack = h->pack;
    const char *name;
    if (!read_string(h, &name) || (!json_need(&h->json, ':') && !malformed(h)))
        return false;
    if (strcmp(name, "__metadata__") == 0) {
        if (*has_metadata)
            return bad(h, "__metadata__ comes twice");
        *has_metadata = true;
        return json_skip(&h->json) || malformed(h);
    }
    if (!grow(&pack->part, &h->room, pack->count, sizeof *pack->part))
        return error_memory(h->e);
    pack->part[pack->count] = (struct pack_part){.name = name};
    return read_tensor(h, &pack->part[pack->count++]);
}

static bool read_entries(struct header *h)
{
    bool has_metadata = false;
    if (!json_need(&h->json, '{'))
        return malformed(h);
    if (!json_take(&h->json, '}')) {
        do {
            if (!read_entry(h, &has_metadata))
                return false;
        } while (json_take(&h->json, ','));
        if (!json_need(&h->json, '}'))
            return malformed(h);
    }
    return json_ended(&h->json) || malformed(h);
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

static bool check_names(struct header *h)
{
    struct pack *pack = h->pack;
    qsort(pack->part, pack->count, sizeof *pack->part, by_name);
    for (size_t i = 1; i < pack->count; i++) {
        if (strcmp(pack->part[i - 1].name, pack->part[i].name) == 0)
            return bad_tensor(h, &pack->part[i], "comes twice");
    }
    return true;
}

/* Sorts the tensors as they are in the file, and checks that they fill it. */
static bool check_places(struct header *h)
{
    struct pack *pack = h->pack;
    uint64_t end = 0;
    qsort(pack->part, pack->count, sizeof *pack->part, by_place);
    for (size_t i = 0; i < pack->count; i++) {
        struct pack_part *part = &pack->part[i];
        if (part->offset < end)
            return bad_tensor(h, part, "overlaps the one before it");
        if (part->offset > end)
            return bad_tensor(h, part,
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
                       "%" PRIu64 " bytes follow the last tensor",
                       h->data - end);
}

/* Reads the header, which is at h->start. */
static bool read_pack(struct header *h, size_t length)
{
    h->json = (struct json){.at = h->start, .end = h->start + length};
    h->text = h->pack->text = malloc(length + 1);
    return (h->text || error_memory(h->e)) && read_entries(h) &&
           check_names(h) && check_places(h);
}

/* Loads and reads the header. Returns the pack; NULL with the error. */
static struct pack *load(struct input *input, struct error *e)
{
    const unsigned char *bytes;
    size_t have, length = 0;
    struct header h = {.input = input, .e = e};
    if (!input_head(input, PREFIX, &bytes, &have, e))
        return NULL;
    for (size_t i = have; i-- > 0;)
        length = length << 8 | bytes[i];
    if (have < PREFIX || length > HEADER_MAX ||
        length > input->bytes - PREFIX) {
        bad(&h, have < PREFIX || length <= HEADER_MAX
                    ? "the file ends within it"
                    : "it is longer than 100 MB");
        return NULL;
    }
    if (!input_head(input, PREFIX + length, &bytes, &have, e))
        return NULL;
    if (have < PREFIX + length) {
        bad(&h, "the file ends within it");
        return NULL;
    }
    h.start = (const char *)bytes + PREFIX;
    h.data = input->bytes - PREFIX - length;
    h.pack = pack_new(e);
    if (!h.pack)
        return NULL;
    h.pack->offset = input->offset + PREFIX + length;
    h.pack->bytes = h.data;
    if (read_pack(&h, length))
        return h.pack;
    pack_free(h.pack);
    return NULL;
}

/* Only a plain file is read in parts. */
static bool check_file(const struct input *input, struct error *e)
{
    if (input->settings->skip_bytes)
        return error_set(e, ERROR_USAGE,
                         "--skip-bytes goes with raw data, not with "
                         "safetensors");
    if (!input->compression && input->regular)
        return true;
    if (!input->compression && input->is_file)
        return error_named(e, ERROR_DATA, input->name,
                           "the file is empty, which no safetensors file is");
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
    const struct pack_part *part = pack->part, *end = part + pack->count;
    while (wanted && part < end && strcmp(part->name, wanted) != 0)
        part++;
    if (wanted && part < end) {
        const bool ok = pack_set(input, pack, part, e);
        pack_free(pack);
        return ok;
    }
    input->pack = pack;
    return pack_select(pack, wanted, input_file(input), e);
}
