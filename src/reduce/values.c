/* SPDX-License-Identifier: MIT */
#include "reduce/values.h"

#include <stdlib.h>
#include <string.h>

#include "reduce/float_format.h"

enum { WORD = sizeof(uint64_t), PACKED = VALUE_REST_BYTES };

/* What a word is. */
enum tag {
    TAG_NONE,
    TAG_POSITIVE, /* an integer, ... */
    TAG_NEGATIVE, /* ... its magnitude */
    TAG_WIDE,     /* where in `wide` it is */
    TAG_DECIMALS, /* where in `text` they are */
    TAG_TEXT,     /* where in `text` it is, after its length */
    TAG_REAL,     /* plus the dtype: a double's bits */
};

/* An array of n things with room for one more; the room doubles whenever it is
 * used up. NULL: no memory. */
static void *with_room(void *at, size_t n, size_t bytes)
{
    enum { LEAST = 16 };
    const bool is_full = n == 0 || (n >= LEAST && (n & (n - 1)) == 0);
    return is_full ? realloc(at, (n ? 2 * n : LEAST) * bytes) : at;
}

static void put_packed(struct values *v, size_t i, uint64_t word, int tag)
{
    uint8_t *packed = v->packed + PACKED * i;
    memcpy(packed, &word, WORD);
    packed[WORD] = (uint8_t)tag;
}

static bool put_wide(struct values *v, size_t i, const struct value *value)
{
    struct value *wide = with_room(v->wide, v->wides, sizeof *wide);
    if (!wide)
        return false;
    v->wide = wide;
    wide[v->wides] = *value;
    put_packed(v, i, v->wides++, TAG_WIDE);
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

static bool put_decimals(struct values *v, size_t i, const char *text)
{
    put_packed(v, i, v->texts, TAG_DECIMALS);
    return put_bytes(v, text, strlen(text) + 1);
}

static bool put_text(struct values *v, size_t i, const struct value *value)
{
    put_packed(v, i, v->texts, TAG_TEXT);
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

bool values_are_apart(const struct value *value)
{
    return value->kind == VALUE_TEXT ||
           (value->kind == VALUE_REAL && value->text) ||
           (value->kind == VALUE_INTEGER && is_wide(value));
}

bool values_set(struct values *v, size_t i, const struct value *value,
                struct error *e)
{
    bool ok = true;
    if (value->kind == VALUE_NONE)
        put_packed(v, i, 0, TAG_NONE);
    else if (value->kind == VALUE_TEXT)
        ok = put_text(v, i, value);
    else if (value->kind == VALUE_REAL && value->text)
        ok = put_decimals(v, i, value->text);
    else if (value->kind == VALUE_REAL)
        put_packed(v, i, bits_of_double(value->real),
                   TAG_REAL + (int)value->dtype);
    else if (is_wide(value))
        ok = put_wide(v, i, value);
    else
        put_packed(v, i, value->word[0],
                   value->negative ? TAG_NEGATIVE : TAG_POSITIVE);
    return ok || error_memory(e);
}

void values_set_reals(struct values *v, size_t i, size_t stride,
                      const double *x, size_t n, enum dtype dtype)
{
    for (size_t k = 0; k < n; k++)
        put_packed(v, i + k * stride, bits_of_double(x[k]),
                   TAG_REAL + (int)dtype);
}

bool values_reals(const struct values *v, size_t i, size_t stride, size_t n,
                  double *to)
{
    const uint8_t *at = v->packed + PACKED * i;
    int least = TAG_REAL + DTYPES_ALL_END;
    for (size_t k = 0; k < n; k++, at += PACKED * stride) {
        memcpy(&to[k], at, WORD);
        least = at[WORD] < least ? at[WORD] : least;
    }
    return least >= TAG_REAL;
}

void values_set_wholes(struct values *v, size_t i, size_t stride,
                       const uint64_t *x, size_t n)
{
    for (size_t k = 0; k < n; k++)
        put_packed(v, i + k * stride, x[k], TAG_POSITIVE);
}

bool values_wholes(const struct values *v, size_t i, size_t stride, size_t n,
                   uint64_t *to)
{
    const uint8_t *at = v->packed + PACKED * i;
    bool all = true;
    for (size_t k = 0; k < n; k++, at += PACKED * stride) {
        memcpy(&to[k], at, WORD);
        all &= at[WORD] == TAG_POSITIVE && to[k] <= INT64_MAX;
    }
    return all;
}

bool values_have_none(const struct values *v)
{
    bool none = false;
    for (size_t i = 0; i < v->n; i++)
        none |= v->packed[PACKED * i + WORD] == TAG_NONE;
    return none;
}

bool values_extend(struct values *v, size_t n, struct error *e)
{
    size_t room = 16;
    while (room < v->n + n && room <= SIZE_MAX / 4 / PACKED)
        room *= 2;
    if (room < v->n + n)
        return error_memory(e);
    /* The room is what values_add expects of so many values. */
    uint8_t *packed = realloc(v->packed, room * PACKED);
    if (!packed)
        return error_memory(e);
    v->packed = packed;
    v->n += n;
    return true;
}

bool values_add(struct values *v, const struct value *value, struct error *e)
{
    uint8_t *packed = with_room(v->packed, v->n, PACKED);
    if (!packed)
        return error_memory(e);
    v->packed = packed;
    if (!values_set(v, v->n, value, e))
        return false;
    v->n++;
    return true;
}

struct value values_at(const struct values *v, size_t i)
{
    uint64_t word;
    memcpy(&word, v->packed + PACKED * i, WORD);
    const int tag = v->packed[PACKED * i + WORD];
    if (tag == TAG_NONE)
        return value_none();
    if (tag == TAG_WIDE)
        return v->wide[word];
    if (tag == TAG_TEXT)
        return text_at(v, word);
    if (tag == TAG_DECIMALS)
        return (struct value){.kind = VALUE_REAL, .text = v->text + word};
    if (tag < TAG_REAL)
        return value_integer(tag == TAG_NEGATIVE, word, 0);
    return value_real(double_of_bits(word), (enum dtype)(tag - TAG_REAL));
}

void values_free(struct values *v)
{
    free(v->packed);
    free(v->wide);
    free(v->text);
    *v = (struct values){.n = 0};
}
