/* SPDX-License-Identifier: MIT */
#include "base/cpu.h"

#include <pthread.h>
#include <string.h>

#include "base/quote.h"

#if defined(__x86_64__)
#include <cpuid.h>

/* clang 14's __builtin_cpu_supports does not know these two names. */
static bool has_f16c_and_lzcnt(void)
{
    unsigned a, b, c, d;
    return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_F16C) &&
           __get_cpuid(0x80000001, &a, &b, &c, &d) && (c & bit_LZCNT);
}

/* Tests each feature of a set on its own: a hypervisor may mask any one of
 * them. */
static enum cpu_set detect(void)
{
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") ||
        !__builtin_cpu_supports("pclmul") || !__builtin_cpu_supports("bmi") ||
        !__builtin_cpu_supports("bmi2") || !has_f16c_and_lzcnt())
        return CPU_BASE;
    if (!__builtin_cpu_supports("avx512f") ||
        !__builtin_cpu_supports("avx512bw") ||
        !__builtin_cpu_supports("avx512cd") ||
        !__builtin_cpu_supports("avx512dq") ||
        !__builtin_cpu_supports("avx512vl"))
        return CPU_AVX2;
    if (!__builtin_cpu_supports("avx512vbmi2") ||
        !__builtin_cpu_supports("avx512vbmi"))
        return CPU_AVX512;
    return CPU_AVX512VBMI2;
}
#else
static enum cpu_set detect(void)
{
#ifdef HAVE_NEON_LOOPS
    return CPU_NEON; /* which all these processors have */
#else
    return CPU_BASE;
#endif
}
#endif

static const char *const names[CPU_SETS_END] = {
    [CPU_BASE] = "base",
    [CPU_NEON] = "neon",
    [CPU_AVX2] = "avx2",
    [CPU_AVX512] = "avx512",
    [CPU_AVX512VBMI2] = "avx512vbmi2",
};

/* The best set that may run. Written once, then by cpu_limit alone. */
static enum cpu_set best;

static void detect_best(void)
{
    best = detect();
}

static enum cpu_set best_set(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, detect_best);
    return best;
}

bool cpu_runs(enum cpu_set set)
{
    return set <= best_set() && (set != CPU_NEON || best == CPU_NEON);
}

const void *cpu_choose(const struct cpu_loops_of *from, size_t n, size_t i)
{
    for (; n > 0; n--, from++) {
        if (cpu_runs(from->set) && i-- == 0)
            return from->loops;
    }
    return NULL;
}

const char *cpu_name(void)
{
    return names[best_set()];
}

bool cpu_limit(const char *name, struct error *e)
{
    char quoted[QUOTE_MAX];
    unsigned set = 0;
    if (!name || !*name)
        return true;
    while (set < CPU_SETS_END && strcmp(names[set], name) != 0)
        set++;
    if (set == CPU_SETS_END)
        return error_set(e, ERROR_USAGE,
                         "GPUREDUCE_CPU: %s is not an instruction set; use "
                         "base, avx2, avx512, avx512vbmi2 or neon",
                         quote(quoted, name));
    if (!cpu_runs(set))
        return error_set(e, ERROR_USAGE,
                         "GPUREDUCE_CPU: this processor does not run %s; its "
                         "best set is %s",
                         name, cpu_name());
    best = set;
    return true;
}
