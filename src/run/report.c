/* SPDX-License-Identifier: MIT */
#include "run/report.h"

#include <inttypes.h>

#include "base/cpu.h"
#include "base/quote.h"
#include "format/compression.h"
#include "output/stages.h"

static void print_columns(FILE *to, const struct dataset *d,
                          const struct states *states)
{
    char quoted[QUOTE_MAX];
    struct csv_span name;
    const struct pairing *p = &d->job.pairing;
    const bool is_pair = p->kind == PAIRING_ONE;
    const size_t columns = is_pair ? 1 : dataset_columns(d);
    for (size_t c = 0;
         c < columns && (name = dataset_column_name(d->names, c)).at; c++) {
        const struct tally *t =
            &states->tally[p->kind ? pairing_of_column(p, c) : c];
        fprintf(to,
                "%s%s: %" PRIu64 " rows = %" PRIu64 " used + %" PRIu64
                " missing + %" PRIu64 " bad\n",
                is_pair ? "pairs" : "column ",
                is_pair ? "" : escape_bytes(quoted, name.at, name.bytes),
                tally_rows(t), t->n, t->missing, t->bad);
    }
}

/* Prints the devices and threads that did the work, and the decoder. */
static void print_teams(FILE *to, const struct dataset *d,
                        const struct engine_report *report)
{
    for (size_t t = 0; t < d->teams; t++) {
        const struct team *team = &d->team[t];
        const struct team_report *r = &report->team[t];
        if (team->backend->is_numbered && !team->waits)
            fprintf(to, "device %s:%d", team->backend->name, team->device);
        else
            fprintf(to, "device %s", team->backend->name);
        fprintf(to, ", %u thread%s, %" PRIu64 " bytes", r->workers,
                r->workers == 1 ? "" : "s", r->bytes);
        if (r->chunk_bytes > 0)
            fprintf(to, ", short of memory: chunks of %zu bytes or more",
                    r->chunk_bytes);
        if (!team->backend->is_numbered)
            fprintf(to, ", instructions of %s", cpu_name());
        if (team->backend->is_coherent && !team->waits &&
            team->backend->is_coherent(team->device))
            fputs(", host page tables", to);
        fputc('\n', to);
    }
    if (d->inputs[0].compression) {
        const struct codec *codec = compression_codec(&d->inputs[0]);
        fprintf(to, "%s decoded by %s %s\n", d->inputs[0].compression->name,
                codec->name, codec->version());
    }
    if (report->reason[0])
        fprintf(to, "%s\n", report->reason);
}

void report_print(FILE *to, const struct dataset *d,
                  const struct states *states,
                  const struct engine_report *report)
{
    print_columns(to, d, states);
    print_teams(to, d, report);
    stages_print(to, d->job.meter, report->wall, report->bytes);
}

/* The input's data bytes, or INPUT_UNKNOWN. */
static uint64_t bytes_of(const struct input *input)
{
    const uint64_t head = input->head_bytes;
    if (input->bytes == INPUT_UNKNOWN && input->ended)
        return input->offset < head ? head - input->offset : 0;
    return input->bytes;
}

/* The bytes of the input's file if it is compressed, else INPUT_UNKNOWN. */
static uint64_t packed_bytes_of(const struct input *input)
{
    return input->again ? input->file_bytes : INPUT_UNKNOWN;
}

/* The sum over all inputs, or PROGRESS_UNKNOWN. Counts each input twice if
 * --verify or quantiles read it twice, and four times if both do. */
static uint64_t sum_of(const struct plan *plan,
                       uint64_t (*of)(const struct input *input))
{
    uint64_t sum = 0;
    for (size_t i = 0; i < plan->input_count; i++) {
        uint64_t bytes = of(&plan->inputs[i]);
        const int runs = plan->verify ? 2 : 1;
        for (int times = plan->reads_again ? 2 * runs : runs; times > 0;
             times--) {
            if (bytes == INPUT_UNKNOWN ||
                __builtin_add_overflow(sum, bytes, &sum))
                return PROGRESS_UNKNOWN;
        }
    }
    return sum;
}

struct progress_goal run_goal(const struct plan *plan)
{
    struct progress_goal goal = {.bytes = sum_of(plan, bytes_of)};
    goal.packed = goal.bytes == PROGRESS_UNKNOWN;
    if (goal.packed)
        goal.bytes = sum_of(plan, packed_bytes_of);
    return goal;
}
