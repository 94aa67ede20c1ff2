/* SPDX-License-Identifier: MIT */
/*
 * The engine over text with errors, with chunks that are slow and chunks that
 * fail. It must report the error that comes first in the data, whatever the
 * threads and the windows are.
 */
#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

#include "csv_fixture.h"
#include "backend/registry.h"
#include "csv_table_made.h"
#include "chunk/record_window.h"

static void check_error(struct text_inputs *t, const struct csv_setting *s,
                        const char *want)
{
    struct error e;
    struct states *got = csv_fixture_run(t, s, &e);
    CHECK(!got && strstr(e.text, want),
          "windows of %zu, %u threads: '%s' is "
          "not '%s'",
          s->window, s->threads, got ? "success" : e.text, want);
    csv_fixture_free(got);
}

static struct text_inputs inputs_of(const struct made_plan *plan,
                                    const char *columns)
{
    struct text_inputs t = {
        .csv = text_settings(plan->dtype, plan->delimiter, columns)};
    t.csv.spec = made_spec(plan);
    return t;
}

static void add(struct text_inputs *t, const char *text, size_t bytes,
                enum text_kind kind)
{
    t->source[t->count++] =
        (struct text_source){.kind = kind, .text = text, .bytes = bytes};
}

/* Returns the row of the error that a message names by its line. */
static size_t row_of(const struct made *m, const char *message)
{
    uint64_t line = strtoull(strchr(message, ':') + 1, NULL, 10);
    size_t row = 0;
    while (row + 1 < m->oracle.records &&
           m->oracle.record[row + 1].line <= line)
        row++;
    return row;
}

/* Writes the message of the first failure that this plan injects. Returns its
 * chunk, or FAKE_NEVER if there are fewer chunks. */
static uint64_t injected(const struct fake_plan *plan, uint64_t chunks,
                         char message[512])
{
    bool submit = plan->fail_submit <= plan->fail_wait;
    uint64_t at = submit ? plan->fail_submit : plan->fail_wait;
    snprintf(message, 512, "injected: %s of chunk %" PRIu64,
             submit ? "submit" : "wait", at);
    return at < chunks ? at : FAKE_NEVER;
}

/* Whether a record or a blank line starts in [from, to). */
static bool has_start(const struct oracle *t, size_t from, size_t to)
{
    size_t behind = 0; /* end of the last record; blank lines may follow it */
    for (size_t i = 0; i <= t->records; i++) {
        size_t next = i < t->records ? t->record[i].start : t->bytes;
        bool starts = behind < t->bytes;
        for (size_t at = behind; at < next; at++) {
            if (starts && at >= from && at < to)
                return true;
            starts = t->text[at] == '\n';
        }
        if (next >= from && next < to && i < t->records)
            return true;
        behind = i < t->records ? t->record[i].end : next;
    }
    return false;
}

/* Draws a chunk to fail. Returns FAKE_NEVER for a chunk in which no line
 * starts, since it is never submitted. */
static uint64_t any_chunk(const struct made *m, size_t window, uint64_t chunks)
{
    uint64_t at = check_below(chunks + 1);
    return has_start(&m->oracle, at * window, (at + 1) * window) ? at
                                                                 : FAKE_NEVER;
}

/* A bad cell or a ragged record somewhere, and injected failures of chunks. */
static void check_first(const struct made_plan *plan)
{
    struct made m;
    struct csv_table table;
    char message[512] = "", other[512];
    uint32_t all[MADE_FIELDS_MAX];
    for (uint32_t f = 0; f < MADE_FIELDS_MAX; f++)
        all[f] = f;
    made_open(&m, plan);
    made_table(plan, &table, plan->fields, all);
    struct text_inputs t = inputs_of(plan, "1-");
    add(&t, m.text, m.bytes, TEXT_FILE);
    /* The names of columns differ here, so only the text before is compared. */
    bool wrong = made_first_error(&m, &t.csv.spec, &table, "", message);
    char *called = strstr(message, " (column");
    if (called)
        *called = '\0';
    struct csv_setting s = csv_setting_draw(m.bytes);
    struct fake_plan fake = csv_plan_draw();
    uint64_t chunks = (m.bytes + s.window - 1) / s.window;
    fake.every = check_below(4);
    fake.straggler = check_below(chunks + 1);
    if (check_below(3))
        fake.fail_submit = any_chunk(&m, s.window, chunks);
    if (check_below(3))
        fake.fail_wait = any_chunk(&m, s.window, chunks);
    s.backend = fake_backend(&fake);
    uint64_t at = injected(&fake, chunks, other);
    uint64_t bad = FAKE_NEVER;
    if (wrong)
        bad = m.oracle.record[row_of(&m, message)].start / s.window;
    /* An error in a chunk's text comes after a failed submit of that chunk and
     * before a failed wait. */
    bool is_bad = bad < at || (bad == at && at != fake.fail_submit);
    if (wrong && is_bad)
        check_error(&t, &s, message);
    else if (at != FAKE_NEVER)
        check_error(&t, &s, other);
    csv_table_free(&table);
    made_close(&m);
}

