/* SPDX-License-Identifier: MIT */
#include "saved/saved.h"

#include <stdlib.h>
#include <string.h>

#include "reduce/pairing.h"
#include "saved/parts.h"

static void put_inputs(const struct saved *s, struct saved_bytes *to)
{
    saved_put_number(to, s->inputs, 8);
    for (size_t i = 0; i < s->inputs; i++) {
        const struct saved_input *x = &s->input[i];
        saved_put_text(to, (struct saved_text){x->name, strlen(x->name)});
        saved_put_number(to, x->offset, 8);
        saved_put_number(to, x->elements, 8);
        saved_put_number(to, x->rank, 4);
        for (unsigned d = 0; d < x->rank; d++)
            saved_put_number(to, x->shape[d], 8);
    }
}

void saved_put_state(struct saved_bytes *to, enum monoid monoid,
                     const union state *s)
{
    const unsigned length = state_grows(monoid) ? 8 : 4;
    /* A state whose fields are written takes no more bytes than the union, so
     * it is not measured before. */
    const size_t most =
        monoids[monoid].write ? state_write(monoid, s, NULL) : sizeof *s;
    uint8_t *at = saved_grow(to, length + most);
    const size_t n = at ? state_write(monoid, s, at + length) : 0;
    to->failed |= n == 0;
    if (to->failed)
        return;
    memcpy(at, &n, length);
    to->n -= most - n;
}

static void put_end(struct saved_bytes *to, const struct text_end *end)
{
    saved_put_number(to, end->index, 8);
    saved_put_text(to, (struct saved_text){end->text, end->bytes});
}

void saved_put_ends(struct saved_bytes *to, const struct text_ends *ends)
{
    put_end(to, &ends->first);
    put_end(to, &ends->last);
}

static void put_states(const struct states *s, struct saved_bytes *to)
{
    for (size_t g = 0; g < s->groups; g++) {
        saved_put_number(to, s->tally[g].n, 8);
        saved_put_number(to, s->tally[g].missing, 8);
        saved_put_number(to, s->tally[g].bad, 8);
        for (int m = 0; m < MONOIDS_END; m++) {
            if (s->bank[m])
                saved_put_state(to, (enum monoid)m, states_at(s, g, m));
        }
        if (s->text)
            saved_put_ends(to, &s->text[g]);
    }
}

bool saved_write(const struct saved *s, struct saved_bytes *to, struct error *e)
{
    const size_t first = to->n;
    saved_put(to, SAVED_MAGIC, strlen(SAVED_MAGIC));
    saved_put_number(to, SAVED_VERSION, 4);
    for (int i = 0; i < SAVED_TEXTS_END; i++)
        saved_put_text(to, s->question.text[i]);
    for (int i = 0; i < SAVED_NUMBERS_END; i++)
        saved_put_number(to, s->question.number[i], 8);
    saved_put_number(to, s->elements, 8);
    saved_put_number(to, s->skipped, 8);
    saved_put_number(to, s->bytes, 8);
    saved_put_number(to, s->part, 8);
    saved_put_number(to, s->parts, 8);
    saved_put_text(to, s->backends);
    put_inputs(s, to);
    put_states(&s->states, to);
    if (s->groups && !saved_put_keys(to, s->groups, e))
        return false;
    if (!s->groups && s->question.text[SAVED_keys].n > 0)
        saved_put_number(to, 0, 8); /* the keys go another way */
    if (!to->failed)
        saved_put_number(to, saved_checksum(to->at + first, to->n - first), 8);
    return !to->failed || error_memory(e);
}

void saved_put_item(struct saved_bytes *list, struct saved_text item)
{
    char digits[20];
    size_t n = 0;
    for (size_t x = item.n; n == 0 || x > 0; x /= 10)
        digits[sizeof digits - ++n] = (char)('0' + x % 10);
    saved_put(list, digits + sizeof digits - n, n);
    saved_put(list, ":", 1);
    saved_put(list, item.at, item.n);
    saved_put(list, ",", 1);
}

bool saved_next_item(struct saved_text *list, struct saved_text *item)
{
    size_t at = 0, n = 0;
    while (at < list->n && at < 10 && list->at[at] >= '0' &&
           list->at[at] <= '9')
        n = 10 * n + (size_t)(list->at[at++] - '0');
    if (at == 0 || list->n - at < n + 2 || list->at[at] != ':' ||
        list->at[at + 1 + n] != ',')
        return false;
    *item = (struct saved_text){list->at + at + 1, n};
    *list = (struct saved_text){list->at + at + n + 2, list->n - at - n - 2};
    return true;
}

void saved_free(struct saved *s)
{
    states_close(&s->states);
    groups_free(s->groups);
    for (size_t i = 0; i < s->inputs; i++)
        free(s->input[i].name);
    free(s->input);
    free(s->dtypes);
    free(s->merged.at);
    free(s->file);
    *s = (struct saved){.inputs = 0};
}
