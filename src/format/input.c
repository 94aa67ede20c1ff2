/* SPDX-License-Identifier: MIT */
#include "format/input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/quote.h"
#include "format/compression.h"
#include "format/format.h"
#include "format/pack.h"
#include "source/io.h"
#include "source/compressed/unpack.h"

/* Sets regular, bytes, offset, device and inode from an open descriptor. */
static bool classify(struct input *input, struct error *e)
{
    struct stat st;
    if (fstat(input->fd, &st) != 0)
        return error_errno(e, input->name, "cannot be examined");
    if (S_ISDIR(st.st_mode))
        return error_named(e, ERROR_DATA, input->name, "is a directory");
    input->is_file = S_ISREG(st.st_mode);
    input->regular = input->is_file && st.st_size > 0;
    input->device = st.st_dev;
    input->inode = st.st_ino;
    input->size = st.st_size;
    input->changed = st.st_mtim;
    input->offset = 0;
    input->bytes = INPUT_UNKNOWN;
    if (S_ISFIFO(st.st_mode))
        io_widen_pipe(input->fd);
    if (!input->regular)
        return true;
    /* Another program may already have read a part of standard input. */
    if (input->is_stdin) {
        off_t at = lseek(input->fd, 0, SEEK_CUR);
        if (at < 0)
            return error_errno(e, input->name, "cannot be read");
        input->offset = (uint64_t)at;
    }
    uint64_t size = (uint64_t)st.st_size;
    input->bytes = size > input->offset ? size - input->offset : 0;
    return true;
}

/* Whether the error code means that no file has that name. FILE:MEMBER may be
 * too long for the name of a file. */
static bool is_missing(int code)
{
    return code == ENOENT || code == ENOTDIR || code == ENAMETOOLONG;
}

/* Call if no file has the name. Takes it as FILE:MEMBER. Returns false with
 * errno if there is no such FILE. */
static bool split_name(struct input *input)
{
    const char *colon = input->name;
    while ((colon = strchr(colon + 1, ':'))) {
        struct stat st;
        free(input->path);
        input->path = strndup(input->name, (size_t)(colon - input->name));
        if (!input->path)
            return false;
        if (stat(input->path, &st) == 0 && S_ISREG(st.st_mode)) {
            input->member = colon + 1;
            return true;
        }
        if (!is_missing(errno))
            return false;
    }
    return false;
}

static bool open_file(struct input *input, struct error *e)
{
    input->fd = io_open(input->path ? input->path : input->name);
    if (input->fd >= 0)
        return true;
    if (!input->path && is_missing(errno) && input->name[0] &&
        split_name(input))
        input->fd = io_open(input->path);
    return input->fd >= 0 || error_errno(e, input->name, "cannot be opened");
}

/* Opens the input, finds its compression and format, and looks at its
 * header. */
static bool look(struct input *input, struct error *e)
{
    const struct input_settings *settings = input->settings;
    input->fd = STDIN_FILENO;
    if (!input->is_stdin && !open_file(input, e)) {
        input_close(input);
        return false;
    }
    bool ok = classify(input, e);
    /* A pipe of raw data has no header, so it is not read before its turn. */
    input->look_deferred =
        ok && !input->is_file && settings->format == format_find("raw");
    ok = ok && compression_look(input, e);
    if (ok && !input->pack) {
        input->format_reason = "as asked";
        input->format =
            settings->format ? format_asked(input, e) : format_guess(input, e);
        ok = input->format && input->format->look(input, settings, e);
    }
    if (!ok) {
        input_close(input);
        return false;
    }
    compression_looked(input);
    /* There may be more files than descriptors: a regular file is closed here
     * and opened again when its turn comes. */
    if (!input->is_stdin && input->fd >= 0 &&
        (input->regular || input->ended)) {
        close(input->fd);
        input->fd = -1;
    }
    if (input->regular) {
        free(input->head);
        input->head = NULL;
        input->head_bytes = 0;
    }
    return true;
}

static bool is_fifo(const char *name)
{
    struct stat st;
    return strcmp(name, "-") != 0 && stat(name, &st) == 0 &&
           S_ISFIFO(st.st_mode);
}

const char *input_name(const char *name)
{
    return strcmp(name, "-") == 0 ? "standard input" : name;
}

