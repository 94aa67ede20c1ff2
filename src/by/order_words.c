/* SPDX-License-Identifier: MIT */
/* Sorts keys by words of 64 bits. A number has two words; a text has a word for
 * each eight bytes. Only keys that are equal so far are compared by their next
 * word. */
#include <string.h>

#include "base/share.h"
#include "by/order_parts.h"

/* Threads share so many parts of the items. Before that, they share so many
 * equal shares of the items, which they move to parts. */
enum { PARTS = 2048, SHARES = 16 };

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
static size_t run_of(const struct by_item *item, size_t n)
{
    size_t end = 1;
    while (end < n && item[end].word == item[0].word)
        end++;
    return end;
}

static void sort_from(const struct sorter *s, struct by_item *item, size_t n,
                      size_t column, size_t offset);

/* Items to sort by word: numbers, or texts by their bytes from `offset` on. */
struct words {
    const struct sorter *s;
    struct by_item *item;
    size_t n, column, offset;
    bool is_last;        /* no text has bytes from `offset` on */
    const size_t *begin; /* [PARTS + 1]: where each part begins */
};

/* The `offset` of the words of numbers; that of texts follows. */
#define OF_NUMBERS (SIZE_MAX - 15)
#define OF_RESTS (OF_NUMBERS + 8)

/* The words of -2^53 and 2^53. Between them, numbers have no rest. */
#define WORD_OF_LEAST 0x3cbfffffffffffffu
#define WORD_OF_MOST 0xc340000000000000u

/* The `offset` of the word after that at w->offset, for items that share that
 * word. */
static size_t next_offset(const struct words *w, uint64_t word)
{
    const bool is_number = w->offset == OF_NUMBERS;
    if (is_number && word > WORD_OF_LEAST && word < WORD_OF_MOST)
        return 0;
    return w->offset + 8;
}

/* Sorts some of the items by word, then each run of equal words further. */
static void sort_some(const struct words *w, struct by_item *item, size_t n)
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
                      next_offset(w, item[i].word));
    }
}

/* Sorts the parts that begin in [first, end). */
static void sort_parts(void *words, size_t first, size_t end)
{
    const struct words *w = words;
    const struct by_item *room = w->s->room + (w->item - w->s->first);
    for (size_t d = 0; d < PARTS; d++) {
        const size_t begin = w->begin[d], n = w->begin[d + 1] - begin;
        if (begin < first || begin >= end || n == 0)
            continue;
        memcpy(w->item + begin, room + begin, n * sizeof *room);
        sort_some(w, w->item + begin, n);
    }
}

/* The word of the number 0, which is far from those of all other numbers. */
#define WORD_OF_ZERO ((uint64_t)1 << 63)

/* Shared by the threads that move items to parts. */
struct division {
    const struct words *w;
    uint64_t least, most; /* of the words but WORD_OF_ZERO */
    int shift;            /* see part_of */
    /* How many items of each share belong to each part; then the place of the
     * next one. */
    size_t at[SHARES][PARTS];
};

static size_t part_of(const struct division *d, uint64_t word)
{
    const uint64_t above = word < d->least ? 0 : word - d->least;
    return (word > d->most ? d->most - d->least : above) >> d->shift;
}

/* Counts the items of some shares. */
static void count_shares(void *division, size_t first, size_t end)
{
    struct division *d = division;
    const struct words *w = d->w;
    for (size_t s = first; s < end; s++) {
        for (size_t i = w->n * s / SHARES; i < w->n * (s + 1) / SHARES; i++)
            d->at[s][part_of(d, w->item[i].word)]++;
    }
}

/* Moves the items of some shares to their parts in s->room. */
static void move_shares(void *division, size_t first, size_t end)
{
    struct division *d = division;
    const struct words *w = d->w;
    struct by_item *to = w->s->room + (w->item - w->s->first);
    for (size_t s = first; s < end; s++) {
        for (size_t i = w->n * s / SHARES; i < w->n * (s + 1) / SHARES; i++)
            to[d->at[s][part_of(d, w->item[i].word)]++] = w->item[i];
    }
}

/* Sets the range of words that parts divide evenly. */
static void measure(struct division *d)
{
    uint64_t least = UINT64_MAX, most = 0;
    for (size_t i = 0; i < d->w->n; i++) {
        const uint64_t word = d->w->item[i].word;
        least = word < least && word != WORD_OF_ZERO ? word : least;
        most = word > most && word != WORD_OF_ZERO ? word : most;
    }
    d->most = most;
    d->least = least < most ? least : most;
    while ((d->most - d->least) >> d->shift >= PARTS)
        d->shift++;
}

/* Moves the items to their parts in s->room, in the order that they have. Sets
 * begin[] to where each part begins. */
static void divide(const struct words *w, size_t begin[PARTS + 1])
{
    struct division d = {.w = w};
    size_t sum = 0;
    measure(&d);
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
 * thread. Not inlined, for the sake of the stack: sort_all is recursive. */
static __attribute__((noinline)) void share_parts(const struct words *like)
{
    struct sorter alone = *like->s;
    struct words w = *like;
    size_t begin[PARTS + 1];
    divide(like, begin);
    alone.threads = 1;
    w.s = &alone;
    w.begin = begin;
    share_out(like->s->threads, w.n, sort_parts, &w);
}

static void sort_all(const struct words *w)
{
    if (w->s->threads < 2 || w->n < MANY)
        sort_some(w, w->item, w->n);
    else
        share_parts(w);
}

void sort_numbers(const struct sorter *s, struct by_item *item, size_t n,
                  size_t column)
{
    const struct words w = {s, item, n, column, OF_NUMBERS, false, NULL};
    if (n > 0)
        sort_all(&w);
}

/* The bits in which the words differ. */
static uint64_t differences(const struct by_item *item, size_t n)
{
    uint64_t all = 0;
    for (size_t i = 0; i < n; i++)
        all |= item[i].word ^ item[0].word;
    return all;
}

/* Sets the words to the rests of numbers. */
static void read_rests(const struct words *w)
{
    for (size_t i = 0; i < w->n; i++) {
        struct key_words words = {0, 0};
        order_class(w->s->classify, w->s->context, w->column,
                    text_of(w->s, &w->item[i], w->column), &words);
        w->item[i].word = words.rest;
    }
}

/* Sets the words of texts from w->offset on. */
static void read_texts(struct words *w)
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

static void read_words(struct words *w)
{
    if (w->offset == OF_RESTS)
        read_rests(w);
    else
        read_texts(w);
}

/* Sorts items that are equal before `offset`. Skips the words that all have in
 * common, so that the depth of recursion is at most the number of texts. */
static void sort_from(const struct sorter *s, struct by_item *item, size_t n,
                      size_t column, size_t offset)
{
    struct words w = {s, item, n, column, offset, false, NULL};
    if (n < 2)
        return;
    read_words(&w);
    while (!w.is_last && differences(item, n) == 0) {
        w.offset += 8;
        read_words(&w);
    }
    sort_all(&w);
}

void sort_texts(const struct sorter *s, struct by_item *item, size_t n,
                size_t column)
{
    sort_from(s, item, n, column, 0);
}
