/* SPDX-License-Identifier: MIT */
/* The meaning of a question, and the merge of states that answer the same. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "reduce/pairing.h"
#include "saved/parts.h"

static bool is_word(struct saved_text text, const char *word)
{
    return text.n == strlen(word) && memcmp(text.at, word, text.n) == 0;
}

bool saved_next_dtype(struct saved_text *list, enum dtype *dtype)
{
    struct saved_text item;
    char name[16];
    bool is_big;
    if (!saved_next_item(list, &item) || item.n >= sizeof name)
        return false;
    memcpy(name, item.at, item.n);
    name[item.n] = '\0';
    return dtype_find(name, dtype, &is_big);
}

static bool read_monoids(struct saved *s)
{
    struct saved_text list = s->question.text[SAVED_monoids], item;
    s->monoids = 0;
    while (saved_next_item(&list, &item)) {
        int m = 0;
        while (m < MONOIDS_END && !is_word(item, monoids[m].name))
            m++;
        /* They are written in this order. */
        if (m == MONOIDS_END || s->monoids >> m)
            return false;
        s->monoids |= 1u << m;
    }
    const bool is_keyed = s->question.text[SAVED_keys].n > 0;
    s->whole = is_keyed ? s->monoids & MONOID_BIT(wide) : s->monoids;
    return list.n == 0 && !(s->monoids & MONOID_BIT(ranks));
}

/* Whether the numbers of columns and results belong together. */
static bool is_sound(const struct saved *s, size_t room)
{
    const uint64_t *number = s->question.number;
    const struct pairing p = {(enum pairing_kind)number[SAVED_pairing],
                              (size_t)number[SAVED_paired],
                              (size_t)number[SAVED_weight]};
    /* Each group has 24 bytes or more. */
    if (number[SAVED_groups] > room / 24 ||
        number[SAVED_columns] > UINT32_MAX ||
        number[SAVED_pairing] > PAIRING_WEIGHTS ||
        number[SAVED_paired] > UINT32_MAX || number[SAVED_weight] > UINT32_MAX)
        return false;
    const uint64_t groups = p.kind ? pairing_groups(&p) : number[SAVED_columns];
    return number[SAVED_groups] == (groups ? groups : 1) &&
           (p.kind != PAIRING_ONE || p.columns == 2) &&
           (!p.kind || p.columns > 0);
}

bool saved_schema(struct saved *s, struct saved_reader *r,
                  struct schema *schema)
{
    struct saved_text list = s->question.text[SAVED_type];
    const size_t groups = (size_t)s->question.number[SAVED_groups];
    const bool is_paired = s->question.number[SAVED_pairing] != PAIRING_NONE;
    enum dtype dtype;
    if (!is_sound(s, (size_t)(r->end - r->at)) || !read_monoids(s) ||
        !saved_next_dtype(&list, &dtype))
        return false;
    if (list.n > 0 && !is_paired) {
        s->dtypes = malloc((groups + 1) * sizeof *s->dtypes);
        r->lost = !s->dtypes;
        for (size_t g = 0; g < groups; g++) {
            if (!s->dtypes || !saved_next_dtype(&list, &s->dtypes[g]))
                return false;
        }
    }
    dtype = is_paired ? DTYPE_f64 : dtype_info(dtype)->computed;
    *schema = (struct schema){groups, dtype, s->dtypes,
                              s->question.number[SAVED_text_ends] != 0, NULL};
    return is_paired || list.n == 0;
}

static bool same_text(struct saved_text a, struct saved_text b)
{
    return a.n == b.n && (a.n == 0 || memcmp(a.at, b.at, a.n) == 0);
}

/* Whether --let of the question computes the column of the key. No column of a
 * table has such a name. */
static bool is_computed(const struct saved *s, struct saved_text name)
{
    struct saved_text list = s->question.text[SAVED_where], let, skipped;
    while (saved_next_item(&list, &let) && saved_next_item(&list, &skipped) &&
           saved_next_item(&list, &skipped)) {
        if (let.n > 0 && same_text(let, name))
            return true;
    }
    return false;
}