static void test_first(void)
{
    for (int i = 0; i < CHECK_ROUNDS(300); i++) {
        struct made_plan plan = made_plan_draw();
        plan.rows += 20;
        plan.bad = i % 3 ? 500 : 0;
        plan.ragged = i % 2 ? check_below(plan.rows - 1) + 1 : SIZE_MAX;
        plan.more = 1;
        check_first(&plan);
    }
}

/* Large enough that the file is mapped. */
enum { LATE_BYTES = 3 << 19 };

/* Returns a text of a number, blank lines, and a bad cell at the end. The
 * caller frees it. */
static char *bad_at_end(void)
{
    char *text = malloc(LATE_BYTES);
    memset(text, '\n', LATE_BYTES);
    memcpy(text, "1\n", 2);
    memcpy(text + LATE_BYTES - 2, "x\n", 2);
    return text;
}

static struct csv_setting late_setting(int i)
{
    return (struct csv_setting){.backend = &backend_cpu,
                                .threads = 2 + (unsigned)i % 3,
                                .monoids = MONOID_BIT(sum),
                                .window = i % 2 ? LATE_BYTES : LATE_BYTES / 3};
}

/* Both inputs are bad. The first error is at the end of the first input, and a
 * worker finds the second one earlier. */
static void test_two_inputs(void)
{
    char *text = bad_at_end();
    struct made_plan plan = {.dtype = DTYPE_f64, .delimiter = ','};
    for (int i = 0; i < 60; i++) {
        struct text_inputs t = inputs_of(&plan, "1");
        struct csv_setting s = late_setting(i);
        add(&t, text, LATE_BYTES, TEXT_FILE);
        add(&t, "y\n", 2, i / 2 % 2 ? TEXT_LATE_PIPE : TEXT_FILE);
        check_error(&t, &s, ": not a number: 'x'");
    }
    free(text);
}

/* The same, but the second input cannot be opened. */
static void test_unreadable(void)
{
    char *text = bad_at_end();
    struct made_plan plan = {.dtype = DTYPE_f64, .delimiter = ','};
    for (int i = 0; i < 40; i++) {
        struct text_inputs t = inputs_of(&plan, "1");
        struct csv_setting s = late_setting(i);
        struct error e = {.kind = ERROR_NONE};
        add(&t, text, LATE_BYTES, TEXT_FILE);
        add(&t, "1\n", 2, TEXT_FILE);
        CHECK(text_inputs_open(&t, &e), "%s", e.text);
        CHECK(unlink(t.source[1].name) == 0);
        struct states *got = csv_fixture_run_open(&t, &s, &e);
        CHECK(!got && strstr(e.text, "not a number: 'x'"), "%s", e.text);
        csv_fixture_free(got);
        text_inputs_close(&t);
    }
    free(text);
}

/* A quote that is never closed is reported with its place. */
static void test_open_quote(void)
{
    static const struct {
        const char *text, *want;
    } rows[] = {{"1\n2,\"", ":2:3: a quote that is never closed"},
                {"1\n\n\n\"2\n\n\"\",", ":4:1: a quote that is never closed"},
                {"1,2\n\"\n\",\"\n\n3\n", ":3:3: a quote that is never closed"},
                {"1\n5\"\n\"", ":3:1: a quote that is never closed"}};
    struct made_plan plan = {.dtype = DTYPE_f64, .delimiter = ','};
    for (size_t i = 0; i < 4; i++) {
        for (size_t window = 1; window < 20; window++) {
            for (int kind = TEXT_FILE; kind <= TEXT_PIPE; kind++) {
                struct text_inputs t = inputs_of(&plan, "1");
                struct csv_setting s = {.backend = &backend_cpu,
                                        .threads = 1 + window % 4,
                                        .monoids = MONOID_BIT(sum),
                                        .window = window};
                t.csv.spec.skip_bad = true;
                add(&t, rows[i].text, strlen(rows[i].text),
                    (enum text_kind)kind);
                check_error(&t, &s, rows[i].want);
            }
        }
    }
}

