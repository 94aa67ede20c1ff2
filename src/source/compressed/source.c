/* SPDX-License-Identifier: MIT */
#include "source/compressed/source.h"

#include <errno.h>
#include <poll.h>

#include "source/io.h"

/* Waits until the pipe has bytes or has ended. Returns false if `wake` became
 * readable or the time is over. */
static bool wait_for(int fd, int wake, int milliseconds)
{
    struct pollfd p[2] = {{.fd = fd, .events = POLLIN},
                          {.fd = wake, .events = POLLIN}};
    int n;
    do {
        n = poll(p, 2, milliseconds);
    } while (n < 0 && errno == EINTR);
    /* If poll fails, the read that follows reports why. */
    return n != 0 && !(n > 0 && p[1].revents);
}

/* Waits for the first bytes, then reads only those that are available, because
 * the rest of a pipe may take long. */
static bool read_pipe(int fd, unsigned char *to, size_t want, int wake,
                      size_t *got)
{
    size_t more;
    *got = 0;
    while (*got < want && wait_for(fd, wake, *got ? 0 : -1)) {
        if (!io_read_some(fd, to + *got, want - *got, &more))
            return false;
        if (more == 0)
            break;
        *got += more;
    }
    return true;
}

bool source_read(struct source *s, void *to, size_t want, int wake, size_t *got,
                 struct error *e)
{
    if (want > s->left)
        want = (size_t)s->left;
    bool ok = s->is_file ? io_pread(s->fd, to, want, s->offset, got)
                         : read_pipe(s->fd, to, want, wake, got);
    if (!ok)
        return error_errno(e, s->name, "cannot be read");
    s->offset += *got;
    if (s->left != UINT64_MAX)
        s->left -= *got;
    return true;
}