bool saved_groups(struct saved *s, struct error *e)
{
    const uint64_t *number = s->question.number;
    struct saved_text list = s->question.text[SAVED_keys], item;
    struct by_spec spec = {.is_first = true,
                           .keeps_bad = number[SAVED_by_bad],
                           .has_texts = number[SAVED_by_texts]};
    if (list.n == 0)
        return true;
    while (saved_next_item(&list, &item)) {
        if (spec.keys < SAVED_KEYS_MAX)
            spec.computed |= (unsigned)is_computed(s, item) << spec.keys;
        spec.keys++;
    }
    if (list.n > 0 || spec.keys == 0 || spec.keys > SAVED_KEYS_MAX ||
        s->monoids & BY_VALUES || number[SAVED_pairing] != PAIRING_NONE ||
        (number[SAVED_by_columns] != 0 &&
         number[SAVED_by_columns] != s->states.groups))
        return error_set(e, ERROR_DATA, "it is damaged");
    const enum dtype dtype = schema_dtype(&s->states.schema, 0);
    s->groups = groups_new(&spec, dtype_info(dtype)->computed,
                           (size_t)number[SAVED_by_columns],
                           number[SAVED_by_columns] ? s->monoids : 0, e);
    return s->groups;
}

/* Writes a text of a question for a message: a list with commas. One that is
 * too long fills `shown`, so that quote_bytes ends it in "...". */
static const char *show_text(char out[QUOTE_MAX], struct saved_text text)
{
    struct saved_text list = text, item;
    char shown[QUOTE_MAX];
    size_t n = 0;
    while (n < sizeof shown && saved_next_item(&list, &item)) {
        if (n > 0)
            shown[n++] = ',';
        const size_t left = sizeof shown - n;
        const size_t bytes = item.n < left ? item.n : left;
        memcpy(shown + n, item.at, bytes);
        n += bytes;
    }
    if (list.n > 0 && n < sizeof shown)
        return quote_bytes(out, text.at, text.n);
    return text.n > 0 ? quote_bytes(out, shown, n) : "none";
}

/* Texts and numbers that a file without rows has in common with others. It does
 * not show which columns there are, nor what they hold. */
static const unsigned blank_texts = 1u << SAVED_data | 1u << SAVED_nan |
                                    1u << SAVED_where | 1u << SAVED_ops |
                                    1u << SAVED_axes;
static const unsigned blank_numbers = 1u << SAVED_asked | 1u << SAVED_shown;

/* Whether no record was read. Where records were read but none selected, the
 * question counts. Before version 4, elements may be 0 where there were some.
 */
static bool is_blank(const struct saved *s)
{
    bool is = s->elements == 0 && s->skipped == 0 &&
              (!s->groups || groups_keys(s->groups) == 0);
    for (size_t g = 0; is && g < s->states.groups; g++)
        is = tally_rows(&s->states.tally[g]) == 0;
    return is;
}

/* False, with the error, if the questions differ in some text or number of the
 * sets. */
static bool check_question(const struct saved_question *a, const char *a_name,
                           const struct saved_question *b, const char *b_name,
                           unsigned text_set, unsigned number_set,
                           struct error *e)
{
#define SAVED_WHAT(name, what) what,
    static const char *const texts[] = {SAVED_TEXTS(SAVED_WHAT)};
    static const char *const numbers[] = {SAVED_NUMBERS(SAVED_WHAT)};
#undef SAVED_WHAT
    char first[QUOTE_MAX], second[QUOTE_MAX], name[QUOTE_MAX];
    for (int i = 0; i < SAVED_TEXTS_END; i++) {
        if (!(text_set >> i & 1) || same_text(a->text[i], b->text[i]))
            continue;
        return error_named(e, ERROR_USAGE, b_name,
                           "its states answer another question than those of "
                           "%s: %s: %s, not %s",
                           quote(name, a_name), texts[i],
                           show_text(second, b->text[i]),
                           show_text(first, a->text[i]));
    }
    for (int i = 0; i < SAVED_NUMBERS_END; i++) {
        char differ[64] = "";
        if (!(number_set >> i & 1) || a->number[i] == b->number[i])
            continue;
        if (i != SAVED_shown) /* a set of bits tells a user nothing */
            snprintf(differ, sizeof differ, ": %" PRIu64 ", not %" PRIu64,
                     b->number[i], a->number[i]);
        return error_named(e, ERROR_USAGE, b_name,
                           "its states answer another question than those of "
                           "%s: %s%s",
                           quote(name, a_name), numbers[i], differ);
    }
    return true;
}

