/* SPDX-License-Identifier: MIT */
#include "format/pack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "format/format.h"
#include "format/input.h"
#include "source/compressed/zip.h"

enum { NAMES_SHOWN = 20, NAMES_BYTES = 2048 };

struct pack *pack_new(struct error *e)
{
    struct pack *pack = calloc(1, sizeof *pack);
    if (!pack)
        return error_memory(e);
    if (pthread_mutex_init(&pack->lock, NULL) == 0)
        return pack;
    free(pack);
    return error_memory(e);
}

void pack_free(struct pack *pack)
{
    if (!pack)
        return;
    pthread_mutex_destroy(&pack->lock);
    free(pack->part);
    free(pack->sizes);
    free(pack->text);
    free(pack->full_text);
    zip_list_free(pack->list);
    free(pack);
}

bool pack_are_arrays(const struct zip_list *list)
{
    for (size_t i = 0; i < zip_list_count(list); i++) {
        size_t n;
        const char *name = zip_list_name(list, i, &n);
        if (n <= 4 || memcmp(name + n - 4, ".npy", 4) != 0)
            return false;
    }
    return true;
}

struct pack *pack_of_members(struct zip_list *list, struct error *e)
{
    const size_t count = zip_list_count(list);
    struct pack *pack = pack_new(e);
    if (!pack) {
        zip_list_free(list);
        return NULL;
    }
    pack->list = list;
    pack->part = calloc(count, sizeof *pack->part);
    if (!pack->part) {
        pack_free(pack);
        return error_memory(e);
    }
    for (size_t i = 0; i < count; i++) {
        struct pack_part *part = &pack->part[i];
        part->member = i;
        part->listed = zip_list_name(list, i, &part->listed_bytes);
    }
    pack->count = count;
    return pack;
}

/* The length of the part's name; of an archive's member, without .npy. */
static size_t name_bytes(const struct pack_part *part)
{
    return part->listed ? part->listed_bytes - 4 : strlen(part->name);
}

/* Writes the name to `to` with a NUL at its end; other NULs become ?. Returns
 * the end. */
static char *put_name(const struct pack_part *part, char *to)
{
    const char *name = part->listed ? part->listed : part->name;
    const size_t n = name_bytes(part);
    for (size_t i = 0; i < n; i++)
        to[i] = name[i] ? name[i] : '?';
    to[n] = '\0';
    return to + n + 1;
}

bool pack_is_pattern(const char *wanted)
{
    return !wanted || strchr(wanted, '*');
}

/* Whether the name fits the pattern, in which only * is special. On a mismatch
 * only the text of the last * grows: an earlier * that takes more text leaves
 * less for the rest. So the time is at most the product of the lengths. */
static bool fits(const char *pattern, const char *name)
{
    const char *after = NULL, *rest = name; /* of the last * */
    while (*name) {
        if (*pattern == '*') {
            after = ++pattern;
            rest = name;
        } else if (*pattern == *name) {
            pattern++;
            name++;
        } else if (after) {
            pattern = after;
            name = ++rest;
        } else {
            return false;
        }
    }
    return pattern[strspn(pattern, "*")] == '\0';
}

/* Says that no part has the name `wanted`, and which names there are. */
static bool refuse(const struct pack *pack, const char *wanted,
                   const char *file, struct error *e)
{
    char names[NAMES_BYTES] = "", name[QUOTE_MAX];
    size_t used = 0, shown = 0;
    if (pack->count == 0)
        return error_named(e, ERROR_DATA, file, "it holds no arrays");
    for (; shown < pack->count && shown < NAMES_SHOWN; shown++) {
        quote(name, pack->part[shown].name);
        if (used + strlen(name) + 3 > sizeof names)
            break;
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                 shown ? ", " : "", name);
    }
    if (shown < pack->count)
        return error_named(e, ERROR_USAGE, file,
                           "there is no array %s\nThere are %s and %zu more.",
                           quote(name, wanted), names, pack->count - shown);
    return error_named(e, ERROR_USAGE, file,
                       "there is no array %s\nThere are %s.",
                       quote(name, wanted), names);
}

/* Writes FILE:NAME of each part to one buffer for all. */
static bool name_parts(struct pack *pack, const char *file)
{
    const size_t prefix = strlen(file);
    size_t bytes = 1;
    for (size_t i = 0; i < pack->count; i++)
        bytes += prefix + 2 + name_bytes(&pack->part[i]);
    char *to = pack->full_text = malloc(bytes);
    for (size_t i = 0; to && i < pack->count; i++) {
        struct pack_part *part = &pack->part[i];
        part->full = to;
        memcpy(to, file, prefix);
        to[prefix] = ':';
        to = put_name(part, to + prefix + 1);
        part->name = part->full + prefix + 1;
    }
    return to;
}

bool pack_select(struct pack *pack, const char *pattern, const char *file,
                 struct error *e)
{
    size_t kept = 0;
    if (!name_parts(pack, file))
        return error_memory(e);
    for (size_t i = 0; pack_is_pattern(pattern) && i < pack->count; i++) {
        if (!pattern || fits(pattern, pack->part[i].name))
            pack->part[kept++] = pack->part[i];
    }
    if (kept == 0)
        return refuse(pack, pattern, file, e);
    pack->count = kept;
    return true;
}

bool pack_set(struct input *input, const struct pack *pack,
              const struct pack_part *part, struct error *e)
{
    char name[QUOTE_MAX];
    if (part->dtype == DTYPES_ALL_END)
        return error_named(e, ERROR_DATA, input->name,
                           "tensors of dtype %s are not supported; name "
                           "others: FILE:NAME, where * stands for any text",
                           quote(name, part->dtype_name));
    input->dtype = part->dtype;
    input->is_bool = part->is_bool;
    if (!input_check_dtype(input, e))
        return false;
    input->offset = part->offset;
    input->bytes = part->bytes;
    input->exact = true;
    input->rank = part->rank;
    input->shape = malloc(part->rank * sizeof *input->shape + 1);
    if (!input->shape)
        return error_memory(e);
    if (part->rank > 0)
        memcpy(input->shape, pack->sizes + part->shape,
               part->rank * sizeof *input->shape);
    return true;
}

bool pack_input(const struct input *whole, size_t i, struct input *part,
                struct error *e)
{
    const struct pack *pack = whole->pack;
    const struct pack_part *p = &pack->part[i];
    *part = (struct input){.name = p->full,
                           .is_stdin = whole->is_stdin,
                           .settings = whole->settings,
                           .format = whole->format,
                           .format_reason = whole->format_reason,
                           .regular = true,
                           .is_file = true,
                           .fd = whole->fd,
                           .device = whole->device,
                           .inode = whole->inode,
                           .size = whole->size,
                           .changed = whole->changed,
                           .part = p->name,
                           .whole = whole,
                           .meter = whole->meter};
    return p->listed ? input_open_member(part, p, e)
                     : pack_set(part, pack, p, e);
}
