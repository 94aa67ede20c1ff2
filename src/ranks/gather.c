/* SPDX-License-Identifier: MIT */
/*
 * A line travels with its place: bytes that compare as the keys do. The first
 * rank has a block of lines of each rank, and writes the line of the first
 * place until all streams end. A rank sends a block when the first rank wants
 * it, and formats the next one meanwhile.
 */
#include "ranks/gather.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK = 256 << 10 };

/* The lines of a rank. */
struct stream {
    int rank;
    bool more; /* blocks will come */
    struct saved_bytes block;
    struct saved_reader reader;    /* of the block */
    struct saved_text place, line; /* the next one, in the block */
};

/* The lines that this rank formats. */
struct own {
    struct printer *printer;
    struct writer_memory memory; /* of the printer */
    const struct answers_part *part;
    print_lines_fn *print;
    size_t n, next;
};

static struct gather {
    struct joint joint;
    const struct link *link;
    struct saved_bytes place; /* of the row that was noted last */
} all;

static void put_word(uint64_t word)
{
    word = __builtin_bswap64(word);
    saved_put(&all.place, &word, sizeof word);
}

/* Puts a text and its end, which is less than what longer texts go on with. */
static void put_text(struct text_cell text)
{
    const char *at = text.at, *const end = at + text.bytes;
    for (const char *nul; (nul = memchr(at, 0, (size_t)(end - at)));
         at = nul + 1) {
        saved_put(&all.place, at, (size_t)(nul - at));
        saved_put(&all.place, "\0\1", 2);
    }
    saved_put(&all.place, at, (size_t)(end - at));
    saved_put(&all.place, "\0", 2);
}

/* Sets all.place. */
static void note_row(const struct plan *plan, const struct by_rows *rows,
                     size_t row)
{
    const struct by_item *item = &rows->order.item[row / rows->columns];
    struct by_reader r;
    struct key_words words;
    classify_fn *const classify = by_reader_open(&r, plan, rows);
    all.place.n = 0;
    if (plan->by_first)
        put_word(*layout_first(table_record(
            &rows->groups->part[item->place.table].table, item->place.id)));
    for (size_t k = 0; !plan->by_first && k < rows->keys; k++) {
        const struct text_cell text = order_text(rows->groups, item, k);
        const enum key_class class = order_class(classify, &r, k, text, &words);
        saved_put_number(&all.place, class, 1);
        if (class == KEY_NUMBER) {
            put_word(words.nearest);
            put_word(words.rest);
        }
        put_text(text);
    }
}

/* Appends a line of the row that was noted. */
static void put_line(struct saved_bytes *to, const char *text, size_t bytes)
{
    saved_put_text(to, (struct saved_text){(char *)all.place.at, all.place.n});
    saved_put_text(to, (struct saved_text){text, bytes});
    to->failed |= all.place.failed;
}

static void next_line(struct stream *s)
{
    s->place = saved_get_text(&s->reader);
    s->line = saved_get_text(&s->reader);
}

static int compare(struct saved_text a, struct saved_text b)
{
    const int c = memcmp(a.at, b.at, a.n < b.n ? a.n : b.n);
    return c ? c : (a.n > b.n) - (a.n < b.n);
}

/* Sets *first to the text whose place in this rank, all.place, comes before the
 * others' that are not "". In the first rank. */
static void find_first(char *first, size_t room)
{
    struct saved_bytes mine = {NULL, 0, 0, false}, least = mine;
    put_line(&mine, first, strlen(first));
    if (all.link->rank > 0)
        link_send(&mine, 0);
    for (int i = 0; i < all.link->ranks && all.link->rank == 0; i++) {
        struct saved_bytes other = i ? link_receive(i) : mine;
        struct stream s = {
            .reader = {.at = other.at, .end = other.at + other.n}};
        next_line(&s);
        const struct saved_text taken = {(char *)least.at, least.n};
        if (s.line.n > 0 && (!least.at || compare(s.place, taken) < 0)) {
            least.n = 0;
            saved_put(&least, s.place.at, s.place.n);
            snprintf(first, room, "%.*s", (int)s.line.n, s.line.at);
        }
        if (i)
            free(other.at);
    }
    free(mine.at);
    free(least.at);
}

