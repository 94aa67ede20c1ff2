/* SPDX-License-Identifier: MIT */
/* Compiles the kernels of expressions as C++ with a grid of one thread. It
 * emulates the votes of a warp by taking the lanes one after the other. */
#pragma once

#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"

/* Replaces the parts of CUDA that kernels use. */
static const char prelude[] =
    "#include <cmath>\n#include <cstring>\n"
    "#define __global__\n#define __device__ static inline\n"
    "#define __forceinline__\n"
    "static const struct { unsigned x; } blockIdx = {0}, threadIdx = {0},\n"
    "    blockDim = {1}, gridDim = {1};\n"
    "using std::fabs;\n"
    "template <class A> static A max(A a, A b) { return a < b ? b : a; }\n"
    "#define __shfl_xor_sync(mask, x, k) ((x) * 0)\n"
    "#define atomicAdd(p, x) ((*(p) += (x)) - (x))\n"
    "#define atomicOr(p, x) (*(p) |= (x))\n"
    "#define atomicMax(p, x) (*(p) = max(*(p), x))\n"
    "#define __ballot_sync(mask, x) \\\n"
    "    ({ static unsigned b; if (i % 32 == 0) b = 0; \\\n"
    "       b |= (unsigned)(x) << (i % 32); b; })\n"
    "#define __popc(x) ((x) >> (i % 32) & 1)\n"
    "#define __threadfence()\n#define __syncthreads()\n"
    "#define __dadd_rn(a, b) ((a) + (b))\n"
    "#define __dsub_rn(a, b) ((a) - (b))\n"
    "#define __dmul_rn(a, b) ((a) * (b))\n"
    "#define __ddiv_rn(a, b) ((a) / (b))\n"
    "#define __dsqrt_rn(a) std::sqrt(a)\n"
    "#define __mul64hi(a, b) ((long long)((__int128)(a) * (b) >> 64))\n"
    "static double __longlong_as_double(long long x)\n"
    "{ double y; memcpy(&y, &x, 8); return y; }\n";

/* Compiles n texts as kernel_0, kernel_1, ...; skips texts that are NULL.
 * Returns NULL if there is no compiler. */
static void *compile_kernels(const char *const *text, size_t n)
{
    char folder[] = "/tmp/kernel.XXXXXX", path[64], command[256];
    if (!mkdtemp(folder))
        return NULL;
    snprintf(path, sizeof path, "%s/k.cpp", folder);
    FILE *to = fopen(path, "w");
    fputs(prelude, to);
    for (size_t c = 0; c < n; c++) {
        if (text[c])
            fprintf(to,
                    "#undef NEUTRAL\n#undef NOTHING\n#define formula "
                    "kernel_%zu\nnamespace n%zu {\n%s}\n#undef formula\n",
                    c, c, text[c]);
    }
    fclose(to);
    snprintf(command, sizeof command,
             "cd %s && c++ -w -O1 -ffp-contract=off -shared -fPIC -o k.so "
             "k.cpp",
             folder);
    const bool ok = system("c++ --version >/dev/null 2>&1") == 0;
    CHECK(!ok || system(command) == 0);
    snprintf(path, sizeof path, "%s/k.so", folder);
    void *library = ok ? dlopen(path, RTLD_NOW) : NULL;
    snprintf(command, sizeof command, "rm -r %s", folder);
    CHECK(system(command) == 0);
    return library;
}

/* Returns kernel number c, or NULL if it was skipped. */
static void *kernel_at(void *library, size_t c)
{
    char name[32];
    snprintf(name, sizeof name, "kernel_%zu", c);
    return dlsym(library, name);
}
