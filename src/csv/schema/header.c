/* SPDX-License-Identifier: MIT */
#include "csv/schema/header.h"

#include <stdlib.h>

#include "csv/schema/header_run.h"
#include "csv/schema/seek.h"

static bool is_quoted_number(const struct csv_heading *h, size_t i)
{
    const struct csv_span cell = h->first->at[i];
    const struct csv_seen *seen = &h->look->seen[i];
    return h->dialect.quotes && cell.bytes > 0 &&
           cell.at[0] == (char)h->dialect.quote && csv_mostly_numbers(seen) &&
           2 * seen->bare > seen->numbers;
}

/* With -t bool, y over 0 and 1 is the name of their column. Over y or n it is a
 * truth value. */
static bool is_truth_word_over_digits(const struct csv_heading *h, size_t i)
{
    const struct csv_seen *seen = &h->look->seen[i];
    return seen->numbers > 0 && seen->truths == 0 &&
           csv_is_truth_word(&h->settings->spec, h->dialect, h->first->at[i]);
}

static bool has_digit(struct csv_span cell)
{
    size_t i = 0;
    while (i < cell.bytes && (cell.at[i] < '0' || cell.at[i] > '9'))
        i++;
    return i < cell.bytes;
}

static bool read_kinds(const struct csv_heading *h, struct csv_header_cells *c)
{
    c->n = csv_kept(h->first);
    c->kind = malloc((c->n + 1) * sizeof *c->kind);
    for (size_t i = 0; c->kind && i < c->n; i++) {
        enum csv_kind kind =
            csv_kind_of(&h->settings->spec, h->dialect, h->first->at[i]);
        if (kind == CSV_KIND_NO_MEMORY)
            return false;
        if (kind == CSV_KIND_NUMBER &&
            (is_quoted_number(h, i) || is_truth_word_over_digits(h, i)))
            kind = CSV_KIND_WORD;
        c->kind[i] = kind;
        c->of[kind]++;
        c->figures += kind == CSV_KIND_NUMBER && has_digit(h->first->at[i]);
    }
    return c->kind;
}

static struct csv_verdict verdict(bool is_header, enum csv_say say,
                                  const char *reason)
{
    return (struct csv_verdict){is_header, say, reason};
}

/* Rule H2: a word stands over numbers. A number beside it makes that less
 * certain, unless it looks like a name, too. */
static struct csv_verdict judge_word(const struct csv_heading *h,
                                     struct csv_header_cells *c,
                                     struct csv_run *run,
                                     bool is_over_numbers_alone)
{
    const bool is_certain =
        c->figures + c->of[CSV_KIND_DATA] == 0 ||
        (csv_run_read(h, c, h->first, run) && csv_run_is_name_like(c, run) &&
         !csv_run_is_continued(h, c, run));
    return verdict(true,
                   !is_certain             ? CSV_SAY
                   : is_over_numbers_alone ? CSV_SAY_NEVER
                                           : CSV_SAY_IF_COUNTED,
                   "a word stands over numbers");
}

/* With -t bool, whether record 1 has no digit, but a word and t, f, y or n,
 * which may be a name, too. */
static bool has_letters_of_truth(const struct csv_heading *h,
                                 const struct csv_header_cells *c)
{
    size_t i = 0;
    while (i < c->n && (c->kind[i] != CSV_KIND_NUMBER ||
                        csv_trim(h->first->at[i]).bytes > 1))
        i++;
    return h->settings->spec.is_bool && c->figures == 0 &&
           c->of[CSV_KIND_WORD] > 0 && i < c->n;
}

/* Rules H3 and H4: record 1 has numbers, and no word over numbers. */
static struct csv_verdict judge_numbers(const struct csv_heading *h,
                                        struct csv_header_cells *c,
                                        struct csv_run *run)
{
    const struct csv_verdict plain =
        verdict(false, CSV_SAY_NEVER, "its first record holds numbers");
    if (has_letters_of_truth(h, c))
        return verdict(false, CSV_SAY, "its truth values could be names");
    const struct csv_verdict unsure =
        verdict(false, CSV_SAY, "its numbers could be names or data");
    const bool has_run = csv_run_read(h, c, h->first, run);
    if (c->kind[0] == CSV_KIND_EMPTY &&
        csv_counts(h->look, h->dialect, &h->settings->spec, &c->lost))
        return has_run && (run->from <= 1 || csv_run_is_name_like(c, run))
                   ? verdict(true, CSV_SAY_NEVER,
                             "numbered columns and numbered records")
               : c->of[CSV_KIND_DATA] > 0 || h->first->at[0].bytes > 0 ? plain
                                                                       : unsure;
    if (!has_run)
        return csv_may_be_years(h, c) ? unsure : plain;
    if (c->of[CSV_KIND_DATA] > 0 || !csv_run_is_name_like(c, run) ||
        csv_run_is_continued(h, c, run))
        return plain;
    if (c->kind[0] == CSV_KIND_WORD)
        return verdict(true, CSV_SAY,
                       "its numbers look like names after a word");
    if (csv_run_has_fraction(h, c, run))
        return verdict(true, CSV_SAY,
                       "its numbers look like names over fractions");
    return unsure;
}