static bool agree(const struct answers *a, bool ok, struct answers_empty *empty,
                  struct error *e)
{
    enum { FAILED = OPS_MAX, EMPTY, COUNTS };
    uint64_t count[COUNTS] = {[FAILED] = !ok, [EMPTY] = empty->n};
    for (size_t i = 0; ok && i < a->plan->ops; i++)
        count[i] = a->plan->shown[i] == SHOWN_IF_ANY && answers_any(a, i);
    if (empty->n > 0)
        note_row(a->plan, a->part->by, empty->row);
    link_add(count, COUNTS);
    memcpy(all.joint.any, count, sizeof all.joint.any);
    empty->n = count[EMPTY];
    if (ok)
        e->text[0] = '\0';
    if (count[FAILED])
        find_first(e->text, sizeof e->text);
    else if (empty->n > 0)
        find_first(empty->first, sizeof empty->first);
    e->kind = ERROR_DATA;
    return !count[FAILED];
}

/* Formats a block. Returns whether there are more. */
static bool fill(struct own *own, struct saved_bytes *block)
{
    const struct plan *plan = own->printer->answers->plan;
    struct error e;
    block->n = 0;
    for (; own->next < own->n && block->n < BLOCK; own->next++) {
        own->memory.bytes = 0;
        own->print(own->printer, own->part, own->next, own->next + 1);
        if (!writer_end(&own->printer->to, &e))
            link_fail(&e);
        note_row(plan, own->part->by, own->next * (own->part->rows / own->n));
        put_line(block, own->memory.at, own->memory.bytes);
    }
    return own->next < own->n;
}

/* Goes to the next line. False: there is none. */
static bool advance(struct stream *s, struct own *own)
{
    while (s->reader.at == s->reader.end) {
        struct saved_bytes *const b = &s->block;
        if (!s->more)
            return false;
        b->n = 0;
        s->more =
            s->rank ? link_exchange(NULL, false, 0, b, s->rank) : fill(own, b);
        s->reader = (struct saved_reader){.at = b->at, .end = b->at + b->n};
    }
    next_line(s);
    return true;
}

/* Moves number `i` of a heap to where it belongs. */
static void sift(struct stream **heap, size_t n, size_t i)
{
    for (size_t k; (k = 2 * i + 1) < n; i = k) {
        struct stream *const s = heap[i];
        k += k + 1 < n && compare(heap[k + 1]->place, heap[k]->place) < 0;
        if (compare(s->place, heap[k]->place) <= 0)
            return;
        heap[i] = heap[k];
        heap[k] = s;
    }
}

/* Writes the lines of all ranks. */
static void merge(struct own *own, struct writer *to, struct stream *stream,
                  struct stream **heap)
{
    size_t n = 0, skip = own->printer->answers->plan->form == FORM_json;
    for (int i = 0; i < all.link->ranks; i++) {
        heap[n] = &stream[i];
        stream[i] = (struct stream){.rank = i, .more = true};
        n += advance(heap[n], own);
    }
    for (size_t i = n / 2; i-- > 0;)
        sift(heap, n, i);
    while (n > 0) {
        /* No "," is before the first element of JSON. */
        writer_put(to, heap[0]->line.at + skip, heap[0]->line.n - skip);
        skip = 0;
        if (!advance(heap[0], own))
            heap[0] = heap[--n];
        sift(heap, n, 0);
    }
    for (int i = 0; i < all.link->ranks; i++)
        free(stream[i].block.at);
}

static void lines(struct printer *p, const struct answers_part *part, size_t n,
                  print_lines_fn *print)
{
    const size_t ranks = (size_t)all.link->ranks;
    struct printer *const scratch = malloc(sizeof *scratch);
    struct stream *stream = malloc(ranks * sizeof *stream);
    struct stream **heap = malloc(ranks * sizeof *heap);
    struct saved_bytes block = {NULL, 0, 0, false};
    struct own own = {.printer = scratch, .part = part, .print = print, .n = n};
    struct error e;
    if (!scratch || !stream || !heap) {
        error_memory(&e);
        link_fail(&e);
    }
    *scratch = *p;
    scratch->elements = 1;
    writer_start_memory(&scratch->to, &own.memory);
    if (all.link->rank == 0)
        merge(&own, &p->to, stream, heap);
    for (bool more = all.link->rank > 0; more;) {
        more = fill(&own, &block);
        link_exchange(&block, more, 0, NULL, 0);
    }
    free(block.at);
    free(own.memory.at);
    free(heap);
    free(stream);
    free(scratch);
}

struct joint *gather_open(const struct link *l)
{
    all.joint =
        (struct joint){.failed = note_row, .agree = agree, .lines = lines};
    all.link = l;
    return &all.joint;
}

void gather_close(void)
{
    free(all.place.at);
}
