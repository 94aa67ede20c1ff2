/* SPDX-License-Identifier: MIT */
#include "plan/part.h"

#include "cli/options.h"
#include "plan/cut.h"

bool part_check(const struct options *o, struct error *e)
{
    const char *other = options_given_of(o, "per-file axis keys compare");
    return !o->parts || !other ||
           error_set(e, ERROR_USAGE, "--part and --%s exclude each other",
                     other);
}

/* A file without bytes is read as a stream, and belongs to every part. */
static bool is_empty(const struct input *input)
{
    return input->is_file && !input->regular && input->ended &&
           input->head_bytes == 0;
}

static bool check_input(const struct input *input, bool is_only,
                        struct error *e)
{
    const bool is_whole = input->again && !is_only;
    const char *why =
        input->pack                       ? "it has several arrays"
        : input->compression && !is_whole ? "it is compressed or in an archive"
        : input->is_fortran               ? "it is in Fortran order"
        : !input->regular && !is_whole    ? "it is not a regular file"
                                          : NULL;
    return !why || error_named(e, ERROR_USAGE, input->name,
                               "--part cannot cut it: %s", why);
}

bool part_check_inputs(const struct plan *plan, struct error *e)
{
    for (size_t i = 0; i < plan->input_count; i++) {
        if (!is_empty(&plan->inputs[i]) &&
            !check_input(&plan->inputs[i], plan->input_count == 1, e))
            return false;
    }
    return true;
}

/* Narrows binary data to the elements [first, end). After the last one there
 * may be bytes that are not an element, which the reader reports: in all parts
 * if there is no element. */
static void cut_elements(struct input *input, uint64_t first, uint64_t end,
                         uint64_t all)
{
    const uint64_t size = dtype_info(input->dtype)->size;
    const bool has_rest = end == all && (first < end || all == 0);
    input->before = first * size;
    input->offset += input->before;
    input->bytes = (has_rest ? input->bytes : end * size) - input->before;
    input->exact |= !has_rest;
}

/* The part has no bytes of the file, which stays closed. */
static void leave_out(struct input *input)
{
    input->compression = NULL;
    input->again = false;
    input->regular = input->exact = true;
    input->bytes = 0;
}

/* The units that are shared out: bytes of text, elements. A compressed file has
 * some, even if it claims to have no bytes. */
static uint64_t units_of(const struct input *input)
{
    return is_empty(input) ? 0
           : input->again  ? input->file_bytes + 1
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
    plan->part = o->part;
    plan->parts = o->parts;
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
        if (input->again) {
            /* The part that has its middle reads all of it. */
            if (n / 2 < from || n / 2 >= to)
                leave_out(input);
        } else if (!input_is_text(input))
            cut_elements(input, from, to, n);
        else if (!cut_text(input, from, to, o->guesses, e))
            return false;
    }
    return true;
}
