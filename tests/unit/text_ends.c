/* SPDX-License-Identifier: MIT */
/* The first and the last text, in whatever order the chunks arrive. */
#include "reduce/text_ends.h"

#include "check.h"
#include "reduce/extrema.h"
#include "reduce/states.h"

enum { PARTS = 5, CHUNKS = 40, ROW_BITS = 8, TEXT = 40 };

/* A chunk's first and last text, of n texts. */
struct made {
    unsigned n;
    char text[2][TEXT];
    struct text_cell ends[2];
};

static void make(struct made *m)
{
    m->n = (unsigned)check_below(3);
    const uint32_t row = (uint32_t)check_below(50);
    for (int i = 0; i < 2; i++) {
        size_t bytes = 1 + check_below(TEXT);
        /* A single text is both first and last. */
        if (i == 0 || m->n > 1) {
            for (size_t k = 0; k < bytes; k++)
                m->text[i][k] = (char)check_below(256);
            m->ends[i] =
                (struct text_cell){m->text[i], bytes, row + 60 * (uint32_t)i};
        } else {
            m->ends[i] = m->ends[0];
        }
    }
}

static void check_end_is(const struct text_end *got,
                         const struct text_cell *want, uint64_t position)
{
    CHECK_U64(got->index, position + want->row);
    CHECK_U64(got->bytes, want->bytes);
    CHECK(memcmp(got->text, want->at, want->bytes) == 0);
}

static uint64_t doubled(const void *context, uint64_t position)
{
    (void)context;
    return 2 * position;
}

static void check_one(void)
{
    struct text_ends parts[PARTS], all;
    struct made made[CHUNKS];
    size_t first = CHUNKS, last = CHUNKS;
    text_ends_init(&all);
    for (size_t p = 0; p < PARTS; p++)
        text_ends_init(&parts[p]);
    for (size_t i = 0; i < CHUNKS; i++)
        make(&made[i]);
    size_t start = check_below(CHUNKS);
    for (size_t k = 0; k < CHUNKS; k++) {
        /* 7 and CHUNKS have no common factor, so all chunks are visited. */
        const size_t i = (start + 7 * k) % CHUNKS;
        if (made[i].n == 0)
            continue;
        text_ends_keep(&parts[check_below(PARTS)], made[i].ends, i << ROW_BITS);
        first = first == CHUNKS || i < first ? i : first;
        last = last == CHUNKS || i > last ? i : last;
    }
    for (size_t p = 0; p < PARTS; p++) {
        text_ends_merge(&all, &parts[p]);
        text_ends_close(&parts[p]);
    }
    CHECK(!all.lost);
    if (CHECK(first < CHUNKS)) {
        check_end_is(&all.first, &made[first].ends[0], first << ROW_BITS);
        check_end_is(&all.last, &made[last].ends[1], last << ROW_BITS);
        text_ends_map(&all, doubled, NULL);
        CHECK_U64(all.first.index,
                  2 * ((first << ROW_BITS) + made[first].ends[0].row));
    }
    text_ends_close(&all);
}

/* Without texts there is no first or last. A lost state stays lost when
 * merged. */
static void check_none(void)
{
    struct text_ends none, lost;
    text_ends_init(&none);
    text_ends_init(&lost);
    lost.lost = true;
    text_ends_map(&none, doubled, NULL);
    CHECK_U64(none.first.index, INDEX_NONE);
    CHECK_U64(none.last.index, INDEX_NONE);
    text_ends_merge(&none, &lost);
    CHECK(none.lost && !none.first.text);
    text_ends_close(&none);
    text_ends_close(&lost);
}

/* States have text ends if the schema has texts, and report that one is
 * lost. */
static void check_states(void)
{
    const struct schema texts = {3, DTYPE_f64, NULL, true, NULL},
                        numbers = {3, DTYPE_f64, NULL, false, NULL};
    struct states a, b;
    struct error e;
    struct made made;
    do {
        make(&made);
    } while (made.n == 0);
    CHECK(states_bytes(&texts, 0) > states_bytes(&numbers, 0));
    CHECK(states_open(&a, &texts, 0, &e) && states_open(&b, &texts, 0, &e));
    text_ends_keep(&a.text[1], made.ends, 9);
    states_merge(&b, &a, 0, 3);
    states_clear(&a);
    CHECK_U64(a.text[1].first.index, INDEX_NONE);
    check_end_is(&b.text[1].first, &made.ends[0], 9);
    CHECK_U64(b.text[0].first.index, INDEX_NONE);
    CHECK(!states_lost(&b));
    b.text[2].lost = true;
    CHECK(states_lost(&b));
    states_close(&a);
    states_close(&b);
    CHECK(states_open(&a, &numbers, 0, &e) && !a.text);
    states_close(&a);
}

int main(void)
{
    for (int i = 0; i < 500; i++)
        check_one();
    check_none();
    check_states();
    return check_end();
}
