/* SPDX-License-Identifier: MIT */
#include "base/write.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

int write_whole(int fd, const void *bytes, size_t n)
{
    const char *at = bytes, *const end = at + n;
    while (at < end) {
        const ssize_t written = write(fd, at, (size_t)(end - at));
        if (written >= 0) {
            at += written;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            struct pollfd ready = {.fd = fd, .events = POLLOUT};
            poll(&ready, 1, -1);
        } else if (errno != EINTR) {
            return errno;
        }
    }
    return 0;
}
