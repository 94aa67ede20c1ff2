/* SPDX-License-Identifier: MIT */
#include "csv/schema/header_run.h"

#include <string.h>

/* The range of years that may be names of columns. */
enum { YEAR_MIN = 1900, YEAR_MAX = 2100 };

/* Reads the next record below record 1. */
static bool next_record(const struct csv_look *look, size_t *at,
                        struct csv_dialect d, struct csv_fields *record,
                        bool *lost)
{
    const enum csv_record found =
        csv_record_next(look->text, at, d, look->is_all, record);
    *lost |= found == CSV_RECORD_NO_MEMORY;
    return found == CSV_RECORD_OK;
}

static bool read_integer(const struct csv_spec *spec, struct csv_dialect d,
                         struct csv_span field, uint64_t *value)
{
    struct csv_spec whole = *spec;
    whole.dtype = DTYPE_u64;
    whole.is_bool = false;
    return csv_cell_is_number(csv_cell_read(&whole, d, field, value));
}

static bool is_year(uint64_t n)
{
    return n >= YEAR_MIN && n <= YEAR_MAX;
}

bool csv_counts(const struct csv_look *look, struct csv_dialect dialect,
                const struct csv_spec *spec, bool *lost)
{
    struct csv_fields record = {.most = 1};
    uint64_t first = 0, value;
    size_t at = 0, n = 0;
    bool counts = true;
    while (counts && next_record(look, &at, dialect, &record, lost)) {
        counts =
            record.n > 0 && read_integer(spec, dialect, record.at[0], &value);
        if (counts && n == 0)
            first = value;
        counts = counts && first <= 1 && value == first + n++;
    }
    csv_fields_free(&record);
    return counts && n > 0;
}

bool csv_run_read(const struct csv_heading *h, const struct csv_header_cells *c,
                  const struct csv_fields *record, struct csv_run *run)
{
    size_t n = 0;
    for (size_t i = 0; i < c->n; i++) {
        uint64_t value;
        if (c->kind[i] != CSV_KIND_NUMBER)
            continue;
        if (i >= record->n || !read_integer(&h->settings->spec, h->dialect,
                                            record->at[i], &value))
            return false;
        if (n == 0)
            run->from = value;
        if (value != run->from + n)
            return false;
        run->field[n++] = i;
    }
    run->n = n;
    return n > 0;
}

bool csv_run_is_continued(const struct csv_heading *h,
                          struct csv_header_cells *c, const struct csv_run *run)
{
    struct csv_fields second = {.most = h->first->most};
    struct csv_run next = {0, 0, run->field};
    size_t at = 0;
    bool is = next_record(h->look, &at, h->dialect, &second, &c->lost) &&
              csv_run_read(h, c, &second, &next) &&
              (is_year(run->from)
                   ? is_year(next.from)
                   : next.from == run->from || next.from == run->from + 1 ||
                         next.from == run->from + run->n);
    csv_fields_free(&second);
    return is;
}

/* Counts the years, and the other numbers, in the fields where record 1 has
 * numbers. */
static void count_years(const struct csv_heading *h,
                        const struct csv_header_cells *c,
                        const struct csv_fields *record, size_t *years,
                        size_t *others)
{
    *years = *others = 0;
    for (size_t i = 0; i < c->n && i < record->n; i++) {
        uint64_t value;
        const struct csv_span cell = record->at[i];
        if (c->kind[i] != CSV_KIND_NUMBER)
            continue;
        if (read_integer(&h->settings->spec, h->dialect, cell, &value) &&
            is_year(value))
            ++*years;
        else
            *others += csv_kind_of(&h->settings->spec, h->dialect, cell) ==
                       CSV_KIND_NUMBER;
    }
}

bool csv_may_be_years(const struct csv_heading *h, struct csv_header_cells *c)
{
    struct csv_fields second = {.most = h->first->most};
    size_t at = 0, years, others;
    count_years(h, c, h->first, &years, &others);
    bool may = c->of[CSV_KIND_WORD] > 0 && years > 0 && others == 0 &&
               next_record(h->look, &at, h->dialect, &second, &c->lost);
    if (may)
        count_years(h, c, &second, &years, &others);
    csv_fields_free(&second);
    return may && others > 0;
}

bool csv_run_has_fraction(const struct csv_heading *h,
                          struct csv_header_cells *c, const struct csv_run *run)
{
    enum { RECORDS = 100 };
    struct csv_fields record = {.most = h->first->most};
    struct csv_spec spec = h->settings->spec;
    size_t at = 0;
    bool found = false;
    spec.dtype = DTYPE_f64;
    spec.round_wide = true;
    for (int n = 0; n < RECORDS && !found; n++) {
        if (!next_record(h->look, &at, h->dialect, &record, &c->lost))
            break;
        for (size_t i = 0; i < run->n && !found; i++) {
            double value = 0;
            uint64_t bits;
            if (run->field[i] >= record.n ||
                !csv_cell_is_number(csv_cell_read(
                    &spec, h->dialect, record.at[run->field[i]], &bits)))
                continue;
            memcpy(&value, &bits, sizeof value);
            found = value - value == 0 && value != __builtin_trunc(value);
        }
    }
    csv_fields_free(&record);
    return found;
}

bool csv_run_is_name_like(const struct csv_header_cells *c,
                          const struct csv_run *run)
{
    const bool years = is_year(run->from) && is_year(run->from + run->n - 1);
    return run->n == 1 ? years && c->of[CSV_KIND_WORD] > 0
                       : years || run->from <= 1;
}
