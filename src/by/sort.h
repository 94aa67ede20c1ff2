/* SPDX-License-Identifier: MIT */
/* A stable radix sort of words by their bits from number `from` on. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* `room` is scratch for n words. */
void sort_words(uint64_t *word, uint64_t *room, size_t n, unsigned from);
