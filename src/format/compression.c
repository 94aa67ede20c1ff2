/* SPDX-License-Identifier: MIT */
#include "format/compression.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "format/foreign.h"
#include "format/format.h"
#include "format/pack.h"
#include "source/io.h"
#include "source/compressed/crc.h"
#include "source/compressed/stored.h"
#include "source/compressed/unpack.h"
#include "source/compressed/zstd.h"

/* Bytes. For a smaller compressed file, starting threads does not pay. */
enum { THREADS_MIN = 64 << 10 };

/* Two bytes are enough to suspect gzip: read as raw data they would give a
 * meaningless number. If the user asks for raw data, three are needed, because
 * raw data may start with these two by chance. */
static bool is_gzip(const unsigned char *bytes, size_t have, bool raw)
{
    return have >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b &&
           (!raw || (have >= 3 && bytes[2] == 8));
}

static bool is_zip(const unsigned char *bytes, size_t have, bool raw)
{
    (void)raw;
    return have >= 4 &&
           (memcmp(bytes, "PK\3\4", 4) == 0 || memcmp(bytes, "PK\5\6", 4) == 0);
}

static bool look_stream(struct input *input, enum unpack_kind kind,
                        const char *name, struct error *e)
{
    if (input->member)
        return error_named(e, ERROR_USAGE, input->name,
                           "is %s data, which has no named members", name);
    input->form.kind = kind;
    input->packed_offset = input->offset;
    input->packed_bytes = UINT64_MAX;
    input->bytes = INPUT_UNKNOWN;
    return true;
}

static bool look_gzip(struct input *input, struct error *e)
{
    return look_stream(input, UNPACK_GZIP, "gzip", e);
}

#ifdef HAVE_ZSTD
static bool look_zstd(struct input *input, struct error *e)
{
    return look_stream(input, UNPACK_ZSTD, "zstd", e);
}

/* A skippable frame, too, with which pzstd begins. */
static bool is_zstd(const unsigned char *bytes, size_t have, bool raw)
{
    (void)raw;
    return have >= 4 && zstd_is_magic(bytes);
}
#endif

static const struct compression table[] = {
    {"gzip",
     "gzip, BGZF among it",
     {".gz", ".bgz", ".bgzf"},
     is_gzip,
     look_gzip},
    {"zip", "zip or .npz archive", {".npz", ".zip"}, is_zip, archive_look},
#ifdef HAVE_ZSTD
    {"zstd", "zstd frames", {".zst", ".zstd"}, is_zstd, look_zstd},
#endif
};

enum { ROWS = sizeof table / sizeof table[0] };

/* The length of the name without its suffix, if that is one of the row's; else
 * 0. */
static size_t stem(const struct compression *c, const char *name)
{
    size_t n = strlen(name);
    for (int i = 0; i < COMPRESSION_SUFFIXES && c->suffix[i]; i++) {
        size_t s = strlen(c->suffix[i]);
        if (n > s && strcasecmp(name + n - s, c->suffix[i]) == 0)
            return n - s;
    }
    return 0;
}

static const struct compression *
find_magic(const struct input *input, const unsigned char *bytes, size_t have)
{
    bool raw = input->settings->format == format_find("raw");
    for (int i = 0; i < ROWS; i++) {
        if (table[i].is_magic(bytes, have, raw))
            return &table[i];
    }
    return NULL;
}

/* Whether a file that is not compressed may have the member that is named: it
 * must be safetensors. */
static bool has_tensors(struct input *input, struct error *e)
{
    const unsigned char *bytes;
    size_t have;
    if (!input_head(input, FOREIGN_HEAD, &bytes, &have, e))
        return false;
    return safetensors_is_magic(bytes, have) ||
           input->settings->format == format_find("safetensors") ||
           error_named(e, ERROR_USAGE, input->name,
                       "the file is neither an .npz archive nor safetensors, "
                       "so it has no members");
}

/* The row whose suffix the file's name has, or NULL. */
static const struct compression *find_suffix(const struct input *input)
{
    for (int i = 0; i < ROWS; i++) {
        if (stem(&table[i], input->name))
            return &table[i];
    }
    return NULL;
}

bool compression_doubt(const struct input *input, const struct compression *c,
                       struct error *e)
{
    const size_t used = strlen(e->text);
    if (input->settings->format == format_find("raw") && !input->member &&
        !find_suffix(input))
        snprintf(e->text + used, sizeof e->text - used,
                 "\nIf it is raw data that only starts like %s, try\n"
                 "{ printf 0000; cat FILE; } | gpureduce -f raw -t TYPE "
                 "--skip-bytes %" PRIu64,
                 c->name, input->settings->skip_bytes + 4);
    return false;
}

/* Refuses a file whose name promises compressed data but whose bytes are not.
 * Otherwise an empty download would be taken as an empty dataset. */
static bool check_name(struct input *input, struct error *e)
{
    if (input->member)
        return has_tensors(input, e);
    const struct compression *c = find_suffix(input);
    return !c || error_named(e, ERROR_DATA, input->name,
                             "has the name of %s data but is not\n"
                             "To read it as it is, use < FILE.",
                             c->name);
}

static bool open_unpack(struct input *input, const unsigned char *first,
                        size_t first_bytes, struct error *e)
{
    struct source source = {.name = input->name,
                            .fd = input->fd,
                            .is_file = input->again,
                            .offset = input->packed_offset + first_bytes,
                            .left = input->packed_bytes};
    input->unpack = unpack_open(&source, &input->form, first, first_bytes, e);
    return input->unpack;
}

