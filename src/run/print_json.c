/* SPDX-License-Identifier: MIT */
/* Prints results as elements of JSON: json puts them in one object, jsonl
 * prints one a line. */
#include <inttypes.h>
#include <string.h>

#include "backend/registry.h"
#include "output/number.h"
#include "run/joint.h"
#include "run/places.h"
#include "run/printer.h"

void print_count(struct printer *p, const char *key, uint64_t n)
{
    const struct value value = value_unsigned(n);
    writer_text(&p->to, key);
    writer_number(&p->to, &value);
}

static void put_string(struct printer *p, const char *text)
{
    writer_json(&p->to, text, strlen(text));
}

/* Prints the number of rows of an element, and how many of them have a value or
 * are missing, bad or NaN. */
static void put_tallies(struct printer *p, const struct answers_part *part,
                        size_t row)
{
    static const char *const keys[PLAN_ROWS] = {[PLAN_MISSING] =
                                                    ",\"n_missing\":",
                                                [PLAN_BAD] = ",\"n_bad\":",
                                                [PLAN_NAN] = ",\"n_nan\":"};
    uint64_t count[PLAN_TALLIES];
    for (size_t i = 0; i < PLAN_TALLIES; i++)
        count[i] =
            printer_value(p, part, row, p->answers->plan->tally[i]).word[0];
    print_count(p, "\"rows\":", count[PLAN_ROWS]);
    /* If no cell is read, the other counts are not known. */
    if (p->answers->plan->csv.spec.rows_only) {
        writer_text(&p->to, ",\"n\":null,\"n_missing\":null,\"n_bad\":null,"
                            "\"n_nan\":null");
        return;
    }
    print_count(
        p, ",\"n\":", count[PLAN_ROWS] - count[PLAN_MISSING] - count[PLAN_BAD]);
    for (size_t i = 0; i < PLAN_ROWS; i++)
        print_count(p, keys[i], count[i]);
}

/* Prints where an element is: its index and value, the file, and the place in
 * it. */
static void put_place(struct printer *p, const struct answers_part *part,
                      const struct value *index, const struct value *value)
{
    const struct place place = place_of(part, index->word[0]);
    writer_text(&p->to, "{\"index\":");
    writer_number(&p->to, index);
    writer_text(&p->to, ",\"value\":");
    writer_number(&p->to, value);
    writer_text(&p->to, ",\"file\":");
    put_string(p, answers_file(place.input));
    writer_text(&p->to, ",\"");
    writer_text(&p->to, place.kind);
    writer_text(&p->to, "\":");
    writer_number(&p->to, &place.at);
    writer_text(&p->to, "}");
}

static void put_value(struct printer *p, const struct value *value)
{
    if (value->kind == VALUE_TEXT)
        writer_json(&p->to, value->text, value->bytes);
    else
        writer_number(&p->to, value);
}

/* Prints a mode, how often it occurs and how many values occur as often. */
static void put_mode(struct printer *p, const struct answers_part *part,
                     size_t row, const struct value *mode)
{
    static const char *const keys[] = {",\"count\":", ",\"ties\":"};
    writer_text(&p->to, "{\"value\":");
    put_value(p, mode);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        print_count(
            p, keys[i],
            printer_value(p, part, row, p->answers->plan->of_mode[i]).word[0]);
    writer_text(&p->to, "}");
}

static void put_op(struct printer *p, const struct answers_part *part,
                   size_t row, size_t op)
{
    const struct plan *plan = p->answers->plan;
    const struct value value = printer_value(p, part, row, op);
    writer_text(&p->to, ",\"");
    writer_text(&p->to, plan->op[op]->name);
    writer_text(&p->to, "\":");
    if (plan->element[op] < plan->ops && value.kind == VALUE_INTEGER) {
        const struct value element =
            printer_value(p, part, row, plan->element[op]);
        put_place(p, part, &value, &element);
        return;
    }
    if (part->histogram && op_is_histogram(plan->op[op]))
        json_histogram(p, part, row);
    else if (op_is_mode(plan->op[op]) && value.kind != VALUE_NONE)
        put_mode(p, part, row, &value);
    else
        put_value(p, &value);
}

/* Whether columns have names, or there are several, which have numbers. A
 * computed column follows the fields of the table. */
static bool is_named(const struct answers_part *part)
{
    const struct csv_table *t = part->names;
    return t && (t->has_header || t->fields > 1 || t->columns > 1 ||
                 (t->columns > 0 && t->field_of[0] >= t->fields));
}

static void put_name(struct printer *p, const struct answers_part *part,
                     size_t column)
{
    const struct csv_span name = dataset_column_name(part->names, column);
    writer_json(&p->to, name.at, name.bytes);
}

