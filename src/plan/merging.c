/* SPDX-License-Identifier: MIT */
/* The plan of merged states: their question takes the place of options and
 * inputs. */
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "cli/options.h"
#include "csv/schema/table.h"
#include "format/format.h"
#include "plan/saving.h"

static uint64_t number(const struct plan *plan, enum saved_number_of which)
{
    return plan->merged->question.number[which];
}

static struct saved_text text(const struct plan *plan, enum saved_text_of which)
{
    return plan->merged->question.text[which];
}

static bool damaged(const struct plan *plan, struct error *e)
{
    return error_named(e, ERROR_DATA, plan->names.name[0],
                       "it is damaged: its question has no meaning");
}

/* Sets the operations that were asked for when the states were saved. */
static bool set_ops(const struct plan *plan, struct options *o, struct error *e)
{
    struct saved_text list = text(plan, SAVED_ops), item;
    char name[32];
    const uint64_t as = number(plan, SAVED_asked);
    o->ops = 0;
    while (saved_next_item(&list, &item)) {
        if (item.n >= sizeof name || o->ops == OPS_MAX - 8)
            return damaged(plan, e);
        memcpy(name, item.at, item.n);
        name[item.n] = '\0';
        if (!(o->op[o->ops++] = op_find(name)))
            return damaged(plan, e);
    }
    o->named = number(plan, SAVED_shown);
    o->summary = as & 1;
    o->describes = as >> 1 & 1;
    o->asked_all = as >> 2 & 1;
    return (list.n == 0 && o->ops > 0) || damaged(plan, e);
}

/* A FILE by its checksum. */
struct copy {
    uint64_t checksum;
    size_t file;
};

static int compare_copies(const void *a, const void *b)
{
    const struct copy *x = a, *y = b;
    if (x->checksum != y->checksum)
        return x->checksum < y->checksum ? -1 : 1;
    return x->file < y->file ? -1 : x->file > y->file;
}

/* Notes FILEs that are the same. Parts may be, such as two of zeros only, but
 * mostly a FILE was named twice. */
static void note_copies(const struct file_names *names, struct copy *copies,
                        struct notes *notes)
{
    qsort(copies, names->count, sizeof *copies, compare_copies);
    for (size_t i = 1; i < names->count; i++) {
        char quoted[QUOTE_MAX];
        if (copies[i].checksum == copies[i - 1].checksum)
            notes_add(notes, "copies", NOTE_COUNTED,
                      names->name[copies[i].file],
                      "it is the same as %s; both are counted",
                      quote(quoted, names->name[copies[i - 1].file]));
    }
}

static bool merge_each(struct plan *plan, struct copy *copies, struct error *e)
{
    const struct file_names *names = &plan->names;
    bool ok = true;
    for (size_t i = 0; ok && i < names->count; i++) {
        struct saved next, *to = i == 0 ? plan->merged : &next;
        uint8_t *file;
        size_t bytes;
        ok = saved_load(names->name[i], &file, &bytes, e);
        if (!ok) {
            free(file);
            break;
        }
        ok = saved_read(to, file, bytes, names->name[i], e);
        copies[i] = (struct copy){to->checksum, i};
        if (i == 0)
            continue;
        ok = ok && saved_merge(plan->merged, names->name[0], &next,
                               names->name[i], e);
        saved_free(&next);
    }
    return ok;
}

static bool merge_all(struct plan *plan, struct notes *notes, struct error *e)
{
    struct copy *copies = calloc(plan->names.count + 1, sizeof *copies);
    if (!copies)
        return error_memory(e);
    const bool ok = merge_each(plan, copies, e);
    if (ok)
        note_copies(&plan->names, copies, notes);
    free(copies);
    return ok;
}

/* Sets the dtype as --dtype does. */
static bool read_type(const struct plan *plan, struct options *o)
{
    struct saved_text list = text(plan, SAVED_type), item;
    struct input_settings *to = &o->input;
    char name[16] = "";
    if (!saved_next_item(&list, &item) || item.n >= sizeof name)
        return false;
    memcpy(name, item.at, item.n);
    to->has_dtype = true;
    to->is_bool = dtype_is_bool(name);
    return dtype_find(name, &to->dtype, &to->big_endian);
}

