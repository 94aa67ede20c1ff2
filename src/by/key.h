/* SPDX-License-Identifier: MIT */
/*
 * The keys of --by, as a table keeps them: texts. A short text is kept whole,
 * in two words; of a longer one its hash, and where its bytes are. The empty
 * text is a missing key: no cell that is present is empty.
 *
 * The key of several columns is one text: of each column but the last its
 * length, seven bits a byte and the lowest first, and its bytes; then the bytes
 * of the last.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reduce/column.h"
#include "reduce/hash.h"

enum {
    /* Bytes of a short text. So many may be read from where any text starts. */
    KEY_SHORT = 16,
    /* Most bytes of a length in the key of several columns. */
    KEY_LENGTH_BYTES = 5,
};

struct by_key {
    /* Short: the bytes, filled up with zeros. Long: the hash, and a text of
     * reduce/distinct_memory.h. */
    uint64_t word[2];
    uint32_t bytes;
};

/* The bytes of a short text, of the KEY_SHORT that are read: its length is
 * where the mask begins, from the end. */
extern const uint8_t key_masks[2 * KEY_SHORT];

/* The words of a short text. */
static inline void key_words(struct text_cell text, uint64_t word[2])
{
    uint64_t mask[2];
    memcpy(word, text.at, KEY_SHORT);
    memcpy(mask, key_masks + KEY_SHORT - text.bytes, KEY_SHORT);
    word[0] &= mask[0];
    word[1] &= mask[1];
}

/* Of a short text: no two of one length with the same second word are alike. */
static inline uint64_t key_hash_words(const uint64_t word[2], uint32_t bytes)
{
    return hash_value(hash_value(word[0] + bytes * HASH_SEED) ^ word[1]);
}

/* The key of a row, as tables look for it. */
struct key_sought {
    uint64_t hash;
    uint64_t word[2]; /* short: the bytes; long: the hash, and where they are */
    uint32_t bytes, row;
};

/* The hash of a text. KEY_SHORT bytes from where it starts can be read, here
 * and in the next functions. */
static inline uint64_t key_hash(struct text_cell text)
{
    uint64_t word[2];
    if (text.bytes > KEY_SHORT)
        return hash_text(text.at, text.bytes);
    key_words(text, word);
    return key_hash_words(word, text.bytes);
}

/* The text with this hash as a key. It must stay. */
static inline struct key_sought key_seek_hashed(struct text_cell text,
                                                uint32_t row, uint64_t hash)
{
    struct key_sought k = {hash, {hash, (uintptr_t)text.at}, text.bytes, row};
    if (text.bytes <= KEY_SHORT)
        key_words(text, k.word);
    return k;
}

static inline struct key_sought key_seek(struct text_cell text, uint32_t row)
{
    return key_seek_hashed(text, row, key_hash(text));
}

/* The hash of a key that is kept. */
static inline uint64_t key_hash_kept(const struct by_key *key)
{
    return key->bytes > KEY_SHORT ? key->word[0]
                                  : key_hash_words(key->word, key->bytes);
}

/* A key that is kept, and stays. */
struct key_sought key_seek_kept(const struct by_key *key, uint32_t row);

/* The text of a key, which points into it or to where its bytes are. */
struct text_cell key_text(const struct by_key *key);

/* Column `column` of the text of a key of so many columns. */
struct text_cell key_column(struct text_cell text, size_t columns,
                            size_t column);

/* Appends a text to the key of several columns, with its length unless it is
 * the last one; returns where the next one goes. */
char *key_append(char *to, struct text_cell text, bool is_last);
