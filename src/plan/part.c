/* SPDX-License-Identifier: MIT */
/*
 * A text is cut where its first record from a byte on starts. Whether that byte
 * is inside quotes depends on all bytes before it, so they are scanned, as fast
 * as one thread can. All parts look at the start of the file for the header and
 * the columns, so they agree on these.
 */
#include "plan/part.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/options.h"
#include "csv/simd/loops.h"
#include "csv/structure/record.h"
#include "source/io.h"

enum { BLOCK = 4 << 20 };

bool part_check(const struct options *o, struct error *e)
{
    static const char *const excluded[] = {"per-file", "axis", "keys",
                                           "compare"};
    for (size_t i = 0; o->parts && i < sizeof excluded / sizeof *excluded;
         i++) {
        if (options_given(o, excluded[i]))
            return error_set(e, ERROR_USAGE,
                             "--part and --%s exclude each other", excluded[i]);
    }
    return true;
}

/* A file without bytes is read as a stream, and belongs to every part. */
static bool is_empty(const struct input *input)
{
    return input->is_file && !input->regular && input->ended &&
           input->head_bytes == 0;
}

static bool check_input(const struct input *input, struct error *e)
{
    const char *why = input->pack          ? "it has several arrays"
                      : input->compression ? "it is compressed"
                      : input->is_fortran  ? "it is in Fortran order"
                      : !input->regular    ? "it is not a regular file"
                                           : NULL;
    return !why || error_named(e, ERROR_USAGE, input->name,
                               "--part cannot cut it: %s", why);
}

bool part_check_inputs(const struct plan *plan, struct error *e)
{
    for (size_t i = 0; i < plan->input_count; i++) {
        if (!is_empty(&plan->inputs[i]) && !check_input(&plan->inputs[i], e))
            return false;
    }
    return true;
}

/* A place in a text that is being scanned. */
struct scan {
    const struct input *input;
    int fd;
    char *block;   /* [BLOCK + CSV_PADDING] */
    uint64_t at;   /* data bytes that were scanned */
    uint64_t line; /* of the byte at `at` */
    enum csv_state state;
};

static bool read_block(struct scan *s, size_t want, struct error *e)
{
    size_t got;
    if (!io_pread(s->fd, s->block, want, s->input->offset + s->at, &got))
        return error_errno(e, s->input->name, "cannot be read");
    return got == want || error_named(e, ERROR_DATA, s->input->name,
                                      "it was cut short while it was read");
}

/* Scans up to the first start of a record at `target` data bytes or later. */
static bool scan_to(struct scan *s, uint64_t target, struct error *e)
{
    const struct csv_dialect dialect = s->input->table->dialect;
    const struct csv_loops *loops = csv_loops(0);
    while (s->at < target) {
        struct csv_scan found = {0};
        const uint64_t left = target - s->at;
        const size_t n = left < BLOCK ? (size_t)left : BLOCK;
        if (!read_block(s, n, e))
            return false;
        loops->scan(s->block, 0, n, dialect, &found);
        s->state = csv_advance(s->state, s->block, n, dialect, &found);
        s->line += found.lines;
        s->at += n;
    }
    while (s->state != CSV_RECORD && s->at < s->input->bytes) {
        const uint64_t left = s->input->bytes - s->at;
        const size_t n = left < BLOCK ? (size_t)left : BLOCK;
        size_t i = 0;
        if (!read_block(s, n, e))
            return false;
        while (i < n && s->state != CSV_RECORD)
            s->state =
                csv_step(s->state, (unsigned char)s->block[i++], dialect);
        s->line += csv_lines(s->block, s->block + i, dialect);
        s->at += i;
    }
    return true;
}

/* Narrows a text to the records that start in its bytes [first, end). */
static bool cut_text(struct input *input, uint64_t first, uint64_t end,
                     struct error *e)
{
    struct scan s = {.input = input,
                     .fd = input_reopen(input, e),
                     .block = calloc(1, BLOCK + CSV_PADDING),
                     .line = input->table->line,
                     .state = CSV_RECORD};
    uint64_t start = 0;
    bool ok = s.fd >= 0 && (s.block || error_memory(e));
    ok = ok && scan_to(&s, first, e);
    if (ok) {
        start = s.at;
        input->table->line = s.line;
        ok = scan_to(&s, end, e);
    }
    if (s.fd >= 0)
        close(s.fd);
    free(s.block);
    input->offset += start;
    input->bytes = s.at - start;
    return ok;
}

/* Narrows binary data to the elements [first, end). After the last one there
 * may be bytes that are not an element, which the reader reports. */
static void cut_elements(struct input *input, uint64_t first, uint64_t end,
                         uint64_t all)
{
    const uint64_t size = dtype_info(input->dtype)->size;
    input->offset += first * size;
    input->bytes = end == all && first < end ? input->bytes - first * size
                                             : (end - first) * size;
    input->exact |= end < all || first == end;
}

/* The units that are shared out: bytes of text, elements. */
static uint64_t units_of(const struct input *input)
{
    return is_empty(input) ? 0
           : input_is_text(input)
               ? input->bytes
               : input->bytes / dtype_info(input->dtype)->size;
}

static uint64_t clamp(uint64_t x, uint64_t low, uint64_t high)
{
    return x < low ? low : x > high ? high : x;
}

bool part_cut(struct plan *plan, const struct options *o, struct error *e)
{
    uint64_t all = 0, before = 0;
    if (!o->parts)
        return true;
    if (!part_check_inputs(plan, e))
        return false;
    for (size_t i = 0; i < plan->input_count; i++)
        all += units_of(&plan->inputs[i]);
    const uint64_t first =
        (uint64_t)((unsigned __int128)all * (o->part - 1) / o->parts);
    const uint64_t end =
        (uint64_t)((unsigned __int128)all * o->part / o->parts);
    for (size_t i = 0; i < plan->input_count; i++) {
        struct input *input = &plan->inputs[i];
        const uint64_t n = units_of(input);
        const uint64_t from = clamp(first, before, before + n) - before;
        const uint64_t to = clamp(end, before, before + n) - before;
        before += n;
        if (is_empty(input))
            continue;
        if (!input_is_text(input))
            cut_elements(input, from, to, n);
        else if (!cut_text(input, from, to, e))
            return false;
    }
    return true;
}