/* Prints the name of a row's column, or of both columns of a pair. */
static void put_names(struct printer *p, const struct answers_part *part,
                      size_t row)
{
    if (!p->answers->plan->of_pairs) {
        writer_text(&p->to, "\"column\":");
        put_name(p, part, row);
        return;
    }
    const struct column_pair pair = pairing_at(&part->pairing, row);
    writer_text(&p->to, "\"columns\":[");
    put_name(p, part, pair.first);
    writer_text(&p->to, ",");
    put_name(p, part, pair.second);
    writer_text(&p->to, "]");
}

/* Prints a count of all the data, unless an op that is printed has its name. */
static void put_total(struct printer *p, const char *name, uint64_t n)
{
    for (size_t i = 0; i < p->ops; i++) {
        if (strcmp(p->op[i]->name, name) == 0)
            return;
    }
    writer_text(&p->to, "\"");
    writer_text(&p->to, name);
    print_count(p, "\":", n);
    writer_text(&p->to, ",");
}

/* Prints an array as one element, with the counts of all its data. */
static void put_array(struct printer *p, const struct answers_part *part)
{
    const struct plan *plan = p->answers->plan;
    const uint64_t n = part->elements;
    uint64_t nans = 0;
    for (size_t row = 0; row < part->rows; row++)
        nans += printer_value(p, part, row, plan->tally[PLAN_NAN]).word[0];
    json_shape(p, part);
    put_total(p, "rows", n);
    put_total(p, "n", n);
    put_total(p, "n_missing", 0);
    put_total(p, "n_bad", 0);
    put_total(p, "n_nan", nans);
    for (size_t i = 0; i < p->ops; i++) {
        writer_text(&p->to, i > 0 ? ",\"" : "\"");
        writer_text(&p->to, p->op[i]->name);
        writer_text(&p->to, "\":");
        json_array(p, part, p->index[i]);
    }
}

static void put_element(struct printer *p, const struct answers_part *part,
                        size_t row)
{
    writer_text(&p->to, "{");
    if (p->by_file) {
        writer_text(&p->to, "\"file\":");
        put_string(p, answers_file(part->input));
        writer_text(&p->to, ",");
    }
    if (part->input->part) {
        writer_text(&p->to, "\"name\":");
        put_string(p, part->input->part);
        writer_text(&p->to, ",");
    }
    if (part->has_axes) {
        put_array(p, part);
        writer_text(&p->to, "}");
        return;
    }
    if (part->by)
        json_by(p, part, row);
    if (is_named(part)) {
        put_names(p, part, part->by ? row % part->by->columns : row);
        writer_text(&p->to, ",");
    }
    put_tallies(p, part, row);
    for (size_t i = 0; i < p->ops; i++)
        put_op(p, part, row, p->index[i]);
    writer_text(&p->to, "}");
}

/* The number of elements that a part is printed as. */
static size_t elements_of(const struct answers_part *part)
{
    return part->has_axes ? 1 : part->rows;
}

void json_begin(struct printer *p)
{
    writer_text(&p->to, "{\"schema\":1,\"results\":[");
}

/* Prints elements [row, end) of a part. */
static void put_elements(struct printer *p, const struct answers_part *part,
                         size_t row, size_t end)
{
    const bool is_json = p->answers->plan->form == FORM_json;
    for (; row < end; row++) {
        if (answers_is_itself(part, row))
            continue;
        if (is_json)
            writer_text(&p->to, p->elements++ > 0 ? ",\n" : "\n");
        put_element(p, part, row);
        if (!is_json)
            writer_text(&p->to, "\n");
    }
}

void json_part(struct printer *p, const struct answers_part *part)
{
    struct joint *const joint = p->answers->plan->joint;
    if (joint)
        joint->lines(p, part, elements_of(part), put_elements);
    else
        put_elements(p, part, 0, elements_of(part));
}

/* Prints the backends that reduced data, as "cpu+cuda". */
static void put_devices(struct printer *p)
{
    const char *separator = "";
    writer_text(&p->to, "\"");
    for (size_t i = 0; backends[i]; i++) {
        if (p->answers->run.backends >> i & 1) {
            writer_text(&p->to, separator);
            writer_text(&p->to, backends[i]->name);
            separator = "+";
        }
    }
    writer_text(&p->to, "\"");
}

void json_end(struct printer *p)
{
    const struct answers_run *run = &p->answers->run;
    print_count(p, "\n],\"input\":{\"files\":", p->answers->plan->names.count);
    print_count(p, ",\"records\":", run->records);
    print_count(p, ",\"rejected\":", run->rejected);
    writer_text(&p->to, "},\n\"run\":{\"version\":\"" VERSION "\",\"device\":");
    put_devices(p);
    print_count(p, ",\"bytes\":", run->bytes);
    writer_text(&p->to, "}}\n");
}