bool merging_open(struct plan *plan, struct options *o, struct notes *notes,
                  struct error *e)
{
    static const struct {
        const char *name;
        enum nan_mode nan;
    } modes[] = {
        {"propagate", NAN_PROPAGATE}, {"skip", NAN_SKIP}, {"error", NAN_ERROR}};
    plan->merged = calloc(1, sizeof *plan->merged);
    if (!plan->merged)
        return error_memory(e);
    if (!merge_all(plan, notes, e) ||
        (!options_given(o, "op") && !set_ops(plan, o, e)))
        return false;
    for (size_t i = 0; i < 3; i++) {
        const struct saved_text nan = text(plan, SAVED_nan);
        if (nan.n == strlen(modes[i].name) &&
            memcmp(nan.at, modes[i].name, nan.n) == 0)
            o->nan = modes[i].nan;
    }
    if (!read_type(plan, o))
        return damaged(plan, e);
    plan->settings = o->input;
    if (plan->merged->groups)
        o->csv.by = "keys";
    if (number(plan, SAVED_pairing) == PAIRING_WEIGHTS)
        o->csv.weights = "weights";
    return true;
}

/* Makes the table of the columns' names. */
static bool make_table(const struct plan *plan, struct csv_table *t)
{
    struct saved_text list = text(plan, SAVED_names), item;
    const struct saved_text is_text = text(plan, SAVED_is_text);
    struct saved_text keys = text(plan, SAVED_keys);
    size_t columns = 0;
    while (saved_next_item(&list, &item))
        columns++;
    while (t->keys < SAVED_KEYS_MAX && saved_next_item(&keys, &item))
        t->keys++;
    if (list.n > 0 || (is_text.n > 0 && is_text.n != columns))
        return false;
    list = text(plan, SAVED_names);
    t->has_header = number(plan, SAVED_has_header) != 0;
    t->columns = t->valued = columns;
    const size_t names = columns + t->keys;
    t->fields = number(plan, SAVED_is_table) && names < 2 ? 2 : names;
    t->name = calloc(t->fields + 1, sizeof *t->name);
    t->field_of = calloc(names + 1, sizeof *t->field_of);
    t->is_text = is_text.n ? calloc(columns, 1) : NULL;
    /* Of each item, the length and two marks become a length and a NUL. */
    keys = text(plan, SAVED_keys);
    t->names = malloc(list.n + keys.n + names * (sizeof(uint32_t) + 1) + 1);
    if (!t->name || !t->field_of || !t->names || (is_text.n && !t->is_text))
        return false;
    char *to = t->names;
    for (size_t c = 0; c < names; c++) {
        saved_next_item(c < columns ? &list : &keys, &item);
        const uint32_t bytes = (uint32_t)item.n;
        memcpy(to, &bytes, sizeof bytes);
        t->name[c] = to + sizeof bytes;
        memcpy(t->name[c], item.at, item.n);
        t->name[c][item.n] = '\0';
        to = t->name[c] + item.n + 1;
        if (c >= columns)
            t->key_of[c - columns] = (uint32_t)c;
        t->field_of[c] = (uint32_t)c;
        if (c < columns && is_text.n)
            t->is_text[c] = is_text.at[c] == '1';
    }
    return true;
}

static bool make_inputs(struct plan *plan, enum dtype dtype, bool is_bool)
{
    const struct saved *s = plan->merged;
    const struct saved_text data = text(plan, SAVED_data);
    const bool is_text = data.n == 4 && memcmp(data.at, "text", 4) == 0;
    const size_t n = s->inputs;
    plan->inputs = calloc(n + 1, sizeof *plan->inputs);
    for (size_t i = 0; plan->inputs && i < n; i++) {
        struct saved_input *x = &s->input[i];
        struct input *input = &plan->inputs[plan->input_count++];
        *input = (struct input){.name = x->name,
                                .settings = &plan->settings,
                                .format = format_find(is_text ? "csv" : "raw"),
                                .dtype = dtype,
                                .is_bool = is_bool,
                                .fd = -1,
                                .offset = x->offset,
                                .records = x->elements,
                                .is_fortran = x->rank > 0,
                                .rank = x->rank};
        input->taken = x->elements * dtype_info(dtype)->size;
        if (is_text && !(input->table = calloc(1, sizeof *input->table)))
            return false;
        if (x->rank > 0 && !(input->shape = malloc(sizeof x->shape)))
            return false;
        if (x->rank > 0)
            memcpy(input->shape, x->shape, sizeof x->shape);
    }
    return plan->inputs && n > 0 &&
           (!is_text || make_table(plan, plan->inputs[0].table));
}

