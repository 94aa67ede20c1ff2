/* SPDX-License-Identifier: MIT */
/*
 * Records near the limit of 64 MiB, accepted and refused. The files are sparse,
 * so almost nothing is written, and no column reads the long fields.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "backend/registry.h"
#include "csv_fixture.h"

static const char head[] = "a,b\n1,2\n";

/* Writes more records than the sample holds, then one of `bytes` including its
 * line end, whose second field is NUL bytes, then one more. */
static void make_file(const char *name, uint64_t bytes)
{
    FILE *file = fopen(name, "wb");
    CHECK(file != NULL);
    fputs(head, file);
    for (int i = 0; i < 20000; i++)
        fputs("1,2\n", file);
    fputs("3,", file);
    CHECK(fseeko(file, (off_t)bytes - 3, SEEK_CUR) == 0);
    fputs("\n4,5\n", file);
    CHECK(fclose(file) == 0);
}

static void check_length(uint64_t bytes, size_t window, bool fits)
{
    struct text_inputs t = {.csv = text_settings(DTYPE_f64, ',', "a"),
                            .count = 1};
    struct csv_setting s = {.backend = &backend_cpu,
                            .threads = 2,
                            .monoids = MONOID_BIT(sum),
                            .window = window};
    struct error e = {.kind = ERROR_NONE};
    t.csv.header = CSV_HEADER_YES;
    t.source[0].text = head;
    t.source[0].bytes = sizeof head - 1;
    CHECK(text_inputs_open(&t, &e), "%s", e.text);
    input_close(&t.input[0]);
    make_file(t.source[0].name, bytes);
    CHECK(input_open(&t.input[0], t.source[0].name, &t.source[0].settings,
                     false, &e),
          "%s", e.text);
    struct states *got = csv_fixture_run_open(&t, &s, &e);
    CHECK((got != NULL) == fits, "%" PRIu64 " bytes, windows of %zu: %s", bytes,
          window, got ? "success" : e.text);
    if (got)
        CHECK_U64(got->tally[0].n, 20003);
    else
        CHECK(strstr(e.text, ":20003: a record of over 64 MiB"), "%s", e.text);
    csv_fixture_free(got);
    text_inputs_close(&t);
}

int main(void)
{
    static const size_t windows[] = {1 << 20, 40 << 20, 128 << 20};
    alarm(500); /* ends a hang */
    for (size_t i = 0; i < 3; i++)
        check_length(CSV_RECORD_MAX, windows[i], true);
    check_length(CSV_RECORD_MAX + 1, windows[0], false);
    check_length(CSV_RECORD_MAX + (8 << 20), windows[0], false);
    check_length(2u * CSV_RECORD_MAX, windows[1], false);
    return check_end();
}
