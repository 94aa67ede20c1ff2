/* SPDX-License-Identifier: MIT */
/* The names of operations: synonyms, and hints for words of other tools. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "reduce/op.h"

const char op_summary[] =
    "rows,count,n_missing,n_bad,n_nan,sum,mean,std,min,max,argmin,argmax";
const char op_describe[] = "count,mean,std,min,q1,median,q3,max";

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
    {"median", "p50"},
    {"median", "q2"},
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
    const struct op *op = find_exactly(name);
    return op ? op : op_percentile(name);
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

bool op_foreign(const char *name, struct error *e)
{
    bool skips_nan = strncmp(name, "nan", 3) == 0;
    const char *base = skips_nan ? name + 3 : name;
    const struct op *op = skips_nan ? op_find(base) : NULL;
    if (!op)
        return op_percentile_foreign(base, e);
    /* NumPy's var and std divide by n. */
    bool is_spread = text_has_word("var, std", op->name);
    error_set(e, ERROR_USAGE, "for %s say --nan skip -o %s%s", name, op->name,
              is_spread ? "_pop" : "");
    return true;
}
