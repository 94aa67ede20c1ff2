/* SPDX-License-Identifier: MIT */
#include "sources.h"

#include <signal.h>
#include <unistd.h>

#include "check.h"
#include "format/format.h"
#include "temporary.h"

static size_t put_header(struct source *s, const struct dataset *d)
{
    const struct dtype_info *info = dtype_info(d->dtype);
    size_t n =
        (size_t)sprintf((char *)s->bytes + 10,
                        "{'descr': '%cu%u', 'fortran_order': False, "
                        "'shape': (%zu,)}\n",
                        s->big_endian ? '>' : '<', info->size, s->elements);
    memcpy(s->bytes, "\x93NUMPY\1", 8);
    s->bytes[8] = (unsigned char)n;
    s->bytes[9] = 0;
    return 10 + n;
}

/* Makes random elements: the bytes of the file and the expected elements. */
static void make_bytes(struct source *s, struct dataset *d)
{
    size_t data = s->elements * d->size;
    s->bytes = calloc(1, data + s->skip + 300);
    s->n = s->npy ? put_header(s, d) : s->skip;
    unsigned char *to = s->bytes + s->n,
                  *want = d->want + d->elements * d->size;
    for (size_t i = 0; i < data; i++)
        want[i] = (unsigned char)check_random();
    for (size_t i = 0; i < data; i++) {
        size_t from = s->big_endian
                          ? i / d->size * d->size + d->size - 1 - i % d->size
                          : i;
        to[i] = want[from];
    }
    s->n += data + (size_t)s->extra;
    d->elements += s->elements;
}

static void *write_pipe(void *arg)
{
    struct source *s = arg;
    size_t at = 0;
    while (at < s->n) {
        /* Writes in odd pieces, so that elements are split between reads. */
        size_t piece = 1 + (at * 7919 + s->n) % 5000;
        piece = piece < s->n - at ? piece : s->n - at;
        ssize_t n = write(s->pipe[1], s->bytes + at, piece);
        if (n < 0)
            break;
        at += (size_t)n;
    }
    close(s->pipe[1]);
    return NULL;
}

static void make_source(struct source *s, size_t i)
{
    if (s->kind == SOURCE_FILE) {
        char name[32];
        snprintf(name, sizeof name, "source%zu", i);
        temporary_path(s->name, name);
        temporary_write(s->name, s->bytes, s->n);
        return;
    }
    CHECK(pipe(s->pipe) == 0);
    snprintf(s->name, sizeof s->name, "/proc/self/fd/%d", s->pipe[0]);
    s->writing = pthread_create(&s->writer, NULL, write_pipe, s) == 0;
    CHECK(s->writing);
}

bool dataset_open(struct dataset *d, struct error *e)
{
    size_t bytes = 1, i;
    signal(SIGPIPE, SIG_IGN);
    d->size = dtype_info(d->dtype)->size;
    for (i = 0; i < d->count; i++)
        bytes += d->source[i].elements * d->size;
    d->want = malloc(bytes);
    d->elements = 0;
    for (i = 0; i < d->count; i++) {
        make_bytes(&d->source[i], d);
        make_source(&d->source[i], i);
    }
    for (i = 0; i < d->count; i++) {
        struct source *s = &d->source[i];
        s->settings = (struct input_settings){
            .format = format_find(s->npy ? "npy" : "raw"),
            .has_dtype = true,
            .dtype = d->dtype,
            .has_order = true,
            .big_endian = s->big_endian,
            .skip_bytes = s->npy ? 0 : s->skip};
        if (!input_open(&d->input[i], s->name, &s->settings,
                        i > 0 && s->kind == SOURCE_LATE_PIPE, e)) {
            d->count = i; /* the other sources were not opened */
            return false;
        }
    }
    return true;
}

void dataset_close(struct dataset *d)
{
    for (size_t i = 0; i < d->count; i++) {
        struct source *s = &d->source[i];
        input_close(&d->input[i]);
        if (s->writing) {
            close(s->pipe[0]);
            pthread_join(s->writer, NULL);
        } else {
            unlink(s->name);
        }
        free(s->bytes);
    }
    free(d->want);
}
