/* SPDX-License-Identifier: MIT */
#include "format/tensors.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/quote.h"

/* The types of the format. A type without a dtype is not supported. */
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

bool tensors_bad(const struct tensors *h, const char *what)
{
    return error_named(h->e, ERROR_DATA, h->input->name,
                       "malformed safetensors header: %s", what);
}

static bool malformed(const struct tensors *h)
{
    return error_named(h->e, ERROR_DATA, h->input->name,
                       "malformed safetensors header: %s, at byte %zu",
                       h->json.wrong,
                       TENSORS_PREFIX + (size_t)(h->json.at - h->start));
}

bool tensors_bad_one(const struct tensors *h, const struct pack_part *part,
                     const char *what)
{
    char name[QUOTE_MAX];
    return error_named(h->e, ERROR_DATA, h->input->name,
                       "malformed safetensors header: tensor %s %s",
                       quote(name, part->name), what);
}

static bool read_shape(struct tensors *h, struct pack_part *part)
{
    struct json *j = &h->json;
    part->shape = h->sizes;
    if (!json_need(j, '['))
        return malformed(h);
    if (json_take(j, ']'))
        return true;
    do {
        if (!array_grow(&h->pack->sizes, &h->sizes_room, h->sizes,
                        sizeof(uint64_t)))
            return error_memory(h->e);
        if (!json_whole(j, &h->pack->sizes[h->sizes]))
            return malformed(h);
        h->sizes++;
        part->rank++;
    } while (json_take(j, ','));
    return json_need(j, ']') || malformed(h);
}

static bool read_offsets(struct tensors *h, struct pack_part *part)
{
    struct json *j = &h->json;
    uint64_t end;
    if (!json_need(j, '[') || !json_whole(j, &part->offset) ||
        !json_need(j, ',') || !json_whole(j, &end) || !json_need(j, ']'))
        return malformed(h);
    if (end < part->offset)
        return tensors_bad_one(h, part, "ends before it starts");
    part->bytes = end - part->offset;
    return true;
}

static bool read_string(struct tensors *h, const char **text)
{
    *text = h->text;
    char *end = json_string(&h->json, h->text);
    if (!end)
        return malformed(h);
    h->text = end;
    return true;
}

/* Reads the value of a key of a tensor. Keys of later versions are skipped. */
static bool read_key(struct tensors *h, struct pack_part *part, unsigned *seen)
{
    static const char *const keys[] = {"dtype", "shape", "data_offsets"};
    const char *key;
    size_t i = 0;
    if (!read_string(h, &key) || (!json_need(&h->json, ':') && !malformed(h)))
        return false;
    while (i < 3 && strcmp(key, keys[i]) != 0)
        i++;
    if (*seen >> i & 1 && i < 3)
        return tensors_bad_one(h, part, "has a key twice");
    *seen |= 1u << i;
    return i == 0   ? read_string(h, &part->dtype_name)
           : i == 1 ? read_shape(h, part)
           : i == 2 ? read_offsets(h, part)
                    : json_skip(&h->json) || malformed(h);
}

/* Checks the tensor's size against its shape and type. */
static bool check_size(struct tensors *h, struct pack_part *part)
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
        return true; /* the size of elements of such a type is not known */
    elements = is_empty ? 0 : elements;
    if ((is_large && !is_empty) ||
        __builtin_mul_overflow(elements, type->bits, &bits))
        return tensors_bad_one(h, part, "has a shape that is too large");
    return (bits % 8 == 0 && bits / 8 == part->bytes) ||
           tensors_bad_one(h, part,
                           "has a size other than its shape and dtype need");
}

static bool read_tensor(struct tensors *h, struct pack_part *part)
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
               : tensors_bad_one(h, part, "lacks dtype, shape or data_offsets");
}

static bool read_entry(struct tensors *h, bool *has_metadata)
{
    struct pack *pack = h->pack;
    const char *name;
    if (!read_string(h, &name) || (!json_need(&h->json, ':') && !malformed(h)))
        return false;
    if (strcmp(name, "__metadata__") == 0) {
        if (*has_metadata)
            return tensors_bad(h, "__metadata__ appears twice");
        *has_metadata = true;
        return json_skip(&h->json) || malformed(h);
    }
    if (!array_grow(&pack->part, &h->room, pack->count, sizeof *pack->part))
        return error_memory(h->e);
    pack->part[pack->count] = (struct pack_part){.name = name};
    return read_tensor(h, &pack->part[pack->count++]);
}

static bool read_entries(struct tensors *h)
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

bool tensors_read(struct tensors *h, size_t length)
{
    h->json = (struct json){.at = h->start, .end = h->start + length};
    h->text = h->pack->text = malloc(length + 1);
    return (h->text || error_memory(h->e)) && read_entries(h);
}
