/* SPDX-License-Identifier: MIT */
#include "run/answers.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "run/histograms.h"
#include "run/places.h"

/* The most columns that a note names one by one. */
enum { NAMED_MAX = 8 };

const char *answers_file(const struct input *input)
{
    return input->is_stdin ? "-"
           : input->whole  ? input_file(input)
                           : input->name;
}

bool answers_is_itself(const struct answers_part *part, size_t row)
{
    if (part->pairing.kind != PAIRING_MATRIX)
        return false;
    const struct column_pair pair =
        pairing_at(&part->pairing, part->by ? row % part->by->columns : row);
    return pair.first == pair.second;
}

/* The type that holds the elements of all columns. */
static enum dtype dtype_of_all(const struct dataset *d)
{
    const enum dtype first = dataset_dtype(d, 0);
    const size_t groups = d->job.dtypes ? job_groups(&d->job) : 1;
    size_t g = 1;
    while (g < groups && dataset_dtype(d, g) == first)
        g++;
    return g < groups ? DTYPE_f64 : first;
}

bool answers_add_part(struct answers *a, const struct dataset *d,
                      const struct answers_run *run,
                      const struct chunk_notes *notes, struct error *e)
{
    const struct answers_part *last = a->parts ? &a->part[a->parts - 1] : NULL;
    size_t first = last ? last->first + last->rows : 0;
    struct answers_part *grown =
        realloc(a->part, (a->parts + 1) * sizeof *grown);
    if (!grown)
        return error_memory(e);
    a->part = grown;
    a->part[a->parts++] =
        (struct answers_part){.input = d->inputs,
                              .inputs = d->count,
                              .names = d->names,
                              .pairing = *dataset_pairing(d),
                              .has_axes = d->has_axes,
                              .geometry = d->geometry,
                              .dtype = dtype_of_all(d),
                              .is_bool = dataset_is_bool(d, 0),
                              .first = first,
                              .rows = d->rows};
    a->part[a->parts - 1].elements = run->records;
    a->run.records += run->records;
    a->run.rejected += run->rejected;
    a->run.bytes += run->bytes;
    a->run.backends |= run->backends;
    a->by_column |= d->by_column;
    a->has_text |= d->job.text != NULL;
    a->has_binary |= d->job.text == NULL;
    return places_find(a, notes, e);
}

bool answers_add(struct answers *a, const struct dataset *d,
                 const struct outcome *outcome, struct error *e)
{
    const struct reduced *reduced = &outcome->reduced;
    const uint64_t rows =
        d->has_axes ? outcome->records : tally_rows(&reduced->states.tally[0]);
    const struct answers_run run = {rows + reduced->skipped, reduced->skipped,
                                    outcome->bytes, outcome->backends};
    const size_t parts = a->parts;
    const bool ok = answers_add_part(a, d, &run, &reduced->notes, e);
    if (a->parts > parts) {
        a->part[parts].histogram = outcome->histogram;
        a->part[parts].by = outcome->by;
        return ok;
    }
    histograms_free(outcome->histogram,
                    outcome->by ? outcome->by->columns : d->rows);
    by_rows_free(outcome->by);
    return ok;
}

/* The part that has the row. */
static const struct answers_part *part_of(const struct answers *a, size_t row)
{
    const struct answers_part *part = a->part;
    while (row >= part->first + part->rows)
        part++;
    return part;
}

/* Writes "FILE: column 'NAME': ". Leaves out what all results have in common.
 */
static void put_place(const struct answers *a, size_t row, char *text,
                      size_t room)
{
    char file[QUOTE_MAX] = "", name[GROUP_NAME_MAX] = "";
    const struct answers_part *part = part_of(a, row);
    _Static_assert(BY_NAME_MAX + 5 <= GROUP_NAME_MAX, "a key is named");
    if (a->plan->per_file || part->input->part)
        quote(file, part->input->name);
    if (part->has_axes) {
        memcpy(name, "output ", 7);
        if (!*output_text(name + 7, &part->geometry, row - part->first))
            name[0] = '\0';
    }
    if (part->by) {
        memcpy(name, "key ", 5);
        by_row_name(name + 4, part->by, row - part->first);
    } else if (a->by_column)
        dataset_group_name(name, part->names, &part->pairing,
                           row - part->first);
    snprintf(text, room, "%s%s%s%s", file, *file ? ": " : "", name,
             *name ? ": " : "");
}

