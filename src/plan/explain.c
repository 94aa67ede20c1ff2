/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <string.h>

#include "base/quote.h"
#include "csv/schema/delimiter.h"
#include "format/compression.h"
#include "format/format.h"
#include "plan/formulas.h"
#include "plan/plan.h"

static const char *delimiter_text(const struct csv_table *table,
                                  char room[QUOTE_MAX])
{
    const char byte = (char)table->dialect.delimiter;
    if (table->dialect.blank)
        return "blanks";
    /* The user may ask for this byte; then it splits records. */
    return byte == CSV_NO_DELIMITER && table->fields < 2
               ? "none"
               : quote_bytes(room, &byte, 1);
}

/* Prints what in the text makes it slow, since the loops and kernels for plain
 * CSV cannot read it. */
static void explain_path(const struct csv_table *table,
                         const struct csv_spec *spec, FILE *to)
{
    const struct csv_dialect d = table->dialect;
    const struct csv_notation *n = &spec->notation;
    bool texts = false;
    for (size_t c = 0; spec->texts && c < table->columns; c++)
        texts |= csv_is_text_column(table, c);
    const struct {
        bool applies;
        const char *what;
    } slow_cases[] = {
        {texts, "columns of text are read one by one, on the CPU"},
        {spec->is_bool, "truth values are read one by one, on the CPU"},
        {n->strip_bytes || n->parens || n->thousands_bytes > 1,
         "numbers are made plain one by one"},
        {d.quotes && d.quote != '"', "cells in quotes are read one by one"},
        {d.blank && d.quotes, "runs of blanks are closed up byte by byte"},
        {d.comments, "chunks with comments go to the CPU, and those with "
                     "quotes too are taken apart byte by byte"},
        {spec->ragged != CSV_RAGGED_ERROR,
         "chunks with ragged records go to the CPU"},
    };
    bool any = false;
    for (size_t i = 0; i < sizeof slow_cases / sizeof slow_cases[0]; i++) {
        if (slow_cases[i].applies)
            fprintf(to, "  slower\t%s\n", slow_cases[i].what);
        any |= slow_cases[i].applies;
    }
    if (!any)
        fprintf(to, "  text path\tfull speed\n");
}

static void explain_table(const struct csv_table *table,
                          const struct input *input, FILE *to)
{
    const struct csv_spec *spec = &input->settings->csv->spec;
    char name[QUOTE_MAX];
    fprintf(to, "  dtype\t%s\n  delimiter\t%s (%s)\n  fields\t%zu\n",
            input_dtype_name(input), delimiter_text(table, name),
            table->delimiter_reason, table->fields);
    fprintf(to, "  header\t%s (%s)\n", table->has_header ? "yes" : "no",
            table->header_reason);
    if (table->dialect.end == '\r')
        fprintf(to, "  records\tend with CR (there is no LF)\n");
    fprintf(to, "  columns\t%zu (%s)\n", table->valued, table->columns_reason);
    for (size_t c = 0; c < table->valued; c++)
        fprintf(to, "  column\t%" PRIu32 " %s%s\n", table->field_of[c] + 1,
                quote(name, table->name[table->field_of[c]]),
                spec->texts && csv_is_text_column(table, c) ? ", text" : "");
    explain_path(table, spec, to);
}

static void explain_input(const struct input *input, FILE *to)
{
    char name[QUOTE_MAX];
    fprintf(to, "file\t%s\n", quote(name, input->name));
    if (input->deferred) {
        fprintf(to, "  opened when its turn comes\n");
        return;
    }
    if (input->compression)
        fprintf(to, "  compression\t%s (%s), decoded by %s\n",
                input->compression->name, input->compression->about,
                compression_codec(input)->name);
    fprintf(to, "  format\t%s, %s (%s), data from byte %" PRIu64 "\n",
            input->format->name, input->format->about, input->format_reason,
            input->offset);
    if (input_is_text(input))
        explain_table(input->table, input, to);
    else
        fprintf(to, "  dtype\t%s, %s-endian%s\n", input_dtype_name(input),
                input->big_endian ? "big" : "little",
                input->dtype_assumed
                    ? " (assumed: its name has no type, nor is "
                      "--dtype given)"
                    : "");
    if (input->bytes == INPUT_UNKNOWN)
        fprintf(to, "  size\tread to the end of the stream\n");
    else if (input_is_text(input))
        fprintf(to, "  size\t%" PRIu64 " bytes of data\n", input->bytes);
    else
        fprintf(to, "  size\t%" PRIu64 " bytes, %" PRIu64 " elements\n",
                input->bytes, input->bytes / dtype_info(input->dtype)->size);
}

