/* SPDX-License-Identifier: MIT */
#include "csv/cell/words.h"

#include <string.h>

/* The word as an integer, for struct csv_words. A word with quotes gets 0,
 * which leaves it to the slow path: a cell doubles the quotes, so the loops
 * never see the word as it is. */
static uint64_t short_text(const char *text, size_t bytes)
{
    uint64_t x = 0;
    if (bytes > sizeof x || memchr(text, '"', bytes))
        return 0;
    for (size_t i = 0; i < bytes; i++)
        x |= (uint64_t)(unsigned char)text[i] << 8 * i;
    return x;
}

static void add(struct csv_words *words, struct csv_span word)
{
    word = csv_trim(word);
    if (word.bytes == 0)
        return;
    unsigned char first = (unsigned char)word.at[0];
    words->first[first / 64] |= 1ull << first % 64;
    words->word[words->n].text = word.at;
    words->word[words->n].short_text = short_text(word.at, word.bytes);
    words->word[words->n++].bytes = word.bytes;
}

bool csv_words_init(struct csv_words *words, const char *list, struct error *e)
{
    memset(words, 0, sizeof *words);
    return csv_words_add(words, list, e);
}

/* The bytes of a word in quotes, with them; 0: the list begins with another.
 * Only a comma needs quotes: elsewhere they are those of the cells, which keep
 * them under --quote none. */
static size_t quoted_bytes(const char *list)
{
    const char *end = *list == '"' ? strchr(list + 1, '"') : NULL;
    return end && memchr(list, ',', (size_t)(end - list)) &&
                   (end[1] == ',' || end[1] == '\0')
               ? (size_t)(end + 1 - list)
               : 0;
}

bool csv_words_add(struct csv_words *words, const char *list, struct error *e)
{
    for (;;) {
        const size_t quoted = quoted_bytes(list);
        const size_t n = quoted ? quoted : strcspn(list, ",");
        if (words->n == CSV_WORDS_MAX)
            return error_set(e, ERROR_USAGE, "--na takes at most %d texts",
                             CSV_WORDS_MAX);
        add(words, quoted ? (struct csv_span){list + 1, quoted - 2}
                          : (struct csv_span){list, n});
        if (list[n] == '\0')
            return true;
        list += n + 1;
    }
}

static bool have_from(const struct csv_words *words, size_t from,
                      const char *text, size_t bytes)
{
    for (size_t i = from; i < words->n; i++) {
        if (words->word[i].bytes == bytes &&
            memcmp(words->word[i].text, text, bytes) == 0)
            return true;
    }
    return false;
}

bool csv_words_have(const struct csv_words *words, const char *text,
                    size_t bytes)
{
    return have_from(words, 0, text, bytes);
}

bool csv_words_have_own(const struct csv_words *words, const char *text,
                        size_t bytes)
{
    return have_from(words, words->own, text, bytes);
}