void answers_find_empty(const struct answers *a, struct answers_empty *empty)
{
    const size_t ops = a->plan->ops;
    const struct answers_part *part = a->part;
    size_t first = 0;
    if (!values_have_none(&a->values))
        return;
    for (size_t i = 0; i < a->values.n; i++) {
        if (i % ops >= a->plan->asked ||
            values_at(&a->values, i).kind != VALUE_NONE)
            continue;
        while (i / ops >= part->first + part->rows)
            part++;
        /* By key nothing prints a column with itself. */
        if (!part->by || !answers_is_itself(part, i / ops - part->first))
            first = empty->n++ ? first : i;
    }
    if (empty->n == 0)
        return;
    empty->row = first / ops;
    put_place(a, empty->row, empty->first, sizeof empty->first - 32);
    strcat(empty->first, a->plan->op[first % ops]->name);
}

void answers_note_empty(struct notes *notes, const struct answers_empty *empty,
                        const struct plan *plan)
{
    char more[64] = " is";
    if (empty->n > 1)
        snprintf(more, sizeof more, " and %" PRIu64 " other value%s are",
                 empty->n - 1, empty->n == 2 ? "" : "s");
    if (empty->n > 0)
        notes_add(notes, "empty", NOTE_ASSUMED, NULL,
                  "%s%s undefined for empty input and %s; "
                  "--empty identity prints the identity",
                  empty->first, more,
                  plan->form == FORM_npy ? "NaN in the array" : "left empty");
}

void answers_free(struct answers *a)
{
    values_free(&a->values);
    for (size_t i = 0; i < a->parts; i++) {
        const struct answers_part *part = &a->part[i];
        free(part->index);
        histograms_free(part->histogram,
                        part->by ? part->by->columns : part->rows);
        by_rows_free(part->by);
    }
    free(a->part);
}

/* The tally of a column and the weights, or of the only pair of columns, counts
 * records with a bad cell on either side. */
static uint64_t bad_if(bool is_asked, const struct states *states, size_t group)
{
    return is_asked ? states->tally[group].bad : 0;
}

static uint64_t bad_of(const struct dataset *d, const struct states *states,
                       size_t group)
{
    const enum pairing_kind kind = d->job.pairing.kind;
    return bad_if(kind != PAIRING_WEIGHTS && kind != PAIRING_ONE, states,
                  group);
}

static uint64_t pairs_of(const struct dataset *d, const struct states *states,
                         size_t group)
{
    return bad_if(d->job.pairing.kind == PAIRING_ONE, states, group);
}

static uint64_t weighted_of(const struct dataset *d,
                            const struct states *states, size_t group)
{
    return bad_if(d->job.pairing.kind == PAIRING_WEIGHTS, states, group);
}

static uint64_t rounded_of(const struct dataset *d, const struct states *states,
                           size_t group)
{
    (void)d;
    return states->bank[MONOID_wide]
               ? states_at(states, group, MONOID_wide)->wide.rounded
               : 0;
}

static uint64_t read_of(const struct dataset *d, const struct states *states,
                        size_t input)
{
    (void)states;
    return d->job.formulas->read[input].bad;
}

/* The counts that a note reports if they are not 0: of columns that have
 * results, or of those that expressions read. */
static const struct {
    const char *kind, *what, *remedy;
    uint64_t (*count)(const struct dataset *d, const struct states *states,
                      size_t place);
    bool of_inputs;
} counted[] = {
    {"bad", "skipped %" PRIu64 " bad cell%s", "", bad_of, false},
    {"pairs", "left out %" PRIu64 " pair%s with a bad cell", "", pairs_of,
     false},
    {"weighted", "left out %" PRIu64 " value%s for a bad cell or weight", "",
     weighted_of, false},
    {"read", "skipped %" PRIu64 " bad cell%s that expressions read", "",
     read_of, true},
    {"rounded", "rounded %" PRIu64 " integer%s that f64 cannot hold",
     "; -t i64 or -t u64 reads 64 bits exactly", rounded_of, false},
};

/* The number of columns that have counts. A single pair counts as one, and so
 * do the values that expressions compute of raw data. */
