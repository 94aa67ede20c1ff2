/* SPDX-License-Identifier: MIT */
/* The peer of bench_gzip.py: zlib's inflate over a gzip file, one member after
 * the other, with its own checks, into one buffer. It does nothing else.
 *
 *   bench_inflate FILE [RUNS]
 *
 * Prints the unpacked bytes and the seconds of each run. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "clock.h"

enum { IN = 256 << 10, OUT = 256 << 10 };

static unsigned char in[IN], out[OUT];

static int fail(const char *what)
{
    fprintf(stderr, "bench_inflate: %s\n", what);
    exit(1);
}

static unsigned long long inflate_file(int fd)
{
    unsigned long long made = 0;
    z_stream z;
    int status = Z_OK;
    memset(&z, 0, sizeof z);
    if (inflateInit2(&z, MAX_WBITS + 16) != Z_OK)
        fail("no memory");
    for (;;) {
        if (z.avail_in == 0) {
            ssize_t n = read(fd, in, IN);
            if (n <= 0)
                break;
            z.next_in = in;
            z.avail_in = (uInt)n;
        }
        if (status == Z_STREAM_END && inflateReset(&z) != Z_OK)
            fail("cannot reset");
        z.next_out = out;
        z.avail_out = OUT;
        status = inflate(&z, Z_NO_FLUSH);
        if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR)
            fail("bad data");
        made += OUT - z.avail_out;
    }
    if (status != Z_STREAM_END)
        fail("truncated");
    inflateEnd(&z);
    return made;
}

int main(int argc, char **argv)
{
    int fd = argc > 1 ? open(argv[1], O_RDONLY) : -1;
    int runs = argc > 2 ? atoi(argv[2]) : 1;
    if (fd < 0)
        fail("usage: bench_inflate FILE [RUNS]");
    for (int i = 0; i < runs; i++) {
        lseek(fd, 0, SEEK_SET);
        double start = seconds();
        unsigned long long bytes = inflate_file(fd);
        printf("%llu %.6f\n", bytes, seconds() - start);
    }
    return 0;
}