static void explain_teams(const struct plan *plan, const struct dataset *d,
                          FILE *to)
{
    for (size_t t = 0; t < d->teams; t++) {
        const struct team *team = &d->team[t];
        fprintf(to, "device\t%s", team->backend->name);
        if (team->backend->is_numbered)
            fprintf(to, ":%d", team->device);
        struct error e;
        if (team->waits && !team->backend->probe(team->device, &e)) {
            fprintf(to, " (will not join: %.*s)\n", (int)strcspn(e.text, "\n"),
                    e.text);
            continue;
        }
        if (team->waits)
            fprintf(to,
                    " (joins when that saves time: %.2g s to start, then "
                    "%.2g GB/s per thread, %.2g GB/s in all)",
                    team->start_up, 1e-9 * team->rate, 1e-9 * team->most);
        else
            fprintf(to, " (%s)",
                    plan->compares ? "comparing runs on the CPU"
                    : d->left      ? d->left
                    : plan->backend
                        ? "asked for"

                        : "starts immediately and reads as fast as the "
                          "GPU bus");
        fprintf(to, "\n  threads\t%u\n  chunks\tof %zu bytes\n", team->workers,
                team->chunk_bytes);
    }
}

static void explain_pairs(const struct dataset *d, FILE *to)
{
    char name[QUOTE_MAX];
    const struct pairing *p = dataset_pairing(d);
    const struct csv_table *t = d->table;
    if (p->kind == PAIRING_WEIGHTS)
        fprintf(to, "weights\t%" PRIu32 " %s\n", t->field_of[p->weight] + 1,
                quote(name, t->name[t->field_of[p->weight]]));
    else if (p->kind != PAIRING_NONE)
        fprintf(to, "pairs\t%zu (of %zu columns)\n",
                p->columns * (p->columns - 1) / 2, p->columns);
}

static void explain_keys(const struct plan *plan, const struct dataset *d,
                         FILE *to)
{
    char name[QUOTE_MAX];
    const struct csv_table *t = dataset_key_names(d);
    if (plan_is_by(d) && !t)
        fprintf(to, "keys\t%s, %s\n", quote(name, plan->keys.input.name),
                input_dtype_name(&plan->keys.input));
    for (size_t k = 0; plan_is_by(d) && t && k < t->keys; k++) {
        const uint32_t field = t->field_of[t->key_of[k]];
        quote(name, t->name[field]);
        if (d->job.by.spec.computed >> k & 1)
            fprintf(to, "key\t%s, computed\n", name);
        else
            fprintf(to, "key\t%" PRIu32 " %s\n", field + 1, name);
    }
    if (d->job.by.spec.in_order ||
        (d->job.by.monoids & BY_VALUES && !plan->bins))
        fprintf(to, "values\tall are kept in memory, 16 bytes each\n");
    if (plan_is_by(d))
        fprintf(to, "order\t%s\n",
                plan->by_first ? "of the keys' first records" : "of the keys");
}

/* Prints how often the data are read for quantiles and histograms. */
static void explain_passes(const struct plan *plan, const struct dataset *d,
                           FILE *to)
{
    if (!((d->job.monoids | d->job.by.monoids) & MONOID_BIT(ranks)) ||
        (plan_is_by(d) && !plan->bins))
        return;
    if (d->has_axes && !plan->bins)
        fprintf(to, "quantiles\tselected from the elements of each output\n");
    else if (plan->bins)
        fprintf(to, "histogram\t%s\n",
                plan->has_range  ? "in one pass"
                : d->reads_again ? "the data are read for their range, then "
                                   "again"
                                 : "all values are kept in memory");
    else if (d->reads_again)
        fprintf(to,
                "quantiles\tread once where a sample of data in memory bounds "
                "them; else counted in 2^%u ranges of values, then read "
                "again\n",
                d->rank_bits);
    else
        fprintf(to, "quantiles\t%s\n",
                d->rank_bits > 0 ? "each value is counted, unless a sample of "
                                   "data in memory bounds them"
                                 : "all values are kept in memory");
}