/* Rules H5 and H6: record 1 has no number, and no word over numbers. */
static struct csv_verdict judge_words(const struct csv_heading *h,
                                      struct csv_header_cells *c)
{
    if (c->of[CSV_KIND_DATA] > 0)
        return verdict(false, CSV_SAY_NEVER, "its first record holds data");
    if (c->of[CSV_KIND_WORD] == 0)
        return verdict(false, CSV_SAY_NEVER, "its first record is empty");
    if (c->n == 1)
        return verdict(false, CSV_SAY_IF_COUNTED, "a single column of words");
    if (c->kind[0] == CSV_KIND_EMPTY && c->of[CSV_KIND_EMPTY] == 1 &&
        csv_counts(h->look, h->dialect, &h->settings->spec, &c->lost))
        return verdict(true, CSV_SAY_NEVER, "words, and numbered records");
    if (c->of[CSV_KIND_EMPTY] > 0)
        return verdict(false, CSV_SAY_IF_COUNTED, "words and an empty cell");
    return verdict(true, CSV_SAY_IF_COUNTED,
                   "its first record holds only words");
}

/* Rule H7: there is only one record. */
static struct csv_verdict judge_single(const struct csv_header_cells *c)
{
    size_t words = c->of[CSV_KIND_WORD], empty = c->of[CSV_KIND_EMPTY];
    bool is_mix = c->of[CSV_KIND_NUMBER] + empty < c->n &&
                  c->of[CSV_KIND_DATA] + empty < c->n;
    if (words == c->n)
        return verdict(true, CSV_SAY_NEVER, "a single record of words");
    return verdict(false, is_mix ? CSV_SAY : CSV_SAY_NEVER,
                   "a single record, not only of words");
}

/* Where record 1 has a number or a data-like cell, too, the column below the
 * word must have no other cell: X over 1, 2, MT is a label like those below it.
 * Sets *alone if the numbers below some word are alone. */
static bool has_word_over_numbers(const struct csv_heading *h,
                                  const struct csv_header_cells *c, bool *alone)
{
    const bool has_data = c->figures + c->of[CSV_KIND_DATA] > 0;
    bool has = false;
    *alone = false;
    for (size_t i = 0; i < c->n && !*alone; i++) {
        const struct csv_seen *seen = &h->look->seen[i];
        if (c->kind[i] != CSV_KIND_WORD || seen->numbers == 0)
            continue;
        *alone = seen->others == 0;
        has |= has_data ? *alone : seen->numbers >= seen->others;
    }
    return has;
}

static bool judge(const struct csv_heading *h, struct csv_verdict *v)
{
    struct csv_header_cells c = {.n = 0};
    const size_t kept = csv_kept(h->first);
    struct csv_run run = {0, 0, malloc((kept + 1) * sizeof *run.field)};
    bool ok = run.field && read_kinds(h, &c), alone;
    if (!ok)
        ;
    else if (h->look->records == 0)
        *v = judge_single(&c);
    else if (has_word_over_numbers(h, &c, &alone))
        *v = judge_word(h, &c, &run, alone);
    else if (c.of[CSV_KIND_NUMBER] > 0)
        *v = judge_numbers(h, &c, &run);
    else
        *v = judge_words(h, &c);
    free(c.kind);
    free(run.field);
    return ok && !c.lost;
}

bool csv_find_header(const struct csv_heading *h, struct csv_verdict *v)
{
    const struct csv_settings *w = h->settings;
    bool proved = false;
    *v = verdict(false, CSV_SAY_NEVER, "as asked");
    if (h->first->n == 0) {
        v->reason = "there is no record";
        return true;
    }
    if (w->header != CSV_HEADER_AUTO) {
        v->is_header = w->header == CSV_HEADER_YES;
        return true;
    }
    if (!csv_proves_header(h->first->text, h->first->n, h->dialect, w, h->like,
                           &proved))
        return false;
    if (proved) {
        *v = verdict(true, CSV_SAY_NEVER,
                     "it holds the name of a column asked for");
        return true;
    }
    return judge(h, v);
}
