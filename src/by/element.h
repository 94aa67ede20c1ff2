/* SPDX-License-Identifier: MIT */
/*
 * The keys of --keys: elements of binary data, as keys of KEY_ELEMENT bytes.
 * Comparing keys byte by byte orders them by value. -0 has the key of 0. All
 * NaN have one key, which comes last.
 */
#pragma once

#include "by/key.h"
#include "reduce/value.h"

enum { KEY_ELEMENT = 8 };

/* Makes the keys of n elements, which are integers or floats. */
void element_keys(uint64_t *key, enum dtype dtype, const void *from, size_t n);

/* Whether the KEY_ELEMENT bytes are the key of some element of this dtype. */
bool element_has_key(enum dtype dtype, struct text_cell key);

/* The element of a key. */
struct value element_value(enum dtype dtype, struct text_cell key);
