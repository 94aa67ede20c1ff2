/* SPDX-License-Identifier: MIT */
/* zstd frames, whole and damaged: the answers of ZSTD_decompress, and the same
 * bytes and errors however the input and the output are cut. */
#include "source/compressed/zstd.h"

#include <zstd.h>

#include "check.h"
#include "source/compressed/inflater.h"
#include "source/compressed/source.h"

enum { ROOM = 700000 };

struct answer {
    bool ok;
    size_t bytes;
    struct error error;
    unsigned char out[ROOM];
};

static void inflate_by(const unsigned char *p, size_t n, size_t step,
                       struct answer *answer)
{
    const struct source source = {.name = "x", .fd = -1};
    const struct unpack_form form = {.kind = UNPACK_ZSTD};
    struct inflater *f = inflater_new(&source, inflater_codec(UNPACK_ZSTD));
    bool ended = false;
    size_t at = 0;
    inflater_start(f, &form, 0);
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
    inflater_free(f);
}

static struct answer whole, cut;
static unsigned char theirs[ROOM];

/* ZSTD_decompress has no limit for windows and accepts frames that name a
 * dictionary, so these refusals are no difference. It refuses an empty block
 * that is marked as compressed, which libzstd accepts in a stream. */
static bool is_refused(void)
{
    return !whole.ok && (strstr(whole.error.text, "need a dictionary") ||
                         strstr(whole.error.text, "need a window"));
}

static bool compare(const unsigned char *p, size_t n)
{
    static const size_t steps[] = {1, 4001};
    size_t got = ZSTD_decompress(theirs, ROOM, p, n);
    inflate_by(p, n, ROOM, &whole);
    CHECK(whole.ok == !ZSTD_isError(got) || is_refused() || whole.bytes == 0,
          "%s: %s", ZSTD_getErrorName(got),
          whole.ok ? "taken" : whole.error.text);
    if (whole.ok && whole.bytes > 0) {
        CHECK_U64(whole.bytes, got);
        CHECK(memcmp(whole.out, theirs, whole.bytes) == 0);
    }
    for (size_t s = whole.bytes > 1000; s < 2; s++) {
        inflate_by(p, n, steps[s], &cut);
        CHECK(cut.ok == whole.ok);
        /* A wrong length costs the last call's bytes of a block that is not
         * compressed, of which there are up to three. */
        size_t same = cut.bytes < whole.bytes ? cut.bytes : whole.bytes;
        CHECK(cut.bytes + whole.bytes - 2 * same <= (cut.ok ? 0 : 2));
        CHECK(memcmp(cut.out, whole.out, same) == 0);
        if (!cut.ok)
            CHECK_TEXT(cut.error.text, whole.error.text);
    }
    return whole.ok;
}

static size_t pack(unsigned char *to, const unsigned char *data, size_t n,
                   int level, bool has_check, bool has_size)
{
    ZSTD_CCtx *c = ZSTD_createCCtx();
    ZSTD_inBuffer in = {data, n, 0};
    ZSTD_outBuffer out = {to, ROOM, 0};
    ZSTD_CCtx_setParameter(c, ZSTD_c_compressionLevel, level);
    ZSTD_CCtx_setParameter(c, ZSTD_c_checksumFlag, has_check);
    ZSTD_CCtx_setParameter(c, ZSTD_c_contentSizeFlag, has_size);
    if (has_size)
        ZSTD_CCtx_setPledgedSrcSize(c, n);
    CHECK(ZSTD_compressStream2(c, &out, &in, ZSTD_e_end) == 0);
    ZSTD_freeCCtx(c);
    return out.pos;
}

