/* SPDX-License-Identifier: MIT */
/* Writes a cell as a field: plain, between blanks, quoted. */
#include <string.h>

#include "text_writer.h"

/* Longest field that a message shows whole. */
enum { SHOWN_MAX = 70 };

bool writer_chance(struct writer *w, unsigned of_256)
{
    return random_below(&w->random, 256) < of_256;
}

/* Draws the number of blanks on one side of a cell's text. */
static size_t any_blanks(struct writer *w)
{
    struct random *r = &w->random;
    bool is_shown = w->cell.kind == CELL_BAD && !w->spec->skip_bad;
    if (!writer_chance(w, w->text_odds.blanks))
        return 0;
    if (!is_shown && random_below(r, 600) == 0)
        return 200 + random_below(r, 3000);
    return random_below(r, 4);
}

static void put_blanks(struct writer *w, size_t n)
{
    char blank = " \t"[random_below(&w->random, 2)];
    if ((unsigned char)blank == w->table->dialect.delimiter)
        blank = blank == ' ' ? '\t' : ' ';
    bytes_fill(&w->c->text, blank, n);
}

/* Whether the text from `start` on is one field without quotes. */
static bool is_plain(const struct writer *w, size_t start, struct place place)
{
    const char *p = w->c->text.at + start;
    size_t n = w->c->text.n - start;
    if (n == 0) /* as the only field it would make a blank line */
        return !place.first || !place.last;
    return *p != '"' && !memchr(p, w->table->dialect.delimiter, n) &&
           !memchr(p, '\n', n) && (w->text_odds.strays || !memchr(p, '"', n)) &&
           !(place.last && !place.crlf && p[n - 1] == '\r');
}

/* Writes text after the closing quote. Returns false if it would not be one
 * field. */
static bool put_tail(struct writer *w, struct place place)
{
    static const char *const tails[] = {"x",  "1",   " y",     "\rz", "-",
                                        "\r", "x\"", " \"y\"", "\t.", "e5"};
    struct bytes *text = &w->c->text;
    const char *tail = tails[random_below(&w->random, 10)];
    size_t start = text->n;
    bytes_add(text, tail, strlen(tail));
    if (is_plain(w, start, place))
        return true;
    text->n = start;
    return false;
}

static void put_quoted(struct writer *w)
{
    struct bytes *text = &w->c->text;
    bytes_add(text, "\"", 1);
    put_blanks(w, any_blanks(w));
    for (size_t i = 0; i < w->cell.n; i++) {
        bytes_add(text, &w->cell.text[i], 1);
        if (w->cell.text[i] == '"')
            bytes_add(text, "\"", 1);
    }
    put_blanks(w, any_blanks(w));
    bytes_add(text, "\"", 1);
}

/* Extends the field from `start` on to the longest allowed, or in a wrong chunk
 * to one byte more. */
static void put_huge(struct writer *w, size_t start)
{
    struct bytes *text = &w->c->text;
    size_t n = text->n - start, more = CSV_FIELD_MAX - n + w->wrong;
    bool is_digit = n > 0 && (unsigned char)(text->at[start] - '0') < 10;
    w->huge = false;
    if (!is_digit || w->cell.kind != CELL_NUMBER) {
        put_blanks(w, more);
        return;
    }
    bytes_more(text, more);
    memmove(text->at + start + more, text->at + start, n);
    memset(text->at + start, '0', more);
}

/* Writes the cell without quotes. Returns false if that is impossible. */
static bool put_plain(struct writer *w, struct place place)
{
    struct bytes *text = &w->c->text;
    size_t start = text->n;
    /* After blanks, the first quote would open a quoted field. */
    if (w->cell.n > 0 && w->cell.text[0] == '"')
        return false;
    put_blanks(w, any_blanks(w));
    bytes_add(text, w->cell.text, w->cell.n);
    put_blanks(w, any_blanks(w));
    if (w->huge && text->n - start < CSV_FIELD_MAX)
        put_huge(w, start);
    if (is_plain(w, start, place)) {
        w->c->stray |= memchr(text->at + start, '"', text->n - start) != NULL;
        return true;
    }
    text->n = start;
    return false;
}

bool put_field(struct writer *w, struct place place, bool may_tail)
{
    struct bytes *text = &w->c->text;
    size_t start = text->n;
    if (!writer_chance(w, w->text_odds.quoted) && put_plain(w, place))
        return false;
    put_quoted(w);
    size_t tail = text->n;
    if (!may_tail || tail - start > SHOWN_MAX ||
        !writer_chance(w, w->text_odds.tail) || !put_tail(w, place))
        return false;
    w->c->stray |= memchr(text->at + tail, '"', text->n - tail) != NULL;
    return true;
}
