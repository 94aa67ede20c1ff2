/* SPDX-License-Identifier: MIT */
#include "unpack/source.h"

#include <errno.h>
#include <poll.h>

#include "input/io.h"

/* Waits until the pipe has something or has ended; false when woken. */
static bool wait_for(int fd, int wake)
{
    struct pollfd p[2] = {{.fd = fd, .events = POLLIN},
                          {.fd = wake, .events = POLLIN}};
    /* A poll that fails leaves it to the read to say why. */
    while (poll(p, 2, -1) < 0 && errno == EINTR)
        ;
    return !p[1].revents;
}

/* No more at a time than is there: the rest may be long in coming. */
static bool read_waking(int fd, unsigned char *to, size_t want, int wake,
                        size_t *got)
{
    size_t more = 1;
    *got = 0;
    while (*got < want && more > 0 && wait_for(fd, wake)) {
        if (!io_read_some(fd, to + *got, want - *got, &more))
            return false;
        *got += more;
    }
    return true;
}

bool source_read(struct source *s, void *to, size_t want, int wake,
                 size_t *got, struct error *e)
{
    if (want > s->left)
        want = (size_t)s->left;
    bool ok = s->is_file  ? io_pread(s->fd, to, want, s->offset, got)
              : wake < 0 ? io_read(s->fd, to, want, got)
                         : read_waking(s->fd, to, want, wake, got);
    if (!ok)
        return error_errno(e, s->name, "cannot be read");
    s->offset += *got;
    if (s->left != UINT64_MAX)
        s->left -= *got;
    return true;
}
