/* SPDX-License-Identifier: MIT */
#include "reduce/values.h"

#include <stdlib.h>
#include <string.h>

#include "reduce/float_format.h"

enum { WORD = sizeof(uint64_t), PACKED = WORD + 1 };

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

static bool add_packed(struct values *v, uint64_t word, int tag)
{
    uint8_t *packed = with_room(v->packed, v->n, PACKED);
    if (!packed)
        return false;
    v->packed = packed;
    packed += PACKED * v->n++;
    memcpy(packed, &word, WORD);
    packed[WORD] = (uint8_t)tag;
    return true;
}

static bool add_wide(struct values *v, const struct value *value)
{
    struct value *wide = with_room(v->wide, v->wides, sizeof *wide);
    if (!wide)
        return false;
    v->wide = wide;
    wide[v->wides] = *value;
    return add_packed(v, v->wides++, TAG_WIDE);
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

static bool add_decimals(struct values *v, const char *text)
{
    const size_t at = v->texts;
    return put_bytes(v, text, strlen(text) + 1) &&
           add_packed(v, at, TAG_DECIMALS);
}

static bool add_text(struct values *v, const struct value *value)
{
    const size_t at = v->texts;
    return put_bytes(v, &value->bytes, sizeof value->bytes) &&
           put_bytes(v, value->text, value->bytes) &&
           add_packed(v, at, TAG_TEXT);
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

bool values_add(struct values *v, const struct value *value, struct error *e)
{
    bool ok;
    if (value->kind == VALUE_NONE)
        ok = add_packed(v, 0, TAG_NONE);
    else if (value->kind == VALUE_TEXT)
        ok = add_text(v, value);
    else if (value->kind == VALUE_REAL && value->text)
        ok = add_decimals(v, value->text);
    else if (value->kind == VALUE_REAL)
        ok = add_packed(v, bits_of_double(value->real),
                        TAG_REAL + (int)value->dtype);
    else if (is_wide(value))
        ok = add_wide(v, value);
    else
        ok = add_packed(v, value->word[0],
                        value->negative ? TAG_NEGATIVE : TAG_POSITIVE);
    return ok || error_memory(e);
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
