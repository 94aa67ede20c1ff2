/* SPDX-License-Identifier: MIT */
/* Expressions over raw data as a kernel in CUDA C. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

#include "expr/kernel.h"
#include "formula/formula.h"

static const char *const storage[DTYPES_END] = {
    [DTYPE_f32] = "float",        [DTYPE_f64] = "double",
    [DTYPE_i8] = "signed char",   [DTYPE_i16] = "short",
    [DTYPE_i32] = "int",          [DTYPE_i64] = "long long",
    [DTYPE_u8] = "unsigned char", [DTYPE_u16] = "unsigned short",
    [DTYPE_u32] = "unsigned",     [DTYPE_u64] = "unsigned long long"};

struct maker {
    const struct formulas *f;
    enum dtype dtype;
    bool is_bool;
    enum expr_type type[FORMULAS_MAX]; /* of the formulas' results */
    FILE *to;
};

static bool load(void *context, uint32_t index, FILE *to)
{
    const struct maker *m = context;
    const struct formula_input *input = &m->f->input[index];
    const unsigned number = (unsigned)input->number;
    if (input->source == FORMULA_COMPUTED)
        fprintf(to, "%c%u_0", m->type[number] == EXPR_FLOAT ? 'r' : 'w',
                number);
    else if (input->source == FORMULA_INDEX)
        fprintf(to, "(word)(first + i)");
    else if (m->is_bool)
        fprintf(to, "x != 0");
    else if (dtype_is_float(m->dtype))
        fprintf(to, "(double)x");
    else
        fprintf(to,
                m->dtype == DTYPE_u64 ? "checked_word(x, &odd)" : "(word)x");
    return input->source != FORMULA_CELLS;
}

/* Marks a formula and those that it reads, which come before it. */
static void mark_used(const struct formulas *f, size_t formula, bool *used)
{
    used[formula] = true;
    for (size_t i = formula + 1; i-- > 0;) {
        for (size_t k = 0; used[i] && k < f->expr[i].nodes; k++) {
            const struct expr_node *node = &f->expr[i].node[k];
            if (node->kind == EXPR_NAME &&
                f->input[node->index].source == FORMULA_COMPUTED)
                used[f->input[node->index].number] = true;
        }
    }
}

/* Writes the value that formula `map` has, or the element. */
static void write_value(const struct maker *m, size_t map)
{
    if (map == FORMULA_NONE)
        fprintf(m->to, "    T value = x;\n");
    else if (m->type[map] == EXPR_FLOAT)
        fprintf(m->to, "    double value = r%zu_0;\n", map);
    else
        fprintf(m->to, "    double value = checked_float(w%zu_0, &odd);\n",
                map);
}

static void write_head(const struct maker *m, bool has_map)
{
    const bool are_floats = has_map || dtype_is_float(m->dtype);
    fprintf(m->to, "%s", expr_kernel_functions);
    fprintf(m->to, "typedef %s T;\ntypedef %s O;\n", storage[m->dtype],
            has_map ? "double" : "T");
    fprintf(m->to, "#define NEUTRAL %s\n#define NOTHING %s\n",
            are_floats ? "(O)-0.0" : "(O)0",
            are_floats ? "(O)__longlong_as_double(0x7ff8000000000000ll)"
                       : "(O)0");
    fprintf(m->to,
            "typedef unsigned long long number;\n"
            "extern \"C\" __global__ void formula(const T *data, number n,\n"
            "    number first, O *plain, O *nan, number *counts)\n{\n"
            "    number selected = 0, nans = 0, first_nan = 0;\n"
            "    int odd = 0;\n"
            "    for (number i = blockIdx.x * (number)blockDim.x + "
            "threadIdx.x;\n"
            "         i < n; i += gridDim.x * (number)blockDim.x) {\n"
            "    const T x = data[i];\n");
}

/* The end of the loop, and the sums of the warp's counts. */
static const char tail[] =
    "    if (plain)\n"
    "        plain[i] = is ? value : NEUTRAL;\n"
    "    if (nan)\n"
    "        nan[i] = is ? value : NOTHING;\n"
    "    selected += is;\n"
    "    if (is && value != value) {\n"
    "        nans++;\n"
    "        first_nan = max(first_nan, ~i);\n"
    "    }\n"
    "    }\n"
    "    for (int k = 16; k > 0; k >>= 1) {\n"
    "        selected += __shfl_xor_sync(~0u, selected, k);\n"
    "        nans += __shfl_xor_sync(~0u, nans, k);\n"
    "        first_nan = max(first_nan, __shfl_xor_sync(~0u, first_nan, k));\n"
    "        odd |= __shfl_xor_sync(~0u, odd, k);\n"
    "    }\n"
    "    if (threadIdx.x % 32 == 0) {\n"
    "        atomicAdd(&counts[0], selected);\n"
    "        if (odd)\n"
    "            atomicOr(&counts[1], 1);\n"
    "        if (nans) {\n"
    "            atomicAdd(&counts[2], nans);\n"
    "            atomicMax(&counts[3], first_nan);\n"
    "        }\n"
    "    }\n"
    "}\n";

static const char *write_all(struct maker *m, size_t map)
{
    const struct formulas *f = m->f;
    const char *why = NULL;
    bool used[FORMULAS_MAX] = {false};
    if (map != FORMULA_NONE)
        mark_used(f, map, used);
    if (f->has_condition)
        mark_used(f, f->count - 1, used);
    write_head(m, map != FORMULA_NONE);
    for (size_t i = 0; !why && i < f->count; i++) {
        const struct expr_kernel kernel = {(unsigned)i, load, m};
        if (used[i])
            why = expr_kernel_write(&f->expr[i], &kernel, &m->type[i], m->to);
    }
    if (!why)
        write_value(m, map);
    if (f->has_condition)
        fprintf(m->to, "    const bool is = w%zu_0 != 0;\n", f->count - 1);
    else
        fprintf(m->to, "    const bool is = true;\n");
    fprintf(m->to, "%s", tail);
    return why;
}

const char *formulas_kernel(struct formulas *f, enum dtype dtype, bool is_bool)
{
    char *text = NULL;
    size_t bytes;
    struct maker m = {.f = f, .dtype = dtype, .is_bool = is_bool};
    if (dtype >= DTYPES_END || !storage[dtype])
        return "its type is not one of f32, f64 and integers";
    m.to = open_memstream(&text, &bytes);
    if (!m.to)
        return "there is no memory for its text";
    const char *why = write_all(&m, f->of_group[0]);
    const bool failed = fclose(m.to) != 0;
    if (why || failed) {
        free(text);
        return why ? why : "there is no memory for its text";
    }
    f->kernel = text;
    return NULL;
}