/* False, with the error, if the states cannot answer an operation. */
static bool check_ops(const struct plan *plan, const struct dataset *d,
                      struct error *e)
{
    const char *file = plan->names.name[0];
    const bool of_pairs = d->job.pairing.kind == PAIRING_ONE ||
                          d->job.pairing.kind == PAIRING_MATRIX;
    for (size_t i = 0; i < plan->ops; i++) {
        const struct op *op = plan->op[i];
        const unsigned has = plan->merged->monoids;
        /* What is not printed, such as the counts of JSON, has states always.
         */
        if (plan->shown[i] == SHOWN_NEVER)
            continue;
        const bool reads = op_reads_cells(op);
        if ((reads && op_monoids(op, plan->nan) & ~has) ||
            of_pairs != op_of_pairs(op) ||
            (number(plan, SAVED_rows_only) && reads) ||
            (d->job.texts && !op_takes_text(op)) || op_is_fold(op))
            return error_named(e, ERROR_USAGE, file,
                               saved_left(op_monoids(op, plan->nan))
                                   ? "no states answer %s; give all data to "
                                     "one run"
                                   : "its states do not answer %s; save them "
                                     "with -o %s",
                               op->name, op->name);
    }
    return true;
}

static bool make_dataset(struct plan *plan, struct dataset *d, struct error *e)
{
    const struct saved *s = plan->merged;
    *d = (struct dataset){.inputs = plan->inputs,
                          .count = plan->input_count,
                          .table = plan->inputs[0].table,
                          .by_column = number(plan, SAVED_is_named)};
    d->names = d->table && d->table->columns > 0 ? d->table : NULL;
    d->job =
        (struct job){.dtype = plan->inputs[0].dtype,
                     .dtypes = s->dtypes,
                     .monoids = s->whole,
                     .text = d->table ? &plan->csv.spec : NULL,
                     .columns = (size_t)number(plan, SAVED_columns),
                     .pairing = {(enum pairing_kind)number(plan, SAVED_pairing),
                                 (size_t)number(plan, SAVED_paired),
                                 (size_t)number(plan, SAVED_weight)},
                     .texts = d->table && d->table->is_text,
                     .meter = plan->settings.meter};
    if (s->groups) {
        s->groups->layout.spec.is_first = plan->by_first;
        d->job.by =
            (struct job_by){.spec = s->groups->layout.spec,
                            .monoids = s->monoids,
                            .columns = (size_t)number(plan, SAVED_by_columns)};
    }
    if (d->by_column && (!d->names || d->names->columns < dataset_columns(d)))
        return damaged(plan, e);
    d->rows = plan->only_rows ? 1 : job_groups(&d->job);
    d->by_column = d->by_column && !plan->only_rows;
    d->empty =
        plan->empty == EMPTY_ERROR && d->by_column ? EMPTY_BLANK : plan->empty;
    return check_ops(plan, d, e) && assertions_check(plan, d, e);
}

bool merging_plan(struct plan *plan, struct error *e)
{
    if (!make_inputs(plan, plan->settings.dtype, plan->settings.is_bool))
        return damaged(plan, e);
    plan->datasets = calloc(1, sizeof *plan->datasets);
    if (!plan->datasets)
        return error_memory(e);
    plan->dataset_count = 1;
    return make_dataset(plan, plan->datasets, e);
}

void merging_close(struct plan *plan)
{
    if (plan->merged)
        saved_free(plan->merged);
    free(plan->merged);
}
