/* SPDX-License-Identifier: MIT */
/* Any bytes as a file of states. */
#define _GNU_SOURCE
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli/options.h"
#include "plan/plan.h"
#include "run/run.h"
#include "saved/saved.h"

/* Reads a copy of the bytes. */
static bool read_copy(struct saved *s, const unsigned char *p, size_t n,
                      struct error *e)
{
    uint8_t *copy = malloc(n + 1);
    if (!copy)
        abort();
    memcpy(copy, p, n);
    return saved_read(s, copy, n, "x", e);
}

/* The options that a run gives --merge; without any, --merge prints what the
 * states were saved for. */
static const char *const asked[][4] = {
    {NULL},
    {"--json"},
    {"-orows,sum,mean,min,max"},
    {"-oall", "--digits=3", "--empty=identity"},
    {"-ocov,corr", "-Ocsv"},
    {"-omedian,p99,iqr", "--interpolation=linear"},
    {"-onunique,approx_nunique,mode,n_missing,first,last", "-Ojson"},
    {"--order=first", "--assert=min <= max"},
    {"-osum", "-Onpy"}};

/* Prints the states, given once or twice. A run that fails must print nothing,
 * unless a false --assert makes it fail. */
static void print_merged(const char *path, unsigned char choice)
{
    enum { WAYS = sizeof asked / sizeof asked[0] };
    const char *argv[8] = {"gpureduce", "--merge", path};
    int argc = choice & 128 ? 4 : 3;
    struct options o;
    struct plan plan;
    struct meter meter = {.detail = false};
    char *said = NULL;
    size_t said_bytes = 0;
    struct sink sink = {.to = open_memstream(&said, &said_bytes)};
    struct error e = {.kind = ERROR_NONE};
    argv[3] = path;
    for (int i = 0; i < 4 && asked[choice % WAYS][i]; i++)
        argv[argc++] = asked[choice % WAYS][i];
    const int out = memfd_create("out", MFD_CLOEXEC);
    if (out < 0 || !sink.to || !read_options(&o, argc, (char **)argv, &e))
        abort();
    const bool ok = plan_make(&plan, &o, &sink.notes, &meter, &e) &&
                    run_plan(&plan, &sink, out, &e);
    if (!ok && e.kind != ERROR_ASSERT) {
        check_error(&e);
        if (lseek(out, 0, SEEK_END) != 0)
            wrong("states", e.text, "no results");
    }
    close(out);
    fclose(sink.to);
    free(said);
    plan_free(&plan);
    notes_free(&sink.notes);
}

/* Reads states, writes them, reads and writes them again, which must give the
 * same bytes, merges them with themselves, and prints them. Mends the checksum
 * first, so that other bytes count; its old first byte chooses the options. */
void run_states(const struct target *t, const unsigned char *p, size_t n)
{
    struct saved first, second;
    struct saved_bytes a = {0}, b = {0}, mended = {0};
    struct error e = {.kind = ERROR_NONE};
    (void)t;
    if (n == 0 || n == 8) /* never saved, so saved_put takes none */
        return;
    saved_put(&mended, p, n < 8 ? n : n - 8);
    if (n >= 8)
        saved_put_number(&mended, saved_checksum(p, n - 8), 8);
    const char *path = save(mended.at, mended.n);
    if (!read_copy(&first, mended.at, mended.n, &e)) {
        check_error(&e);
    } else if (!saved_write(&first, &a, &e) ||
               !read_copy(&second, a.at, a.n, &e) ||
               !saved_write(&second, &b, &e) || a.n != b.n ||
               memcmp(a.at, b.at, a.n) != 0) {
        wrong("states", e.text, "the same bytes");
    } else {
        if (!saved_merge(&first, "x", &second, "y", &e))
            check_error(&e);
        saved_free(&second);
        print_merged(path, n < 8 ? 0 : p[n - 8]);
    }
    saved_free(&first);
    free(a.at);
    free(b.at);
    free(mended.at);
}
