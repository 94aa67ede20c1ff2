/* SPDX-License-Identifier: MIT */
#include "run/saving.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/registry.h"
#include "csv/schema/names.h"
#include "saved/saved.h"

static struct saved_text text_of(const char *s)
{
    return (struct saved_text){s, strlen(s)};
}

static void put_word(struct saved_bytes *list, const char *word)
{
    saved_put_item(list, text_of(word));
}

static void put_span(struct saved_bytes *list, struct csv_span span)
{
    saved_put_item(list, (struct saved_text){span.at, span.bytes});
}

static void put_type(const struct plan *plan, const struct dataset *d,
                     struct saved_bytes *to)
{
    (void)plan;
    put_word(to,
             d->inputs[0].is_bool ? "bool" : dtype_info(d->job.dtype)->name);
    for (size_t g = 0; d->job.dtypes && g < job_groups(&d->job); g++)
        put_word(to, dtype_info(dataset_dtype(d, g))->name);
}

static void put_data(const struct plan *plan, const struct dataset *d,
                     struct saved_bytes *to)
{
    (void)plan;
    saved_put(to, d->job.text ? "text" : "binary", d->job.text ? 4 : 6);
}

static void put_nan(const struct plan *plan, const struct dataset *d,
                    struct saved_bytes *to)
{
    const char *const names[] = {[NAN_PROPAGATE] = "propagate",
                                 [NAN_SKIP] = "skip",
                                 [NAN_ERROR] = "error"};
    (void)d;
    saved_put(to, names[plan->nan], strlen(names[plan->nan]));
}

static void put_where(const struct plan *plan, const struct dataset *d,
                      struct saved_bytes *to)
{
    const struct formula_texts *t = &plan->texts;
    for (size_t i = 0; i < t->count; i++) {
        saved_put_item(to,
                       (struct saved_text){t->name[i].at ? t->name[i].at : "",
                                           t->name[i].bytes});
        put_word(to, t->source[i].option);
        saved_put_item(
            to, (struct saved_text){t->source[i].text, t->source[i].bytes});
    }
    /* In further files of one run $2 is the field of the same name. */
    const struct csv_table *table = d->table;
    const bool names = table && table->has_header && table->used;
    for (size_t i = 0; names && i < t->used_count; i++) {
        if (t->used[i].field > 0)
            put_span(to, csv_name(table, table->field_of[table->used[i]]));
    }
}

/* What decides how the bytes of a cell are read. plan/merged.c reads the
 * decimal point, the parentheses and the two items after the first one again.
 */
static void put_reading(const struct plan *plan, const struct dataset *d,
                        struct saved_bytes *to)
{
    const struct csv_spec *s = &plan->csv.spec;
    const struct csv_notation *n = &s->notation;
    char text[200];
    if (!d->job.text)
        return;
    const struct csv_dialect t = d->table->dialect;
    snprintf(text, sizeof text,
             "delimiter %d, quote %d, comment %d, decimal '%c', missing %d, "
             "bad %d, ragged %d, parentheses %d, own words from %zu",
             t.blank ? CSV_BLANK : t.delimiter, t.quotes ? t.quote : -1,
             t.comments ? t.comment : -1, n->decimal, s->missing_is_error,
             s->skip_bad, (int)s->ragged, n->parens, s->words.own);
    put_word(to, text);
    saved_put_item(to, (struct saved_text){n->thousands, n->thousands_bytes});
    saved_put_item(to, (struct saved_text){n->strip, n->strip_bytes});
    for (size_t i = 0; i < s->words.n; i++)
        saved_put_item(to, (struct saved_text){s->words.word[i].text,
                                               s->words.word[i].bytes});
}

static void put_names(const struct plan *plan, const struct dataset *d,
                      struct saved_bytes *to)
{
    (void)plan;
    for (size_t c = 0; d->names && c < d->names->columns; c++)
        put_span(to, dataset_column_name(d->names, c));
}

static void put_is_text(const struct plan *plan, const struct dataset *d,
                        struct saved_bytes *to)
{
    (void)plan;
    for (size_t c = 0; d->job.texts && c < d->names->columns; c++)
        saved_put(to, c < d->names->valued && dataset_is_text(d, c) ? "1" : "0",
                  1);
}

/* Of keys that are elements: their dtype. */
static void put_keys(const struct plan *plan, const struct dataset *d,
                     struct saved_bytes *to)
{
    if (d->job.by.file)
        put_word(to, dtype_info(plan->keys.input.dtype)->name);
    const struct csv_table *t = dataset_key_names(d);
    for (size_t k = 0; t && d->job.by.spec.keys && k < t->keys; k++)
        put_span(to, csv_name(t, t->field_of[t->key_of[k]]));
}

static void put_ops(const struct plan *plan, const struct dataset *d,
                    struct saved_bytes *to)
{
    (void)d;
    for (size_t i = 0; i < plan->asked; i++)
        put_word(to, plan->op[i]->name);
}

static void put_monoids(const struct plan *plan, const struct dataset *d,
                        struct saved_bytes *to)
{
    (void)plan;
    for (int m = 0; m < MONOIDS_END; m++) {
        if ((d->job.monoids | d->job.by.monoids) >> m & 1)
            put_word(to, monoids[m].name);
    }
}

