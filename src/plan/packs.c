/* SPDX-License-Identifier: MIT */
#include "plan/packs.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/quote.h"
#include "chunk/file.h"
#include "format/format.h"
#include "format/pack.h"
#include "plan/axes.h"
#include "plan/check.h"
#include "plan/pairs.h"
#include "plan/plan.h"

/* Checks that the plan's results can have a row for each array. */
static bool check_results(const struct plan *plan, const struct input *input,
                          struct error *e)
{
    const char *format = input->pack->list ? ".npz" : "safetensors";
    if (plan->compares)
        return error_named(e, ERROR_USAGE, input->name,
                           "--compare compares one array with another; name "
                           "it: FILE:NAME");
    if (plan->form == FORM_npy)
        return error_named(e, ERROR_USAGE, input->name,
                           "-O npy writes one array, but %s files give a "
                           "result for each of theirs; name one: FILE:NAME",
                           format);
    return !plan->has_axes || plan->form == FORM_json ||
           plan->form == FORM_jsonl ||
           error_named(e, ERROR_USAGE, input->name,
                       "--axis gives an array for each array in the file; "
                       "say -O json or -O jsonl, or name one: FILE:NAME");
}

/* Refuses other FILEs beside one of several arrays, unless --per-file is given:
 * together they would be one dataset, but each array is one. */
static bool check_others(const struct plan *plan, struct error *e)
{
    const struct input *pack = NULL, *other = NULL;
    for (size_t i = 0; i < plan->input_count; i++) {
        const struct input *input = &plan->inputs[i];
        if (input->pack && !check_results(plan, input, e))
            return false;
        *(input->pack ? &pack : &other) = input;
    }
    return !pack || !other || plan->per_file ||
           error_named(e, ERROR_USAGE, pack->name,
                       "it has several arrays, with a result each, so it "
                       "cannot be one dataset with other FILEs\n"
                       "Say --per-file, or name an array: FILE:NAME.");
}

static bool open_part(const struct plan *plan, const struct input *whole,
                      size_t i, struct input *part, struct error *e)
{
    if (!pack_input(whole, i, part, e))
        return false;
    if (plan_check_input(part, e) && pairs_check_input(plan, part, e) &&
        axes_check_input(plan, part, e))
        return true;
    input_close(part);
    return false;
}

/* Fills plan->inputs, which has room for all, from the inputs of the FILEs. */
static bool spread(struct plan *plan, const struct input *from, size_t count,
                   struct error *e)
{
    bool ok = true;
    for (size_t i = 0; i < count; i++) {
        const struct input *whole = &plan->packs.whole[plan->packs.count];
        if (!from[i].pack) {
            plan->inputs[plan->input_count++] = from[i];
            continue;
        }
        plan->packs.whole[plan->packs.count++] = from[i];
        for (size_t k = 0; ok && k < whole->pack->count; k++) {
            ok = open_part(plan, whole, k, &plan->inputs[plan->input_count], e);
            plan->input_count += ok;
        }
    }
    return ok;
}

bool packs_open(struct plan *plan, struct error *e)
{
    struct input *files = plan->inputs;
    const size_t count = plan->input_count;
    size_t all = 0, packs = 0;
    for (size_t i = 0; i < count; i++) {
        packs += files[i].pack != NULL;
        all += files[i].pack ? files[i].pack->count : 1;
    }
    if (packs == 0)
        return true;
    if (!check_others(plan, e))
        return false;
    struct input *parts = calloc(all, sizeof *parts);
    plan->packs.whole = calloc(packs, sizeof *plan->packs.whole);
    if (!parts || !plan->packs.whole) {
        free(parts);
        return error_memory(e);
    }
    plan->inputs = parts;
    plan->input_count = 0;
    plan->packs.by_file = count > 1;
    const bool ok = spread(plan, files, count, e);
    free(files);
    return ok;
}

static void explain_part(const struct input *input, FILE *to)
{
    char name[QUOTE_MAX];
    fprintf(to, "  array\t%s, %s, (", quote(name, input->part),
            input_dtype_name(input));
    for (unsigned d = 0; d < input->rank; d++)
        fprintf(to, d ? ", %" PRIu64 : "%" PRIu64, input->shape[d]);
    fprintf(to, "), %" PRIu64 " bytes\n", input->bytes);
}

const struct dataset *packs_explain(const struct dataset *d, FILE *to,
                                    size_t *at)
{
    char name[QUOTE_MAX];
    const struct dataset *largest = d;
    const struct input *whole = d->inputs[0].whole;
    const size_t count = whole->pack->count;
    fprintf(to, "file\t%s\n  format\t%s (%s)\n  arrays\t%zu\n",
            quote(name, whole->name),
            whole->format ? whole->format->name : "archive of .npy",
            whole->format ? whole->format_reason : "by its members", count);
    for (size_t i = 0; i < count; i++) {
        explain_part(&d[i].inputs[0], to);
        largest = d[i].bytes > largest->bytes ? &d[i] : largest;
    }
    *at += count - 1;
    return largest;
}

void packs_close(struct packs *packs)
{
    for (size_t i = 0; i < packs->count; i++) {
        file_forget(packs->whole[i].pack);
        input_close(&packs->whole[i]);
    }
    free(packs->whole);
}