static size_t counted_columns(const struct dataset *d, size_t kind)
{
    const struct formulas *f = d->job.formulas;
    const bool is_one = d->job.pairing.kind == PAIRING_ONE || (f && !d->table);
    if (counted[kind].of_inputs)
        return f && f->read ? f->inputs : 0;
    return is_one ? 1 : dataset_columns(d);
}

static uint64_t count_of(const struct dataset *d, const struct states *states,
                         size_t kind, size_t column)
{
    const struct pairing *p = &d->job.pairing;
    const bool is_group = p->kind && !counted[kind].of_inputs;
    return counted[kind].count(
        d, states, is_group ? pairing_of_column(p, column) : column);
}

static struct csv_span name_of(const struct dataset *d, size_t kind,
                               size_t column)
{
    return counted[kind].of_inputs ? dataset_input_name(d, column)
                                   : dataset_column_name(d->names, column);
}

/* Writes " in column 'a'", or for several ": 5 in column 'a', 2 in column 'b'".
 * Writes nothing if records have a single field, and of rounded integers if
 * they may be of a column that has no results: of weights, or one that
 * expressions read. */
static void list_columns(const struct dataset *d, const struct states *states,
                         size_t kind, size_t columns, char *text, size_t room)
{
    char quoted[QUOTE_MAX], number[24] = "";
    size_t told = 0, used = 0;
    text[0] = '\0';
    const bool is_rounded = counted[kind].count == rounded_of;
    const bool is_named =
        d->table && d->table->fields > 1 &&
        (counted[kind].of_inputs ||
         (d->job.pairing.kind != PAIRING_ONE &&
          !(is_rounded &&
            (d->job.formulas || d->job.pairing.kind == PAIRING_WEIGHTS))));
    for (size_t c = 0; is_named && told < NAMED_MAX && used < room &&
                       c < counted_columns(d, kind);
         c++) {
        const struct csv_span name = name_of(d, kind, c);
        const uint64_t count = count_of(d, states, kind, c);
        if (count == 0 || !name.at)
            continue;
        if (columns > 1)
            snprintf(number, sizeof number, "%s %" PRIu64, told ? "," : ":",
                     count);
        used +=
            (size_t)snprintf(text + used, room - used, "%s in column %s",
                             number, quote_bytes(quoted, name.at, name.bytes));
        told++;
    }
    if (told && columns > told && used < room)
        snprintf(text + used, room - used, " and others in %zu more",
                 columns - told);
}

/* Whether a dtype of 64 bits may keep integers that were rounded. Of others
 * than these, only integers of over 64 bits are rounded. Computed columns stay
 * f64, and --by refuses a dtype beside them. */
static bool has_remedy(const struct dataset *d)
{
    const struct job *job = &d->job;
    const struct formulas *f = job->formulas;
    return d->table && job->dtype == DTYPE_f64 &&
           !(f && f->count > f->has_condition) &&
           (job->monoids & MONOID_BIT(prod) || job->by.spec.rounds || f ||
            job->pairing.kind);
}

void answers_note(struct notes *notes, const struct dataset *d,
                  const struct reduced *reduced)
{
    const struct states *states = &reduced->states;
    const char *file = d->count == 1 ? d->inputs[0].name : NULL;
    char what[128], list[4 * QUOTE_MAX];
    for (size_t k = 0; k < sizeof counted / sizeof counted[0]; k++) {
        uint64_t sum = 0;
        size_t columns = 0;
        for (size_t c = 0; c < counted_columns(d, k); c++) {
            const uint64_t count = count_of(d, states, k, c);
            sum += count;
            columns += count > 0;
        }
        if (sum == 0)
            continue;
        snprintf(what, sizeof what, counted[k].what, sum, sum == 1 ? "" : "s");
        list_columns(d, states, k, columns, list, sizeof list);
        notes_add(notes, counted[k].kind, NOTE_COUNTED, file, "%s%s%s", what,
                  list, has_remedy(d) ? counted[k].remedy : "");
    }
    if (reduced->skipped > 0)
        notes_add(notes, "ragged", NOTE_COUNTED, file,
                  "skipped %" PRIu64 " record%s with another number of fields",
                  reduced->skipped, reduced->skipped == 1 ? "" : "s");
}
