/* SPDX-License-Identifier: MIT */
/* Whether a file is still the one, with the bytes, of its first look. */
#include <sys/stat.h>
#include <unistd.h>

#include "format/input.h"
#include "source/io.h"

int input_reopen(const struct input *input, struct error *e)
{
    struct stat st;
    int fd = io_open(input_file(input));
    if (fd < 0) {
        error_errno(e, input->name, "cannot be opened");
        return -1;
    }
    if (fstat(fd, &st) != 0) {
        error_errno(e, input->name, "cannot be examined");
        close(fd);
        return -1;
    }
    if (st.st_dev == input->device && st.st_ino == input->inode)
        return fd;
    close(fd);
    error_named(e, ERROR_DATA, input->name, "was replaced while it was read");
    return -1;
}

bool input_changed(const struct input *input, struct error *e)
{
    return error_named(e, ERROR_DATA, input->name,
                       "changed while it was read\n"
                       "Run again when no program writes to it. Of a file that "
                       "only grows, 'cat FILE |' gives a part.");
}

/* A file of /proc has size 0 and any time. */
static bool is_same(const struct input *input, const struct stat *st)
{
    return st->st_dev != input->device || st->st_ino != input->inode ||
           (st->st_size == 0 && input->size == 0) ||
           (st->st_size == input->size &&
            st->st_mtim.tv_sec == input->changed.tv_sec &&
            st->st_mtim.tv_nsec == input->changed.tv_nsec);
}

static bool check(const struct input *input, struct error *e)
{
    struct stat st;
    if (!input->is_file)
        return true;
    if (input->is_stdin && fstat(STDIN_FILENO, &st) != 0)
        return error_errno(e, input->name, "cannot be examined");
    if (!input->is_stdin && stat(input_file(input), &st) != 0)
        return true;
    return is_same(input, &st) || input_changed(input, e);
}

bool inputs_are_unchanged(const struct input *inputs, size_t count,
                          struct error *e)
{
    size_t i = 0;
    while (i < count && check(&inputs[i], e))
        i++;
    return i == count;
}
