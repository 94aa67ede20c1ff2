/* SPDX-License-Identifier: MIT */
/*
 * NumPy's .npy, versions 1 to 3: magic, version, header length, and a header,
 * which is a Python dict of three keys. Arrays are reduced flat, in the order
 * of the file. For C order this is NumPy's flat order.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "format/format.h"

enum {
    PREFIX = 8,             /* magic and version */
    HEADER_LIMIT = 1 << 16, /* plain arrays need less than 1 KiB */
    RANK_MAX = 64,          /* NumPy's own limit */
};

bool npy_is_magic(const unsigned char *bytes, size_t have)
{
    return have >= 6 && memcmp(bytes, "\x93NUMPY", 6) == 0;
}

struct header {
    char descr[128];
    bool has_descr, has_order, has_shape;
    bool fortran;
    unsigned rank;
    uint64_t shape[RANK_MAX];
    uint64_t elements;
};

/* A position in the header's text, which ends with NUL. */
struct reader {
    const char *p;
};

static void skip_blanks(struct reader *r)
{
    r->p += strspn(r->p, " \t\r\n\f\v");
}

static bool accept(struct reader *r, char c)
{
    skip_blanks(r);
    if (*r->p != c)
        return false;
    r->p++;
    return true;
}

static bool accept_word(struct reader *r, const char *word)
{
    skip_blanks(r);
    size_t n = strlen(word);
    if (strncmp(r->p, word, n) != 0)
        return false;
    r->p += n;
    return true;
}

/* Reads a string, which begins here. */
static bool read_string(struct reader *r, char *out, size_t size)
{
    char mark = *r->p;
    if (mark != '\'' && mark != '"')
        return false;
    const char *end = strchr(r->p + 1, mark);
    size_t n = end ? (size_t)(end - r->p - 1) : size;
    if (n >= size || memchr(r->p + 1, '\\', n))
        return false;
    memcpy(out, r->p + 1, n);
    out[n] = '\0';
    r->p = end + 1;
    return true;
}

/* Reads a string, or the list of a structured type as text. Cuts text that does
 * not fit. A list is never a supported type, but the message shows it. */
static bool read_descr(struct reader *r, char *out, size_t size)
{
    skip_blanks(r);
    const char *start = r->p;
    if (*start != '[')
        return read_string(r, out, size);
    int depth = 0;
    do {
        depth += *r->p == '[';
        depth -= *r->p == ']';
    } while (*r->p++ && depth > 0);
    size_t n = (size_t)(r->p - start);
    n = n < size ? n : size - 1;
    memcpy(out, start, n);
    out[n] = '\0';
    return depth == 0;
}

/* "(3, 4)", "(3,)", "()"; old writers put an L after each number. */
static bool read_shape(struct reader *r, struct header *h)
{
    bool has_zero = false, comma = true;
    uint64_t product = 1;
    if (!accept(r, '('))
        return false;
    for (h->rank = 0; !accept(r, ')'); h->rank++) {
        char *end;
        if (!comma || h->rank == RANK_MAX || *r->p < '0' || *r->p > '9')
            return false;
        unsigned long long size = strtoull(r->p, &end, 10);
        r->p = *end == 'L' ? end + 1 : end;
        h->shape[h->rank] = size;
        has_zero |= size == 0;
        if (size && __builtin_mul_overflow(product, size, &product))
            return false; /* or strtoull saturated */
        comma = accept(r, ',');
        if (h->rank == 0 && !comma)
            return false; /* "(3)" is a number, not a tuple */
    }
    h->elements = has_zero ? 0 : product;
    return true;
}

static bool read_header(const char *text, struct header *h)
{
    struct reader r = {text};
    if (!accept(&r, '{'))
        return false;
    while (!accept(&r, '}')) {
        char key[16];
        if (!read_string(&r, key, sizeof key) || !accept(&r, ':'))
            return false;
        if (strcmp(key, "descr") == 0 && !h->has_descr) {
            h->has_descr = true;
            if (!read_descr(&r, h->descr, sizeof h->descr))
                return false;
        } else if (strcmp(key, "fortran_order") == 0 && !h->has_order) {
            h->has_order = true;
            h->fortran = accept_word(&r, "True");
            if (!h->fortran && !accept_word(&r, "False"))
                return false;
        } else if (strcmp(key, "shape") == 0 && !h->has_shape) {
            h->has_shape = true;
            if (!read_shape(&r, h))
                return false;
        } else {
            return false;
        }
        if (!accept(&r, ',') && *r.p != '}')
            return false;
    }
    skip_blanks(&r);
    return *r.p == '\0' && h->has_descr && h->has_order && h->has_shape;
}

static bool bad(const struct input *input, struct error *e, const char *what)
{
    return error_named(e, ERROR_DATA, input->name, "%s", what);
}

/* Sets *text to the header's text, which the caller frees. Adds the header's
 * length to input->offset. */
