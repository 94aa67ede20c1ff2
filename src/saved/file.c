/* SPDX-License-Identifier: MIT */
/* Writes and reads whole files. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "base/write.h"
#include "saved/saved.h"
#include "source/io.h"

/* The file to write. */
struct target {
    char *path;     /* owned */
    mode_t mode;    /* of a file that replaces it */
    bool is_direct; /* it cannot be replaced */
};

static bool is_dash(const char *name)
{
    return strcmp(name, "-") == 0;
}

static bool write_all(int fd, const struct saved_bytes *b)
{
    errno = write_whole(fd, b->at, b->n);
    return errno == 0;
}

/* Writes to what cannot be replaced: a pipe, a device, standard output. */
static bool write_directly(const struct saved_bytes *b, const char *name,
                           struct error *e)
{
    int fd = STDOUT_FILENO;
    if (!is_dash(name))
        fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool ok = fd >= 0 && write_all(fd, b);
    if (fd >= 0 && !is_dash(name))
        ok = close(fd) == 0 && ok;
    return ok || error_errno(e, is_dash(name) ? "standard output" : name,
                             "cannot be written");
}

/* Writes the temporary file `room`, whose name ends in XXXXXX, and renames it.
 */
static bool replace(const struct saved_bytes *b, char *room,
                    const struct target *t, const char *name, struct error *e)
{
    const int fd = mkstemp(room);
    bool ok = fd >= 0 && fchmod(fd, t->mode) == 0 && write_all(fd, b);
    if (fd >= 0)
        ok = close(fd) == 0 && ok;
    if (ok && rename(room, t->path) == 0)
        return true;
    error_errno(e, name, "cannot be written");
    if (fd >= 0)
        unlink(room);
    return false;
}

/* Whether the name may be that of a file that a shell has opened, and writes to
 * after the program. A file elsewhere in /dev is like any other: /dev/shm has
 * users' data. */
static bool is_of_shell(const char *name)
{
    return text_starts(name, "/dev/std") || text_starts(name, "/dev/fd/") ||
           text_starts(name, "/proc/");
}

/* Follows links, as renaming a file to the name of a link replaces the link. A
 * link to a file that is not there is written directly. The caller frees
 * t->path. */
static bool find_target(const char *name, struct target *t, struct error *e)
{
    struct stat s;
    const mode_t mask = umask(0);
    umask(mask);
    *t = (struct target){.mode = 0666 & ~mask,
                         .is_direct = is_dash(name) || is_of_shell(name)};
    if (!t->is_direct && (t->path = realpath(name, NULL)) &&
        stat(t->path, &s) == 0) {
        t->is_direct = !S_ISREG(s.st_mode);
        t->mode = s.st_mode & 0777;
    }
    if (!t->is_direct && !t->path && errno != ENOENT)
        return error_errno(e, name, "cannot be written");
    t->is_direct |= !t->path && lstat(name, &s) == 0;
    if (!t->path)
        t->path = strdup(name);
    return t->path || error_memory(e);
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

/* False, with the error, if a file is there that holds anything but states: in
 * `--save-state *.csv` the first file of data would be replaced. */
static bool is_replaceable(const char *path, const char *name, struct error *e)
{
    char start[sizeof SAVED_MAGIC - 1];
    size_t got = 0;
    const int fd = io_open(path);
    if (fd < 0 && errno == ENOENT)
        return true;
    const bool ok = (fd >= 0 && io_read(fd, start, sizeof start, &got)) ||
                    error_errno(e, name, "cannot be read");
    if (fd >= 0)
        close(fd);
    return ok &&
           (got == 0 ||
            (got == sizeof start && memcmp(start, SAVED_MAGIC, got) == 0) ||
            error_named(e, ERROR_USAGE, name,
                        "--save-state does not replace it: it has other "
                        "data than states; remove it first"));
}

bool saved_may_store(const char *name, struct error *e)
{
    struct target t;
    int fd = -1;
    if (!find_target(name, &t, e))
        return false;
    char *temporary = t.is_direct || !is_replaceable(t.path, name, e)
                          ? NULL
                          : temporary_name(t.path, e);
    if (temporary && (fd = mkstemp(temporary)) >= 0) {
        close(fd);
        unlink(temporary);
    } else if (temporary) {
        error_errno(e, name, "cannot be written");
    }
    free(temporary);
    free(t.path);
    return t.is_direct || fd >= 0;
}

bool saved_store(const struct saved_bytes *b, const char *name, struct error *e)
{
    struct target t;
    if (!find_target(name, &t, e))
        return false;
    char *temporary = t.is_direct ? NULL : temporary_name(t.path, e);
    const bool ok = t.is_direct
                        ? write_directly(b, name, e)
                        : temporary && replace(b, temporary, &t, name, e);
    free(temporary);
    free(t.path);
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