static void damage(unsigned char *p, size_t n)
{
    size_t stride = n < 400 ? 1 : n / 3 | 1;
    for (size_t at = 0; at < n; at += stride)
        compare(p, at);
    for (size_t bit = 0; bit < 8 * n; bit += stride) {
        p[bit / 8] ^= (unsigned char)(1 << bit % 8);
        compare(p, n);
        p[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
}

static void test_frames(void)
{
    static const unsigned char skipped[] = {
        0x5f, 0x2a, 0x4d, 0x18, 3,    0, 0, 0, 1, 2,
        3,    0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0};
    static unsigned char data[300000], packed[2 * ROOM];
    static const struct {
        size_t bytes;
        unsigned values;
        bool has_check, has_size;
    } samples[] = {{0, 1, true, true},       {1, 256, false, true},
                   {200, 7, true, false},    {200, 7, true, true},
                   {150, 256, true, true},   {256, 7, false, true},
                   {65791, 1, false, true},  {65792, 1, false, true},
                   {300000, 5, true, false}, {300000, 1, true, true}};
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        size_t bytes = samples[i].bytes;
        for (size_t k = 0; k < bytes; k++)
            data[k] = (unsigned char)check_below(samples[i].values);
        size_t n = pack(packed, data, bytes, 3, samples[i].has_check,
                        samples[i].has_size);
        CHECK(compare(packed, n) && whole.bytes == bytes);
        CHECK(memcmp(whole.out, data, bytes) == 0);
        damage(packed, n);
        memcpy(packed + n, skipped, sizeof skipped);
        memcpy(packed + n + sizeof skipped, packed, n);
        CHECK(compare(packed, 2 * n + sizeof skipped));
        CHECK_U64(whole.bytes, 2 * bytes);
        if (n < 100)
            damage(packed, 2 * n + sizeof skipped);
    }
}

static void test_headers(void)
{
    static const struct {
        unsigned char bytes[20];
        size_t n;
        const char *says; /* part of the error; NULL: accepted */
    } rows[] = {
        {{0x28, 0xb5, 0x2f, 0xfd, 0x20, 0, 1, 0, 0}, 9, NULL},
        {{0x28, 0xb5, 0x2f, 0xfe, 0x20, 0, 1, 0, 0}, 9, "no zstd header"},
        {{0x22, 0xb5, 0x2f, 0xfd, 0x20, 0, 1, 0, 0}, 9, "no zstd header"},
        {{0x28, 0xb5, 0x2f, 0xfd, 0x28, 0, 1, 0, 0}, 9, "reserved bit"},
        {{0x28, 0xb5, 0x2f, 0xfd, 0x21, 7, 0, 1, 0, 0}, 10, "dictionary"},
        {{0x28, 0xb5, 0x2f, 0xfd, 0x21, 0, 0, 1, 0, 0}, 10, NULL},
        {{0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x88, 1, 0, 0}, 9, NULL},
        {{0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x89, 1, 0, 0}, 9, "144 MiB"},
        {{0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xff, 1, 0, 0}, 9, "3932160 MiB"},
        {{0x28, 0xb5, 0x2f, 0xfd, 0x20, 0, 1, 0, 0, 'x'}, 10, "follow"},
        {{0x28, 0xb5, 0x2f, 0xfd, 0x20, 0, 1, 0, 0, 0, 0}, 11, NULL},
        {{0x28, 0xb5, 0x2f, 0xfd, 0x20, 0, 1, 0}, 8, "truncated"},
        {{0x28, 0xb5, 0x2f, 0xfd}, 4, "truncated"},
        {{0x53, 0x2a, 0x4d, 0x18, 9, 0, 0, 0, 1}, 9, "truncated"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        inflate_by(rows[i].bytes, rows[i].n, ROOM, &whole);
        inflate_by(rows[i].bytes, rows[i].n, 1, &cut);
        CHECK(whole.ok == !rows[i].says && cut.ok == whole.ok, "row %zu: %s", i,
              whole.ok ? "taken" : whole.error.text);
        if (rows[i].says && !whole.ok) {
            CHECK(strstr(whole.error.text, rows[i].says), "row %zu: %s", i,
                  whole.error.text);
            CHECK_TEXT(cut.error.text, whole.error.text);
        }
    }
}

static void test_find(void)
{
    unsigned char p[64] = {0x28, 0xb5, 0x2f, 0x28, 0xb5, 0x2f, 0xfd, 0x08};
    const unsigned char start[5] = {0x28, 0xb5, 0x2f, 0xfd, 0x64};
    memcpy(p + 20, start, sizeof start);
    CHECK_U64(zstd_find(p, 0, 60), 20);
    CHECK_U64(zstd_find(p, 21, 60), 60);
    CHECK_U64(zstd_find(p, 0, 20), 20);
    for (size_t n = 0; n <= 5; n++)
        CHECK(zstd_may_start(start, n));
    CHECK(zstd_is_magic(start) && !zstd_is_magic(p));
}

int main(void)
{
    test_frames();
    test_headers();
    test_find();
    return check_end();
}
