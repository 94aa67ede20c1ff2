/* SPDX-License-Identifier: MIT */
/* The chunker of records: several threads get all of the text, once, in chunks
 * of whole records with the right line numbers. */
#include <unistd.h>

#include "csv_chunks.h"
#include "csv_draw.h"
#include "csv_oracle.h"

/* The expected chunks of one input. */
struct expected {
    char *text; /* the text with a final LF */
    size_t bytes;
    bool open;      /* the last quote is not closed: no input of a test */
    bool *may_cut;  /* [bytes + 1]: a record or a blank line starts */
    uint64_t *line; /* [bytes + 1]: line number */
};

static void expect(struct expected *x, const struct text_source *s,
                   char delimiter)
{
    struct oracle t;
    oracle_read(&t, s->text, s->bytes, delimiter);
    x->text = malloc(s->bytes + 2);
    x->may_cut = calloc(s->bytes + 2, sizeof *x->may_cut);
    x->line = malloc((s->bytes + 2) * sizeof *x->line);
    memcpy(x->text, s->text, s->bytes);
    x->bytes = s->bytes;
    if (x->bytes > 0 && x->text[x->bytes - 1] != '\n')
        x->text[x->bytes++] = '\n';
    x->line[0] = 1;
    for (size_t i = 0; i < x->bytes; i++) {
        x->line[i + 1] = x->line[i] + (x->text[i] == '\n');
        x->may_cut[i + 1] = x->text[i] == '\n';
    }
    x->may_cut[0] = x->may_cut[x->bytes] = true;
    x->open = t.open;
    for (size_t r = 0; r < t.records; r++)
        memset(x->may_cut + t.record[r].start + 1, 0,
               t.record[r].end - t.record[r].start - 1);
    oracle_free(&t);
}

static void expect_free(struct expected *x)
{
    free(x->text);
    free(x->may_cut);
    free(x->line);
}

/* Whether chunk number nth may start at `at`. The chunks of a file start in
 * their windows; those of a stream may start anywhere. */
static bool starts_right(const struct text_source *s, size_t window,
                         uint64_t nth, size_t at)
{
    return s->kind != TEXT_FILE || at / window == nth;
}

/* Checks the chunks of one input, from *sequence on. */
static void check_input(const struct cut_chunks *d, const struct input *input,
                        const struct text_source *s, const struct expected *x,
                        uint64_t *sequence)
{
    size_t at = 0;
    uint64_t first = *sequence;
    for (; *sequence < CUT_CHUNKS; ++*sequence) {
        const struct cut_chunk *c = &d->chunk[*sequence];
        if (!c->seen || c->input != input)
            break;
        if (c->bytes == 0)
            continue;
        CHECK(at + c->bytes <= x->bytes &&
                  memcmp(c->text, x->text + at, c->bytes) == 0,
              "chunk %" PRIu64 " at %zu", *sequence, at);
        CHECK_U64(c->line, x->line[at]);
        CHECK(starts_right(s, d->window, *sequence - first, at),
              "chunk %" PRIu64 " at %zu", *sequence - first, at);
        at += c->bytes;
        CHECK(at <= x->bytes && x->may_cut[at], "chunk %" PRIu64 " to %zu",
              *sequence, at);
        if (at > x->bytes)
            break;
    }
    CHECK_U64(at, x->bytes);
}

static unsigned mapped, owned;

/* x: what to expect of each input. */
static void check_cut_chunks(struct text_inputs *t, const struct expected *x,
                             size_t window, unsigned threads, bool may_map)
{
    struct cut_chunks d = {
        .window = window, .may_map = may_map, .portable = check_below(4) == 0};
    struct error e;
    uint64_t sequence = 0;
    if (!CHECK(text_inputs_open(t, &e), "%s", e.text)) {
        text_inputs_close(t);
        return;
    }
    cut_chunks_run(&d, t, threads);
    CHECK(d.errors == 0, "%s", d.error.text);
    for (size_t i = 0; i < t->count; i++)
        check_input(&d, &t->input[i], &t->source[i], &x[i], &sequence);
    CHECK_U64(sequence, d.cut);
    CHECK_U64(d.twice + d.undone, 0);
    mapped += d.mapped;
    owned += d.owned;
    cut_chunks_free(&d);
    text_inputs_close(t);
}

/* Draws a text with at least one record and with all quotes closed. */
static char *draw_text(size_t n, char delimiter, size_t *bytes)
{
    char *text = malloc(n + 2);
    struct oracle t;
    csv_draw(text, n, csv_dialect_of((unsigned char)delimiter));
    oracle_read(&t, text, n, delimiter);
    if (t.open)
        text[n++] = '"';
    if (t.records == 0)
        text[n++] = '1';
    oracle_free(&t);
    *bytes = n;
    return text;
}

