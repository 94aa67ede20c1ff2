/* SPDX-License-Identifier: MIT */
#include "by/key.h"

#include <string.h>

#include "reduce/distinct_memory.h"

const uint8_t key_masks[2 * KEY_SHORT] = {255, 255, 255, 255, 255, 255,
                                          255, 255, 255, 255, 255, 255,
                                          255, 255, 255, 255};

struct text_cell key_text(const struct by_key *key)
{
    if (key->bytes > KEY_SHORT)
        return distinct_text((const char *)(uintptr_t)key->word[1]);
    return (struct text_cell){(const char *)key->word, key->bytes, 0};
}

struct key_sought key_seek_kept(const struct by_key *key)
{
    struct key_sought k = {
        {key->word[0], key->word[1]}, key->bytes, key_tag(key_hash_kept(key))};
    if (key->bytes > KEY_SHORT)
        k.word[1] = (uintptr_t)key_text(key).at;
    return k;
}

/* Reads a length at the start of *text and removes it there. */
static uint32_t take_length(struct text_cell *text)
{
    uint32_t length = 0;
    unsigned shift = 0;
    unsigned char byte;
    do {
        byte = (unsigned char)*text->at++;
        text->bytes--;
        length |= (uint32_t)(byte & 127) << shift;
        shift += 7;
    } while (byte & 128);
    return length;
}

struct text_cell key_column(struct text_cell text, size_t columns,
                            size_t column)
{
    for (size_t c = 0; c + 1 < columns; c++) {
        const uint32_t length = take_length(&text);
        if (c == column)
            return (struct text_cell){text.at, length, 0};
        text.at += length;
        text.bytes -= length;
    }
    return text;
}

char *key_append(char *to, struct text_cell text, bool is_last)
{
    for (uint32_t left = text.bytes; !is_last; left >>= 7) {
        *to++ = (char)(left > 127 ? left | 128 : left);
        if (left <= 127)
            break;
    }
    memcpy(to, text.at, text.bytes);
    return to + text.bytes;
}