bool input_open(struct input *input, const char *name,
                const struct input_settings *settings, bool may_defer,
                struct error *e)
{
    *input = (struct input){.name = input_name(name),
                            .is_stdin = strcmp(name, "-") == 0,
                            .settings = settings,
                            .like = settings->like,
                            .meter = settings->meter,
                            .fd = -1};
    if (may_defer && is_fifo(name)) {
        input->deferred = true;
        input->bytes = INPUT_UNKNOWN;
        return true;
    }
    return look(input, e);
}

bool input_open_deferred(struct input *input, const struct input *first,
                         struct error *e)
{
    bool deferred = input->deferred;
    input->deferred = false;
    if (!input->like && first != input && input_is_text(first))
        input->like = first;
    return !deferred || look(input, e);
}

bool input_open_member(struct input *input, const struct pack_part *part,
                       struct error *e)
{
    input->listed = part;
    input->member = part->name;
    input->path = strdup(input_file(input->whole));
    if (!input->path)
        return error_memory(e);
    return look(input, e);
}

const char *input_file(const struct input *input)
{
    if (input->whole)
        return input_file(input->whole);
    return input->path ? input->path : input->name;
}

void input_close(struct input *input)
{
    unpack_close(input->unpack);
    pack_free(input->pack);
    input->pack = NULL;
    free(input->path);
    free(input->inside);
    free(input->head);
    free(input->shape);
    if (input->table)
        csv_table_free(input->table);
    free(input->table);
    input->unpack = NULL;
    input->path = input->inside = NULL;
    input->head = NULL;
    input->shape = NULL;
    input->table = NULL;
    if (input->fd > STDIN_FILENO)
        close(input->fd);
    input->fd = -1;
}

const char *input_inside(const struct input *input)
{
    return input->inside ? input->inside : input->name;
}

bool input_is_text(const struct input *input)
{
    return input->table;
}

const char *input_dtype_name(const struct input *input)
{
    return input->is_bool ? "bool" : dtype_info(input->dtype)->name;
}

bool input_check_dtype(const struct input *input, struct error *e)
{
    const struct input_settings *w = input->settings;
    if (w->has_dtype &&
        (w->dtype != input->dtype || w->is_bool != input->is_bool))
        return error_named(e, ERROR_USAGE, input->name,
                           "its header says %s, but --dtype says %s",
                           input_dtype_name(input),
                           w->is_bool ? "bool" : dtype_info(w->dtype)->name);
    if (w->has_order && w->big_endian != input->big_endian &&
        dtype_info(input->dtype)->size > 1)
        return error_named(e, ERROR_USAGE, input->name,
                           "its data are %s-endian, but --dtype says %s-endian",
                           input->big_endian ? "big" : "little",
                           w->big_endian ? "big" : "little");
    return true;
}

bool input_same_dtype(const struct input *a, const struct input *b,
                      struct error *e)
{
    char first[QUOTE_MAX], other[QUOTE_MAX];
    if (input_is_text(a) != input_is_text(b))
        return error_set(e, ERROR_USAGE,
                         "%s is text but %s is not\n"
                         "Give --format, or --per-file for a result each.",
                         quote(first, input_is_text(a) ? a->name : b->name),
                         quote(other, input_is_text(a) ? b->name : a->name));
    if (a->dtype == b->dtype && a->is_bool == b->is_bool)
        return true;
    return error_set(e, ERROR_USAGE,
                     "%s is %s but %s is %s\n"
                     "Give --dtype, or --per-file for a result each.",
                     quote(first, a->name), input_dtype_name(a),
                     quote(other, b->name), input_dtype_name(b));
}

uint64_t inputs_bytes(const struct input *inputs, size_t count)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < count; i++) {
        if (inputs[i].bytes == INPUT_UNKNOWN ||
            __builtin_add_overflow(bytes, inputs[i].bytes, &bytes))
            return INPUT_UNKNOWN;
    }
    return bytes;
}

uint64_t input_flat_index(const struct input *input, uint64_t place)
{
    /* The first dimension varies fastest in the file, the last one in C
     * order. */
    uint64_t flat = 0;
    if (!input->is_fortran)
        return place;
    for (unsigned d = 0; d < input->rank; d++) {
        flat = flat * input->shape[d] + place % input->shape[d];
        place /= input->shape[d];
    }
    return flat;
}

uint64_t input_place(const struct input *input, uint64_t flat_index)
{
    uint64_t place = 0;
    if (!input->is_fortran)
        return flat_index;
    for (unsigned d = input->rank; d-- > 0;) {
        place = place * input->shape[d] + flat_index % input->shape[d];
        flat_index /= input->shape[d];
    }
    return place;
}
