/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "reduce/values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "reduce/float_format.h"

enum { WORD = sizeof(uint64_t) };

/* What a value's word means. */
enum tag {
    TAG_NONE,
    TAG_POSITIVE, /* an integer that is not negative */
    TAG_NEGATIVE, /* the magnitude of a negative integer */
    TAG_WIDE,     /* index of an integer in `wide` */
    TAG_DECIMALS, /* offset in `text` of a double and its decimals */
    TAG_TEXT,     /* offset in `text` of a length and a text */
    TAG_REAL,     /* bits of a double; the tag is TAG_REAL plus the dtype */
};

/* Returns an array of n things with room for one more. The room doubles
 * whenever it is full. NULL: out of memory. */
static void *with_room(void *at, size_t n, size_t bytes)
{
    enum { LEAST = 16 };
    const bool is_full = n == 0 || (n >= LEAST && (n & (n - 1)) == 0);
    return is_full ? realloc(at, (n ? 2 * n : LEAST) * bytes) : at;
}

static void put(struct values *v, size_t i, uint64_t word, int tag)
{
    v->word[i] = word;
    v->tag[i] = (uint8_t)tag;
}

static bool put_wide(struct values *v, size_t i, const struct value *value)
{
    struct value *wide = with_room(v->wide, v->wides, sizeof *wide);
    if (!wide)
        return false;
    v->wide = wide;
    wide[v->wides] = *value;
    put(v, i, v->wides++, TAG_WIDE);
    return true;
}

/* Appends bytes to `text`. */
static bool put_bytes(struct values *v, const void *bytes, size_t n)
{
    if (n > v->texts_room - v->texts) {
        const size_t room = 2 * (v->texts_room + n);
        char *grown = realloc(v->text, room);
        if (!grown)
            return false;
        v->text = grown;
        v->texts_room = room;
    }
    memcpy(v->text + v->texts, bytes, n);
    v->texts += n;
    return true;
}

static bool put_decimals(struct values *v, size_t i, const struct value *value)
{
    put(v, i, v->texts, TAG_DECIMALS);
    return put_bytes(v, &value->real, sizeof value->real) &&
           put_bytes(v, value->text, strlen(value->text) + 1);
}

static struct value decimals_at(const struct values *v, size_t at)
{
    struct value value = value_real(0, DTYPE_f64);
    memcpy(&value.real, v->text + at, sizeof value.real);
    value.text = v->text + at + sizeof value.real;
    return value;
}

static bool put_text(struct values *v, size_t i, const struct value *value)
{
    put(v, i, v->texts, TAG_TEXT);
    return put_bytes(v, &value->bytes, sizeof value->bytes) &&
           put_bytes(v, value->text, value->bytes);
}

static struct value text_at(const struct values *v, size_t at)
{
    size_t bytes;
    memcpy(&bytes, v->text + at, sizeof bytes);
    return value_text(v->text + at + sizeof bytes, bytes);
}

static bool is_wide(const struct value *v)
{
    uint64_t high = 0;
    for (int i = 1; i < VALUE_WORDS; i++)
        high |= v->word[i];
    return high > 0;
}

bool values_set(struct values *v, size_t i, const struct value *value,
                struct error *e)
{
    bool ok = true;
    if (value->kind == VALUE_NONE)
        put(v, i, 0, TAG_NONE);
    else if (value->kind == VALUE_TEXT)
        ok = put_text(v, i, value);
    else if (value->kind == VALUE_REAL && value->text)
        ok = put_decimals(v, i, value);
    else if (value->kind == VALUE_REAL)
        put(v, i, bits_of_double(value->real), TAG_REAL + (int)value->dtype);
    else if (is_wide(value))
        ok = put_wide(v, i, value);
    else
        put(v, i, value->word[0],
            value->negative ? TAG_NEGATIVE : TAG_POSITIVE);
    return ok || error_memory(e);
}

bool values_set_locked(struct values *v, pthread_mutex_t *lock, size_t i,
                       const struct value *value, struct error *e)
{
    const bool is_apart = value->kind == VALUE_TEXT ||
                          (value->kind == VALUE_REAL && value->text) ||
                          (value->kind == VALUE_INTEGER && is_wide(value));
    if (!is_apart)
        return values_set(v, i, value, e);
    pthread_mutex_lock(lock);
    const bool ok = values_set(v, i, value, e);
    pthread_mutex_unlock(lock);
    return ok;
}

void values_set_reals(struct values *v, size_t i, size_t stride,
                      const double *x, size_t n, enum dtype dtype)
{
    if (stride == 1) {
        memcpy(v->word + i, x, n * WORD);
        memset(v->tag + i, TAG_REAL + (int)dtype, n);
        return;
    }
    for (size_t k = 0; k < n; k++)
        put(v, i + k * stride, bits_of_double(x[k]), TAG_REAL + (int)dtype);
}

