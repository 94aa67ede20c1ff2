/* SPDX-License-Identifier: MIT */
/* The CRC against its definition; and headers of gzip members, cut anywhere,
 * against RFC 1952. */
#include "source/compressed/gzip.h"

#include "check.h"
#include "source/compressed/crc.h"

/* Bit by bit, as the RFC defines it. */
static uint32_t crc_of(const unsigned char *p, size_t n)
{
    uint32_t crc = 0xffffffff;
    for (size_t i = 0; i < n; i++) {
        crc ^= p[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? 0xedb88320 ^ crc >> 1 : crc >> 1;
    }
    return ~crc;
}

static void test_crc(void)
{
    enum { SIZE = 3000 };
    static unsigned char bytes[SIZE + 16];
    CHECK_U64(crc_update(0, "123456789", 9), 0xcbf43926);
    CHECK_U64(crc_update(0, bytes, 0), 0);
    for (int i = 0; i < 3000; i++) {
        size_t n = i < 300 ? (size_t)i : check_below(SIZE);
        unsigned char *p = bytes + check_below(16);
        for (size_t k = 0; k < n; k++)
            p[k] = (unsigned char)check_random();
        CHECK_U64(crc_update(0, p, n), crc_of(p, n));
        size_t cut = check_below(n + 1);
        CHECK_U64(crc_update(crc_update(0, p, cut), p + cut, n - cut),
                  crc_of(p, n));
    }
}

/* Writes a header with the fields that the flags ask for. Returns its
 * length. */
static size_t make(unsigned char *to, unsigned flags, size_t extra, size_t name,
                   size_t comment)
{
    static const unsigned char fixed[10] = {0x1f, 0x8b, 8, 0, 9, 9, 9, 9, 2, 3};
    size_t n = sizeof fixed;
    memcpy(to, fixed, n);
    to[3] = (unsigned char)flags;
    if (flags & 4) {
        to[n++] = (unsigned char)extra;
        to[n++] = (unsigned char)(extra >> 8);
        memset(to + n, 0x1f, extra);
        n += extra;
    }
    if (flags & 8) {
        memset(to + n, 'n', name);
        to[n += name] = 0;
        n++;
    }
    if (flags & 16) {
        memset(to + n, 'c', comment);
        to[n += comment] = 0;
        n++;
    }
    if (flags & 2) {
        uint32_t crc = crc_of(to, n);
        to[n++] = (unsigned char)crc;
        to[n++] = (unsigned char)(crc >> 8);
    }
    return n;
}

/* Reads the header in pieces of random length. Bytes after it must stay
 * unread. */
static const char *read_in_pieces(const unsigned char *bytes, size_t n,
                                  size_t *taken, bool *done)
{
    struct gzip_header h = {.part = 0};
    const unsigned char *at = bytes;
    const char *wrong = NULL;
    *done = false;
    while (!wrong && !*done && at < bytes + n) {
        size_t left = (size_t)(bytes + n - at);
        size_t step = 1 + check_below(check_below(2) ? left : 3);
        wrong =
            gzip_header_read(&h, &at, at + (step < left ? step : left), done);
    }
    *taken = (size_t)(at - bytes);
    return wrong;
}

static void test_headers(void)
{
    static const size_t sizes[] = {0, 1, 2, 300, 65535};
    static unsigned char bytes[300000];
    bool done;
    size_t taken;
    for (unsigned i = 0; i < 3000; i++) {
        unsigned flags = i % 32;
        size_t n = make(bytes, flags, sizes[check_below(5)],
                        sizes[check_below(5)], sizes[check_below(5)]);
        memset(bytes + n, 0xee, 5);
        const char *wrong = read_in_pieces(bytes, n + 5, &taken, &done);
        CHECK(!wrong && done, "%s", wrong ? wrong : "not done");
        CHECK_U64(taken, n);
        size_t cut = check_below(n);
        wrong = read_in_pieces(bytes, cut, &taken, &done);
        CHECK(!wrong && !done);
        CHECK_U64(taken, cut);
        if (!(flags & 2))
            continue;
        bytes[n - 1 - check_below(2)] ^= 1;
        CHECK(read_in_pieces(bytes, n, &taken, &done) != NULL);
    }
}

static void test_bad_headers(void)
{
    unsigned char bytes[16];
    bool done;
    size_t taken;
    for (unsigned at = 0; at < 4; at++) {
        for (unsigned value = 0; value < 256; value++) {
            size_t n = make(bytes, 0, 0, 0, 0);
            bool good = at == 3 ? value < 32 : value == bytes[at];
            bytes[at] = (unsigned char)value;
            const char *wrong = read_in_pieces(bytes, n, &taken, &done);
            CHECK((wrong == NULL) == good, "byte %u is %u", at, value);
        }
    }
}

static void test_find(void)
{
    enum { SIZE = 500 };
    static unsigned char bytes[SIZE + GZIP_PREFIX];
    for (int i = 0; i < 2000; i++) {
        size_t at = check_below(SIZE), from = check_below(SIZE);
        /* 0x1f and bytes below 128: never 0x8b, the second byte of a header. */
        for (size_t k = 0; k < sizeof bytes; k++)
            bytes[k] = check_below(3) ? 0x1f : (unsigned char)check_below(128);
        make(bytes + at, (unsigned)check_below(32) & 1, 0, 0, 0);
        CHECK_U64(gzip_find(bytes, from, SIZE), from <= at ? at : SIZE);
        CHECK_U64(gzip_find(bytes, from, at), at);
        static const struct {
            unsigned at, value;
        } wrong[] = {{0, 0x1e}, {1, 0x8a}, {2, 7},  {3, 32},
                     {3, 255},  {8, 1},    {9, 14}, {9, 254}};
        unsigned w = (unsigned)check_below(8);
        bytes[at + wrong[w].at] = (unsigned char)wrong[w].value;
        CHECK_U64(gzip_find(bytes, from < at ? from : at, SIZE), SIZE);
    }
}

int main(void)
{
    test_crc();
    test_headers();
    test_bad_headers();
    test_find();
    return check_end();
}
