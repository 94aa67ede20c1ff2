/* SPDX-License-Identifier: MIT */
/* Every library that decodes deflate against zlib: the same bytes, the same
 * offsets and the same errors, for good data, for each truncation and for each
 * flip of a bit, however the input and the output are cut. */
#define _GNU_SOURCE
#include "source/compressed/codec.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include "check.h"
#include "source/compressed/inflater.h"
#include "source/compressed/source.h"

enum { ROOM = 200000 };

struct answer {
    bool ok;
    size_t bytes;
    uint64_t offset; /* where the inflater was at the end */
    struct error error;
    unsigned char out[ROOM];
};

/* Inflates `n` bytes, handed over and taken `step` bytes at a time. */
static void inflate_by(const struct codec *codec, const struct source *source,
                       const struct unpack_form *form, const unsigned char *p,
                       size_t n, size_t step, struct answer *answer)
{
    struct inflater *f = inflater_new(source, codec);
    bool ended = false;
    size_t at = 0;
    inflater_start(f, form, 0);
    answer->ok = true;
    answer->bytes = 0;
    while (answer->ok && !ended && answer->bytes < ROOM) {
        size_t left = n - at, take = left < step ? left : step;
        size_t room = ROOM - answer->bytes;
        unsigned char *from = answer->out + answer->bytes;
        struct inflater_in in = {p + at, p + at + take};
        struct inflater_out out = {from, from + (room < step ? room : step)};
        answer->ok = take > 0
                         ? inflater_step(f, &in, &out, &answer->error)
                         : inflater_finish(f, &out, &ended, &answer->error);
        at = (size_t)(in.at - p);
        answer->bytes += (size_t)(out.at - from);
    }
    answer->offset = f->offset;
    inflater_free(f);
}

static struct answer mine, zlibs;

/* ISA-L accepts incomplete sets of codes if no missing code is used. zlib
 * refuses these sets, but the contents are right. */
static bool may_take(const struct codec *codec)
{
    return codec == codecs[0] && strstr(zlibs.error.text, "s set)") &&
           strstr(zlibs.error.text, "(invalid ");
}

static void compare_with_zlib(const struct codec *codec, size_t step,
                              const struct unpack_form *form)
{
    if (mine.ok && !zlibs.ok && may_take(codec)) {
        CHECK_U64(mine.bytes, form->bytes);
        CHECK_U64(crc32_z(0, mine.out, mine.bytes), form->crc);
    } else if (!mine.ok || !zlibs.ok) {
        CHECK(!mine.ok && !zlibs.ok &&
                  strcmp(mine.error.text, zlibs.error.text) == 0,
              "%s, %zu bytes a step: %s, zlib: %s", codec->name, step,
              mine.ok ? "none" : mine.error.text,
              zlibs.ok ? "none" : zlibs.error.text);
    } else {
        CHECK_U64(mine.bytes, zlibs.bytes);
        CHECK_U64(mine.offset, zlibs.offset);
        CHECK(memcmp(mine.out, zlibs.out, zlibs.bytes) == 0);
    }
}

/* Compares all codecs with zlib. Returns whether zlib takes the data. */
static bool compare(const struct unpack_form *form, const unsigned char *p,
                    size_t n, int fd)
{
    static const size_t steps[] = {1, 4001, ROOM};
    struct source source = {.name = "x", .fd = fd, .is_file = true, .left = n};
    CHECK(ftruncate(fd, (off_t)n) == 0 && pwrite(fd, p, n, 0) == (ssize_t)n);
    inflate_by(&codec_zlib, &source, form, p, n, ROOM, &zlibs);
    for (int c = 0; codecs[c] && codecs[c]->crc; c++) {
        for (size_t s = form->bytes < 1000 ? 0 : 1; s < 3; s++) {
            inflate_by(codecs[c], &source, form, p, n, steps[s], &mine);
            compare_with_zlib(codecs[c], steps[s], form);
        }
    }
    return zlibs.ok;
}

