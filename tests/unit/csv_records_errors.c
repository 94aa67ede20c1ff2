/* SPDX-License-Identifier: MIT */
/* The chunker of records on files that change after they were opened, before
 * their turn or while they are read; and on mappings that are cut. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "csv_chunks.h"
#include "chunk/record_window.h"
#include "temporary.h"

enum { LINE = 16, BYTES = 2 << 20 };

/* Lines of LINE bytes: numbers. */
static char text[BYTES];

static void make_text(void)
{
    for (size_t i = 0; i < BYTES; i++)
        text[i] = i % LINE == LINE - 1 ? '\n' : (char)('0' + i / LINE % 10);
}

typedef void change_fn(struct text_source *s);

static void removes(struct text_source *s)
{
    CHECK(unlink(s->name) == 0);
}

/* Replaces the file. The old one is kept, so that the new one cannot get its
 * inode. */
static void replaces(struct text_source *s)
{
    char kept[520];
    snprintf(kept, sizeof kept, "%s.kept", s->name);
    CHECK(rename(s->name, kept) == 0);
    temporary_write(s->name, s->text, s->bytes);
}

static void shrinks(struct text_source *s)
{
    CHECK(truncate(s->name, (off_t)s->bytes - 7) == 0);
}

static void halves(struct text_source *s)
{
    CHECK(truncate(s->name, (off_t)s->bytes / 2) == 0);
}

static void vanishes(struct text_source *s)
{
    CHECK(truncate(s->name, 0) == 0);
}

static struct text_inputs two_files(size_t bytes)
{
    struct text_inputs t = {.csv = text_settings(DTYPE_f64, ',', "1"),
                            .count = 2};
    for (size_t i = 0; i < 2; i++) {
        t.source[i].text = text;
        t.source[i].bytes = bytes;
    }
    return t;
}

/* Changes source `which` after it was opened. The error must contain one of the
 * two texts. */
static void check_change(size_t bytes, size_t window, unsigned which,
                         change_fn *change, const char *const says[2])
{
    struct text_inputs t = two_files(bytes);
    struct cut_chunks d = {.window = window, .may_map = true};
    struct error e;
    if (!CHECK(text_inputs_open(&t, &e), "%s", e.text))
        return;
    change(&t.source[which]);
    cut_chunks_run(&d, &t, CUT_THREADS);
    CHECK(d.errors > 0, "%s", says[0]);
    CHECK_INT(d.error.kind, ERROR_DATA);
    CHECK(strstr(d.error.text, says[0]) || strstr(d.error.text, says[1]),
          "%s: %s", says[0], d.error.text);
    CHECK(strstr(d.error.text, t.source[which].name), "%s", d.error.text);
    /* When only the second file changes, the first one is read unharmed. */
    for (uint64_t i = 0; which == 1 && i < bytes / window; i++)
        CHECK(!d.chunk[i].seen || d.chunk[i].bytes == 0 ||
              memcmp(d.chunk[i].text, text + i * window, window) == 0);
    cut_chunks_free(&d);
    text_inputs_close(&t);
}

static void test_changes(void)
{
    static const size_t sizes[] = {160, 100000, BYTES};
    static const char *const gone[] = {"cannot be opened", "cannot be opened"};
    static const char *const other[] = {"was replaced", "was replaced"};
    static const char *const cut[] = {"ended early", "was cut"};
    for (size_t i = 0; i < 3; i++) {
        for (unsigned which = 0; which < 2; which++) {
            size_t windows[] = {sizes[i] / 10 / LINE * LINE, 4 << 20};
            for (size_t k = 0; k < 2; k++) {
                check_change(sizes[i], windows[k], which, removes, gone);
                check_change(sizes[i], windows[k], which, replaces, other);
                check_change(sizes[i], windows[k], which, shrinks, cut);
                check_change(sizes[i], windows[k], which, halves, cut);
                check_change(sizes[i], windows[k], which, vanishes, cut);
            }
        }
    }
}

/* Bytes that a file gains after it was opened are not read. */
static void test_growth(void)
{
    struct text_inputs t = two_files(100000);
    struct cut_chunks d = {.window = 30000};
    struct error e;
    uint64_t bytes = 0;
    CHECK(text_inputs_open(&t, &e), "%s", e.text);
    FILE *file = fopen(t.source[0].name, "ab");
    CHECK(file && fputs("1\n2\n", file) > 0 && fclose(file) == 0);
    cut_chunks_run(&d, &t, CUT_THREADS);
    CHECK(d.errors == 0, "%s", d.error.text);
    for (size_t i = 0; i < 8; i++)
        bytes += d.chunk[i].bytes;
    CHECK_U64(bytes, 200000);
    CHECK_U64(d.cut, 8);
    cut_chunks_free(&d);
    text_inputs_close(&t);
}

/* A window of a mapped file whose last record reaches the file's end is copied.
 * If the file was cut before the copy, the copy must not be used. */
static void test_cut_copy(void)
{
    struct text_inputs t = two_files(BYTES - 3);
    struct chunk chunk = {.data = NULL};
    struct error e = {.kind = ERROR_NONE};
    CHECK(text_inputs_open(&t, &e), "%s", e.text);
    const struct input *input = &t.input[0];
    struct open_file *file = file_take(input, true, &e);
    CHECK(file && file->is_mapped);
    /* The mapping ends CSV_PADDING before the end of the file, inside a
     * record. */
    struct record_window s = {.input = input,
                              .file = file,
                              .end = input->bytes,
                              .window = input->bytes - CSV_PADDING};
    char *slot = malloc(BYTES + RECORD_WINDOW_SLACK);
    const struct want want = {slot, BYTES, true};
    CHECK(record_window_open(&s, csv_loops(0), &want, &e) && s.is_mapped);
    CHECK(truncate(t.source[0].name, 4096) == 0);
    bool ok = record_window_cut(&s, CSV_RECORD, CSV_PLAIN, 1, &chunk, &e);
    CHECK(!ok && strstr(e.text, "was cut"), "%s", e.text);
    free(s.owned);
    free(slot);
    file_release(file);
    text_inputs_close(&t);
}

/* Standard input from a file is left at its end, for the next reader. */
static void test_standard_input(void)
{
    struct text_inputs t = two_files(100000);
    struct cut_chunks d = {.window = 30000};
    struct error e;
    t.count = 1;
    CHECK(text_inputs_open(&t, &e), "%s", e.text);
    input_close(&t.input[0]);
    int kept = dup(STDIN_FILENO), fd = open(t.source[0].name, O_RDONLY);
    CHECK(fd >= 0 && dup2(fd, STDIN_FILENO) == STDIN_FILENO);
    CHECK(lseek(STDIN_FILENO, 16, SEEK_SET) == 16);
    CHECK(input_open(&t.input[0], "-", &t.source[0].settings, false, &e), "%s",
          e.text);
    cut_chunks_run(&d, &t, CUT_THREADS);
    CHECK(d.errors == 0 && d.cut == 4);
    CHECK(d.chunk[0].text && memcmp(d.chunk[0].text, text + 16, 29000) == 0);
    CHECK_INT(lseek(STDIN_FILENO, 0, SEEK_CUR), 100000);
    cut_chunks_free(&d);
    text_inputs_close(&t);
    if (kept >= 0)
        dup2(kept, STDIN_FILENO);
    close(kept);
    close(fd);
}

int main(void)
{
    alarm(500); /* ends a hang */
    make_text();
    test_changes();
    test_growth();
    test_cut_copy();
    test_standard_input();
    return check_end();
}
