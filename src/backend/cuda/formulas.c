/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "backend/cuda/formulas.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cuda/memory.h"

/* From 12.8 on, the runtime loads the code that NVRTC makes. */
#if CUDART_VERSION < 12080
#error "CUDA 12.8 or later is needed"
#endif

/* The functions of NVRTC that are used. They return 0 or an error code. */
static struct {
    void *library;
    int (*create)(void **program, const char *text, const char *name,
                  int headers, const char *const *header,
                  const char *const *header_name);
    int (*compile)(void *program, int options, const char *const *option);
    int (*cubin_size)(void *program, size_t *bytes);
    int (*cubin)(void *program, char *to);
    int (*destroy)(void **program);
} nvrtc;

static bool find(void *function, const char *name)
{
    void *found = dlsym(nvrtc.library, name);
    memcpy(function, &found, sizeof found);
    return found;
}

static void open_nvrtc(void)
{
    char name[32];
    snprintf(name, sizeof name, "libnvrtc.so.%d", CUDART_VERSION / 1000);
    nvrtc.library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!nvrtc.library || (find(&nvrtc.create, "nvrtcCreateProgram") &&
                           find(&nvrtc.compile, "nvrtcCompileProgram") &&
                           find(&nvrtc.cubin_size, "nvrtcGetCUBINSize") &&
                           find(&nvrtc.cubin, "nvrtcGetCUBIN") &&
                           find(&nvrtc.destroy, "nvrtcDestroyProgram")))
        return;
    dlclose(nvrtc.library);
    nvrtc.library = NULL;
}

const char *cuda_formulas_missing(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_nvrtc);
    return nvrtc.library ? NULL : "NVRTC, which compiles for GPUs, is not here";
}

/* kernels/reduce/formula.cuh and what it includes. */
static const char sum_text[] =
#include "formula_text.h"
    ;

/* A compiled kernel. The process keeps it until it ends. */
struct cuda_formulas {
    struct cuda_formulas *next;
    char *text;
    bool sums;
    int gpu;
    pthread_t thread;
    bool has_thread; /* not joined yet */
    char *cubin;     /* NULL: compiling failed */
    cudaKernel_t kernel;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct cuda_formulas *all;

static void *compile(void *formulas)
{
    struct cuda_formulas *c = formulas;
    int major = 0, minor = 0;
    size_t bytes = 0;
    char arch[48];
    void *program = NULL;
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, c->gpu);
    cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, c->gpu);
    snprintf(arch, sizeof arch, "--gpu-architecture=sm_%d%d", major, minor);
    /* With the last option, which came with 12.9, compiling a kernel that sums
     * takes 0.24 s of a core instead of 0.30. `mid` takes 0.17, but keeps
     * the values in local memory: 0.19 of the rate of reading. */
    const char *const options[] = {arch, "--fmad=false", "--device-int128",
                                   "--device-as-default-execution-space",
                                   "--Ofast-compile=min"};
    const int some = c->sums ? 4 : 2;
    if (nvrtc.create(&program, c->text, "formula", 0, NULL, NULL) != 0)
        return NULL;
    if (((c->sums && nvrtc.compile(program, 5, options) == 0) ||
         nvrtc.compile(program, some, options) == 0) &&
        nvrtc.cubin_size(program, &bytes) == 0 && bytes > 0)
        c->cubin = malloc(bytes);
    if (c->cubin && nvrtc.cubin(program, c->cubin) != 0) {
        free(c->cubin);
        c->cubin = NULL;
    }
    nvrtc.destroy(&program);
    return NULL;
}

/* Takes `text`. */
static struct cuda_formulas *find_or_add(char *text, bool sums, int gpu)
{
    struct cuda_formulas *c = all;
    while (c && (c->gpu != gpu || strcmp(c->text, text) != 0))
        c = c->next;
    if (c || !(c = calloc(1, sizeof *c))) {
        free(text);
        return c;
    }
    c->text = text;
    c->sums = sums;
    c->gpu = gpu;
    c->has_thread = pthread_create(&c->thread, NULL, compile, c) == 0;
    if (!c->has_thread)
        compile(c);
    c->next = all;
    return all = c;
}

struct cuda_formulas *cuda_formulas_start(const struct formulas *f,
                                          const char *map, int gpu,
                                          struct error *e)
{
    char *text = NULL;
    if (asprintf(&text, map ? "#define FORMULA_SUM %s\n%s%s" : "%s%s%s",
                 map ? map : "", f->kernel, map ? sum_text : "") < 0)
        return error_memory(e);
    pthread_mutex_lock(&lock);
    struct cuda_formulas *c = find_or_add(text, map, gpu);
    pthread_mutex_unlock(&lock);
    if (!c)
        error_memory(e);
    return c;
}

static bool load(struct cuda_formulas *c, struct error *e)
{
    cudaLibrary_t library;
    if (c->kernel)
        return true;
    if (!c->cubin)
        return error_set(e, ERROR_DEVICE,
                         "GPU: NVRTC does not compile the expressions");
    return cuda_check(cudaLibraryLoadData(&library, c->cubin, NULL, NULL, 0,
                                          NULL, NULL, 0),
                      "loading expressions", e) &&
           cuda_check(cudaLibraryGetKernel(&c->kernel, library, "formula"),
                      "loading expressions", e);
}

bool cuda_formulas_ready(struct cuda_formulas *c, struct error *e)
{
    pthread_mutex_lock(&lock);
    if (c->has_thread)
        pthread_join(c->thread, NULL);
    c->has_thread = false;
    const bool ok = load(c, e);
    pthread_mutex_unlock(&lock);
    return ok;
}

bool cuda_formulas_launch(struct cuda_formulas *c, uint64_t n,
                          void *arguments[], cudaStream_t stream,
                          struct error *e)
{
    enum { THREADS = 256, BLOCKS = 1024 };
    const uint64_t blocks = (n + THREADS - 1) / THREADS;
    const struct dim3 grid = {blocks < BLOCKS ? (unsigned)blocks : BLOCKS, 1,
                              1};
    const struct dim3 block = {THREADS, 1, 1};
    return cuda_check(cudaLaunchKernel((const void *)c->kernel, grid, block,
                                       arguments, 0, stream),
                      "starting expressions", e);
}