static void check_random_inputs(size_t count, size_t bytes_max,
                                size_t window_max, bool may_map)
{
    unsigned char delimiter = csv_draw_delimiter();
    struct text_inputs t = {.csv = text_settings(DTYPE_f64, delimiter, "1"),
                            .count = count};
    struct expected x[TEXT_INPUTS_MAX];
    for (size_t i = 0; i < count; i++) {
        struct text_source *s = &t.source[i];
        s->kind = (enum text_kind)check_below(3);
        s->text = draw_text(check_below(bytes_max), (char)delimiter, &s->bytes);
        expect(&x[i], s, (char)delimiter);
    }
    check_cut_chunks(&t, x, bytes_max / 20000 + 1 + check_below(window_max),
                     1 + (unsigned)check_below(CUT_THREADS), may_map);
    for (size_t i = 0; i < count; i++) {
        expect_free(&x[i]);
        free((char *)t.source[i].text);
    }
}

static void test_small(void)
{
    for (int i = 0; i < 400; i++)
        check_random_inputs(1, i % 4 ? 3000 : 100, i % 2 ? 200 : 5000, i % 2);
}

static void test_several(void)
{
    for (int i = 0; i < 100; i++)
        check_random_inputs(1 + check_below(TEXT_INPUTS_MAX), 5000,
                            i % 2 ? 200 : 5000, i % 2);
}

/* Texts longer than the part of a stream that is read to detect its format. */
static void test_large(void)
{
    for (int i = 0; i < 40; i++)
        check_random_inputs(1 + check_below(3), 600000, i % 2 ? 3000 : 300000,
                            i % 2);
}

static void check_mapped_text(const char *text, size_t bytes, char delimiter)
{
    static const size_t windows[] = {5000, 65536, 100001, 1 << 20, 4 << 20};
    const size_t sizes[] = {bytes, bytes - bytes / 9};
    struct expected x[2];
    for (size_t k = 0; k < 2; k++) {
        const struct text_source s = {.text = text, .bytes = sizes[k]};
        expect(&x[k], &s, delimiter);
    }
    for (size_t i = 0; i < 5; i++) {
        struct text_inputs t = {.csv = text_settings(DTYPE_f64, delimiter, "1"),
                                .count = x[1].open ? 1 : 2};
        t.source[0].text = t.source[1].text = text;
        t.source[0].bytes = sizes[0];
        t.source[1].bytes = sizes[1];
        check_cut_chunks(&t, x, windows[i], CUT_THREADS, true);
    }
    expect_free(&x[0]);
    expect_free(&x[1]);
}

/* Files large enough to be mapped. */
static void test_mapped(void)
{
    for (int i = 0; i < 6; i++) {
        size_t bytes;
        char *text = draw_text((3u << 19) + check_below(300000), ',', &bytes);
        check_mapped_text(text, bytes, ',');
        free(text);
    }
    CHECK(mapped > 0);
}

/* Records that fit into no slot, plain and with quoted line ends, mapped and
 * not. */
static void test_long_records(void)
{
    static const size_t windows[] = {1000, 70000, 200000};
    size_t n = 3000000;
    char *text = malloc(n);
    for (int i = 0; i < 24; i++) {
        size_t every = 300000 << check_below(3);
        memset(text, i % 2 ? '\n' : '1', n);
        for (size_t at = 0; at + every <= n; at += every) {
            text[at] = text[at + every - 2] = '"';
            text[at + every - 1] = '\n';
        }
        text[n - 1] = text[n - 2] = '\n';
        text[n - 3] = '"';
        struct text_inputs t = {.csv = text_settings(DTYPE_f64, ',', "1"),
                                .count = 1};
        t.source[0].kind = (enum text_kind)(i / 2 % 2);
        t.source[0].text = text;
        t.source[0].bytes = n;
        struct expected x;
        expect(&x, &t.source[0], ',');
        if (!x.open)
            check_cut_chunks(&t, &x, windows[i % 3],
                             1 + (unsigned)i % CUT_THREADS, i / 4 % 2);
        expect_free(&x);
    }
    CHECK(owned > 0);
    free(text);
}

/* After a stop the threads get no more chunks, and none hangs. */
static void test_stop(void)
{
    for (int i = 0; i < 60; i++) {
        struct text_inputs t = {.csv = text_settings(DTYPE_f64, ',', "1"),
                                .count = 3};
        struct cut_chunks d = {.window = 50 + check_below(100),
                               .stop_after = 1 + check_below(60)};
        struct error e;
        char *text = draw_text(20000, ',', &t.source[0].bytes);
        for (size_t k = 0; k < 3; k++) {
            t.source[k].kind = (enum text_kind)((k + (size_t)i) % 3);
            t.source[k].text = text;
            t.source[k].bytes = t.source[0].bytes;
        }
        CHECK(text_inputs_open(&t, &e), "%s", e.text);
        cut_chunks_run(&d, &t, 1 + (unsigned)i % CUT_THREADS);
        CHECK(d.cut >= d.stop_after && d.cut < d.stop_after + CUT_THREADS);
        CHECK_U64(d.errors, 0);
        cut_chunks_free(&d);
        text_inputs_close(&t);
        free(text);
    }
}

int main(void)
{
    alarm(500); /* ends a hang */
    test_small();
    test_several();
    test_large();
    test_mapped();
    test_long_records();
    test_stop();
    return check_end();
}
