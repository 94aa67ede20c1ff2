/* SPDX-License-Identifier: MIT */
/* Reads and merges states: their question takes the place of options. */
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "format/input.h"
#include "plan/merging_parts.h"

/* Sets the operations that were asked for when the states were saved. */
static bool set_ops(const struct plan *plan, struct options *o, struct error *e)
{
    struct saved_text list = merged_text(plan, SAVED_ops), item;
    char name[PERCENT_NAME_MAX];
    const uint64_t as = merged_number(plan, SAVED_asked);
    o->ops = 0;
    while (saved_next_item(&list, &item)) {
        if (item.n >= sizeof name || o->ops == OPS_MAX - 8)
            return merged_damaged(plan, e);
        memcpy(name, item.at, item.n);
        name[item.n] = '\0';
        if (!(o->op[o->ops++] = op_find(name)))
            return merged_damaged(plan, e);
    }
    o->named = merged_number(plan, SAVED_shown);
    o->summary = as & 1;
    o->describes = as >> 1 & 1;
    o->asked_all = as >> 2 & 1;
    return (list.n == 0 && o->ops > 0) || merged_damaged(plan, e);
}

static bool merge_each(struct plan *plan, struct merging_file *file,
                       struct error *e)
{
    const struct file_names *names = &plan->names;
    bool ok = true;
    for (size_t i = 0; ok && i < names->count; i++) {
        struct saved next, *to = i == 0 ? plan->merged : &next;
        uint8_t *data;
        size_t bytes;
        ok = saved_load(names->name[i], &data, &bytes, e);
        if (!ok) {
            free(data);
            break;
        }
        const char *name = names->name[i];
        ok = saved_read(to, data, bytes, input_name(name), e);
        file[i] = (struct merging_file){to->checksum, i, to->part, to->parts};
        if (i == 0)
            continue;
        ok = ok && saved_merge(plan->merged, input_name(names->name[0]), &next,
                               input_name(name), e);
        saved_free(&next);
    }
    /* Once, for all files: it looks at every key. */
    return ok && (!plan->merged->groups ||
                  groups_finish(plan->merged->groups, NULL, NULL, e));
}

static bool merge_all(struct plan *plan, struct notes *notes, struct error *e)
{
    struct merging_file *file = calloc(plan->names.count + 1, sizeof *file);
    if (!file)
        return error_memory(e);
    const bool ok = merge_each(plan, file, e);
    if (ok)
        merging_note(&plan->names, file, notes);
    free(file);
    return ok;
}

/* Sets the dtype as --dtype does. */
static bool read_type(const struct plan *plan, struct options *o)
{
    struct saved_text list = merged_text(plan, SAVED_type), item;
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
        const struct saved_text nan = merged_text(plan, SAVED_nan);
        if (nan.n == strlen(modes[i].name) &&
            memcmp(nan.at, modes[i].name, nan.n) == 0)
            o->nan = modes[i].nan;
    }
    if (!read_type(plan, o))
        return merged_damaged(plan, e);
    plan->settings = o->input;
    plan->has_axes = merged_text(plan, SAVED_axes).n > 0;
    if (plan->merged->groups)
        o->csv.by = "keys";
    if (merged_number(plan, SAVED_pairing) == PAIRING_WEIGHTS)
        o->csv.weights = "weights";
    return true;
}

void merging_close(struct plan *plan)
{
    if (plan->merged)
        saved_free(plan->merged);
    free(plan->merged);
}
