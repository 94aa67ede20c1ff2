/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "source/io.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/uio.h>
#include <unistd.h>

int io_open(const char *name)
{
    return open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
}

/* Linux transfers at most 2 GiB - 4 KiB a call; other systems fail above
 * that. */
static size_t at_most_1g(size_t bytes)
{
    size_t limit = (size_t)1 << 30;
    return bytes < limit ? bytes : limit;
}

/* Whether to try a failed read again. If another process has made the
 * descriptor non-blocking, waits until it is readable. */
static bool try_again(int fd)
{
    if (errno == EAGAIN || errno == EWOULDBLOCK) {
        struct pollfd p = {.fd = fd, .events = POLLIN};
        poll(&p, 1, -1);
        return true;
    }
    return errno == EINTR;
}

static bool transfer(int fd, char *to, size_t bytes, bool at_offset,
                     uint64_t offset, size_t *got)
{
    *got = 0;
    while (*got < bytes) {
        size_t want = at_most_1g(bytes - *got);
        ssize_t n = at_offset
                        ? pread(fd, to + *got, want, (off_t)(offset + *got))
                        : read(fd, to + *got, want);
        if (n == 0)
            return true;
        if (n > 0)
            *got += (size_t)n;
        else if (!try_again(fd))
            return false;
    }
    return true;
}

bool io_read_some(int fd, void *to, size_t bytes, size_t *got)
{
    ssize_t n;
    do {
        n = read(fd, to, at_most_1g(bytes));
    } while (n < 0 && try_again(fd));
    *got = n > 0 ? (size_t)n : 0;
    return n >= 0;
}

bool io_read(int fd, void *to, size_t bytes, size_t *got)
{
    return transfer(fd, to, bytes, false, 0, got);
}

bool io_pread(int fd, void *to, size_t bytes, uint64_t offset, size_t *got)
{
    return transfer(fd, to, bytes, true, offset, got);
}

bool io_pread_cached(int fd, void *to, size_t bytes, uint64_t offset,
                     size_t *got)
{
    const struct iovec range = {to, bytes};
    const ssize_t n = preadv2(fd, &range, 1, (off_t)offset, RWF_NOWAIT);
    *got = n > 0 ? (size_t)n : 0;
    if (n < 0 && errno != EAGAIN)
        return io_pread(fd, to, bytes, offset, got);
    return n >= 0;
}

void io_widen_pipe(int fd)
{
    /* The most that an unprivileged process may ask for. */
    fcntl(fd, F_SETPIPE_SZ, 1 << 20);
}
