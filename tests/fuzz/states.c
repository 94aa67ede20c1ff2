/* SPDX-License-Identifier: MIT */
/* Any bytes as a file of states. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "plan/plan.h"
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

static void plan_merged(const char *path)
{
    char merge[] = "--merge";
    char *argv[] = {merge, merge, (char *)path, NULL};
    struct options o;
    struct plan plan;
    struct notes notes = {0};
    struct error e = {.kind = ERROR_NONE};
    if (!read_options(&o, 3, argv, &e))
        abort();
    if (!plan_make(&plan, &o, &notes, NULL, &e))
        check_error(&e);
    plan_free(&plan);
    notes_free(&notes);
}

/* What was read is written, read again and written as the same bytes, and
 * merges with itself. The checksum is mended, so that other bytes count. */
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
        plan_merged(path);
    }
    saved_free(&first);
    free(a.at);
    free(b.at);
    free(mended.at);
}