static bool load_header(struct input *input, char **text, struct error *e)
{
    const unsigned char *b;
    size_t have, at, length;
    if (!input_head(input, PREFIX + 4, &b, &have, e))
        return false;
    if (!npy_is_magic(b, have))
        return bad(input, e, "not an .npy file: the magic bytes are missing");
    if (have < PREFIX + 4)
        return bad(input, e, "truncated .npy header");
    if (b[6] < 1 || b[6] > 3 || b[7] != 0)
        return bad(input, e, "unknown .npy version");
    length = b[8] | (size_t)b[9] << 8;
    at = PREFIX + 2;
    if (b[6] > 1) {
        length |= (size_t)b[10] << 16 | (size_t)b[11] << 24;
        at = PREFIX + 4;
    }
    if (length > HEADER_LIMIT)
        return bad(input, e, ".npy header of over 65536 bytes refused");
    if (!input_head(input, at + length, &b, &have, e))
        return false;
    if (have < at + length)
        return bad(input, e, "truncated .npy header");
    if (memchr(b + at, '\0', length))
        return bad(input, e, "malformed .npy header");
    *text = malloc(length + 1);
    if (!*text)
        return error_memory(e);
    memcpy(*text, b + at, length);
    (*text)[length] = '\0';
    input->offset += at + length;
    return true;
}

/* Whether the header gives only the size of an element, as it does for types
 * that NumPy lacks (bfloat16, float8_e4m3fn), and --dtype gives a type of that
 * size. */
static bool is_opaque(const char *code, const struct input_settings *settings)
{
    char opaque[16];
    snprintf(opaque, sizeof opaque, "V%u", dtype_size(settings->dtype));
    return settings->has_dtype && !settings->is_bool &&
           dtype_info(settings->dtype)->kind == '-' &&
           strcmp(code, opaque) == 0;
}

/* A line about what programs write as bytes without a type. */
static const char *hint_opaque(const char *code)
{
    return strcmp(code, "V2") == 0
               ? "\nTry -t bf16 if its elements are bfloat16"
           : strcmp(code, "V1") == 0
               ? "\nTry -t f8e4m3 or -t f8e5m2 if its elements are such floats"
               : "";
}

static bool set_dtype(struct input *input, const struct header *h,
                      const struct input_settings *settings, struct error *e)
{
    char descr[QUOTE_MAX];
    const char *code = h->descr + strspn(h->descr, "<|");
    if (is_opaque(code, settings)) {
        input->dtype = settings->dtype;
        return true;
    }
    if (h->descr[0] == '[')
        return error_named(e, ERROR_DATA, input->name,
                           "arrays of records are not supported: %s\n"
                           "For one field, try python3 -c \"import sys, numpy; "
                           "numpy.save(sys.stdout.buffer, "
                           "numpy.load('FILE')['NAME'])\" | gpureduce",
                           quote(descr, h->descr));
    if (!strchr("<>=|", h->descr[0]) || h->descr[0] == '\0' ||
        !dtype_find(h->descr, &input->dtype, &input->big_endian))
        return error_named(e, ERROR_DATA, input->name,
                           "arrays of dtype %s are not supported "
                           "(floats, integers and bool are)%s",
                           quote(descr, h->descr), hint_opaque(code));
    input->is_bool = dtype_is_bool(h->descr);
    return input_check_dtype(input, e);
}

static bool set_size(struct input *input, uint64_t elements, uint64_t file,
                     struct error *e)
{
    uint64_t size = dtype_info(input->dtype)->size, bytes;
    if (__builtin_mul_overflow(elements, size, &bytes) || bytes > INT64_MAX)
        return bad(input, e, "the .npy header's shape is too large");
    input->bytes = bytes;
    input->exact = true;
    if (file == INPUT_UNKNOWN || file == bytes)
        return true;
    if (file < bytes)
        return error_named(e, ERROR_DATA, input->name,
                           "truncated: %" PRIu64 " of the array's %" PRIu64
                           " bytes are there",
                           file, bytes);
    return error_named(e, ERROR_DATA, input->name,
                       "%" PRIu64 " bytes follow the array of %" PRIu64
                       " bytes",
                       file - bytes, bytes);
}

static bool keep_shape(struct input *input, const struct header *h)
{
    size_t bytes = h->rank * sizeof h->shape[0];
    input->shape = malloc(bytes + 1);
    if (!input->shape)
        return false;
    memcpy(input->shape, h->shape, bytes);
    input->rank = h->rank;
    input->is_fortran = h->fortran && h->rank > 1;
    return true;
}

bool npy_look(struct input *input, const struct input_settings *settings,
              struct error *e)
{
    struct header h = {.elements = 0};
    char *text = NULL;
    uint64_t before = input->offset;
    if (settings->skip_bytes)
        return error_set(e, ERROR_USAGE,
                         "--skip-bytes is for raw data, not for .npy");
    if (!load_header(input, &text, e))
        return false;
    bool ok = read_header(text, &h);
    free(text);
    if (!ok)
        return bad(input, e, "malformed .npy header");
    if (!set_dtype(input, &h, settings, e))
        return false;
    if (!keep_shape(input, &h))
        return error_memory(e);
    uint64_t file = input->bytes;
    if (file != INPUT_UNKNOWN)
        file -= input->offset - before;
    return set_size(input, h.elements, file, e);
}
