/* SPDX-License-Identifier: MIT */
/* A list of an archive's members, for callers that read many of them. */
#include <stdlib.h>

#include "source/compressed/zip_parts.h"

struct zip_list {
    struct archive archive;
    struct entry *entry; /* [count] */
    size_t count;
    /* [count], owned, sorted by start: where a member starts, and the greatest
     * zip_least_end of the members that start before it. */
    struct zip_place {
        uint64_t start, end_before;
        size_t member;
    } * place;
    size_t *at; /* [count], owned: the index in `place` of each member */
};

static int by_start(const void *a, const void *b)
{
    const struct zip_place *x = a, *y = b;
    return (x->start > y->start) - (x->start < y->start);
}

static bool read_entries(struct zip_list *list, struct error *e)
{
    const struct archive *a = &list->archive;
    const size_t most = (size_t)a->directory_bytes / ENTRY_BYTES + 1;
    list->entry = malloc(most * sizeof *list->entry);
    if (!list->entry)
        return error_memory(e);
    for (size_t at = 0; at < a->directory_bytes;) {
        struct entry *entry = &list->entry[list->count];
        if (!directory_next(a, &at, entry, e))
            return false;
        list->count += !zip_is_folder(entry);
    }
    return true;
}

/* Sorts the members by their places in the file. */
static bool sort_entries(struct zip_list *list, struct error *e)
{
    const size_t n = list->count;
    list->place = malloc((n + 1) * sizeof *list->place);
    list->at = malloc((n + 1) * sizeof *list->at);
    if (!list->place || !list->at)
        return error_memory(e);
    for (size_t i = 0; i < n; i++)
        list->place[i] =
            (struct zip_place){.start = list->entry[i].local, .member = i};
    qsort(list->place, n, sizeof *list->place, by_start);
    uint64_t end = 0;
    for (size_t i = 0; i < n; i++) {
        struct zip_place *p = &list->place[i];
        const uint64_t this = zip_least_end(&list->entry[p->member]);
        p->end_before = end;
        end = this > end ? this : end;
        list->at[p->member] = i;
    }
    return true;
}

struct zip_list *zip_list_open(int fd, uint64_t start, uint64_t bytes,
                               const char *file, struct error *e)
{
    struct zip_list *list = calloc(1, sizeof *list);
    if (!list)
        return error_memory(e);
    list->archive = (struct archive){
        .fd = fd, .start = start, .bytes = bytes, .file = file};
    if (directory_read(&list->archive, e) && read_entries(list, e) &&
        sort_entries(list, e))
        return list;
    zip_list_free(list);
    return NULL;
}

void zip_list_free(struct zip_list *list)
{
    if (!list)
        return;
    free(list->archive.entries);
    free(list->entry);
    free(list->place);
    free(list->at);
    free(list);
}

size_t zip_list_count(const struct zip_list *list)
{
    return list->count;
}

const char *zip_list_name(const struct zip_list *list, size_t i, size_t *bytes)
{
    *bytes = list->entry[i].name_bytes;
    return list->entry[i].name;
}

bool zip_list_member(const struct zip_list *list, size_t i, int fd,
                     struct zip_member *member, struct error *e)
{
    struct archive a = list->archive;
    const struct entry *entry = &list->entry[i];
    const size_t at = list->at[i];
    uint64_t data;
    a.fd = fd;
    if (!zip_check_kind(&a, entry, e) || !zip_find_data(&a, entry, &data, e))
        return false;
    if (list->place[at].end_before > entry->local ||
        (at + 1 < list->count &&
         list->place[at + 1].start < data + entry->packed))
        return archive_bad(&a, "its members overlap", e);
    return zip_set_member(&a, entry, data, member, e);
}
