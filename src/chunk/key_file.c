/* SPDX-License-Identifier: MIT */
#include "chunk/key_file.h"

#include <inttypes.h>
#include <stdio.h>

#include "chunk/file.h"
#include "chunk/pieces.h"

/* Whether the file is empty. Its input then has an unknown size. */
static bool is_empty(const struct input *input)
{
    return input->is_file && !input->regular && !input->compression &&
           input->ended && input->head_bytes == 0;
}

static bool check(const struct input *input, struct error *e)
{
    const uint64_t rest = input->bytes % dtype_info(input->dtype)->size;
    if (input->pack)
        return error_named(e, ERROR_USAGE, input->name,
                           "--keys takes one array; say which of this file: "
                           "FILE:NAME");
    if (!input->regular && !is_empty(input))
        return error_named(e, ERROR_USAGE, input->name,
                           "--keys takes a file that can be read at any place, "
                           "not a pipe or a compressed file; unpack it first");
    if (input_is_text(input))
        return error_named(e, ERROR_USAGE, input->name,
                           "--keys takes raw data or .npy, but this is text\n"
                           "Tables of text have their keys in columns: --by.");
    if (input->dtype_assumed)
        return error_named(e, ERROR_USAGE, input->name,
                           "nothing says the type of the keys; give "
                           "--keys-dtype, such as --keys-dtype i32");
    if (input->regular && rest > 0)
        return error_named(e, ERROR_DATA, input->name,
                           "its %" PRIu64 " bytes are not a whole number of %s "
                           "elements\nTry another --keys-dtype.",
                           input->bytes, input_dtype_name(input));
    return !input->is_fortran ||
           error_named(e, ERROR_USAGE, input->name,
                       "keys in Fortran order are not available yet; save "
                       "numpy.ascontiguousarray(array)");
}

bool key_file_open(struct key_file *k, const char *name,
                   const struct input_settings *settings, struct error *e)
{
    k->settings = *settings;
    if (!input_open(&k->input, name, &k->settings, false, e))
        return false;
    k->is_open = true;
    if (!check(&k->input, e) || !input_start(&k->input, e))
        return false;
    if (!k->input.regular)
        return true;
    k->n = k->input.bytes / dtype_info(k->input.dtype)->size;
    k->file = file_take(&k->input, false, e);
    return k->file;
}

void key_file_close(struct key_file *k)
{
    if (k->file)
        file_release(k->file);
    if (k->is_open)
        input_close(&k->input);
    *k = (struct key_file){.n = 0};
}

bool key_file_differs(const struct key_file *k, uint64_t elements,
                      struct error *e)
{
    char count[32] = "more";
    if (elements != INPUT_UNKNOWN)
        snprintf(count, sizeof count, "%" PRIu64, elements);
    return error_named(e, ERROR_DATA, k->input.name,
                       "it has %" PRIu64 " keys, but the data have %s elements"
                       "\n--keys takes a key for each element.",
                       k->n, count);
}

static bool check_bools(const struct input *input, uint64_t first,
                        const unsigned char *key, size_t n, struct error *e)
{
    size_t i = 0;
    while (i < n && key[i] <= 1)
        i++;
    return i == n ||
           error_named(e, ERROR_DATA, input->name,
                       "key %" PRIu64 " is %u, but a bool is 0 or 1; of raw "
                       "data, --keys-dtype u8 reads other values",
                       first + i, key[i]);
}

bool key_file_read(const struct key_file *k, uint64_t first, size_t n, void *to,
                   struct error *e)
{
    const struct input *input = &k->input;
    const size_t size = dtype_info(input->dtype)->size, bytes = n * size;
    size_t got = 0;
    if (first > k->n || n > k->n - first)
        return key_file_differs(k, INPUT_UNKNOWN, e);
    if (n == 0)
        return true;
    if (!file_read(k->file, input, to, bytes, input->offset + first * size,
                   &got, e))
        return false;
    if (got < bytes)
        return file_shrank(input, bytes - got, e);
    piece_swap(input, to, bytes);
    return !input->is_bool || check_bools(input, first, to, n, e);
}
