/* SPDX-License-Identifier: MIT */
/* Sorts keys by words of 64 bits. A number is one word; a text has a word for
 * each eight bytes. Only keys that are equal so far are compared by their next
 * word. */
#include <string.h>

#include "base/share.h"
#include "by/order_parts.h"

enum {
    /* Fewer are sorted by comparing whole texts. */
    FEW = 24,
    DIGITS = 256,
    /* The bits of a word that say which part an item is in. Threads share the
     * parts. */
    PART_BITS = 11,
    PARTS = 1 << PART_BITS,
    /* Before that, threads share this many equal shares of the items, which
     * they move to parts. */
    SHARES = 16,
};

/* A stable radix sort by word. `item` lies in s->first; the same places of
 * s->room are scratch. */
static void sort_words_of(const struct sorter *s, struct item *item, size_t n)
{
    struct item *at = item, *to = s->room + (item - s->first);
    uint64_t all = 0;
    for (size_t i = 0; i < n; i++)
        all |= item[i].word ^ item[0].word;
    for (unsigned shift = 0; shift < 64; shift += 8) {
        size_t end[DIGITS] = {0}, sum = 0;
        if ((all >> shift & (DIGITS - 1)) == 0)
            continue;
        for (size_t i = 0; i < n; i++)
            end[at[i].word >> shift & (DIGITS - 1)]++;
        for (unsigned d = 0; d < DIGITS; d++) {
            const size_t here = end[d];
            end[d] = sum;
            sum += here;
        }
        for (size_t i = 0; i < n; i++)
            to[end[at[i].word >> shift & (DIGITS - 1)]++] = at[i];
        struct item *const swap = at;
        at = to;
        to = swap;
    }
    if (at != item)
        memcpy(item, at, n * sizeof *item);
}

void sort_by_word(const struct sorter *s, struct item *item, size_t n)
{
    if (n >= DIGITS / 2) {
        sort_words_of(s, item, n);
        return;
    }
    for (size_t i = 1; i < n; i++) {
        const struct item x = item[i];
        size_t k = i;
        for (; k > 0 && item[k - 1].word > x.word; k--)
            item[k] = item[k - 1];
        item[k] = x;
    }
}

/* A word of up to eight bytes of a text from `offset` on, the first byte
 * highest. */
static uint64_t word_of(struct text_cell text, size_t offset)
{
    uint64_t word = 0;
    if (offset >= text.bytes)
        return 0;
    const size_t n = text.bytes - offset;
    memcpy(&word, text.at + offset, n < 8 ? n : 8);
    return __builtin_bswap64(word);
}

/* The number of items at the start that have the first one's word. */
static size_t run_of(const struct item *item, size_t n)
{
    size_t end = 1;
    while (end < n && item[end].word == item[0].word)
        end++;
    return end;
}

static int compare(struct text_cell a, struct text_cell b)
{
    const int order = memcmp(a.at, b.at, a.bytes < b.bytes ? a.bytes : b.bytes);
    return order ? order : (a.bytes > b.bytes) - (a.bytes < b.bytes);
}

/* Sorts a few texts by comparing them whole. Equal ones are sorted by the next
 * column. */
static void sort_few(const struct sorter *s, struct item *item, size_t n,
                     size_t column)
{
    for (size_t i = 1; i < n; i++) {
        const struct item x = item[i];
        const struct text_cell text = text_of(s, &x, column);
        size_t k = i;
        for (; k > 0 && compare(text_of(s, &item[k - 1], column), text) > 0;
             k--)
            item[k] = item[k - 1];
        item[k] = x;
    }
    for (size_t i = 0, end; i < n; i = end) {
        const struct text_cell text = text_of(s, &item[i], column);
        for (end = i + 1;
             end < n && compare(text_of(s, &item[end], column), text) == 0;
             end++)
            ;
        sort_column(s, item + i, end - i, column + 1);
    }
}

static void sort_from(const struct sorter *s, struct item *item, size_t n,
                      size_t column, size_t offset);

/* Items to sort by word: numbers, or texts by their bytes from `offset` on. */
struct words {
    const struct sorter *s;
    struct item *item;
    size_t n, column, offset;
    bool is_last;        /* no text has bytes from `offset` on */
    const size_t *begin; /* [PARTS + 1]: where each part begins */
};

/* The `offset` of numbers. */
#define OF_NUMBERS SIZE_MAX

/* Sorts some of the items by word, then each run of equal words further. */
static void sort_some(const struct words *w, struct item *item, size_t n)
{
    sort_by_word(w->s, item, n);
    for (size_t i = 0, run; i < n; i += run) {
        run = run_of(item + i, n - i);
        if (run == 1)
            continue;
        if (w->is_last)
            sort_column(w->s, item + i, run, w->column + 1);
        else
            sort_from(w->s, item + i, run, w->column,
                      w->offset == OF_NUMBERS ? 0 : w->offset + 8);
    }
}

