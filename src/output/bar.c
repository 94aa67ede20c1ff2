/* SPDX-License-Identifier: MIT */
#include "output/bar.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum {
    TEXT_MAX = 24,
    GRAPH_MIN = 10, /* a shorter one says less than the percentage */
    FRAME = 3,      /* " [" and "]" */
    HOURS_MAX = 1000,
};

/* The parts of the line, from left to right. The graph follows PERCENT. */
enum part { BYTES, PERCENT, RATE, LEFT, PARTS_END };

/* Writes three digits and an SI prefix, as --verbose prints them: "1.07 GB". */
static void put_amount(char *out, double amount, const char *unit)
{
    static const char prefixes[] = "kMGTPE";
    const char *prefix = prefixes;
    if (amount < 999.5) {
        snprintf(out, TEXT_MAX, "%.0f %s", amount, unit);
        return;
    }
    for (amount /= 1000; amount >= 999.5 && prefix[1]; prefix++)
        amount /= 1000;
    int decimals = amount < 9.995 ? 2 : amount < 99.95 ? 1 : 0;
    snprintf(out, TEXT_MAX, "%.*f %c%s", decimals, amount, *prefix, unit);
}

/* Writes "0:05 left" or "2:03:04 left". */
static void put_left(char *out, double seconds)
{
    if (!(seconds >= 0 && seconds < 3600. * HOURS_MAX)) {
        strcpy(out, "-:-- left");
        return;
    }
    /* Rounds up, because 0 means that nothing is left. */
    unsigned s = (unsigned)seconds;
    s += s < seconds;
    if (s < 3600)
        snprintf(out, TEXT_MAX, "%u:%02u left", s / 60, s % 60);
    else
        snprintf(out, TEXT_MAX, "%u:%02u:%02u left", s / 3600, s / 60 % 60,
                 s % 60);
}

static double fraction_of(const struct bar *b)
{
    return b->goal ? (double)b->done / (double)b->goal : 1;
}

/* The percentage done. 100 is shown only when all is done. */
static unsigned percent_of(const struct bar *b)
{
    unsigned percent = (unsigned)(100 * fraction_of(b));
    return percent < 100 || b->done == b->goal ? percent : 99;
}

/* The width of a part in columns. Amounts have a minimum width, so that the
 * line does not jump as they grow. */
static size_t width_of(enum part part, const char *text)
{
    static const size_t least[PARTS_END] = {
        [BYTES] = 7, [PERCENT] = 4, [RATE] = 9, [LEFT] = 9};
    size_t n = strlen(text);
    return n == 0 ? 0 : n > least[part] ? n : least[part];
}

/* Empties parts, the least useful first, until the others fit into `width`
 * columns with a blank between them. Returns the width of the remaining
 * parts. */
static size_t fit(char text[PARTS_END][TEXT_MAX], bool known, size_t width)
{
    static const enum part known_order[PARTS_END] = {BYTES, RATE, LEFT,
                                                     PERCENT};
    static const enum part order[PARTS_END] = {PERCENT, LEFT, RATE, BYTES};
    for (size_t dropped = 0;; dropped++) {
        size_t taken = 0;
        for (int i = 0; i < PARTS_END; i++) {
            size_t n = width_of((enum part)i, text[i]);
            taken += n ? n + (taken > 0) : 0;
        }
        if (taken <= width)
            return taken;
        text[known ? known_order[dropped] : order[dropped]][0] = '\0';
    }
}

/* Writes " [=====> ]" in `room` columns. Returns the end of the text. */
static char *put_graph(char *to, const struct bar *b, size_t room)
{
    size_t inner = room - FRAME;
    size_t full = (size_t)(fraction_of(b) * (double)inner);
    memcpy(to, " [", 2);
    memset(to + 2, ' ', inner);
    memset(to + 2, '=', full);
    if (full < inner)
        to[2 + full] = '>';
    to[2 + inner] = ']';
    return to + room;
}

const char *bar_text(char out[BAR_MAX], const struct bar *b, unsigned width)
{
    char text[PARTS_END][TEXT_MAX] = {""};
    bool known = b->goal != BAR_UNKNOWN && b->done <= b->goal;
    size_t limit = width < BAR_MAX ? width : BAR_MAX - 1;
    put_amount(text[BYTES], (double)b->bytes, "B");
    put_amount(text[RATE], b->rate, "B/s");
    if (known) {
        snprintf(text[PERCENT], TEXT_MAX, "%u%%", percent_of(b));
        put_left(text[LEFT], b->left);
    }
    size_t room = limit - fit(text, known, limit);
    char *to = out;
    for (int i = 0; i < PARTS_END; i++) {
        if (text[i][0])
            to += sprintf(to, "%s%*s", to > out ? " " : "",
                          (int)width_of((enum part)i, text[i]), text[i]);
        if (i == PERCENT && known && room >= FRAME + GRAPH_MIN)
            to = put_graph(to, b, room);
    }
    *to = '\0';
    return out;
}
