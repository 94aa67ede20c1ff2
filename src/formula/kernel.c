/* SPDX-License-Identifier: MIT */
/* Writes expressions over raw data, or over decoded columns, as a kernel in
 * CUDA C. */
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
    char x[16] = "x";
    if (input->source == FORMULA_CELLS)
        snprintf(x, sizeof x, "x%u", number);
    if (input->source == FORMULA_COMPUTED)
        fprintf(to, "%c%u_0", m->type[number] == EXPR_FLOAT ? 'r' : 'w',
                number);
    else if (input->source == FORMULA_INDEX)
        fprintf(to, "(word)(first + i)");
    else if (m->is_bool)
        fprintf(to, "checked_bool(%s, &odd)", x);
    else if (dtype_is_float(m->dtype))
        fprintf(to, "(double)%s", x);
    else
        fprintf(to,
                m->dtype == DTYPE_u64 ? "checked_word(%s, &odd)" : "(word)%s",
                x);
    return m->f->cells == 0 || input->source != FORMULA_INDEX;
}

static void is_missing(void *context, uint32_t index, FILE *to)
{
    const struct maker *m = context;
    const struct formula_input *input = &m->f->input[index];
    fprintf(to, input->source == FORMULA_COMPUTED ? "m%u_0" : "!has%u",
            (unsigned)input->number);
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

/* Writes the value of a formula; FORMULA_NONE: the element. */
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
    fprintf(m->to, "typedef unsigned long long number;\n"
                   "__device__ __forceinline__ O value_of(T x, number i,\n"
                   "    number first, bool &is, int &odd)\n{\n");
}

/* The kernel that stores the values. The other one, which sums them, follows
 * this text (kernels/reduce/formula.cuh). */
static const char tail[] =
    "    return value;\n}\n"
    "#ifndef FORMULA_SUM\n"
    "extern \"C\" __global__ void formula(const T *data, number n,\n"
    "    number first, O *plain, O *nan, number *counts)\n{\n"
    "    number selected = 0, nans = 0, first_nan = 0;\n"
    "    int odd = 0;\n"
    "    for (number i = blockIdx.x * (number)blockDim.x + threadIdx.x;\n"
    "         i < n; i += gridDim.x * (number)blockDim.x) {\n"
    "    bool is;\n"
    "    const O value = value_of(data[i], i, first, is, odd);\n"
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
    "}\n"
    "#endif\n";

/* Writes the formulas that some group or the condition needs. */
static const char *write_formulas(struct maker *m)
{
    const struct formulas *f = m->f;
    const char *why = NULL;
    bool used[FORMULAS_MAX] = {false};
    for (size_t g = 0; g < (f->cells ? f->groups : 1); g++) {
        if (f->of_group[g] != FORMULA_NONE)
            mark_used(f, f->of_group[g], used);
    }
    if (f->has_condition)
        mark_used(f, f->count - 1, used);
    for (size_t i = 0; !why && i < f->count; i++) {
        const struct expr_kernel kernel = {(unsigned)i, load,
                                           f->cells ? is_missing : NULL, m};
        if (used[i])
            why = expr_kernel_write(&f->expr[i], &kernel, &m->type[i], m->to);
    }
    return why;
}

static const char *write_elements(struct maker *m)
{
    const struct formulas *f = m->f;
    const size_t map = f->of_group[0];
    write_head(m, map != FORMULA_NONE);
    const char *why = write_formulas(m);
    if (why)
        return why;
    write_value(m, map);
    if (f->has_condition)
        fprintf(m->to, "    is = w%zu_0 != 0;\n", f->count - 1);
    else
        fprintf(m->to, "    is = true;\n");
    fprintf(m->to, "%s", tail);
    return NULL;
}

/* The record's bit in `used` for column %u. */
#define HAS "used[%uull * (pitch / 32) + i / 32] >> i %% 32 & 1"

/* Writes the statements that store a group's values: a warp stores those of 32
 * records, their bits, and their counts. */
