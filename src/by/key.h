/* SPDX-License-Identifier: MIT */
/*
 * The keys of --by, as a table keeps them: texts. A key holds all bytes of a
 * short text in two words. For a longer text it holds the hash and a pointer to
 * the bytes. The empty text is a missing key: no cell that is present is empty.
 *
 * The key of several columns is one text. Each column but the last has its
 * length (seven bits a byte, the lowest first), then its bytes. The last column
 * has its bytes alone.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reduce/column.h"
#include "reduce/hash.h"

enum {
    /* The most bytes of a short text. From the start of any text, of whatever
     * length, this many bytes can be read. */
    KEY_SHORT = 16,
    /* The most bytes of a length in the key of several columns. */
    KEY_LENGTH_BYTES = 5,
};

struct by_key {
    /* Short: the bytes, padded with zeros. Long: the hash, then the address of
     * a text of reduce/distinct_memory.h. */
    uint64_t word[2];
    uint32_t bytes;
};

/* KEY_SHORT bytes of 255, then KEY_SHORT of 0. KEY_SHORT bytes read from
 * key_masks + KEY_SHORT - n mask the first n bytes of a text. */
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

/* The hash of a short text. */
static inline uint64_t key_hash_words(const uint64_t word[2], uint32_t bytes)
{
    return hash_fold((word[0] + bytes * HASH_SEED) ^ word[1] * HASH_B, HASH_A);
}

/* What a table's slot has of a key's hash. The uppermost bits of the hash say
 * which of the run's tables the key is in. */
static inline uint32_t key_tag(uint64_t hash)
{
    enum { SHIFT = 24 };
    return (uint32_t)(hash >> SHIFT);
}

/* The key of a row, which a table is searched for. */
struct key_sought {
    uint64_t word[2]; /* short: the bytes; long: the hash, then their address */
    uint32_t bytes;
    uint32_t tag; /* of its hash */
};

/* The hash of a text. Here and in the next functions, the caller makes sure
 * that KEY_SHORT bytes can be read from the start of the text. */
static inline uint64_t key_hash(struct text_cell text)
{
    uint64_t word[2];
    if (text.bytes > KEY_SHORT)
        return hash_text(text.at, text.bytes);
    key_words(text, word);
    return key_hash_words(word, text.bytes);
}

/* Makes a key of the text, whose hash is given. The text must outlive the key.
 */
static inline struct key_sought key_seek_hashed(struct text_cell text,
                                                uint64_t hash)
{
    struct key_sought k = {
        {hash, (uintptr_t)text.at}, text.bytes, key_tag(hash)};
    if (text.bytes <= KEY_SHORT)
        key_words(text, k.word);
    return k;
}

static inline struct key_sought key_seek(struct text_cell text)
{
    return key_seek_hashed(text, key_hash(text));
}

/* The hash of a key in a table. */
static inline uint64_t key_hash_kept(const struct by_key *key)
{
    return key->bytes > KEY_SHORT ? key->word[0]
                                  : key_hash_words(key->word, key->bytes);
}

/* Makes a key to search for of one in a table, which must outlive it. */
struct key_sought key_seek_kept(const struct by_key *key);

/* The text of a key. A short one points into *key, so *key must outlive it. */
struct text_cell key_text(const struct by_key *key);

/* The text of one column of a key, which has `columns` columns. */
struct text_cell key_column(struct text_cell text, size_t columns,
                            size_t column);

/* Appends a column's text to the key of several columns, after its length
 * unless it is the last one. Returns the place for the next column. */
char *key_append(char *to, struct text_cell text, bool is_last);
