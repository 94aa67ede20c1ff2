/* SPDX-License-Identifier: MIT */
#include "data.h"

#include <string.h>

const struct data_class *data_classes(enum dtype dtype)
{
    return dtype_is_float(dtype) ? data_float_classes : data_integer_classes;
}

size_t dataset_size(const struct dataset *d)
{
    return d->n * dtype_info(d->dtype)->size;
}

void dataset_make(const struct dataset *d)
{
    size_t size = dtype_info(d->dtype)->size;
    struct float_layout layout = float_layout(d->dtype);
    struct maker m = {
        .random = {d->seed}, .dtype = d->dtype, .seed = d->seed, .n = d->n};
    m.keep = random_next(&m.random);
    m.sign = 1ull << (8 * size - 1);
    m.fraction = layout.fraction;
    m.top = (1ull << layout.exponent) - 1;
    m.bias = m.top / 2;
    for (m.i = 0; m.i < d->n; m.i++) {
        uint64_t bits = d->kind->next(&m);
        memcpy(d->bytes + m.i * size, &bits, size);
    }
}
