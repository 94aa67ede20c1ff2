/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "csv/schema/sniff.h"

#include <stdint.h>
#include <string.h>

size_t csv_character(const char *text, size_t left, bool is_all)
{
    const unsigned char *s = (const unsigned char *)text;
    if (s[0] < 0x80)
        return 1;
    size_t n = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    if (s[0] < 0xc2 || s[0] > 0xf4)
        return 0;
    for (size_t i = 1; i < n; i++) {
        if (i == left)
            return is_all ? 0 : left;
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    }
    return n;
}

static bool is_utf8(const char *s, size_t bytes, bool is_all)
{
    for (size_t i = 0, n; i < bytes; i += n) {
        n = csv_character(s + i, bytes - i, is_all);
        if (n == 0)
            return false;
    }
    return true;
}

static bool is_control(unsigned char c)
{
    return c == 0x7f ||
           (c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f');
}

bool csv_is_text(struct csv_span head, bool is_all)
{
    const unsigned char *s = (const unsigned char *)head.at;
    size_t high = 0, ends = 0;
    if (head.bytes > CSV_SAMPLE)
        is_all = false;
    size_t bytes = head.bytes > CSV_SAMPLE ? CSV_SAMPLE : head.bytes;
    for (size_t i = 0; i < bytes; i++) {
        if (is_control(s[i]))
            return false;
        high += s[i] > 0x7f;
        ends += s[i] == '\n' || s[i] == '\r';
    }
    return bytes > 0 && (ends > 0 || is_all) &&
           (8 * high < bytes || is_utf8(head.at, bytes, is_all));
}

/* The character that `unit` bytes hold. */
static uint32_t wide_at(const unsigned char *s, size_t unit, bool is_big)
{
    uint32_t c = 0;
    for (size_t i = 0; i < unit; i++)
        c |= (uint32_t)s[i] << 8 * (is_big ? unit - 1 - i : i);
    return c;
}

/* Raw data may start with a byte order mark by chance. So at least half of the
 * units after it must be ASCII, and none a control character. */
bool csv_is_utf16(struct csv_span head)
{
    enum { UNITS = 64 };
    const unsigned char *s = (const unsigned char *)head.at;
    size_t units = head.bytes / 2, plain = 0;
    if (units == 0 ||
        (memcmp(s, "\xff\xfe", 2) != 0 && memcmp(s, "\xfe\xff", 2) != 0))
        return false;
    units = units > UNITS ? UNITS : units;
    for (size_t i = 1; i < units; i++) {
        const uint32_t c = wide_at(s + 2 * i, 2, s[0] == 0xfe);
        if (c < ' ' && is_control((unsigned char)c))
            return false;
        plain += c < 0x7f;
    }
    return 2 * plain + 1 >= units;
}

bool csv_is_wide(struct csv_span head, size_t unit, bool *is_big)
{
    enum { FEWEST = 4, UNITS = 64 };
    const unsigned char *s = (const unsigned char *)head.at;
    const size_t units = head.bytes / unit < UNITS ? head.bytes / unit : UNITS;
    size_t others = 0;
    long bigs = 0;
    /* A longer file's head may end within a unit. */
    if (units < FEWEST || (head.bytes <= CSV_SAMPLE && head.bytes % unit != 0))
        return false;
    const bool has_mark = unit == 4 && (memcmp(s, "\xff\xfe\0\0", 4) == 0 ||
                                        memcmp(s, "\0\0\xfe\xff", 4) == 0);
    for (size_t i = 0; i < units; i++)
        bigs += (s[unit * i] == 0) - (s[unit * i + unit - 1] == 0);
    *is_big = bigs > 0;
    /* 2.0 as f32 is 00 00 00 40, which is @ in UTF-32BE. */
    if (unit == 4 && *is_big && !has_mark)
        return false;
    for (size_t i = has_mark; i < units; i++) {
        const uint32_t c = wide_at(s + unit * i, unit, *is_big);
        if ((c < ' ' && is_control((unsigned char)c)) ||
            (c > 0x7e && c < 0xa0) || c > 0x10ffff)
            return false;
        others += c > 0xff;
    }
    return 4 * others <= units;
}

bool csv_has_controls(struct csv_span head)
{
    const size_t bytes = head.bytes < CSV_SAMPLE ? head.bytes : CSV_SAMPLE;
    size_t controls = 0, high = 0, ends = 0;
    for (size_t i = 0; i < bytes; i++) {
        const unsigned char c = (unsigned char)head.at[i];
        controls += is_control(c);
        high += c > 0x7f;
        ends += c == '\n' || c == '\r';
    }
    return ends > 0 && controls > 0 && 4 * controls <= bytes &&
           (8 * high < bytes || is_utf8(head.at, bytes, false));
}
