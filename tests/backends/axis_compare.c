/* SPDX-License-Identifier: MIT */
#include "axis_compare.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 20 };

static const char *const monoid_names[] = {"sum",   "sumabs",  "sumsq",
                                           "count", "extrema", "absextrema"};
static const char *const form_names[] = {"tiles", "rows", "columns", "shallow"};

void axis_complain(struct axis_verdict *c, const struct axis_run *r,
                   uint64_t output, const char *what)
{
    if (++c->wrong > SHOWN)
        return;
    printf("wrong: %s of result %" PRIu64 ": %s %s %s, (%" PRIu64 ", %" PRIu64
           ", %" PRIu64 "), %s, lanes %u, pad %u, team %u, partials %" PRIu64
           ", pack %u%s%s\n",
           what, output, dtype_info(r->dtype)->name, c->kind,
           monoid_names[r->monoid], r->shape.outer, r->shape.length,
           r->shape.inner, form_names[r->plan.form], 1u << r->plan.lanes_log,
           r->plan.pad, r->plan.team, r->plan.partials, r->plan.pack,
           r->mean ? ", mean" : "", r->skip ? ", skip" : "");
}

static void compare_float(struct axis_verdict *c, const struct axis_run *r,
                          const bool *listed)
{
    for (uint64_t i = 0; i < r->plan.outputs; i++) {
        double want;
        const bool has = axis_answer_float(&c->answer[i], r->monoid, r->mean,
                                           r->skip, &want);
        if (listed[i])
            continue;
        const double got = r->value[i];
        if (!has || (memcmp(&got, &want, sizeof got) != 0 &&
                     !(got != got && want != want)))
            axis_complain(c, r, i, "value");
    }
}

/* Marks the doubtful results; each may be listed only once. */
static bool *list_of(struct axis_verdict *c, const struct axis_run *r)
{
    bool *listed = calloc(r->plan.outputs, 1);
    for (uint64_t i = 0; listed && i < r->doubtful_count; i++) {
        const uint64_t output =
            i < r->plan.outputs ? r->doubtful[i] : r->plan.outputs;
        if (output >= r->plan.outputs || listed[output])
            axis_complain(c, r, output, "number in the list");
        else
            listed[output] = true;
    }
    c->doubtful += r->doubtful_count;
    /* Almost no result of plain data may be doubtful. */
    if (strcmp(c->kind, "uniform") == 0 && r->monoid != AXIS_SUMSQ &&
        r->doubtful_count > 1 + r->plan.outputs / 100)
        axis_complain(c, r, r->doubtful_count, "count of doubtful");
    return listed;
}

static void compare_integer(struct axis_verdict *c, const struct axis_run *r)
{
    const bool wide = axis_sum_is_wide(r->monoid, r->dtype);
    for (uint64_t i = 0; i < r->plan.outputs; i++) {
        const uint64_t *want = c->answer[i].integer[r->monoid];
        const uint64_t *got = &r->integer[wide ? 2 * i : i];
        const uint64_t sign = (int64_t)want[0] < 0 ? UINT64_MAX : 0;
        if (got[0] != want[0] || (wide ? got[1] : sign) != want[1])
            axis_complain(c, r, i, "integer");
    }
}

static void compare_count(struct axis_verdict *c, const struct axis_run *r)
{
    for (uint64_t i = 0; i < r->plan.outputs; i++) {
        const struct axis_answer *a = &c->answer[i];
        if (r->nan[i] != a->nan || r->inf[i] != a->plus_inf + a->minus_inf ||
            r->nonzero[i] != a->nonzero)
            axis_complain(c, r, i, "count");
    }
}

static bool same_extreme(const struct axis_run *r, uint64_t i,
                         const struct axis_extreme *want,
                         const unsigned char *bits, const uint32_t *at)
{
    const unsigned size = dtype_info(r->dtype)->size;
    return at[i] == want->at &&
           (want->at == AXIS_NONE ||
            memcmp(bits + i * size, &want->bits, size) == 0);
}

static void compare_extremes(struct axis_verdict *c, const struct axis_run *r)
{
    const int which = r->monoid == AXIS_ABSEXTREMA;
    for (uint64_t i = 0; i < r->plan.outputs; i++) {
        const struct axis_answer *a = &c->answer[i];
        if (!same_extreme(r, i, &a->least[which], r->least, r->least_at))
            axis_complain(c, r, i, "least");
        if (!same_extreme(r, i, &a->greatest[which], r->greatest,
                          r->greatest_at))
            axis_complain(c, r, i, "greatest");
        if (r->first_nan[i] != a->first_nan)
            axis_complain(c, r, i, "first NaN");
    }
}

void axis_compare(struct axis_verdict *c, const struct axis_run *r)
{
    if (r->monoid == AXIS_COUNT)
        compare_count(c, r);
    else if (r->monoid > AXIS_COUNT)
        compare_extremes(c, r);
    else if (!dtype_is_float(r->dtype))
        compare_integer(c, r);
    else {
        bool *listed = list_of(c, r);
        if (listed)
            compare_float(c, r, listed);
        free(listed);
    }
}
