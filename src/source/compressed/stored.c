/* SPDX-License-Identifier: MIT */
#include "source/compressed/stored.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "source/io.h"
#include "source/compressed/crc.h"

enum {
    /* Bytes of a piece, which a thread takes at a time; and of a step, in which
     * it reads the piece so that the bytes stay in cache. */
    PIECE = 4 << 20,
    STEP = 128 << 10,
    THREADS_MAX = 64,
};

struct check {
    int fd;
    const char *name;
    const struct unpack_form *form;
    size_t pieces;
    uint32_t *crc;      /* [pieces], owned; each written by one thread */
    atomic_size_t next; /* the next piece to take */
    struct first_error failure; /* its places are numbers of pieces */
};

static uint64_t piece_bytes(const struct check *c, size_t piece)
{
    uint64_t left = c->form->bytes - (uint64_t)piece * PIECE;
    return left < PIECE ? left : PIECE;
}

static bool read_piece(struct check *c, size_t piece, unsigned char *buffer,
                       struct error *e)
{
    uint64_t offset = c->form->offset + (uint64_t)piece * PIECE;
    uint64_t left = piece_bytes(c, piece);
    uint32_t crc = 0;
    while (left > 0) {
        size_t got, want = left < STEP ? (size_t)left : STEP;
        if (!io_pread(c->fd, buffer, want, offset, &got))
            return error_errno(e, c->name, "cannot be read");
        if (got < want)
            return inflater_check(c->name, c->form, 0,
                                  offset + got - c->form->offset, e);
        crc = crc_update(crc, buffer, got);
        offset += got;
        left -= got;
    }
    c->crc[piece] = crc;
    return true;
}

static void *read_pieces(void *arg)
{
    struct check *c = arg;
    struct error e;
    size_t piece;
    unsigned char *buffer = malloc(STEP);
    while ((piece = atomic_fetch_add(&c->next, 1)) < c->pieces) {
        bool ok =
            (buffer || error_memory(&e)) && read_piece(c, piece, buffer, &e);
        if (!ok) {
            first_error_note(&c->failure, piece, &e);
            break;
        }
    }
    free(buffer);
    return NULL;
}

/* Reads all pieces in this thread and others. If threads fail to start, fewer
 * do the work. */
static void read_all(struct check *c, unsigned threads)
{
    pthread_t thread[THREADS_MAX];
    unsigned started = 0;
    while (started + 1 < threads && started < THREADS_MAX &&
           started + 1 < c->pieces &&
           pthread_create(&thread[started], NULL, read_pieces, c) == 0)
        started++;
    read_pieces(c);
    while (started > 0)
        pthread_join(thread[--started], NULL);
}

static uint32_t crc_of_all(const struct check *c)
{
    uint32_t crc = 0;
    for (size_t i = 0; i < c->pieces; i++)
        crc =
            (uint32_t)crc32_combine(crc, c->crc[i], (z_off_t)piece_bytes(c, i));
    return crc;
}

bool stored_check(int fd, const char *name, const struct unpack_form *form,
                  unsigned threads, struct error *e)
{
    struct check c = {.fd = fd, .name = name, .form = form};
    c.pieces = (size_t)((form->bytes + PIECE - 1) / PIECE);
    c.crc = calloc(c.pieces + 1, sizeof *c.crc);
    if (!c.crc || pthread_mutex_init(&c.failure.lock, NULL) != 0) {
        free(c.crc);
        return error_memory(e);
    }
    read_all(&c, threads);
    const bool ok = first_error_none(&c.failure, e) &&
                    inflater_check(name, form, crc_of_all(&c), form->bytes, e);
    pthread_mutex_destroy(&c.failure.lock);
    free(c.crc);
    return ok;
}
