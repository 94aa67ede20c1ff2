/* SPDX-License-Identifier: MIT */
#include "run/places.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/quote.h"
#include "output/number.h"

static uint64_t elements_of(const struct input *input)
{
    return input_is_text(input) ? input->records
                                : input->taken / dtype_info(input->dtype)->size;
}

/* The input that has the element. *index becomes the index within that input.
 */
static const struct input *input_of(const struct input *input, size_t inputs,
                                    uint64_t *index)
{
    const struct input *last = input + inputs - 1;
    for (; input < last && *index >= elements_of(input); input++)
        *index -= elements_of(input);
    return input;
}

/* The value of one of the ops that the user asked for. */
static struct value value_of(const struct answers *a,
                             const struct answers_part *part, size_t row,
                             size_t op)
{
    return values_at(&a->values, (part->first + row) * a->plan->ops + op);
}

/* Whether the value is an index whose place is printed. */
static bool is_place(const struct plan *plan, size_t op,
                     const struct value *value)
{
    return plan->has_places && plan->element[op] < plan->ops &&
           value->kind == VALUE_INTEGER;
}

/* Appends the indexes among the part's values. */
static void list_indexes(const struct answers *a, struct answers_part *part)
{
    for (size_t row = 0; row < part->rows; row++) {
        for (size_t i = 0; i < a->plan->asked; i++) {
            const struct value value = value_of(a, part, row, i);
            if (is_place(a->plan, i, &value))
                part->index[part->indexes++] = value.word[0];
        }
    }
}

bool places_find(struct answers *a, const struct chunk_notes *notes,
                 struct error *e)
{
    struct answers_part *part = &a->part[a->parts - 1];
    const size_t most = part->rows * a->plan->asked;
    if (!a->plan->has_places || notes->n == 0)
        return true;
    part->index = malloc(2 * most * sizeof *part->index);
    if (!part->index)
        return error_memory(e);
    part->line = part->index + most;
    list_indexes(a, part);
    qsort(part->index, part->indexes, sizeof *part->index, rank_compare);
    lines_find(notes, part->index, part->line, part->indexes);
    return true;
}

/* The line of a record; 0 if it is not known. */
static uint64_t line_of(const struct answers_part *part, uint64_t index)
{
    const uint64_t *found = part->indexes
                                ? bsearch(&index, part->index, part->indexes,
                                          sizeof index, rank_compare)
                                : NULL;
    return found ? part->line[found - part->index] : 0;
}

struct place place_of(const struct answers_part *part, uint64_t index)
{
    uint64_t within = index;
    const struct input *input = input_of(part->input, part->inputs, &within);
    struct place place = {input, "line", value_none()};
    if (!input_is_text(input)) {
        const uint64_t size = dtype_info(input->dtype)->size;
        place.kind = "offset";
        place.at =
            value_unsigned(input->offset + size * input_place(input, within));
    } else if (line_of(part, index) > 0) {
        place.at = value_unsigned(line_of(part, index));
    }
    return place;
}

const struct input *place_of_element(const struct dataset *d, uint64_t *index)
{
    return input_of(d->inputs, d->count, index);
}

const struct input *place_of_record(const struct dataset *d,
                                    const struct chunk_notes *notes,
                                    uint64_t index, uint64_t *line)
{
    lines_find(notes, &index, line, 1);
    return place_of_element(d, &index);
}

/* "argmax of price: 69, at sales.csv:19" */
static void print_place(FILE *to, const struct answers *a,
                        const struct answers_part *part, size_t row, size_t op)
{
    char text[NUMBER_MAX], name[QUOTE_MAX], file[QUOTE_MAX];
    const struct value index = value_of(a, part, row, op);
    if (!is_place(a->plan, op, &index))
        return;
    const struct csv_span column = dataset_column_name(part->names, row);
    const struct value element = value_of(a, part, row, a->plan->element[op]);
    const struct place place = place_of(part, index.word[0]);
    number_text(text, &element);
    fprintf(to, "%s%s%s: %s, ", a->plan->op[op]->name, column.at ? " of " : "",
            column.at ? escape_bytes(name, column.at, column.bytes) : "", text);
    escape(file, place.input->name);
    if (place.at.kind == VALUE_NONE)
        fprintf(to, "in record %" PRIu64 " (the first is 0)\n", index.word[0]);
    else if (input_is_text(place.input))
        fprintf(to, "at %s:%" PRIu64 "\n", file, place.at.word[0]);
    else
        fprintf(to, "at %s, byte %" PRIu64 "\n", file, place.at.word[0]);
}

void places_print(FILE *to, const struct answers *a)
{
    const struct answers_part *part = &a->part[a->parts - 1];
    /* Values of arrays have no places; a stream may have written and dropped
     * them already. */
    for (size_t row = 0; a->plan->has_places && row < part->rows; row++) {
        for (size_t i = 0; i < a->plan->asked; i++)
            print_place(to, a, part, row, i);
    }
}
