/* SPDX-License-Identifier: MIT */
#include "plan/files.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/quote.h"
#include "format/input.h"
#include "source/io.h"

static bool is_stdin(const char *name)
{
    return strcmp(name, "-") == 0;
}

/* Reads the whole list and appends a NUL. */
static bool read_all(int fd, const char *from, char **list, size_t *bytes,
                     struct error *e)
{
    size_t room = 0, got;
    *bytes = 0;
    do {
        room = 2 * room + 4096;
        char *grown = realloc(*list, room);
        if (!grown)
            return error_memory(e);
        *list = grown;
        if (!io_read(fd, *list + *bytes, room - *bytes - 1, &got))
            return error_errno(e, from, "cannot be read");
        *bytes += got;
    } while (*bytes == room - 1);
    (*list)[*bytes] = '\0';
    return true;
}

static bool read_list(const char *from, char **list, size_t *bytes,
                      struct error *e)
{
    int fd = STDIN_FILENO;
    if (!is_stdin(from))
        fd = open(from, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return error_errno(e, from, "cannot be opened");
    bool ok = read_all(fd, input_name(from), list, bytes, e);
    if (fd != STDIN_FILENO)
        close(fd);
    return ok;
}

/* Whether the name is `-`, or another name of standard input where that is no
 * regular file: then its data can be read only once. */
static bool is_read_once(const char *name)
{
    static const char *const other[] = {"/dev/stdin", "/dev/fd/0",
                                        "/proc/self/fd/0"};
    struct stat s;
    bool is = is_stdin(name);
    for (size_t i = 0; !is && i < sizeof other / sizeof other[0]; i++)
        is = strcmp(name, other[i]) == 0 && fstat(STDIN_FILENO, &s) == 0 &&
             !S_ISREG(s.st_mode);
    return is;
}

static bool check_listed(const char *from, const char *name, size_t number,
                         struct error *e)
{
    char quoted[QUOTE_MAX];
    if (!*name)
        return error_named(e, ERROR_DATA, input_name(from),
                           "file name %zu is empty", number);
    if (is_read_once(from) && is_read_once(name))
        return error_named(e, ERROR_DATA, input_name(from),
                           "file name %zu is %s, but standard input is the "
                           "list of names",
                           number, quote(quoted, name));
    return true;
}

static bool split_list(struct file_names *names, const char *from, size_t bytes,
                       struct error *e)
{
    const char *end = names->list + bytes, *at = names->list;
    size_t n = 1;
    for (const char *p = at; (p = memchr(p, '\0', (size_t)(end - p))); p++)
        n++;
    names->listed = malloc(n * sizeof *names->listed);
    if (!names->listed)
        return error_memory(e);
    for (; at < end; at += strlen(at) + 1) {
        if (!check_listed(from, at, names->count + 1, e))
            return false;
        names->listed[names->count++] = at;
    }
    names->name = names->listed;
    if (names->count == 0)
        return error_named(e, ERROR_DATA, input_name(from),
                           "lists no file names");
    /* A name may hold a newline, and the last NUL may be missing. */
    if (n == 1 && strchr(names->list, '\n') && access(names->list, F_OK) != 0)
        return error_named(e, ERROR_DATA, input_name(from),
                           "its file names end with newlines, not with NUL\n"
                           "Try tr '\\n' '\\0' < LIST | gpureduce "
                           "--files0-from -");
    return true;
}

/* Refuses standard input if it is named twice, or is a terminal by mistake. */
static bool check_stdin(const struct file_names *names, const struct options *o,
                        struct error *e)
{
    const bool is_named = o->files0_from || o->files > 0;
    bool seen = o->keys && is_read_once(o->keys);
    for (size_t i = 0; i < names->count; i++) {
        const bool is = is_read_once(names->name[i]);
        if (is && seen)
            return error_set(e, ERROR_USAGE,
                             "standard input ('-') can be read only once");
        seen |= is;
    }
    if (!is_named && isatty(STDIN_FILENO))
        return error_set(e, ERROR_USAGE,
                         "no FILE given, and standard input is a terminal: "
                         "say gpureduce FILE, or pipe data in");
    return true;
}

bool file_names_find(struct file_names *names, const struct options *o,
                     struct error *e)
{
    static const char *const standard_input = "-";
    const char *from = o->files0_from;
    char quoted[QUOTE_MAX];
    size_t bytes = 0;
    *names = (struct file_names){.name = o->file, .count = o->files};
    if (from && o->files > 0)
        return error_set(e, ERROR_USAGE,
                         "FILE %s cannot be given beside --files0-from, which "
                         "lists all FILEs",
                         quote(quoted, o->file[0]));
    if (from && (!read_list(from, &names->list, &bytes, e) ||
                 !split_list(names, from, bytes, e)))
        return false;
    if (names->count == 0)
        *names = (struct file_names){.name = &standard_input, .count = 1};
    return check_stdin(names, o, e);
}

void file_names_free(struct file_names *names)
{
    free(names->list);
    free(names->listed);
    *names = (struct file_names){.count = 0};
}