/* Sorts the parts that begin in [first, end). */
static void sort_parts(void *words, size_t first, size_t end)
{
    const struct words *w = words;
    const struct item *room = w->s->room + (w->item - w->s->first);
    for (size_t d = 0; d < PARTS; d++) {
        const size_t begin = w->begin[d], n = w->begin[d + 1] - begin;
        if (begin < first || begin >= end || n == 0)
            continue;
        memcpy(w->item + begin, room + begin, n * sizeof *room);
        sort_some(w, w->item + begin, n);
    }
}

/* Shared by the threads that move items to parts. */
struct division {
    const struct words *w;
    int shift; /* a word's bits from here on are the number of its part */
    /* How many items of each share belong to each part; then the place of the
     * next one. */
    size_t at[SHARES][PARTS];
};

/* Counts the items of some shares. */
static void count_shares(void *division, size_t first, size_t end)
{
    struct division *d = division;
    const struct words *w = d->w;
    for (size_t s = first; s < end; s++) {
        for (size_t i = w->n * s / SHARES; i < w->n * (s + 1) / SHARES; i++)
            d->at[s][w->item[i].word >> d->shift & (PARTS - 1)]++;
    }
}

/* Moves the items of some shares to their parts in s->room. */
static void move_shares(void *division, size_t first, size_t end)
{
    struct division *d = division;
    const struct words *w = d->w;
    struct item *to = w->s->room + (w->item - w->s->first);
    for (size_t s = first; s < end; s++) {
        for (size_t i = w->n * s / SHARES; i < w->n * (s + 1) / SHARES; i++)
            to[d->at[s][w->item[i].word >> d->shift & (PARTS - 1)]++] =
                w->item[i];
    }
}

/* Moves the items to their parts in s->room, in the order that they have. Sets
 * begin[] to where each part begins. */
static void divide(const struct words *w, int shift, size_t begin[PARTS + 1])
{
    struct division d = {.w = w, .shift = shift};
    size_t sum = 0;
    share_out(w->s->threads, SHARES, count_shares, &d);
    for (size_t part = 0; part < PARTS; part++) {
        begin[part] = sum;
        for (size_t s = 0; s < SHARES; s++) {
            const size_t here = d.at[s][part];
            d.at[s][part] = sum;
            sum += here;
        }
    }
    begin[PARTS] = sum;
    share_out(w->s->threads, SHARES, move_shares, &d);
}

/* Divides the items into parts, which threads share. Each part is sorted by one
 * thread. */
static void share_parts(const struct words *like, int shift)
{
    struct sorter alone = *like->s;
    struct words w = *like;
    size_t begin[PARTS + 1];
    divide(like, shift, begin);
    alone.threads = 1;
    w.s = &alone;
    w.begin = begin;
    share_out(like->s->threads, w.n, sort_parts, &w);
}

/* The bits in which the words differ. */
static uint64_t differences(const struct item *item, size_t n)
{
    uint64_t all = 0;
    for (size_t i = 0; i < n; i++)
        all |= item[i].word ^ item[0].word;
    return all;
}

static void sort_all(const struct words *w)
{
    const uint64_t all = differences(w->item, w->n);
    if (w->s->threads < 2 || w->n < MANY || all == 0) {
        sort_some(w, w->item, w->n);
        return;
    }
    const int top = 64 - __builtin_clzll(all);
    share_parts(w, top > PART_BITS ? top - PART_BITS : 0);
}

void sort_numbers(const struct sorter *s, struct item *item, size_t n,
                  size_t column)
{
    const struct words w = {s, item, n, column, OF_NUMBERS, false, NULL};
    if (n > 0)
        sort_all(&w);
}

/* Sets the words of texts from w->offset on. */
static void read_words(struct words *w)
{
    size_t longest = 0, shortest = SIZE_MAX;
    for (size_t i = 0; i < w->n; i++) {
        const struct text_cell text = text_of(w->s, &w->item[i], w->column);
        w->item[i].word = word_of(text, w->offset);
        longest = text.bytes > longest ? text.bytes : longest;
        shortest = text.bytes < shortest ? text.bytes : shortest;
    }
    w->is_last = longest <= w->offset;
    /* The texts differ only in the number of NULs at their ends: sort them by
     * length. */
    for (size_t i = 0; w->is_last && shortest < longest && i < w->n; i++)
        w->item[i].word = text_of(w->s, &w->item[i], w->column).bytes;
}

/* Sorts texts that are equal before `offset`. Skips the words that all have in
 * common, so that the depth of recursion is at most the number of texts. */
static void sort_from(const struct sorter *s, struct item *item, size_t n,
                      size_t column, size_t offset)
{
    struct words w = {s, item, n, column, offset, false, NULL};
    if (n < FEW) {
        sort_few(s, item, n, column);
        return;
    }
    read_words(&w);
    while (!w.is_last && differences(item, n) == 0) {
        w.offset += 8;
        read_words(&w);
    }
    sort_all(&w);
}

void sort_texts(const struct sorter *s, struct item *item, size_t n,
                size_t column)
{
    sort_from(s, item, n, column, 0);
}