/* Derives the name of the contents from the file's, without the suffix. */
static bool name_inside(struct input *input, const struct compression *c,
                        struct error *e)
{
    size_t n = input->inside ? 0 : stem(c, input->name);
    if (n > 0 && !(input->inside = strndup(input->name, n)))
        return error_memory(e);
    return true;
}

/* For a pipe that is not read yet: only its name can give the dtype. look_late
 * checks the bytes. */
static bool trust_name(struct input *input, struct error *e)
{
    bool ok = true;
    for (int i = 0; ok && i < ROWS; i++)
        ok = name_inside(input, &table[i], e);
    return ok;
}

bool compression_look(struct input *input, struct error *e)
{
    const unsigned char *bytes;
    size_t have;
    if (input->look_deferred)
        return trust_name(input, e);
    if (!input_head(input, 4, &bytes, &have, e))
        return false;
    const struct compression *c = find_magic(input, bytes, have);
    if (!c)
        return check_name(input, e);
    input->file_bytes = input->bytes;
    if (!c->look(input, e))
        return compression_doubt(input, c, e);
    if (input->pack)
        return true;
    if (input->file_bytes > input->packed_bytes)
        input->file_bytes = input->packed_bytes;
    if (!name_inside(input, c, e))
        return false;
    input->compression = c;
    input->head_bytes = 0;
    input->ended = false;
    if (input->form.kind == UNPACK_STORED)
        return true;
    input->again = input->regular;
    input->is_small = input->again && input->file_bytes < THREADS_MIN;
    input->regular = false;
    input->offset = 0;
    return open_unpack(input, bytes, input->again ? 0 : have, e);
}

const struct codec *compression_codec(const struct input *input)
{
    return inflater_codec(input->form.kind);
}

static void close_file(struct input *input)
{
    free(input->head);
    input->head = NULL;
    if (input->fd > STDIN_FILENO) {
        close(input->fd);
        input->fd = -1;
    }
}

void compression_looked(struct input *input)
{
    /* The end of a stored member is not the end of the file, so its length is
     * exact. */
    input->exact |= input->form.kind == UNPACK_STORED;
    if (!input->again)
        return;
    input->head_crc = crc_update(0, input->head, input->head_bytes);
    unpack_close(input->unpack);
    input->unpack = NULL;
    close_file(input);
}

/* Checks a stored member's CRC, once, before its data are reduced. */
static bool check_stored(struct input *input, struct error *e)
{
    int fd = input->fd < 0 ? input_reopen(input, e) : input->fd;
    if (fd < 0)
        return false;
    input->checked = stored_check(fd, input->name, &input->form,
                                  input->settings->threads, e);
    if (input->fd < 0)
        close(fd);
    return input->checked;
}

/* Opens a compressed file again and reads its head again. The head must be the
 * same, because the first look took the columns and the number of bytes from
 * it. */
static bool open_again(struct input *input, struct error *e)
{
    size_t got;
    if (input->fd < 0 && (input->fd = input_reopen(input, e)) < 0)
        return false;
    input->head = malloc(input->head_bytes + 1);
    if (!input->head)
        return error_memory(e);
    if (!open_unpack(input, NULL, 0, e) ||
        !unpack_read(input->unpack, input->head, input->head_bytes, &got, e))
        return false;
    input->ended = false;
    return (got == input->head_bytes &&
            crc_update(0, input->head, got) == input->head_crc) ||
           input_changed(input, e);
}

/* Looks at a pipe whose first look was deferred until its turn. */
static bool look_late(struct input *input, struct error *e)
{
    uint64_t skip = input->offset;
    input->look_deferred = false;
    input->offset = 0;
    if (!compression_look(input, e))
        return false;
    input->offset = skip;
    return true;
}

/*
 * The number of threads that inflate: of eight, seven for elements and six for
 * text. Reducing elements takes little processor time, and decoding text a
 * sixth of the time of inflating. A thread that takes the output needs a
 * processor at once, or all inflaters wait for it: with 16 processors, f32 as
 * BGZF ran at 4.2 GB/s with 16 threads to inflate, 5.7 with 14 and 5.6 with 12.
 */
static unsigned inflaters(const struct input *input)
{
    unsigned threads = input->settings->threads;
    if (input->is_small)
        return 1;
    return threads - threads / (input_is_text(input) ? 4 : 8);
}

bool input_start(struct input *input, struct error *e)
{
    if (input->look_deferred && !look_late(input, e))
        return false;
    if (!input->compression || input->started)
        return true;
    if (input->form.kind == UNPACK_STORED)
        return input->checked || check_stored(input, e);
    if (input->again && !open_again(input, e))
        return false;
    input->started = true;
    if (input->unpack)
        unpack_start(input->unpack, inflaters(input), input->meter);
    return true;
}

void input_finish(struct input *input)
{
    if (!input->started)
        return;
    input->started = false;
    unpack_close(input->unpack);
    input->unpack = NULL;
    if (!input->again)
        return;
    /* Like cat, leave a shared standard input at its end for its next
     * reader. */
    if (input->fd == STDIN_FILENO)
        lseek(input->fd, 0, SEEK_END);
    close_file(input);
}
