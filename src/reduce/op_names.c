/* SPDX-License-Identifier: MIT */
/* The names of operations: synonyms, and what to say of other tools' words. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "reduce/op.h"

const char op_summary[] =
    "rows,count,n_missing,n_bad,n_nan,sum,mean,std,min,max,argmin,argmax";

static const struct {
    const char *op, *word;
} synonyms[] = {
    {"n_missing", "null_count"},
    {"sum", "total"},
    {"prod", "product"},
    {"min", "minimum"},
    {"max", "maximum"},
    {"mean", "avg"},
    {"mean", "average"},
    {"argmin", "arg_min"},
    {"argmin", "idxmin"},
    {"argmax", "arg_max"},
    {"argmax", "idxmax"},
    {"l2", "norm"},
    {"var", "variance"},
    {"var", "var_samp"},
    {"std", "stddev"},
    {"std", "sd"},
    {"std", "stdev"},
    {"std", "stddev_samp"},
    {"std_pop", "pstdev"},
    {"std_pop", "stddev_pop"},
    {"skew", "skewness"},
    {"kurtosis", "kurt"},
    {"range", "ptp"},
    {"cov", "covariance"},
    {"corr", "correlation"},
    {"any", "bool_or"},
    {"alltrue", "bool_and"},
    {"nunique", "countunique"},
    {"nunique", "countdistinct"},
    {"nunique", "count_distinct"},
    {"nunique", "n_unique"},
    {"approx_nunique", "approx_count_distinct"},
};

enum { SYNONYMS = sizeof synonyms / sizeof synonyms[0] };

/* Operations that do not exist yet, and what to do until then. */
static const struct {
    const char *words, *hint;
} planned[] = {
    {"median, q1, q3, iqr", "datamash has it, for text"},
    {"quantile, quantiles, percentile, percentiles, q2",
     "datamash has perc, q1, median and q3, for text"},
    {"histogram", "range, min and max say where the data lie"},
    {"describe", "summary gives all of it but the quartiles"},
};

static const struct op *find_exactly(const char *name)
{
    const struct op *op;
    for (size_t i = 0; (op = op_at(i)); i++) {
        if (strcmp(name, op->name) == 0)
            return op;
    }
    return NULL;
}

const struct op *op_find(const char *name)
{
    for (size_t i = 0; i < SYNONYMS; i++) {
        if (strcmp(synonyms[i].word, name) == 0)
            return find_exactly(synonyms[i].op);
    }
    return find_exactly(name);
}

const char *op_synonym(size_t i)
{
    return i < SYNONYMS ? synonyms[i].word : NULL;
}

const char *op_synonyms(char out[OP_SYNONYMS_MAX], const struct op *op)
{
    char *end = out;
    *end = '\0';
    for (size_t i = 0; i < SYNONYMS; i++) {
        if (strcmp(op->name, synonyms[i].op) == 0)
            end +=
                sprintf(end, "%s%s", end > out ? ", " : "", synonyms[i].word);
    }
    return out;
}

/* p5, p99, p99.9 */
static bool is_percentile(const char *name)
{
    size_t digits = name[0] == 'p' ? strspn(name + 1, "0123456789.") : 0;
    return digits > 0 && name[1 + digits] == '\0';
}

static const char *hint_of(const char *name)
{
    if (is_percentile(name))
        name = "percentile";
    for (size_t i = 0; i < sizeof planned / sizeof planned[0]; i++) {
        if (text_has_word(planned[i].words, name))
            return planned[i].hint;
    }
    return NULL;
}

bool op_foreign(const char *name, struct error *e)
{
    bool skips_nan = strncmp(name, "nan", 3) == 0;
    const char *base = skips_nan ? name + 3 : name;
    const struct op *op = skips_nan ? op_find(base) : NULL;
    const char *hint = hint_of(base);
    if (op) {
        /* NumPy's var and std divide by n. */
        bool is_spread = text_has_word("var, std", op->name);
        error_set(e, ERROR_USAGE, "for %s say --nan skip -o %s%s", name,
                  op->name, is_spread ? "_pop" : "");
    } else if (hint) {
        error_set(e, ERROR_USAGE, "%s is not available yet; %s", name, hint);
    }
    return op || hint;
}