static void write_group(const struct maker *m, size_t g)
{
    const struct formulas *f = m->f;
    const uint8_t map = f->of_group[g];
    const unsigned column = f->column_of[g];
    fprintf(m->to, "    {\n");
    if (map == FORMULA_NONE)
        fprintf(m->to,
                "    const bool has = is && " HAS ";\n"
                "    T value = has ? data[%uull * pitch + i] : (T)0;\n",
                column, column);
    else
        fprintf(m->to, "    const bool has = is && !m%u_0;\n", map);
    if (map != FORMULA_NONE)
        write_value(m, map);
    fprintf(m->to,
            "    const unsigned some = __ballot_sync(~0u, has);\n"
            "    if (has)\n"
            "        to[%zuull * pitch + i] = value;\n"
            "    if (threadIdx.x %% 32 == 0) {\n"
            "        to_used[%zuull * (pitch / 32) + i / 32] = some;\n"
            "        atomicAdd(&cells[%zu], __popc(some));\n"
            "        atomicAdd(&cells[%zu], __popc(all & ~some));\n"
            "    }\n    }\n",
            g, g, 2 * g, 2 * g + 1);
}

/* Writes the start of the loop over records. A record past the chunk's end is
 * not selected, and its cells are missing. */
static void write_records_head(const struct maker *m)
{
    const struct formulas *f = m->f;
    fprintf(m->to, "%stypedef %s T;\n", expr_kernel_functions,
            storage[m->dtype]);
    fprintf(m->to,
            "typedef unsigned long long number;\n"
            "extern \"C\" __global__ void formula(const T *data,\n"
            "    const unsigned *used, number n, number pitch, T *to,\n"
            "    unsigned *to_used, unsigned *cells, number *counts)\n{\n"
            "    int odd = 0;\n"
            "    for (number i = blockIdx.x * (number)blockDim.x + "
            "threadIdx.x;\n"
            "         i < (n + 31) / 32 * 32;\n"
            "         i += gridDim.x * (number)blockDim.x) {\n");
    for (size_t i = 0; i < f->inputs; i++) {
        const unsigned c = (unsigned)f->input[i].number;
        if (f->input[i].source == FORMULA_CELLS)
            fprintf(m->to,
                    "    const bool has%u = i < n && " HAS ";\n"
                    "    const T x%u = has%u ? data[%uull * pitch + i] : "
                    "(T)0;\n",
                    c, c, c, c, c);
    }
}

/* If a value did not fit, all columns are marked empty, so nothing is reduced
 * from them: the CPU computes the chunk. */
static const char records_tail[] =
    "    if (odd)\n"
    "        atomicOr(&counts[1], 1);\n"
    "    __threadfence();\n"
    "    __syncthreads();\n"
    "    if (threadIdx.x == 0 &&\n"
    "        atomicAdd(&counts[2], 1) == gridDim.x - 1 &&\n"
    "        atomicAdd(&counts[1], 0) != 0) {\n"
    "        for (unsigned g = 0; g < groups; g++)\n"
    "            cells[2 * g] = 0;\n"
    "    }\n"
    "}\n";

static const char *write_records(struct maker *m)
{
    enum { GROUPS_MAX = 256 };
    const struct formulas *f = m->f;
    if (f->groups > GROUPS_MAX)
        return "they select records of more than 256 columns";
    for (size_t g = 0; g < f->groups; g++) {
        if (f->dtypes[g] != m->dtype)
            return "computed columns are of f64, and the cells are not";
    }
    write_records_head(m);
    const char *why = write_formulas(m);
    if (why)
        return why;
    fprintf(m->to, "    const bool is = i < n");
    if (f->has_condition)
        fprintf(m->to, " && !m%zu_0 && w%zu_0", f->count - 1, f->count - 1);
    fprintf(m->to, ";\n    const unsigned all = __ballot_sync(~0u, is);\n");
    for (size_t g = 0; g < f->groups; g++)
        write_group(m, g);
    fprintf(m->to, "    }\n    const unsigned groups = %zu;\n%s", f->groups,
            records_tail);
    return NULL;
}

const char *formulas_kernel(struct formulas *f, enum dtype dtype, bool is_bool,
                            size_t cells)
{
    char *text = NULL;
    size_t bytes;
    struct maker m = {.f = f, .dtype = dtype, .is_bool = is_bool};
    f->cells = cells;
    if (dtype >= DTYPES_END || !storage[dtype])
        return "its type is not one of f32, f64 and integers";
    m.to = open_memstream(&text, &bytes);
    if (!m.to)
        return "there is no memory for its text";
    const char *why = (cells ? write_records : write_elements)(&m);
    const bool failed = fclose(m.to) != 0;
    if (why || failed) {
        free(text);
        return why ? why : "there is no memory for its text";
    }
    f->kernel = text;
    return NULL;
}
