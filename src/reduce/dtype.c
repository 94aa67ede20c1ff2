/* SPDX-License-Identifier: MIT */
#include "reduce/dtype.h"

#include <string.h>

#include "reduce/float_format.h"

#define WIDEN(name)                                                \
    static void widen_##name(void *to, const void *from, size_t n) \
    {                                                              \
        const uint8_t *bytes = from;                               \
        float *values = to;                                        \
        for (size_t i = 0; i < n; i++)                             \
            values[i] = name##_to_float(bytes[i]);                 \
    }
WIDEN(f8e4m3)
WIDEN(f8e5m2)

static const struct dtype_info table[] = {
#define DTYPE_ROW(name, long_name, class, storage)          \
    [DTYPE_##name] = {#name,           long_name,    class, \
                      sizeof(storage), DTYPE_##name, NULL},
#define STORED_ROW(name, long_name, class, storage)      \
    [DTYPE_##name] = {#name,           long_name, class, \
                      sizeof(storage), DTYPE_f32, widen_##name},
    DTYPES(DTYPE_ROW) STORED_DTYPES(STORED_ROW)
#undef DTYPE_ROW
#undef STORED_ROW
};

const struct dtype_info *dtype_info(enum dtype dtype)
{
    return &table[dtype];
}

bool dtype_is_signed(enum dtype dtype)
{
    return table[dtype].kind == 'i';
}

static bool find_code(const char *code, enum dtype *dtype, bool *big_endian)
{
    if (!strchr("<>=|", code[0]) || strlen(code) != 3)
        return false;
    for (int i = 0; i < DTYPES_ALL_END; i++) {
        if (code[1] == '-' || table[i].kind != code[1] ||
            table[i].size != code[2] - '0')
            continue;
        if (code[0] == '|' && table[i].size != 1)
            return false;
        *dtype = (enum dtype)i;
        if (code[0] == '<' || code[0] == '>')
            *big_endian = code[0] == '>';
        return true;
    }
    return false;
}

bool dtype_is_bool(const char *name)
{
    return strcmp(name, "bool") == 0 || strcmp(name, "|b1") == 0;
}

bool dtype_find(const char *name, enum dtype *dtype, bool *big_endian)
{
    for (int i = 0; i < DTYPES_ALL_END; i++) {
        if (strcmp(name, table[i].name) == 0 ||
            strcmp(name, table[i].long_name) == 0) {
            *dtype = (enum dtype)i;
            return true;
        }
    }
    static const struct {
        const char *name;
        enum dtype dtype;
    } others[] = {{"bool", DTYPE_u8},
                  {"|b1", DTYPE_u8},
                  {"float", DTYPE_f32},
                  {"double", DTYPE_f64}};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (strcmp(name, others[i].name) == 0) {
            *dtype = others[i].dtype;
            return true;
        }
    }
    return name[0] != '\0' && find_code(name, dtype, big_endian);
}

uint64_t dtype_load(enum dtype dtype, const void *p)
{
    uint64_t bits = 0;
    unsigned size = table[dtype].size;
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the loops and the files' bytes are little-endian"
#endif
    memcpy(&bits, p, size);
    return bits;
}

static int64_t sign_extend(uint64_t bits, unsigned size)
{
    unsigned shift = 64 - 8 * size;
    return (int64_t)(bits << shift) >> shift;
}

double dtype_to_double(enum dtype dtype, uint64_t bits)
{
    switch (dtype) {
    case DTYPE_f8e4m3:
        return (double)f8e4m3_to_float((uint8_t)bits);
    case DTYPE_f8e5m2:
        return (double)f8e5m2_to_float((uint8_t)bits);
    case DTYPE_f16:
        return (double)f16_to_float((uint16_t)bits);
    case DTYPE_bf16:
        return (double)bf16_to_float((uint16_t)bits);
    case DTYPE_f32:
        return (double)float_of_bits((uint32_t)bits);
    case DTYPE_f64:
        return double_of_bits(bits);
    default:
        if (dtype_is_signed(dtype))
            return (double)sign_extend(bits, table[dtype].size);
        return (double)bits;
    }
}

uint64_t dtype_from_double(enum dtype dtype, double value)
{
    static const struct float_format formats[DTYPES_ALL_END] = {
#define FORMAT(name, fraction, exponent, has_inf) \
    [DTYPE_##name] = {fraction, exponent, has_inf},
        FLOATS(FORMAT)
#undef FORMAT
    };
    if (dtype == DTYPE_f64)
        return bits_of_double(value);
    if (dtype == DTYPE_f32)
        return bits_of_float((float)value);
    return small_from_double(value, formats[dtype]);
}
