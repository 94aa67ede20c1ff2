/* SPDX-License-Identifier: MIT */
/*
 * Elements as keys that are equal if and only if the values are. A key is an
 * element's bits, but -0 has the key of 0, and all NaN have one key. A set of
 * 64-bit keys keeps their hashes (reduce/hash.h), which are reversible and
 * spread keys evenly over its parts.
 */
#pragma once

#include "reduce/dtype.h"
#include "reduce/float_format.h"
#include "reduce/hash.h"

/* Of floats of a width, with the bits of +Inf. NaN become the quiet one. */
#define CANONICAL_OF_WIDTH(bits)                                             \
    HD uint##bits##_t canonical_##bits(uint##bits##_t x, uint##bits##_t inf) \
    {                                                                        \
        const uint##bits##_t all = (uint##bits##_t) ~(uint##bits##_t)0;      \
        const uint##bits##_t magnitude = (uint##bits##_t)(x & all >> 1);     \
        const uint##bits##_t nan =                                           \
            (uint##bits##_t)(inf | (inf & (uint##bits##_t) - inf) >> 1);     \
        x = magnitude == 0 ? 0 : x;                                          \
        return magnitude > inf ? nan : x;                                    \
    }

CANONICAL_OF_WIDTH(16)
CANONICAL_OF_WIDTH(32)
CANONICAL_OF_WIDTH(64)
#undef CANONICAL_OF_WIDTH

/* An element's raw bits as a key. */
HD uint64_t canonical(enum dtype dtype, uint64_t x)
{
    const uint64_t inf = inf_bits(dtype);
    if (inf == 0)
        return x;
    return dtype_size(dtype) == 8   ? canonical_64(x, inf)
           : dtype_size(dtype) == 4 ? canonical_32((uint32_t)x, (uint32_t)inf)
                                    : canonical_16((uint16_t)x, (uint16_t)inf);
}

/* The bit of a 32-bit key in a set. Keys that differ only in their lower eight
 * bits share a sector of 32 bytes, as sorted values need. The other bits are
 * spread, so that buckets are even whatever the values. */
HD uint32_t set_bit(uint32_t key)
{
    return ((key >> 8) * HASH_A_32) << 8 | (key & 255);
}

/*
 * Many elements are added a part of the set at a time. Their keys are put in a
 * bucket for each part, in two levels: first those of 1 << shift parts
 * together, in at most SET_FAN buckets. Of 32-bit keys, a part has 2^18 bits.
 * Fewer elements are added one by one, since this reads and writes the whole
 * set.
 */
enum {
    SET_MANY = 1 << 24,
    SET_FAN = 128,
    SET_PARTS_32 = SET_FAN * SET_FAN,
    SET_PARTS_MOST = SET_FAN * SET_FAN,
};

/* Keys that a bucket has room for, by level: an eighth more than the mean. */
struct set_buckets {
    uint32_t parts, shift, room[2];
};

/* For n elements that are added to a set of so many parts. */
HD struct set_buckets set_buckets_for(size_t n, uint32_t parts)
{
    struct set_buckets b = {parts, 0, {0, 0}};
    while ((parts - 1) >> b.shift >= SET_FAN)
        b.shift++;
    for (int level = 0; level < 2; level++) {
        const size_t mean = ((n / parts + 1) << (level ? 0 : b.shift));
        b.room[level] = (uint32_t)(mean + mean / 8 + 64);
    }
    return b;
}

/* Numbers of keys in buckets: of both levels, and one more for alignment. */
HD size_t set_buckets_counts(uint32_t parts)
{
    return (SET_FAN + (size_t)parts + 1) / 2 * 2;
}

/* Bytes of both levels, for elements of `size` bytes. */
HD size_t set_buckets_bytes(const struct set_buckets *b, size_t size)
{
    return set_buckets_counts(b->parts) * sizeof(uint32_t) +
           ((size_t)b->room[0] * SET_FAN + (size_t)b->room[1] * b->parts) *
               size;
}

/*
 * A set of 64-bit keys is a hash table in parts of SET_SLOTS slots. A hash has
 * three fields:
 *
 * upper bits   its part; a table of twice as many parts splits each part in two
 * lower bits   the first group to search: four slots, a sector of 32 bytes
 * bits between the step to the next group: odd, so that all groups are reached
 *
 * The hash is in the first of these groups that had a free slot; a free slot is
 * 0. In a part that is full to seven tenths, a new hash finds the first group
 * full in three of ten cases. With equal steps, neighbouring groups would fill
 * up together.
 */
enum { SET_GROUP = 4, SET_SLOTS = 1 << 14 };

HD uint64_t set_part(uint64_t hash, uint32_t parts)
{
    return (uint64_t)((unsigned __int128)hash * parts >> 64);
}

HD uint32_t set_group(uint64_t hash)
{
    return (uint32_t)hash & (SET_SLOTS - SET_GROUP);
}

/* Slots from a group to the next. */
HD uint32_t set_step(uint64_t hash)
{
    return ((uint32_t)(hash >> 18) & (SET_SLOTS - SET_GROUP)) | SET_GROUP;
}

/* The slot to search after `tries` others. */
HD uint32_t set_slot(uint64_t hash, uint32_t tries)
{
    const uint32_t in_group = ((uint32_t)hash + tries) & (SET_GROUP - 1);
    const uint32_t group = set_group(hash) + tries / SET_GROUP * set_step(hash);
    return (group & (SET_SLOTS - SET_GROUP)) | in_group;
}

/* The most keys of a table: seven slots of ten. Then no part is full: with a
 * hundred million keys, the fullest has a fifteenth more than the mean. */
HD uint64_t set_room(uint32_t parts)
{
    return (uint64_t)parts * (SET_SLOTS / 10 * 7);
}

/* The parts of a table with room for so many keys. */
HD uint32_t set_parts_for(uint64_t keys)
{
    return (uint32_t)(keys / (SET_SLOTS / 10 * 7) + 1);
}