/* For a mapped file that is cut, the cut is reported, not a bad cell. */
static void test_cut(void)
{
    enum { BYTES = 2 << 20 };
    char *text = malloc(BYTES);
    struct made_plan plan = {.dtype = DTYPE_f64, .delimiter = ','};
    for (size_t i = 0; i < BYTES; i++)
        text[i] = i % 8 == 7 ? '\n' : '1';
    for (int i = 0; i < 20; i++) {
        struct text_inputs t = inputs_of(&plan, "1");
        struct fake_plan fake = csv_plan_draw();
        fake.reads_anywhere = true;
        struct csv_setting s = {.backend =
                                    i % 2 ? fake_backend(&fake) : &backend_cpu,
                                .threads = 1,
                                .monoids = MONOID_BIT(sum),
                                .window = BYTES / 2};
        struct error e = {.kind = ERROR_NONE};
        add(&t, text, BYTES, TEXT_FILE);
        CHECK(text_inputs_open(&t, &e), "%s", e.text);
        CHECK(truncate(t.source[0].name, (off_t)check_below(BYTES / 2)) == 0);
        struct states *got = csv_fixture_run_open(&t, &s, &e);
        CHECK(!got && strstr(e.text, "was cut while it was read"), "%s",
              e.text);
        csv_fixture_free(got);
        text_inputs_close(&t);
    }
    free(text);
}

static const char *mapped;

static void cut_mapped(void)
{
    CHECK(truncate(mapped, 4100) == 0);
}

/* The file is cut between the scan and the decoding, so the text no longer ends
 * with LF. */
static void test_cut_late(void)
{
    enum { BYTES = 2 << 20 };
    char *text = malloc(BYTES);
    struct made_plan plan = {.dtype = DTYPE_f64, .delimiter = ','};
    for (int i = 0; i < 4; i++) {
        struct text_inputs t = inputs_of(&plan, "1");
        struct fake_plan fake = csv_plan_draw();
        struct error e = {.kind = ERROR_NONE};
        for (size_t at = 0; at < BYTES; at++)
            text[at] = "1,11,22\n"[at % 8];
        fake.reads_anywhere = true;
        fake.before = cut_mapped;
        fake.slots = 2;
        struct csv_setting s = {.backend = fake_backend(&fake),
                                .threads = 1,
                                .monoids = MONOID_BIT(sum),
                                .window = BYTES / 2,
                                .portable = i % 2};
        t.csv.spec.skip_bad = i / 2;
        add(&t, text, BYTES, TEXT_FILE);
        CHECK(text_inputs_open(&t, &e), "%s", e.text);
        mapped = t.source[0].name;
        struct states *got = csv_fixture_run_open(&t, &s, &e);
        CHECK(!got && strstr(e.text, "was cut while it was read"), "%s",
              e.text);
        csv_fixture_free(got);
        text_inputs_close(&t);
    }
    free(text);
}

/* Contexts that fail to open. */
static void test_open(void)
{
    struct made_plan plan = {.dtype = DTYPE_f64, .delimiter = ','};
    for (int i = 0; i < 20; i++) {
        struct text_inputs t = inputs_of(&plan, "1");
        struct fake_plan fake = csv_plan_draw();
        fake.fail_open = check_below(2);
        struct csv_setting s = {.backend = fake_backend(&fake),
                                .threads = 3,
                                .monoids = MONOID_BIT(prod),
                                .window = 3};
        add(&t, "1\n2\n3\n4\n5\n6\n", 12, (enum text_kind)(i % 2));
        check_error(&t, &s, "injected: open");
    }
}

int main(void)
{
    alarm(500); /* ends a hang */
    test_first();
    test_two_inputs();
    test_unreadable();
    test_open_quote();
    test_cut();
    test_cut_late();
    test_open();
    return check_end();
}