/* Prints where distinct values are counted, if a device may do it. */
static void explain_distinct(const struct dataset *d, FILE *to)
{
    const struct backend *backend = d->team[0].backend;
    const unsigned asked =
        d->job.monoids &
        (MONOID_BIT(distinct) | MONOID_BIT(tallies) | MONOID_BIT(sketch));
    const unsigned here =
        asked & (backend->kept | (d->teams > 1 ? 0 : backend->kept_alone));
    if (d->instead.backend && !d->has_axes)
        fprintf(to,
                "distinct\ton %s alone, if a sample of data in memory shows "
                "that it is faster\n",
                d->instead.backend->title);
    if (!backend->kept || !asked || d->has_axes)
        return;
    fprintf(to, "distinct\t%s\n",
            d->job.text     ? "on the CPU, as for all text"
            : asked == here ? "on the device"
            : here          ? "estimated on the device, counted on the CPU"
            : d->teams > 1  ? "on the CPU, because devices share the data"
                            : "on the CPU, which counts how often each comes");
}

static void explain_axes(const struct dataset *d, FILE *to)
{
    const struct geometry *g = &d->geometry;
    uint64_t size[RESULT_RANK_MAX];
    unsigned rank;
    geometry_result(g, &rank, size);
    fprintf(to, "shape\t(");
    for (unsigned i = 0; i < g->rank; i++)
        fprintf(to, i ? ", %" PRId64 : "%" PRId64, (int64_t)g->size[i]);
    fprintf(to, "), %s order\n  axes\t", g->is_fortran ? "Fortran" : "C");
    const char *separator = "";
    for (unsigned i = 0; i < g->rank; i++) {
        if (g->reduced[i]) {
            fprintf(to, "%s%u", separator, i);
            separator = ",";
        }
    }
    fprintf(to, " reduced, on %s\n  result\t(",
            d->team[0].backend->title ? d->team[0].backend->title : "the CPU");
    for (unsigned i = 0; i < rank; i++)
        fprintf(to, i ? ", %" PRId64 : "%" PRId64, (int64_t)size[i]);
    fprintf(to, ")\n");
    if (d->instead.backend)
        fprintf(to,
                "  instead\t%s alone, if the CPU is measured to be slower\n",
                d->instead.backend->title);
}

static void explain_dataset(const struct plan *plan, const struct dataset *d,
                            FILE *to)
{
    const size_t inputs = plan->compares ? 2 : d->count;
    for (size_t i = 0; i < inputs && !d->inputs[0].whole; i++)
        explain_input(&d->inputs[i], to);
    if (d->inputs[0].deferred)
        return;
    explain_pairs(d, to);
    explain_formulas(plan, d, to);
    explain_keys(plan, d, to);
    if (d->has_axes)
        explain_axes(d, to);
    explain_teams(plan, d, to);
    explain_distinct(d, to);
    explain_passes(plan, d, to);
}

void plan_explain(const struct plan *plan, FILE *to)
{
    fprintf(to, "ops\t");
    for (size_t i = 0; i < plan->asked; i++)
        fprintf(to, "%s%s", i ? "," : "", plan->op[i]->name);
    fputc('\n', to);
    if (plan->compares)
        fprintf(to, "match\t|a - b| <= %.17g + %.17g * |b|\n",
                plan->tolerance.absolute, plan->tolerance.relative);
    char text[QUOTE_MAX];
    for (size_t i = 0; i < plan->assertions; i++)
        fprintf(to, "assert\t%s\n",
                escape(text, plan->assertion[i].expr.source.text));
    for (size_t i = 0; i < plan->dataset_count; i++) {
        const struct dataset *d = &plan->datasets[i];
        if (d->inputs[0].whole)
            d = packs_explain(d, to, &i);
        explain_dataset(plan, d, to);
    }
    notes_print(plan->csv.notes, to, "note\t");
}
