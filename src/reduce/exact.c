/* SPDX-License-Identifier: MIT */
#include "reduce/exact.h"

#include <stdlib.h>
#include <string.h>

/* A range of the layout's words: numbers first to end - 1. */
struct span {
    unsigned first, end;
};

static void init(struct exact *x, struct exact_layout layout, unsigned first,
                 unsigned room)
{
    x->nan = x->plus_inf = x->minus_inf = 0;
    x->not_negative_zero = false;
    x->first = (uint8_t)first;
    x->place = EXACT_HERE;
    x->lsb = layout.lsb;
    x->words = layout.words;
    x->room = room;
    memset(x->word, 0, room * sizeof x->word[0]);
}

void exact_init(struct exact *x, enum dtype dtype, enum exact_map map)
{
    const struct exact_layout layout = exact_layout(dtype, map);
    init(x, layout, 0, layout.words);
}

void exact_init_compact(struct exact *x, enum dtype dtype, enum exact_map map)
{
    const struct exact_layout layout = exact_layout(dtype, map);
    init(x, layout, layout.first, layout.few);
}

void exact_close(struct exact *x)
{
    if (x->place == EXACT_ELSEWHERE)
        free(exact_words(x));
}

static void lose(struct exact *x)
{
    exact_close(x);
    x->place = EXACT_LOST;
    x->room = 0;
}

/* The value of all words above the window. */
static uint64_t sign_of(const struct exact *x)
{
    return x->room > 0 && exact_words(x)[x->room - 1] >> 63 ? UINT64_MAX : 0;
}

/* Copies n words of the layout, from word number `first` on. */
static void copy_words(uint64_t *to, const struct exact *x, unsigned first,
                       unsigned n)
{
    const uint64_t *word = exact_words(x), sign = sign_of(x);
    for (unsigned i = 0; i < n; i++) {
        unsigned at = first + i;
        to[i] = at < x->first             ? 0
                : at < x->first + x->room ? word[at - x->first]
                                          : sign;
    }
}

/* The shortest range of words that determines x: without zeros at the bottom
 * and without words of the sign at the top. */
static struct span span_of(const struct exact *x)
{
    const uint64_t *word = exact_words(x), sign = sign_of(x);
    unsigned from = 0, end = x->room;
    while (from < end && word[from] == 0)
        from++;
    while (end > from + 1 && word[end - 1] == sign &&
           (word[end - 2] ^ sign) >> 63 == 0)
        end--;
    return from == end ? (struct span){0, 0}
                       : (struct span){x->first + from, x->first + end};
}

/* As span_of, but the two top bits of the range are equal, unless it ends with
 * the layout's last word. */
static struct span room_of(const struct exact *x)
{
    struct span s = span_of(x);
    if (s.first < s.end && s.end < x->words)
        s.end += exact_is_full(exact_words(x)[s.end - x->first - 1]);
    return s;
}

static struct span span_both(struct span a, struct span b)
{
    if (a.first == a.end)
        return b;
    if (b.first == b.end)
        return a;
    return (struct span){a.first < b.first ? a.first : b.first,
                         a.end > b.end ? a.end : b.end};
}

static bool window_has(const struct exact *x, struct span s)
{
    return s.first == s.end ||
           (s.first >= x->first && s.end <= x->first + x->room);
}

/* Moves the window of x to n words with the span in their middle. */
static bool move(struct exact *x, struct span s, unsigned room)
{
    uint64_t word[EXACT_WORDS], *to = exact_words(x);
    unsigned below = (room - (s.end - s.first)) / 2;
    unsigned first = s.first > below ? s.first - below : 0;
    if (first + room > x->words)
        first = x->words - room;
    copy_words(word, x, first, room);
    if (room > x->room) {
        to = malloc(room * sizeof *to);
        if (!to)
            return false;
        exact_close(x);
        x->place = EXACT_ELSEWHERE;
        x->word[0] = (uintptr_t)to;
    }
    memcpy(to, word, room * sizeof *to);
    x->first = (uint8_t)first;
    x->room = room;
    return true;
}