/* The size of axis 0, along which arrays are joined, is not asked. */
static void put_axes(const struct plan *plan, const struct dataset *d,
                     struct saved_bytes *to)
{
    const struct geometry *g = &d->geometry;
    char text[40] = "any";
    (void)plan;
    for (unsigned i = 0; d->has_axes && i < g->rank; i++) {
        if (i > 0)
            snprintf(text, sizeof text, "%" PRIu64, g->size[i]);
        strcat(text, g->reduced[i] ? " reduced" : " kept");
        put_word(to, text);
    }
    if (d->has_axes && g->keeps)
        put_word(to, "keepdims");
}

/* Sets the texts of the question, which point into *room. */
static bool set_texts(const struct plan *plan, const struct dataset *d,
                      struct saved_bytes *room, struct saved_question *q)
{
    size_t end[SAVED_TEXTS_END];
#define SAVED_PUT(name, what) \
    put_##name(plan, d, room), end[SAVED_##name] = room->n;
    SAVED_TEXTS(SAVED_PUT)
#undef SAVED_PUT
    for (int i = 0; !room->failed && i < SAVED_TEXTS_END; i++) {
        const size_t first = i ? end[i - 1] : 0;
        q->text[i] =
            (struct saved_text){(const char *)room->at + first, end[i] - first};
    }
    return !room->failed;
}

static void set_numbers(const struct plan *plan, const struct dataset *d,
                        const struct states *states, struct saved_question *q)
{
    uint64_t shown = 0;
    for (size_t i = 0; i < plan->asked; i++)
        shown |= plan->shown[i] == SHOWN_ALWAYS ? 1ull << i : 0;
    const uint64_t number[SAVED_NUMBERS_END] = {
        [SAVED_groups] = states->groups,
        [SAVED_columns] = d->has_axes ? states->groups : d->job.columns,
        [SAVED_paired] = d->job.pairing.columns,
        [SAVED_pairing] = d->job.pairing.kind,
        [SAVED_weight] = d->job.pairing.weight,
        [SAVED_is_table] = d->table && d->table->fields > 1,
        [SAVED_has_header] = d->names && d->names->has_header,
        [SAVED_is_named] = d->by_column,
        [SAVED_rows_only] = plan->csv.spec.rows_only,
        [SAVED_asked] = plan->asked_as,
        [SAVED_shown] = shown,
        [SAVED_text_ends] = states->text != NULL,
        [SAVED_by_columns] = d->job.by.columns,
        [SAVED_by_bad] = d->job.by.spec.keeps_bad,
        [SAVED_by_texts] = d->job.by.spec.has_texts};
    memcpy(q->number, number, sizeof number);
}

static bool set_inputs(const struct dataset *d, struct saved *s)
{
    const uint64_t size = dtype_info(d->job.dtype)->size;
    s->input = calloc(d->count, sizeof *s->input);
    for (; s->input && s->inputs < d->count; s->inputs++) {
        const struct input *from = &d->inputs[s->inputs];
        struct saved_input *to = &s->input[s->inputs];
        to->name = strdup(answers_file(from));
        to->offset = from->offset;
        to->elements = d->job.text ? from->records : from->taken / size;
        s->elements += to->elements;
        to->rank = from->is_fortran && to->elements > 0 ? from->rank : 0;
        if (!to->name)
            return false;
        if (to->rank > 0)
            memcpy(to->shape, from->shape, to->rank * sizeof *to->shape);
    }
    /* Positions are those among the elements of an output. */
    if (d->has_axes)
        s->elements = geometry_each(&d->geometry);
    return s->input;
}

static void set_backends(const struct outcome *outcome,
                         struct saved_bytes *list)
{
    for (size_t i = 0; backends[i]; i++) {
        if (outcome->backends >> i & 1)
            put_word(list, backends[i]->name);
    }
}

bool saving_bytes(const struct plan *plan, const struct dataset *d,
                  const struct outcome *outcome, struct saved_bytes *to,
                  struct error *e)
{
    struct saved_bytes room = {NULL, 0, 0, false}, list = room;
    struct saved s = {.states = outcome->reduced.states,
                      .groups = outcome->reduced.groups,
                      .skipped = outcome->reduced.skipped,
                      .bytes = outcome->bytes,
                      .part = plan->part,
                      .parts = plan->parts};
    set_numbers(plan, d, &s.states, &s.question);
    set_backends(outcome, &list);
    bool ok = (set_texts(plan, d, &room, &s.question) && set_inputs(d, &s) &&
               !list.failed) ||
              error_memory(e);
    s.backends = (struct saved_text){(const char *)list.at, list.n};
    ok = ok && saved_write(&s, to, e);
    s.states = (struct states){.groups = 0}; /* the outcome's */
    s.groups = NULL;
    saved_free(&s);
    free(room.at);
    free(list.at);
    return ok;
}

bool saving_write(const struct plan *plan, const struct dataset *d,
                  const struct outcome *outcome, struct error *e)
{
    struct saved_bytes file = {NULL, 0, 0, false};
    const bool ok = saving_bytes(plan, d, outcome, &file, e) &&
                    saved_store(&file, plan->save, e);
    free(file.at);
    return ok;
}
