/* SPDX-License-Identifier: MIT */
/*
 * The loops that find structure by counting quotes, of every set that this
 * machine can run, against the definition byte by byte; and the definition
 * against a table. Text starts or ends at a page boundary, beyond which reading
 * faults.
 */
#include "csv/simd/loops.h"

#include "csv_draw.h"
#include "guard.h"

enum { SHORT = 300, LONG = 200000 };

static struct guard text_room, ends_room;

/* The expected result of stepping through a text from a state. */
struct oracle {
    enum csv_state end;
    uint64_t lines;
    bool odd, stray; /* number of quotes; a quote where none may open */
    uint32_t at[LONG];
    size_t n, records;
};

static struct oracle oracle;

static const struct oracle *walk(const char *text, size_t n, enum csv_state s,
                                 struct csv_dialect dialect)
{
    oracle.n = oracle.records = 0;
    oracle.lines = oracle.odd = oracle.stray = 0;
    for (size_t i = 0; i < n; i++) {
        bool is_quote = dialect.quotes && text[i] == (char)dialect.quote;
        oracle.stray |= is_quote && (s == CSV_PLAIN || s == CSV_COMMENT);
        oracle.odd ^= is_quote;
        oracle.lines += text[i] == (char)dialect.end;
        s = csv_step(s, (unsigned char)text[i], dialect);
        if (s == CSV_RECORD || s == CSV_FIELD)
            oracle.at[oracle.n++] = (uint32_t)i;
        oracle.records += s == CSV_RECORD;
    }
    oracle.end = s;
    return &oracle;
}

/* The transition table: a row for each state, columns quote, delimiter, LF,
 * other. */
static void test_step(void)
{
    static const char bytes[] = "\",\n";
    static const char want[5][5] = {"QFRP", "QFRP", "PFRP", "CQQQ", "QFRP"};
    for (int s = 0; s < 5; s++) {
        for (int byte = 0; byte < 256; byte++) {
            const char *known = byte ? strchr(bytes, byte) : NULL;
            enum csv_state next = csv_step(
                (enum csv_state)s, (unsigned char)byte, csv_dialect_of(','));
            CHECK("RFPQC"[next] == want[s][known ? known - bytes : 3],
                  "state %d, byte %d", s, byte);
        }
    }
}

static void check_scan(const struct csv_loops *loops, const char *text,
                       const size_t *cut, struct csv_dialect dialect,
                       const struct csv_scan *want)
{
    struct csv_scan got = {0};
    loops->scan(text, 0, cut[0], dialect, &got);
    loops->scan(text, cut[0], cut[1], dialect, &got);
    loops->scan(text, cut[1], cut[2], dialect, &got);
    CHECK(got.lines == want->lines && got.odd == want->odd &&
              got.stray[0] == want->stray[0] && got.stray[1] == want->stray[1],
          "%s, %zu, %zu, %zu bytes: %" PRIu64 " lines, %d %d %d", loops->name,
          cut[0], cut[1], cut[2], got.lines, got.odd, got.stray[0],
          got.stray[1]);
}

static void check_ends(const struct csv_loops *loops, const char *text,
                       size_t n, struct csv_dialect dialect)
{
    const struct oracle *want = walk(text, n, CSV_RECORD, dialect);
    struct csv_ends got = {.at = guard_last(&ends_room, (n + 64) * 4)};
    bool told = loops->ends(text, 0, n, dialect, &got);
    CHECK(told == !want->stray, "%s, %zu bytes", loops->name, n);
    if (!told)
        return;
    CHECK_U64(got.n, want->n);
    CHECK_U64(got.records, want->records);
    CHECK(memcmp(got.at, want->at, want->n * 4) == 0, "%s, %zu bytes",
          loops->name, n);
}

static struct csv_scan scan_of(const char *text, size_t n,
                               struct csv_dialect dialect)
{
    struct csv_scan scan = {0};
    dialect.comments = false;
    scan.stray[1] = walk(text, n, CSV_QUOTED, dialect)->stray;
    scan.stray[0] = walk(text, n, CSV_RECORD, dialect)->stray;
    scan.lines = oracle.lines;
    scan.odd = oracle.odd;
    return scan;
}

static void check_advance(const char *text, size_t n,
                          struct csv_dialect dialect,
                          const struct csv_scan *scan)
{
    for (int s = 0; n > 0 && s < 5 + dialect.comments; s++) {
        enum csv_state state = (enum csv_state)s;
        if (!dialect.quotes && (state == CSV_QUOTED || state == CSV_CLOSED))
            continue;
        const struct oracle *want = walk(text, n, state, dialect);
        bool stray = csv_has_stray(state, text, n, dialect, scan);
        CHECK_INT(csv_advance(state, text, n, dialect, scan), want->end);
        /* The loops may report a stray quote near a line that may be a comment;
         * such text is then walked. */
        CHECK(stray == want->stray || (stray && dialect.comments), "state %d",
              s);
    }
}

/* Draws a text at one end of the readable memory. */
static char *draw(size_t n, bool at_start, struct csv_dialect dialect)
{
    size_t room = n + CSV_PADDING;
    char *text = at_start ? text_room.at : guard_last(&text_room, room);
    csv_draw(text, room, dialect);
    return text;
}

static void check_loops(const char *text, size_t n, struct csv_dialect dialect,
                        size_t step)
{
    struct csv_scan want = scan_of(text, n, dialect);
    check_advance(text, n, dialect, &want);
    const struct csv_loops *loops;
    for (size_t set = 0; (loops = csv_loops(set)); set++) {
        /* `ends` never gets these dialects: the decoder rewrites the text first
         * or walks it. */
        if (!dialect.comments && !dialect.blank)
            check_ends(loops, text, n, dialect);
        for (size_t from = 0; from <= n; from += step) {
            size_t cut[] = {from, from + check_below(n - from + 1), n};
            check_scan(loops, text, cut, dialect, &want);
        }
    }
}

static void test_lengths(void)
{
    for (size_t n = 0; n <= SHORT; n++) {
        for (int i = 0; i < 16; i++) {
            struct csv_dialect dialect = csv_draw_dialect();
            check_loops(draw(n, i % 2, dialect), n, dialect, 1);
        }
    }
}

static void test_long(void)
{
    for (int i = 0; i < 40; i++) {
        struct csv_dialect dialect = csv_draw_dialect();
        size_t n = 1000 + check_below(LONG - 1000);
        check_loops(draw(n, i % 2, dialect), n, dialect, 1 + n / 9);
    }
}

/* Every text of a few letters, alone and across the boundary of 64 bytes. */
static void test_all(void)
{
    static const char letters[] = "\",\n1";
    enum { N = 6 };
    for (unsigned k = 0; k < 1u << 2 * N; k++) {
        for (size_t before = 0; before <= 64; before += 61) {
            size_t n = before + N;
            char *text = draw(n, false, csv_dialect_of(','));
            memset(text, '1', before);
            if (before > 0)
                text[before - 1] = letters[k / 5 % 4];
            for (unsigned i = 0; i < N; i++)
                text[before + i] = letters[k >> 2 * i & 3];
            check_loops(text, n, csv_dialect_of(','), n);
        }
    }
}

int main(void)
{
    text_room = guard_open(LONG + CSV_PADDING);
    ends_room = guard_open((LONG + 64) * 4);
    CHECK(csv_loops(0) != NULL);
    test_step();
    test_lengths();
    test_long();
    test_all();
    return check_end();
}
