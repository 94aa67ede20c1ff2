/* SPDX-License-Identifier: MIT */
#include "chunk/file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/meter.h"
#include "format/pack.h"
#include "source/io.h"

/* Bytes; smaller files are not worth a mapping. */
enum { MAP_MIN = 1 << 20 };

/* Opens the file of an input. Only `bytes` from `offset` on will be read. */
static struct open_file *open_file(const struct input *input, uint64_t offset,
                                   uint64_t bytes, bool may_map,
                                   struct error *e)
{
    struct open_file *file = calloc(1, sizeof *file);
    if (!file)
        return error_memory(e);
    atomic_init(&file->uses, 1);
    file->borrowed = input->fd >= 0;
    file->fd = file->borrowed ? input->fd : input_reopen(input, e);
    if (file->fd < 0) {
        free(file);
        return NULL;
    }
    ahead_init(&file->ahead, file->fd, offset + bytes);
    if (may_map && bytes >= MAP_MIN)
        file->is_mapped = map_open(&file->map, file->fd, offset, bytes);
    return file;
}

struct open_file *file_take(const struct input *input, bool may_map,
                            struct error *e)
{
    struct pack *pack = input->whole ? input->whole->pack : NULL;
    /* Members of an archive do not share a file: they may differ, for example
     * in byte order. */
    if (!pack || pack->bytes == 0)
        return open_file(input, input->offset, input->bytes, may_map, e);
    pthread_mutex_lock(&pack->lock);
    if (!pack->file)
        pack->file = open_file(input, pack->offset, pack->bytes, may_map, e);
    struct open_file *file = pack->file;
    if (file)
        atomic_fetch_add(&file->uses, 1);
    pthread_mutex_unlock(&pack->lock);
    return file;
}

void file_forget(struct pack *pack)
{
    if (pack->file)
        file_release(pack->file);
    pack->file = NULL;
}

bool cursor_open(struct cursor *c, struct input *inputs, size_t count,
                 bool may_map, struct error *e)
{
    *c = (struct cursor){.inputs = inputs, .count = count, .may_map = may_map};
    for (size_t i = 0; i < count; i++)
        inputs[i].taken = inputs[i].records = inputs[i].lines = 0;
    return pthread_mutex_init(&c->lock, NULL) == 0 || error_memory(e);
}

/* Closes the current input. */
static void leave(struct cursor *c)
{
    if (c->file)
        file_release(c->file);
    c->file = NULL;
    input_finish(&c->inputs[c->current]);
}

void cursor_close(struct cursor *c)
{
    if (c->current < c->count)
        leave(c);
    pthread_mutex_destroy(&c->lock);
}

bool cursor_start(struct cursor *c, bool empty, struct error *e)
{
    struct input *input = &c->inputs[c->current];
    if (input->deferred && (!input_open_deferred(input, c->inputs, e) ||
                            !input_same_dtype(&c->inputs[0], input, e)))
        return false;
    if (!input_start(input, e))
        return false;
    if (!c->file && input->regular && (empty || input->bytes > 0))
        c->file = file_take(input, c->may_map && !input->big_endian, e);
    return c->file || !input->regular || (!empty && input->bytes == 0);
}

void cursor_next(struct cursor *c)
{
    struct input *input = &c->inputs[c->current];
    input->taken = c->taken;
    /* Like cat, leave a shared standard input at its end for its next
     * reader. The rest of its archive follows a stored member. */
    if (input->regular && input->fd >= 0 && input->compression)
        lseek(input->fd, 0, SEEK_END);
    else if (input->regular && input->fd >= 0)
        lseek(input->fd, (off_t)(input->offset + c->taken), SEEK_SET);
    leave(c);
    c->taken = 0;
    c->current++;
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
    if (atomic_fetch_sub(&file->uses, 1) > 1)
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
