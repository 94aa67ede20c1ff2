/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "format/foreign_look.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

#include "base/element.h"

static uint32_t word32(const char *p)
{
    return ELEMENT_AT(uint32_t, p, 0);
}

static uint16_t word16(const char *p)
{
    return ELEMENT_AT(uint16_t, p, 0);
}

bool foreign_has_control(const char *head, size_t have)
{
    for (size_t i = 0; i < have; i++) {
        unsigned char c = (unsigned char)head[i];
        if (c < ' ' && !(c >= '\t' && c <= '\r'))
            return true;
    }
    return false;
}

/* A message: -1, its length, then a flatbuffer whose root table is a schema.
 * The test needs all of this, because -1 also occurs in plain integers. */
bool foreign_is_arrow_stream(const char *head, size_t have)
{
    if (have < 80 || word32(head) != UINT32_MAX || word32(head + 4) % 8 != 0)
        return false;
    const char *message = head + 8;
    uint32_t root = word32(message);
    if (root > 40 || root % 4 != 0 || root < word32(message + root))
        return false;
    const char *table = message + root;
    const char *fields = table - word32(table);
    uint16_t bytes = word16(fields);
    /* The table's second field is the type of the header; 1 is a schema. */
    if (bytes < 8 || bytes > 16 || fields + 8 > table)
        return false;
    uint16_t type = word16(fields + 6);
    return type >= 4 && type < 32 && table[type] == 1;
}

bool foreign_is_bzip2(const char *head, size_t have)
{
    return have >= 10 && memcmp(head, "BZh", 3) == 0 &&
           memcmp(head + 4, "\x31\x41\x59\x26\x53\x59", 6) == 0;
}

/* Pickle protocols 4 and 5 start with a frame and its length. Protocols 2 and 3
 * start with the name of a class, with a list or dict that is stored as memo 0,
 * or with torch's magic number. */
bool foreign_is_pickle(const char *head, size_t have)
{
    if (have < 11 || head[0] != '\x80')
        return false;
    if (head[1] == 4 || head[1] == 5)
        return head[2] == '\x95' && word32(head + 7) == 0;
    if (head[1] != 2 && head[1] != 3)
        return false;
    return memcmp(head + 2, "}q\0", 3) == 0 ||
           memcmp(head + 2, "]q\0", 3) == 0 ||
           memcmp(head + 2, "\x8a\x0al\xfc\x9c", 5) == 0 ||
           (head[2] == 'c' && isalpha((unsigned char)head[3]) &&
            isalpha((unsigned char)head[4]) && isalpha((unsigned char)head[5]));
}

bool foreign_is_riff_wave(const char *head, size_t have)
{
    return have >= 12 && memcmp(head + 8, "WAVE", 4) == 0 &&
           (memcmp(head, "RIFF", 4) == 0 || memcmp(head, "RF64", 4) == 0);
}

/* Whether the name of the first member of a zip archive starts with `name`. */
static bool is_first_member(const char *head, size_t have, const char *name)
{
    size_t n = strlen(name);
    return have >= 30 + n && memcmp(head, "PK\3\4", 4) == 0 &&
           word16(head + 26) >= n && memcmp(head + 30, name, n) == 0;
}

bool foreign_is_xlsx(const char *head, size_t have)
{
    return is_first_member(head, have, "[Content_Types].xml") ||
           is_first_member(head, have, "xl/") ||
           is_first_member(head, have, "_rels/.rels") ||
           is_first_member(head, have, "docProps/");
}

bool foreign_is_ods(const char *head, size_t have)
{
    static const char type[] = "mimetypeapplication/vnd.oasis";
    return is_first_member(head, have, "mimetype") &&
           memmem(head + 30, have - 30, type, sizeof type - 1);
}

/* In a torch file, the first member is NAME/data.pkl, where NAME is the
 * file's. */
bool foreign_is_torch(const char *head, size_t have)
{
    static const char end[] = "/data.pkl";
    size_t n = have >= 30 ? word16(head + 26) : 0;
    return n >= sizeof end && is_first_member(head, have, "") &&
           have >= 30 + n &&
           memcmp(head + 30 + n - (sizeof end - 1), end, sizeof end - 1) == 0;
}
