/* SPDX-License-Identifier: MIT */
#include "input/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/quote.h"
#include "input/format.h"
#include "input/io.h"

/* Sets regular, bytes, offset and identity from an open descriptor. */
static bool classify(struct input *input, struct error *e)
{
    struct stat st;
    char name[QUOTE_MAX];
    if (fstat(input->fd, &st) != 0)
        return error_errno(e, input->name, "cannot be examined");
    if (S_ISDIR(st.st_mode))
        return error_set(e, ERROR_DATA, "%s: is a directory",
                         quote(name, input->name));
    /* A file of size 0 may have bytes all the same, as in /proc. */
    input->regular = S_ISREG(st.st_mode) && st.st_size > 0;
    input->device = st.st_dev;
    input->inode = st.st_ino;
    input->offset = 0;
    input->bytes = INPUT_UNKNOWN;
    if (!input->regular)
        return true;
    /* Standard input may have been read from before. */
    if (strcmp(input->name, "-") == 0) {
        off_t at = lseek(input->fd, 0, SEEK_CUR);
        input->offset = at > 0 ? (uint64_t)at : 0;
    }
    uint64_t size = (uint64_t)st.st_size;
    input->bytes = size > input->offset ? size - input->offset : 0;
    return true;
}

bool input_open(struct input *input, const char *name,
                const struct input_wishes *wishes, struct error *e)
{
    *input = (struct input){.name = name, .fd = STDIN_FILENO};
    bool is_stdin = strcmp(name, "-") == 0;
    if (!is_stdin) {
        input->fd = open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
        if (input->fd < 0)
            return error_errno(e, name, "cannot be opened");
    }
    bool ok = classify(input, e);
    if (ok) {
        input->format = wishes->format ? wishes->format
                                       : format_guess(input, e);
        ok = input->format && input->format->look(input, wishes, e);
    }
    if (!ok) {
        input_close(input);
        return false;
    }
    /* There may be more files than descriptors: a regular one is opened again
     * when its turn comes. */
    if (!is_stdin && (input->regular || input->ended)) {
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

void input_close(struct input *input)
{
    free(input->head);
    free(input->shape);
    input->head = NULL;
    input->shape = NULL;
    if (input->fd > STDIN_FILENO)
        close(input->fd);
    input->fd = -1;
}

bool input_head(struct input *input, size_t need, const unsigned char **bytes,
                size_t *have, struct error *e)
{
    if (need > input->head_bytes) {
        unsigned char *grown = realloc(input->head, need);
        if (!grown)
            return error_set(e, ERROR_DATA, "out of memory");
        input->head = grown;
        size_t got, at = input->head_bytes;
        bool ok = input->regular
                      ? io_pread(input->fd, grown + at, need - at,
                                 input->offset + at, &got)
                      : io_read(input->fd, grown + at, need - at, &got);
        if (!ok)
            return error_errno(e, input->name, "cannot be read");
        input->ended = got < need - at;
        input->head_bytes += got;
    }
    *bytes = input->head;
    *have = input->head_bytes < need ? input->head_bytes : need;
    return true;
}

uint64_t input_flat_index(const struct input *input, uint64_t place)
{
    /* The first dimension varies fastest in the file, the last in C order. */
    uint64_t flat = 0;
    for (unsigned d = 0; d < input->rank; d++) {
        flat = flat * input->shape[d] + place % input->shape[d];
        place /= input->shape[d];
    }
    return flat;
}

int input_reopen(const struct input *input, struct error *e)
{
    struct stat st;
    char name[QUOTE_MAX];
    int fd = open(input->name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0) {
        error_errno(e, input->name, "cannot be opened");
        return -1;
    }
    if (fstat(fd, &st) == 0 && st.st_dev == input->device &&
        st.st_ino == input->inode)
        return fd;
    close(fd);
    error_set(e, ERROR_DATA, "%s: was replaced while it was read",
              quote(name, input->name));
    return -1;
}