/* Makes the window hold x and the span. It takes a few words more than needed,
 * since calls follow one another. */
static bool reach(struct exact *x, struct span s)
{
    if (window_has(x, s) && !exact_is_full(exact_words(x)[x->room - 1]))
        return true;
    const struct span all = span_both(room_of(x), s);
    unsigned n = all.end - all.first, room = x->room;
    if (window_has(x, all))
        return true;
    if (n > room)
        room = n / 4 * 4 + 4 < x->words ? n / 4 * 4 + 4 : x->words;
    if (move(x, all, room))
        return true;
    lose(x);
    return false;
}

void exact_make_room(struct exact *x)
{
    reach(x, (struct span){0, 0});
}

/* `from` may be `into`: its words are read after `reach` has moved them. */
static void merge_words(struct exact *into, const struct exact *from)
{
    const struct span s = span_of(from);
    const unsigned n = s.end - s.first;
    if (n == 0 || !reach(into, room_of(from)))
        return;
    const uint64_t *word = exact_words(from) + (s.first - from->first);
    uint64_t *to = exact_words(into) + (s.first - into->first);
    const uint64_t sign = word[n - 1] >> 63 ? UINT64_MAX : 0;
    unsigned __int128 sum = 0;
    for (unsigned i = 0; i < n; i++) {
        sum += (unsigned __int128)to[i] + word[i];
        to[i] = (uint64_t)sum;
        sum >>= 64;
    }
    exact_ripple(to + n, into->first + into->room - s.end, sign, (uint64_t)sum);
    exact_make_room(into);
}

void exact_merge(struct exact *into, const struct exact *from)
{
    into->nan += from->nan;
    into->plus_inf += from->plus_inf;
    into->minus_inf += from->minus_inf;
    into->not_negative_zero |= from->not_negative_zero;
    if (from->place == EXACT_LOST)
        lose(into);
    if (into->place != EXACT_LOST)
        merge_words(into, from);
}

void exact_add_words(struct exact *x, unsigned at, const uint64_t word[3])
{
    struct exact addend; /* mostly not set */
    if (x->place == EXACT_LOST || at >= x->words)
        return;
    addend.first = (uint8_t)at;
    addend.place = EXACT_HERE;
    addend.words = x->words;
    addend.room = x->words - at < 3 ? x->words - at : 3;
    memcpy(addend.word, word, addend.room * sizeof *word);
    merge_words(x, &addend);
}

/* Copies all fields except the words. */
static void copy_head(struct exact *to, const struct exact *from,
                      unsigned first, unsigned room)
{
    memcpy(to, from, offsetof(struct exact, word));
    to->first = (uint8_t)first;
    to->place = EXACT_HERE;
    to->room = room;
}

void exact_copy(struct exact *to, const struct exact *from)
{
    copy_head(to, from, 0, from->words);
    copy_words(to->word, from, 0, from->words);
}

void exact_trim(struct exact *to, const struct exact *from)
{
    const struct span s = span_of(from);
    copy_head(to, from, s.first, s.end - s.first);
    copy_words(to->word, from, s.first, s.end - s.first);
}

bool exact_is_trimmed(const struct exact *x)
{
    if (x->room > x->words || x->first > x->words - x->room)
        return false;
    const struct span s = span_of(x);
    return s.first == x->first && s.end - s.first == x->room;
}

bool exact_is_negative(const struct exact *x)
{
    return sign_of(x) != 0;
}

void exact_magnitude(const struct exact *x, uint64_t *to)
{
    const uint64_t *word = exact_words(x), sign = sign_of(x);
    uint64_t carry = sign & 1;
    for (unsigned i = 0; i < x->room; i++) {
        to[i] = (word[i] ^ sign) + carry;
        carry = carry && to[i] == 0;
    }
}
