/* SPDX-License-Identifier: MIT */
/* Reads states that were written. Nothing in the bytes is believed before it is
 * checked, and no memory is taken that they do not fill. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "reduce/pairing.h"
#include "saved/parts.h"

/* What is known while positions are checked. */
struct limit {
    uint64_t elements;
    bool *failed;
};

static uint64_t check_position(const void *context, uint64_t position)
{
    const struct limit *limit = context;
    *limit->failed |= position >= limit->elements;
    return position;
}

void saved_get_state(struct saved_reader *r, enum monoid monoid,
                     enum dtype dtype, uint64_t n, uint64_t elements,
                     union state *into)
{
    union state s;
    const struct compact *compact = monoids[monoid].compact;
    const struct limit limit = {elements, &r->failed};
    const struct saved_text bytes =
        saved_get_bytes(r, state_grows(monoid) ? 8 : 4);
    if (r->failed)
        return;
    if (state_grows(monoid)) { /* it may be large, and *into is empty */
        compact->close(into);
        r->failed = !state_read(monoid, dtype, n, into,
                                (const uint8_t *)bytes.at, bytes.n);
        return;
    }
    r->failed =
        !state_read(monoid, dtype, n, &s, (const uint8_t *)bytes.at, bytes.n);
    if (!r->failed) {
        state_map(monoid, &s, check_position, &limit);
        monoids[monoid].merge(into, &s);
    }
    if (compact)
        compact->close(&s);
}

void saved_get_ends(struct saved_reader *r, uint64_t elements,
                    struct text_ends *into)
{
    struct text_ends ends;
    struct text_end *const end[] = {&ends.first, &ends.last};
    const struct limit limit = {elements, &r->failed};
    text_ends_init(&ends);
    for (int i = 0; i < 2; i++) {
        end[i]->index = saved_get_number(r, 8);
        const struct saved_text text = saved_get_text(r);
        end[i]->text = (char *)(uintptr_t)text.at;
        end[i]->bytes = text.n;
    }
    text_ends_map(&ends, check_position, &limit);
    if (!r->failed)
        text_ends_merge(into, &ends);
}

static bool read_inputs(struct saved *s, struct saved_reader *r)
{
    const size_t n = (size_t)saved_get_number(r, 8);
    /* Each takes 24 bytes or more. */
    if (r->failed || n > (size_t)(r->end - r->at) / 24)
        return false;
    s->input = calloc(n + 1, sizeof *s->input);
    r->lost = !s->input;
    for (s->inputs = 0; s->input && !r->failed && s->inputs < n; s->inputs++) {
        struct saved_input *x = &s->input[s->inputs];
        const struct saved_text name = saved_get_text(r);
        x->name = strndup(name.at, name.n);
        x->offset = saved_get_number(r, 8);
        x->elements = saved_get_number(r, 8);
        x->rank = (uint32_t)saved_get_number(r, 4);
        r->lost |= !x->name;
        r->failed |= x->rank > SAVED_RANK_MAX || !x->name;
        uint64_t size = 1;
        for (unsigned d = 0; !r->failed && d < x->rank; d++) {
            x->shape[d] = saved_get_number(r, 8);
            r->failed |= x->shape[d] == 0 ||
                         __builtin_mul_overflow(size, x->shape[d], &size);
        }
    }
    return s->input && !r->failed;
}

bool saved_check(const struct saved *s, struct error *e)
{
    for (size_t g = 0; g < s->states.groups; g++) {
        if (!states_check(&s->states, g, e))
            return false;
    }
    return !states_lost(&s->states) || error_memory(e);
}

static bool read_states(struct saved *s, struct saved_reader *r)
{
    for (size_t g = 0; !r->failed && g < s->states.groups; g++) {
        struct tally *t = &s->states.tally[g];
        t->n = saved_get_number(r, 8);
        t->missing = saved_get_number(r, 8);
        t->bad = saved_get_number(r, 8);
        r->failed |= (t->n | t->missing | t->bad) >> 62;
        for (int m = 0; m < MONOIDS_END; m++) {
            if (s->states.bank[m])
                saved_get_state(r, (enum monoid)m,
                                schema_dtype(&s->states.schema, g), t->n,
                                s->elements, states_at(&s->states, g, m));
        }
        if (s->states.text)
            saved_get_ends(r, s->elements, &s->states.text[g]);
    }
    return !r->failed &&
           (!s->groups ||
            saved_get_keys(r, s->groups, &s->question, s->elements)) &&
           r->at == r->end;
}

static bool refuse(const struct saved_reader *r, struct error *e)
{
    if (r->lost)
        return error_memory(e);
    return error_set(e, ERROR_DATA, "it is damaged");
}

/* Reads all after the version. */
static bool read_all(struct saved *s, struct saved_reader *r, uint64_t version,
                     struct error *e)
{
    struct schema schema;
    const int texts = version == 1 ? SAVED_axes : SAVED_TEXTS_END;
    for (int i = 0; i < texts; i++)
        s->question.text[i] = saved_get_text(r);
    for (int i = 0; i < SAVED_NUMBERS_END; i++)
        s->question.number[i] = saved_get_number(r, 8);
    s->elements = saved_get_number(r, 8);
    s->skipped = saved_get_number(r, 8);
    s->bytes = saved_get_number(r, 8);
    if (version > 3) {
        s->part = saved_get_number(r, 8);
        s->parts = saved_get_number(r, 8);
        r->failed |= s->part > s->parts || !s->part != !s->parts;
    }
    s->backends = saved_get_text(r);
    if (!read_inputs(s, r) || !saved_schema(s, r, &schema))
        return refuse(r, e);
    if (!states_open(&s->states, &schema, s->whole, e) || !saved_groups(s, e))
        return false;
    if (!read_states(s, r))
        return refuse(r, e);
    return saved_check(s, e);
}

/* Checks the magic, the version and the checksum, and takes them off. */
static bool read_frame(struct saved *s, struct saved_reader *r,
                       uint64_t *version, struct error *e)
{
    const size_t magic = strlen(SAVED_MAGIC);
    if ((size_t)(r->end - r->at) < magic ||
        memcmp(r->at, SAVED_MAGIC, magic) != 0)
        return error_set(e, ERROR_DATA,
                         "it is not a file of states; --merge takes what "
                         "--save-state wrote");
    const uint8_t *start = r->at;
    r->at += magic;
    *version = saved_get_number(r, 4);
    if (!r->failed && (*version == 0 || *version > SAVED_VERSION))
        return error_set(
            e, ERROR_DATA,
            "its states have version %" PRIu64 ", and this "
            "gpureduce reads versions 1 to %d; use the gpureduce that "
            "wrote them",
            *version, SAVED_VERSION);
    if (r->end - r->at < 8)
        return error_set(e, ERROR_DATA, "it is cut short");
    struct saved_reader sum = {.at = r->end - 8, .end = r->end};
    r->end -= 8;
    s->checksum = saved_get_number(&sum, 8);
    return s->checksum == saved_checksum(start, (size_t)(r->end - start)) ||
           error_set(e, ERROR_DATA,
                     "it is damaged or cut short: its checksum is wrong");
}

bool saved_read(struct saved *s, uint8_t *file, size_t bytes, const char *name,
                struct error *e)
{
    struct saved_reader r = {.at = file, .end = file + bytes};
    struct error why;
    uint64_t version = 0;
    *s = (struct saved){.file = file};
    if (read_frame(s, &r, &version, &why) && read_all(s, &r, version, &why))
        return true;
    return error_named(e, why.kind, name, "%s", why.text);
}
