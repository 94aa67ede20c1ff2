/* SPDX-License-Identifier: MIT */
#include "base/cpu.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <pthread.h>

static enum cpu_set best;

/* clang 14's __builtin_cpu_supports does not know these two names. */
static bool has_f16c_and_lzcnt(void)
{
    unsigned a, b, c, d;
    return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_F16C) &&
           __get_cpuid(0x80000001, &a, &b, &c, &d) && (c & bit_LZCNT);
}

/* Tests each feature of a set on its own: a hypervisor may mask any one of
 * them. */
static void detect(void)
{
    __builtin_cpu_init();
    best = CPU_BASE;
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") ||
        !__builtin_cpu_supports("bmi") || !__builtin_cpu_supports("bmi2") ||
        !has_f16c_and_lzcnt())
        return;
    best = CPU_AVX2;
    if (!__builtin_cpu_supports("avx512f") ||
        !__builtin_cpu_supports("avx512bw") ||
        !__builtin_cpu_supports("avx512dq") ||
        !__builtin_cpu_supports("avx512vl"))
        return;
    best = CPU_AVX512;
    if (__builtin_cpu_supports("avx512vbmi2") &&
        __builtin_cpu_supports("avx512vbmi") &&
        __builtin_cpu_supports("avx512cd"))
        best = CPU_AVX512VBMI2;
}

static void detect_once(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, detect);
}

bool cpu_runs(enum cpu_set set)
{
    detect_once();
    return set <= best;
}

#else

bool cpu_runs(enum cpu_set set)
{
    return set == CPU_BASE;
}

#endif
