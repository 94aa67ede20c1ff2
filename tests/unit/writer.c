/* SPDX-License-Identifier: MIT */
/* Text put into a writer reaches its descriptor complete and in order, whatever
 * the sizes of the pieces. */
#define _GNU_SOURCE
#include "output/writer.h"

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include "check.h"

enum { ROOM = 4 << 20 };

/* A thread that slowly reads the other end of a pipe. */
struct reader {
    int fd;
    size_t bytes;
    char at[ROOM];
};

static void *read_all(void *context)
{
    struct reader *r = context;
    ssize_t n;
    while ((n = read(r->fd, r->at + r->bytes, ROOM - r->bytes)) > 0)
        r->bytes += (size_t)n;
    return NULL;
}

/* Puts the same random text into the writer and into the expected text. */
static void put_something(struct writer *w, char *want, size_t *bytes)
{
    static char long_name[3 * WRITER_BYTES];
    static const char *const texts[] = {"", "\t", "column", "\n"};
    const char *text = texts[check_below(4)];
    struct value v = {.kind = VALUE_INTEGER, .word = {check_random_length()}};
    size_t n;
    switch (check_below(8)) {
    case 0: /* a name longer than a piece, partly escaped */
        n = 1 + check_below(sizeof long_name);
        memset(long_name, 'n', n);
        long_name[check_below(n)] = '\t';
        writer_name(w, long_name, n);
        for (size_t i = 0; i < n; i++)
            *bytes += (size_t)sprintf(want + *bytes, "%s",
                                      long_name[i] == '\t' ? "\\t" : "n");
        return;
    case 1:
    case 2:
        writer_text(w, text);
        *bytes += (size_t)sprintf(want + *bytes, "%s", text);
        return;
    default:
        writer_value(w, &v);
        *bytes += (size_t)sprintf(want + *bytes, "%" PRIu64, v.word[0]);
    }
}

static void test_pipe(bool blocks)
{
    static struct reader r;
    static char want[ROOM];
    struct writer w;
    struct error e;
    pthread_t thread;
    int ends[2];
    size_t bytes = 0;
    if (!CHECK(pipe2(ends, O_CLOEXEC) == 0))
        return;
    if (!blocks)
        fcntl(ends[1], F_SETFL, O_NONBLOCK);
    r.fd = ends[0];
    r.bytes = 0;
    CHECK(pthread_create(&thread, NULL, read_all, &r) == 0);
    writer_start(&w, ends[1]);
    while (bytes < ROOM - 6 * WRITER_BYTES)
        put_something(&w, want, &bytes);
    CHECK(writer_end(&w, &e));
    close(ends[1]);
    pthread_join(thread, NULL);
    close(ends[0]);
    CHECK_U64(r.bytes, bytes);
    CHECK(memcmp(r.at, want, bytes) == 0);
}

/* The last byte waits for writer_end, so that until then the output is not
 * whole. */
static void test_last_byte(size_t bytes)
{
    static char text[3 * WRITER_BYTES], got[sizeof text];
    struct writer w;
    struct error e;
    int ends[2];
    if (!CHECK(pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0))
        return;
    fcntl(ends[1], F_SETPIPE_SZ, 2 * (int)sizeof text);
    writer_start(&w, ends[1]);
    writer_put(&w, text, bytes);
    ssize_t n = read(ends[0], got, sizeof got);
    CHECK(n < (ssize_t)bytes);
    n = n < 0 ? 0 : n;
    CHECK(writer_end(&w, &e));
    CHECK_U64((uint64_t)(n + read(ends[0], got, sizeof got)), bytes);
    close(ends[0]);
    close(ends[1]);
}

/* A failed write is reported at the end, however much text follows. */
static void test_full(size_t times)
{
    struct writer w;
    struct error e;
    int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
    if (!CHECK(fd >= 0))
        return;
    writer_start(&w, fd);
    for (size_t i = 0; i < times; i++)
        writer_text(&w, "0123456789");
    CHECK(!writer_end(&w, &e));
    CHECK_INT(e.kind, ERROR_DATA);
    CHECK_TEXT(e.text, "write error: No space left on device");
    close(fd);
}

int main(void)
{
    test_pipe(true);
    test_pipe(false);
    test_last_byte(1);
    test_last_byte(WRITER_BYTES);
    test_last_byte(WRITER_BYTES + 1);
    test_last_byte(3 * WRITER_BYTES);
    test_full(1);
    test_full(WRITER_BYTES);
    return check_end();
}
