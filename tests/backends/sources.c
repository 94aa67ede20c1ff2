/* SPDX-License-Identifier: MIT */
#include "sources.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/format.h"

static void die(const char *name)
{
    perror(name);
    exit(2);
}

static size_t element_of(const struct sources *s)
{
    return dtype_info(s->data->dtype)->size;
}

/* Writes the source's elements from C order to their places in the file. */
static void store(struct sources *s, const struct source *source)
{
    size_t size = element_of(s);
    const unsigned char *from = s->data->bytes + source->from * size;
    unsigned char *to = s->stored + source->from * size;
    for (size_t i = 0; i < source->n; i++) {
        size_t place = 0, rest = i, weight = source->n;
        /* In C order the last dimension's index varies fastest; in Fortran
         * order it varies slowest. */
        for (unsigned d = source->rank; d-- > 0; rest /= source->shape[d]) {
            weight /= source->shape[d];
            place += rest % source->shape[d] * weight;
        }
        if (source->kind != SOURCE_NPY_FORTRAN)
            place = i;
        memcpy(to + place * size, from + i * size, size);
    }
}

static void write_header(FILE *file, const struct sources *s,
                         const struct source *source)
{
    const struct dtype_info *info = dtype_info(s->data->dtype);
    bool big = source->kind == SOURCE_NPY_BIG_ENDIAN;
    char text[256];
    int n = snprintf(text, sizeof text,
                     "{'descr': '%c%c%u', 'fortran_order': %s, 'shape': (",
                     info->size == 1 ? '|'
                     : big           ? '>'
                                     : '<',
                     info->kind, (unsigned)info->size,
                     source->kind == SOURCE_NPY_FORTRAN ? "True" : "False");
    for (unsigned d = 0; d < source->rank; d++)
        n += snprintf(text + n, sizeof text - (size_t)n, "%zu,",
                      source->shape[d]);
    n += snprintf(text + n, sizeof text - (size_t)n, "), }\n");
    fwrite("\x93NUMPY\x01", 1, 7, file);
    unsigned char rest[] = {0, (unsigned char)n, (unsigned char)(n >> 8)};
    fwrite(rest, 1, sizeof rest, file);
    fwrite(text, 1, (size_t)n, file);
}

static void write_elements(FILE *file, const struct sources *s,
                           const struct source *source)
{
    size_t size = element_of(s);
    const unsigned char *p = s->stored + source->from * size;
    if (source->kind != SOURCE_NPY_BIG_ENDIAN) {
        fwrite(p, size, source->n, file);
        return;
    }
    for (size_t i = 0; i < source->n; i++) {
        for (size_t b = size; b-- > 0;)
            putc_unlocked(p[i * size + b], file);
    }
}

static void write_source(const struct sources *s, const struct source *source)
{
    if (source->kind == SOURCE_FIFO) {
        if (mkfifo(source->name, 0600) != 0)
            die(source->name);
        return;
    }
    FILE *file = fopen(source->name, "wb");
    if (!file)
        die(source->name);
    if (source->kind != SOURCE_RAW)
        write_header(file, s, source);
    write_elements(file, s, source);
    if (fclose(file) != 0)
        die(source->name);
}

void sources_write(struct sources *s, const struct dataset *d,
                   const struct layout *layout, struct random *random)
{
    size_t at = 0;
    s->data = d;
    s->count = 0;
    s->reordered = false;
    do {
        struct source *source = &s->source[s->count++];
        *source = (struct source){.from = at, .rank = 1};
        if (s->count == SOURCES_MAX)
            source->n = d->n - at;
        else
            layout->next(source, d->n - at, random);
        if (d->dtype == DTYPE_bf16 && source->kind != SOURCE_FIFO)
            source->kind = SOURCE_RAW; /* NumPy has no name for this dtype */
        if (source->rank == 1)
            source->shape[0] = source->n;
        snprintf(source->name, sizeof source->name, "%zu", s->count);
        at += source->n;
        s->reordered |= source->kind == SOURCE_NPY_FORTRAN;
        store(s, source);
        write_source(s, source);
    } while (at < d->n);
}

/* Writes to a pipe in uneven pieces until all is written or the reader closes
 * it. */
static void *write_pipe(void *arg)
{
    const struct sources *s = ((void **)arg)[0];
    const struct source *source = ((void **)arg)[1];
    size_t at = 0, bytes = source->n * element_of(s);
    const unsigned char *p = s->stored + source->from * element_of(s);
    free(arg);
    int fd = open(source->name, O_WRONLY | O_CLOEXEC);
    while (at < bytes) {
        size_t piece = random_hash(at, bytes) % 90000 + 1;
        ssize_t n = write(fd, p + at, bytes - at < piece ? bytes - at : piece);
        if (n <= 0)
            break;
        at += (size_t)n;
    }
    close(fd);
    return NULL;
}

static void start_writer(struct sources *s, struct source *source)
{
    void **both = malloc(2 * sizeof *both);
    if (!both)
        die(source->name);
    both[0] = s;
    both[1] = source;
    if (pthread_create(&source->writer, NULL, write_pipe, both) != 0)
        die(source->name);
}

bool sources_open(struct sources *s, bool may_defer, struct error *e)
{
    for (size_t i = 0; i < s->count; i++) {
        struct source *source = &s->source[i];
        bool raw = source->kind == SOURCE_RAW || source->kind == SOURCE_FIFO;
        s->settings[i] =
            (struct input_settings){.format = raw ? format_find("raw") : NULL,
                                    .has_dtype = true,
                                    .dtype = s->data->dtype};
        if (source->kind == SOURCE_FIFO)
            start_writer(s, source);
        /* The first input tells the chunker the dtype. */
        if (!input_open(&s->input[i], source->name, &s->settings[i],
                        may_defer && i > 0, e))
            return false;
    }
    return true;
}

void sources_close(struct sources *s)
{
    for (size_t i = 0; i < s->count; i++) {
        input_close(&s->input[i]);
        if (s->source[i].kind == SOURCE_FIFO)
            pthread_join(s->source[i].writer, NULL);
    }
}

void sources_remove(struct sources *s)
{
    for (size_t i = 0; i < s->count; i++)
        unlink(s->source[i].name);
}