static uint64_t move(const void *base, uint64_t position)
{
    return *(const uint64_t *)base + position;
}

/* Adds the names of backends. */
static bool append_backends(struct saved *into, const struct saved *from)
{
    struct saved_bytes *b = &into->merged;
    if (b->n > 0 && same_text(into->backends, from->backends))
        return true;
    if (b->n == 0)
        saved_put(b, into->backends.at, into->backends.n);
    saved_put(b, from->backends.at, from->backends.n);
    into->backends = (struct saved_text){(const char *)b->at, b->n};
    return !b->failed;
}

/* Moves the inputs. */
static bool append_inputs(struct saved *into, struct saved *from)
{
    struct saved_input *grown =
        realloc(into->input, (into->inputs + from->inputs + 1) * sizeof *grown);
    if (!grown)
        return false;
    into->input = grown;
    for (size_t i = 0; i < from->inputs; i++)
        grown[into->inputs++] = from->input[i];
    from->inputs = 0;
    return true;
}

/* Adds what does not depend on the question. */
static bool add_counts(struct saved *into, struct saved *from)
{
    into->skipped += from->skipped;
    into->bytes += from->bytes;
    return append_backends(into, from) && append_inputs(into, from);
}

/* Gives `into`, which has no rows, the question and the states of `from`. */
static void take_over(struct saved *into, struct saved *from)
{
    struct saved old = *into;
    into->question = from->question;
    into->states = from->states;
    into->groups = from->groups;
    into->dtypes = from->dtypes;
    into->monoids = from->monoids;
    into->whole = from->whole;
    into->file = from->file;
    from->states = old.states;
    from->groups = old.groups;
    from->dtypes = old.dtypes;
    from->file = old.file;
}

bool saved_merge(struct saved *into, const char *into_name, struct saved *from,
                 const char *from_name, struct error *e)
{
    const uint64_t base = into->elements;
    const bool into_blank = is_blank(into), from_blank = is_blank(from);
    const bool is_any = into_blank || from_blank;
    /* A file without rows may not know the keys, but that there are keys. */
    const bool is_keyed = into->groups, are_keyed = from->groups;
    const unsigned keys = is_keyed != are_keyed ? 1u << SAVED_keys : 0;
    const unsigned type =
        is_word(into->question.text[SAVED_data], "text") ? 0 : 1u << SAVED_type;
    /* The expressions first: a difference in them often causes the others.
     * Whether records have fields is that of the first file, as in one run. */
    if (!check_question(&into->question, into_name, &from->question, from_name,
                        1u << SAVED_where, 0, e) ||
        !check_question(&into->question, into_name, &from->question, from_name,
                        is_any ? blank_texts | type | keys : ~0u,
                        is_any ? blank_numbers : ~(1u << SAVED_is_table), e))
        return false;
    if (__builtin_add_overflow(base, from->elements, &into->elements))
        return error_named(e, ERROR_DATA, from_name,
                           "too many elements: their indexes exceed 64 bits");
    if (!add_counts(into, from))
        return error_memory(e);
    /* Of two files without rows, one with records knows what columns hold, and
     * one with a header their names. */
    const bool has_names = from->question.text[SAVED_names].n > 0;
    if (from_blank && (!into_blank || base > 0 || !has_names))
        return true;
    states_map(&from->states, move, &base);
    if (from->groups && !groups_finish(from->groups, move, &base, e))
        return false;
    if (into_blank) {
        take_over(into, from);
        return true;
    }
    if (into->groups && !saved_merge_keys(into->groups, from->groups, e))
        return false;
    states_merge(&into->states, &from->states, 0, into->states.groups);
    return saved_check(into, e);
}
