/* SPDX-License-Identifier: MIT */
#include "source/compressed/gzip.h"

#include <string.h>

#include "source/compressed/crc.h"

enum { HAS_CHECK = 2, HAS_EXTRA = 4, HAS_NAME = 8, HAS_COMMENT = 16 };
enum { RESERVED = 0xe0, DEFLATE = 8 };

enum part { FIXED, EXTRA_SIZE, EXTRA, NAME, COMMENT, CHECK, PARTS_END };

static bool has_part(const struct gzip_header *h, unsigned part)
{
    static const unsigned char flag[PARTS_END] = {
        [EXTRA_SIZE] = HAS_EXTRA, [EXTRA] = HAS_EXTRA, [NAME] = HAS_NAME,
        [COMMENT] = HAS_COMMENT,  [CHECK] = HAS_CHECK,
    };
    return part == FIXED ||
           ((h->flags & flag[part]) && !(part == EXTRA && h->extra == 0));
}

/* Reads one of the ten bytes that every header starts with. */
static const char *read_fixed(struct gzip_header *h, unsigned char byte)
{
    switch (h->bytes) {
    case 0:
        return byte == 0x1f ? NULL : "no gzip header";
    case 1:
        return byte == 0x8b ? NULL : "no gzip header";
    case 2:
        return byte == DEFLATE ? NULL : "its method is not deflate";
    case 3:
        h->flags = byte;
        return byte & RESERVED ? "reserved flags are set" : NULL;
    default:
        return NULL; /* time, compression hint, system: not used */
    }
}

/* Whether the byte is the last of its field. */
static bool ends_part(const struct gzip_header *h, unsigned char byte)
{
    switch (h->part) {
    case FIXED:
        return h->bytes == 10;
    case EXTRA:
        return h->bytes == h->extra;
    case NAME:
    case COMMENT:
        return byte == '\0';
    default:
        return h->bytes == 2;
    }
}

static const char *read_byte(struct gzip_header *h, unsigned char byte)
{
    const char *wrong = NULL;
    if (h->part == FIXED)
        wrong = read_fixed(h, byte);
    else if (h->part == EXTRA_SIZE)
        h->extra |= (unsigned)byte << 8 * h->bytes;
    else if (h->part == CHECK)
        h->check |= (unsigned)byte << 8 * h->bytes;
    /* The bytes of names are not counted, because a name may be longer than the
     * counter can hold. */
    h->bytes += h->part != NAME && h->part != COMMENT;
    return wrong;
}

const char *gzip_header_read(struct gzip_header *h, const unsigned char **at,
                             const unsigned char *end, bool *done)
{
    const unsigned char *p = *at, *unsummed = p;
    const char *wrong = NULL;
    while (h->part < PARTS_END && p < end && !wrong) {
        unsigned char byte = *p++;
        wrong = read_byte(h, byte);
        if (!ends_part(h, byte))
            continue;
        h->bytes = 0;
        do {
            h->part++;
        } while (h->part < PARTS_END && !has_part(h, h->part));
        /* The header's checksum covers all bytes before it. */
        if (h->part == CHECK) {
            h->crc = crc_update(h->crc, unsummed, (size_t)(p - unsummed));
            unsummed = end;
        }
    }
    if (h->part < CHECK)
        h->crc = crc_update(h->crc, unsummed, (size_t)(p - unsummed));
    *at = p;
    *done = h->part == PARTS_END;
    if (!wrong && *done && (h->flags & HAS_CHECK) &&
        h->check != (h->crc & 0xffff))
        wrong = "the header's checksum is wrong";
    return wrong;
}

bool gzip_may_start(const unsigned char *p, size_t bytes)
{
    return p[0] == 0x1f && (bytes <= 1 || p[1] == 0x8b) &&
           (bytes <= 2 || p[2] == DEFLATE) &&
           (bytes <= 3 || !(p[3] & RESERVED)) &&
           /* XFL and OS: the compression hints and the systems in use. */
           (bytes <= 8 || p[8] == 0 || p[8] == 2 || p[8] == 4) &&
           (bytes <= 9 || p[9] <= 13 || p[9] == 255);
}

size_t gzip_find(const unsigned char *data, size_t from, size_t bytes)
{
    const unsigned char *p = data + from, *end = data + bytes;
    while (p < end && (p = memchr(p, 0x1f, (size_t)(end - p)))) {
        if (gzip_may_start(p, GZIP_PREFIX))
            return (size_t)(p - data);
        p++;
    }
    return bytes;
}
