/* SPDX-License-Identifier: MIT */
/* The oracle: the grammar as regular expressions, the values by libc. */
#include <errno.h>
#include <pthread.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "subjects.h"

static _Thread_local struct {
    bool ready;
    regex_t real, word, whole;
} grammar;

static void compile(regex_t *r, const char *pattern)
{
    if (regcomp(r, pattern, REG_EXTENDED | REG_ICASE | REG_NOSUB) != 0) {
        fprintf(stderr, "check_numbers: regcomp\n");
        exit(2);
    }
}

static void prepare(void)
{
    if (grammar.ready)
        return;
    compile(&grammar.real,
            "^[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(e[+-]?[0-9]+)?$");
    compile(&grammar.word, "^[+-]?(inf|infinity|nan)$");
    compile(&grammar.whole, "^[+-]?[0-9]+$");
    grammar.ready = true;
}

static bool matches(const regex_t *r, const char *p)
{
    return regexec(r, p, 0, NULL, 0) == 0;
}

static struct oracle float_oracle(enum dtype dtype, const char *p)
{
    struct oracle t = {matches(&grammar.real, p) || matches(&grammar.word, p),
                       0};
    double x = 0;
    float y = 0;
    if (!t.is_number)
        return t;
    if (dtype == DTYPE_f64)
        memcpy(&t.bits, (x = strtod(p, NULL), &x), sizeof x);
    else
        memcpy(&t.bits, (y = strtof(p, NULL), &y), sizeof y);
    if (x != x)
        t.bits = 0x7ff8000000000000;
    if (y != y)
        t.bits = 0x7fc00000;
    return t;
}

static struct oracle whole_oracle(enum dtype dtype, const char *p)
{
    unsigned width = 8 * dtype_info(dtype)->size;
    struct oracle t = {matches(&grammar.whole, p), 0};
    if (!t.is_number)
        return t;
    bool negative = *p == '-';
    errno = 0;
    unsigned long long x = strtoull(p + (*p == '-' || *p == '+'), NULL, 10);
    unsigned long long most = ~0ull >> (64 - width);
    if (dtype_is_signed(dtype))
        most = most / 2 + negative;
    else if (negative)
        most = 0;
    t.is_number = errno == 0 && x <= most;
    t.bits = (negative ? -x : x) & ~0ull >> (64 - width);
    return t;
}

struct oracle oracle_of(enum dtype dtype, const char *p, size_t length)
{
    prepare();
    if (strlen(p) != length)
        abort();
    return dtype_is_float(dtype) ? float_oracle(dtype, p)
                                 : whole_oracle(dtype, p);
}

void oracle_free(void)
{
    if (!grammar.ready)
        return;
    regfree(&grammar.real);
    regfree(&grammar.word);
    regfree(&grammar.whole);
    grammar.ready = false;
}