struct sample {
    const char *about;
    int level, strategy;
    size_t bytes;
    unsigned values; /* each byte is one of this many */
    bool repeats;
    bool has_fields; /* every field that a gzip header may have */
};

static const struct sample samples[] = {
    {"no data", 6, Z_DEFAULT_STRATEGY, 0, 1, false, false},
    {"every field", 6, Z_DEFAULT_STRATEGY, 40, 9, false, true},
    {"one byte", 6, Z_DEFAULT_STRATEGY, 1, 256, false, false},
    {"stored", 0, Z_DEFAULT_STRATEGY, 60, 256, false, false},
    {"fixed codes", 6, Z_FIXED, 90, 20, false, false},
    {"own codes", 9, Z_DEFAULT_STRATEGY, 200, 12, false, false},
    {"no matches", 6, Z_HUFFMAN_ONLY, 120, 9, false, false},
    {"runs", 6, Z_RLE, 150, 2, false, false},
    {"far matches", 9, Z_DEFAULT_STRATEGY, 70000, 256, true, false},
    {"a bomb", 9, Z_DEFAULT_STRATEGY, 90000, 1, false, false},
};

static void make(const struct sample *s, unsigned char *to)
{
    for (size_t i = 0; i < s->bytes; i++)
        to[i] = s->repeats && i >= 32000
                    ? to[i - 32000]
                    : (unsigned char)check_below(s->values);
}

static size_t deflate_with(const struct sample *s, int window,
                           unsigned char *data, unsigned char *to, size_t room)
{
    z_stream z = {.next_in = data, .avail_in = (uInt)s->bytes};
    gz_header fields = {.text = 1,
                        .extra = (Bytef *)"BC\2\0\1\2",
                        .extra_len = 6,
                        .name = (Bytef *)"n",
                        .comment = (Bytef *)"c",
                        .hcrc = 1};
    deflateInit2(&z, s->level, Z_DEFLATED, window, 8, s->strategy);
    if (s->has_fields && window > 16)
        deflateSetHeader(&z, &fields);
    z.next_out = to;
    z.avail_out = (uInt)room;
    CHECK(deflate(&z, Z_FINISH) == Z_STREAM_END);
    size_t n = room - z.avail_out;
    deflateEnd(&z);
    return n;
}

/* Damages the data in every way. A long sample only at some places. */
static void damage(const struct unpack_form *form, unsigned char *p, size_t n,
                   int fd)
{
    size_t stride = n < 500 ? 1 : n / 3 | 1;
    for (size_t cut = 0; cut < n; cut += stride)
        compare(form, p, cut, fd);
    for (size_t bit = 0; bit < 8 * n; bit += stride) {
        p[bit / 8] ^= (unsigned char)(1 << bit % 8);
        compare(form, p, n, fd);
        p[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
}

static void test_sample(const struct sample *s, int fd)
{
    static unsigned char data[ROOM], packed[ROOM];
    make(s, data);
    for (int is_gzip = 0; is_gzip < 2; is_gzip++) {
        struct unpack_form form = {.kind =
                                       is_gzip ? UNPACK_GZIP : UNPACK_DEFLATE,
                                   .crc = (uint32_t)crc32_z(0, data, s->bytes),
                                   .bytes = s->bytes};
        size_t n = deflate_with(s, is_gzip ? 31 : -15, data, packed, ROOM);
        bool ok = compare(&form, packed, n, fd);
        CHECK(ok && zlibs.bytes == s->bytes);
        CHECK(memcmp(zlibs.out, data, s->bytes) == 0);
        damage(&form, packed, n, fd);
        /* Another member, zeros, or bytes that do not belong there. */
        memcpy(packed + n, packed, n);
        CHECK(compare(&form, packed, 2 * n, fd) == is_gzip);
        memset(packed + n, 0, 20);
        CHECK(compare(&form, packed, n + 20, fd) == is_gzip);
        packed[n + 19] = 7;
        CHECK(!compare(&form, packed, n + 20, fd));
    }
}

int main(void)
{
    int fd = memfd_create("codec", 0);
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++)
        test_sample(&samples[i], fd);
    close(fd);
    return check_end();
}
