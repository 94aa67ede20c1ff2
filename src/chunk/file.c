/* SPDX-License-Identifier: MIT */
#include "chunk/file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/meter.h"
#include "source/io.h"

/* Smaller files are not worth a mapping. */
enum { MAP_MIN = 1 << 20 };

bool file_start(struct input *input, const struct input *first, struct error *e)
{
    if (input->deferred && (!input_open_deferred(input, first, e) ||
                            !input_same_dtype(first, input, e)))
        return false;
    return input_start(input, e);
}

struct open_file *file_take(const struct input *input, bool may_map,
                            struct error *e)
{
    struct open_file *file = calloc(1, sizeof *file);
    if (!file)
        return error_memory(e);
    file->uses = 1;
    file->borrowed = input->fd >= 0;
    file->fd = file->borrowed ? input->fd : input_reopen(input, e);
    if (file->fd < 0) {
        free(file);
        return NULL;
    }
    ahead_init(&file->ahead, file->fd, input->offset + input->bytes);
    if (may_map && input->bytes >= MAP_MIN)
        file->is_mapped =
            map_open(&file->map, file->fd, input->offset, input->bytes);
    return file;
}

const void *file_range(struct open_file *file, const struct input *input,
                       uint64_t offset, size_t bytes)
{
    uint64_t start = meter_now();
    const void *range = map_range(&file->map, offset, bytes);
    uint64_t end = meter_add(input->meter, STAGE_READ, start, bytes);
    ahead_note(&file->ahead, offset, bytes, end - start);
    return range;
}

bool file_read(struct open_file *file, const struct input *input, void *to,
               size_t want, uint64_t offset, size_t *got, struct error *e)
{
    uint64_t start = meter_now();
    if (!io_pread(file->fd, to, want, offset, got))
        return error_errno(e, input->name, "cannot be read");
    uint64_t end = meter_add(input->meter, STAGE_READ, start, *got);
    ahead_note(&file->ahead, offset, *got, end - start);
    return true;
}

void file_release(struct open_file *file)
{
    if (--file->uses > 0)
        return;
    if (file->is_mapped)
        map_close(&file->map);
    if (!file->borrowed)
        close(file->fd);
    free(file);
}

bool file_shrank(const struct input *input, uint64_t missing, struct error *e)
{
    return error_named(e, ERROR_DATA, input->name,
                       "ended early: %" PRIu64 " bytes are missing (it was "
                       "cut while it was read, or is incomplete)",
                       missing);
}

bool file_done(const struct chunk *chunk, pthread_mutex_t *lock,
               struct error *e)
{
    if (!chunk->mapped)
        return true;
    bool ok =
        map_check(&chunk->mapped->map, chunk->offset, chunk->mapped_bytes);
    pthread_mutex_lock(lock);
    file_release(chunk->mapped);
    pthread_mutex_unlock(lock);
    return ok || file_was_cut(chunk->input, e);
}

bool file_was_cut(const struct input *input, struct error *e)
{
    return error_named(e, ERROR_DATA, input->name,
                       "cannot be read, or was cut while it was read");
}
