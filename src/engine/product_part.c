/* SPDX-License-Identifier: MIT */
/* Makes a chunk's contribution to products and to the user's reduction. */
#include <stdlib.h>
#include <string.h>

#include "chunk/chunker.h"
#include "engine/products.h"

struct product_part *product_part_new(const struct job *job)
{
    const bool has_leaves =
        job->reading->chunker->is_indexed || !job_ordered(job);
    size_t columns = has_leaves ? 0 : job_groups(job);
    struct product_part *p =
        calloc(1, sizeof *p + columns * sizeof p->column[0]);
    if (!p)
        return NULL;
    p->columns = columns;
    prod_init(&p->prod);
    p->fold = job->folds ? fold_part_new(job) : NULL;
    if (!job->folds || p->fold)
        return p;
    free(p);
    return NULL;
}

void product_part_free(struct product_part *p)
{
    for (size_t c = 0; p && c < p->columns; c++)
        free(p->column[c].values);
    if (p)
        fold_part_free(p->fold);
    free(p);
}

bool product_part_add(struct product_part *p, size_t group,
                      const struct column *column)
{
    /* A column of text has no values. */
    const size_t n = column->values ? column->n : 0;
    size_t bytes = n * dtype_info(column->dtype)->size;
    if (p->columns == 0)
        return true;
    void *copy = malloc(bytes + 1);
    if (!copy)
        return false;
    if (bytes > 0)
        memcpy(copy, column->values, bytes);
    p->column[group] = (struct product_part_column){copy, n};
    p->bytes += bytes;
    return true;
}