void values_set_integers(struct values *v, size_t i, size_t stride,
                         const double *x, size_t n)
{
    for (size_t k = 0; k < n; k++)
        put(v, i + k * stride, (uint64_t)fabs(x[k]),
            x[k] < 0 ? TAG_NEGATIVE : TAG_POSITIVE);
}

bool values_are_reals(const struct values *v, size_t i, size_t stride, size_t n)
{
    const uint8_t *tag = v->tag + i;
    bool all = true;
    if (v->are_reals)
        return true;
    if (stride == 1 && n > 0 && memcmp(tag, tag + 1, n - 1) == 0)
        return tag[0] >= TAG_REAL; /* usually all tags are equal */
    for (size_t k = 0; k < n; k++)
        all &= tag[k * stride] >= TAG_REAL;
    return all;
}

void values_note_reals(struct values *v)
{
    v->are_reals = false;
    v->are_reals = values_are_reals(v, 0, 1, v->n);
}

void values_set_wholes(struct values *v, size_t i, size_t stride,
                       const uint64_t *x, size_t n)
{
    if (stride == 1) {
        memcpy(v->word + i, x, n * WORD);
        memset(v->tag + i, TAG_POSITIVE, n);
        return;
    }
    for (size_t k = 0; k < n; k++)
        put(v, i + k * stride, x[k], TAG_POSITIVE);
}

bool values_are_integers(const struct values *v, size_t i, size_t stride,
                         size_t n)
{
    bool all = true;
    for (size_t k = i; k < i + n * stride; k += stride)
        all &= (v->tag[k] == TAG_POSITIVE || v->tag[k] == TAG_NEGATIVE) &&
               v->word[k] <= INT64_MAX;
    return all;
}

const uint64_t *values_words(const struct values *v, size_t i, size_t stride,
                             size_t n, uint64_t *to)
{
    if (stride == 1 && n > 0 && v->tag[i] >= TAG_REAL)
        return v->word + i;
    for (size_t k = 0; k < n; k++) {
        const size_t from = i + k * stride;
        const uint64_t word = v->word[from];
        to[k] = v->tag[from] == TAG_NEGATIVE ? 0 - word : word;
    }
    return to;
}

bool values_have_none(const struct values *v)
{
    return v->n > 0 && memchr(v->tag, TAG_NONE, v->n);
}

/* The first memory of many values uses huge pages if possible: with pages of 4
 * KiB, zeroing them took half of the time to set 10^8 values. */
static void *grown(void *at, size_t bytes)
{
    enum { HUGE_PAGE = 2 << 20 };
    if (at || bytes < 2 * HUGE_PAGE)
        return realloc(at, bytes);
    at = aligned_alloc(HUGE_PAGE, bytes);
    if (at)
        madvise(at, bytes, MADV_HUGEPAGE);
    return at;
}

bool values_extend(struct values *v, size_t n, struct error *e)
{
    size_t room = 16;
    while (room < v->n + n && room <= SIZE_MAX / 4 / WORD)
        room *= 2;
    if (room < v->n + n)
        return error_memory(e);
    /* values_add expects this room for so many values. */
    uint64_t *word = grown(v->word, room * WORD);
    v->word = word ? word : v->word;
    uint8_t *tag = word ? realloc(v->tag, room) : NULL;
    v->tag = tag ? tag : v->tag;
    if (!tag)
        return error_memory(e);
    v->n += n;
    return true;
}

bool values_add(struct values *v, const struct value *value, struct error *e)
{
    uint64_t *word = with_room(v->word, v->n, WORD);
    v->word = word ? word : v->word;
    uint8_t *tag = word ? with_room(v->tag, v->n, 1) : NULL;
    v->tag = tag ? tag : v->tag;
    if (!tag)
        return error_memory(e);
    if (!values_set(v, v->n, value, e))
        return false;
    v->n++;
    return true;
}

struct value values_at(const struct values *v, size_t i)
{
    const uint64_t word = v->word[i];
    const int tag = v->tag[i];
    if (tag == TAG_NONE)
        return value_none();
    if (tag == TAG_WIDE)
        return v->wide[word];
    if (tag == TAG_TEXT)
        return text_at(v, word);
    if (tag == TAG_DECIMALS)
        return decimals_at(v, word);
    if (tag < TAG_REAL)
        return value_integer(tag == TAG_NEGATIVE, word, 0);
    return value_real(double_of_bits(word), (enum dtype)(tag - TAG_REAL));
}

void values_free(struct values *v)
{
    free(v->word);
    free(v->tag);
    free(v->wide);
    free(v->text);
    *v = (struct values){.n = 0};
}
