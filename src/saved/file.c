/* SPDX-License-Identifier: MIT */
/* Writes and reads whole files. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "saved/saved.h"
#include "source/io.h"

static bool is_dash(const char *name)
{
    return strcmp(name, "-") == 0;
}

static bool write_all(int fd, const struct saved_bytes *b)
{
    size_t at = 0;
    while (at < b->n) {
        const ssize_t n = write(fd, b->at + at, b->n - at);
        if (n < 0 && errno != EINTR)
            return false;
        at += n > 0 ? (size_t)n : 0;
    }
    return true;
}

/* Writes to what cannot be replaced: a pipe, a device, standard output. */
static bool write_directly(const struct saved_bytes *b, const char *name,
                           struct error *e)
{
    int fd = STDOUT_FILENO;
    if (!is_dash(name))
        fd = open(name, O_WRONLY | O_CLOEXEC);
    bool ok = fd >= 0 && write_all(fd, b);
    if (fd >= 0 && !is_dash(name))
        ok = close(fd) == 0 && ok;
    return ok || error_errno(e, is_dash(name) ? "standard output" : name,
                             "cannot be written");
}

/* Writes the temporary file `room`, whose name ends in XXXXXX, and renames it.
 */
static bool replace(const struct saved_bytes *b, char *room, const char *name,
                    struct error *e)
{
    const int fd = mkstemp(room);
    const mode_t mask = umask(0);
    umask(mask);
    bool ok = fd >= 0 && fchmod(fd, 0666 & ~mask) == 0 && write_all(fd, b);
    if (fd >= 0)
        ok = close(fd) == 0 && ok;
    if (ok && rename(room, name) == 0)
        return true;
    error_errno(e, name, "cannot be written");
    if (fd >= 0)
        unlink(room);
    return false;
}

static bool is_direct(const char *name)
{
    struct stat s;
    return is_dash(name) || (stat(name, &s) == 0 && !S_ISREG(s.st_mode));
}

/* The name of a temporary file beside another, for mkstemp. The caller frees
 * it. */
static char *temporary_name(const char *name, struct error *e)
{
    const size_t room = strlen(name) + sizeof ".XXXXXX";
    char *temporary = malloc(room);
    if (!temporary)
        return error_memory(e);
    snprintf(temporary, room, "%s.XXXXXX", name);
    return temporary;
}

bool saved_may_store(const char *name, struct error *e)
{
    char *temporary = is_direct(name) ? NULL : temporary_name(name, e);
    if (!temporary)
        return is_direct(name);
    const int fd = mkstemp(temporary);
    if (fd < 0)
        error_errno(e, name, "cannot be written");
    else
        close(fd);
    if (fd >= 0)
        unlink(temporary);
    free(temporary);
    return fd >= 0;
}

bool saved_store(const struct saved_bytes *b, const char *name, struct error *e)
{
    if (is_direct(name))
        return write_directly(b, name, e);
    char *temporary = temporary_name(name, e);
    const bool ok = temporary && replace(b, temporary, name, e);
    free(temporary);
    return ok;
}

bool saved_load(const char *name, uint8_t **file, size_t *bytes,
                struct error *e)
{
    const int fd =
        is_dash(name) ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
    size_t room = 0, got = 0;
    struct stat before, after;
    bool ok = (fd >= 0 && fstat(fd, &before) == 0) ||
              error_errno(e, name, "cannot be opened");
    *file = NULL;
    *bytes = 0;
    while (ok && *bytes == room) {
        room = 2 * room + (16 << 10);
        uint8_t *grown = realloc(*file, room);
        ok = grown || error_memory(e);
        *file = grown ? grown : *file;
        ok = ok && (io_read(fd, *file + *bytes, room - *bytes, &got) ||
                    error_errno(e, name, "cannot be read"));
        *bytes += ok ? got : 0;
    }
    if (ok && S_ISREG(before.st_mode) &&
        (fstat(fd, &after) != 0 || after.st_size != before.st_size ||
         after.st_mtim.tv_sec != before.st_mtim.tv_sec ||
         after.st_mtim.tv_nsec != before.st_mtim.tv_nsec))
        ok = error_named(e, ERROR_DATA, name,
                         "changed while it was read\n"
                         "Run again when no program writes to it.");
    if (fd > STDIN_FILENO)
        close(fd);
    return ok;
}
