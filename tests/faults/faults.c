/* SPDX-License-Identifier: MIT */
/*
 * A library that is preloaded into a program. From the start of main to its
 * end, chosen uses of one libc call fail:
 *
 *   FAULT_CALL   name of the call
 *   FAULT_MODE   once: use number FAULT_AT fails
 *                from: use number FAULT_AT and all later ones fail
 *                interrupt: every other use fails with EINTR
 *                short: no use moves more than FAULT_AT bytes
 *                often: as short for 4096 uses; then every other use moves 509
 *                bytes, except near the end of what the program asks for
 *                garble: of the bytes that use number FAULT_AT of pread moves,
 *                the middle one differs in its lowest bit
 *                list: none fails; in FAULT_LOG each use of any call for
 *                memory gets a line, with the call and where in the program it
 *                was called from
 *   FAULT_ERRNO  errno of a failed call, a number
 *   FAULT_LOG    a file that is created when a fault happens
 *
 * Only calls made by the program itself are seen; of malloc also those by libc.
 */
#define _GNU_SOURCE
#undef _FILE_OFFSET_BITS /* else open64 would be another name of open */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/* Which call fails, and when. */
static struct {
    const char *call, *mode, *log;
    unsigned long at;
    int error;
} plan;

static atomic_bool armed;
static atomic_ulong uses;

static void note(void)
{
    static atomic_bool fired;
    if (atomic_exchange(&fired, true) || !plan.log)
        return;
    long fd = syscall(SYS_openat, AT_FDCWD, plan.log, O_WRONLY | O_CREAT, 0600);
    if (fd >= 0)
        syscall(SYS_close, fd);
}

/* Where the program is loaded. */
static const char *loaded;

/* Lists a use: the call, and the innermost addresses in the program, each less
 * where it is loaded. */
static void list(const char *call)
{
    enum { FRAMES = 24, LISTED = 6 };
    static __thread bool listing; /* backtrace may allocate */
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    void *frame[FRAMES];
    char line[(LISTED + 1) * 20 + 2];
    if (listing)
        return;
    listing = true;
    size_t bytes = (size_t)snprintf(line, sizeof line, "%s", call);
    const int frames = backtrace(frame, FRAMES);
    for (int i = 0, listed = 0; i < frames && listed < LISTED; i++) {
        Dl_info of;
        if (!dladdr(frame[i], &of) || of.dli_fbase != loaded)
            continue;
        bytes += (size_t)snprintf(line + bytes, sizeof line - bytes, " %tx",
                                  (char *)frame[i] - loaded);
        listed++;
    }
    line[bytes++] = '\n';
    pthread_mutex_lock(&lock);
    long fd = syscall(SYS_openat, AT_FDCWD, plan.log,
                      O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (fd >= 0) {
        syscall(SYS_write, fd, line, bytes);
        syscall(SYS_close, fd);
    }
    pthread_mutex_unlock(&lock);
    listing = false;
}

/* Whether the mode makes calls fail. */
static bool is_failing(void)
{
    return strcmp(plan.mode, "once") == 0 || strcmp(plan.mode, "from") == 0 ||
           strcmp(plan.mode, "interrupt") == 0;
}

/* Counts a use of the call. Returns whether it must fail, and sets errno
 * then. */
static bool must_fail(const char *call)
{
    if (!atomic_load(&armed) || strcmp(call, plan.call) != 0 || !is_failing())
        return false;
    unsigned long use = atomic_fetch_add(&uses, 1) + 1;
    bool interrupt = strcmp(plan.mode, "interrupt") == 0;
    bool fails = interrupt                        ? use % 2 == 1
                 : strcmp(plan.mode, "once") == 0 ? use == plan.at
                                                  : use >= plan.at;
    if (fails) {
        note();
        errno = interrupt ? EINTR : plan.error;
    }
    return fails;
}

/* As must_fail, for calls for memory. */
static bool must_lack(const char *call)
{
    if (atomic_load(&armed) && strcmp(plan.mode, "list") == 0) {
        list(call);
        return false;
    }
    return must_fail(call);
}

/* Returns how many bytes a transfer of n bytes may move. */
static size_t shortened(const char *call, size_t n)
{
    enum { ALL_SHORT = 4096, LEAP = 509, NEAR = 64 };
    if (!atomic_load(&armed) || strcmp(call, plan.call) != 0 || n <= plan.at)
        return n;
    bool often = strcmp(plan.mode, "often") == 0;
    if (!often && strcmp(plan.mode, "short") != 0)
        return n;
    note();
    unsigned long use = often ? atomic_fetch_add(&uses, 1) : 0;
    return use >= ALL_SHORT && use % 2 && n > LEAP + NEAR && plan.at < LEAP
               ? LEAP
               : plan.at;
}

static ssize_t garbled(unsigned char *bytes, ssize_t n)
{
    if (n < 1 || !atomic_load(&armed) || strcmp(plan.mode, "garble") != 0 ||
        strcmp(plan.call, "pread") != 0 ||
        atomic_fetch_add(&uses, 1) + 1 != plan.at)
        return n;
    note();
    bytes[n / 2] ^= 1;
    return n;
}

/* Declares `real`: the libc function that the given one replaces. */
#define REAL(function, name)           \
    static __typeof__(&function) real; \
    if (!real)                         \
    real = (__typeof__(&function))dlsym(RTLD_NEXT, name)

/* As REAL, for memory. AddressSanitizer allocates while dlsym looks, so its
 * functions have names of their own. */
#define REAL_MEMORY(function)                            \
    extern __typeof__(function) __interceptor_##function \
        __attribute__((weak));                           \
    static __typeof__(&function) real;                   \
    if (!real)                                           \
    real = __interceptor_##function                      \
               ? __interceptor_##function                \
               : (__typeof__(&function))dlsym(RTLD_NEXT, #function)

/* Memory for dlsym, which may allocate before calloc is found. Never freed. */
static char first_bytes[4096];
static size_t first_used;

static void *first_memory(size_t bytes)
{
    size_t at = (first_used + 15) / 16 * 16;
    if (bytes > sizeof first_bytes - at)
        abort();
    first_used = at + bytes;
    return first_bytes + at;
}

static bool is_first(const void *p)
{
    return (uintptr_t)p - (uintptr_t)first_bytes < sizeof first_bytes;
}

void *malloc(size_t bytes)
{
    REAL_MEMORY(malloc);
    return must_lack("malloc") ? NULL : real(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    static __thread bool looking; /* dlsym may allocate */
    if (looking)
        return first_memory(count * bytes);
    looking = true;
    REAL_MEMORY(calloc);
    looking = false;
    return must_lack("calloc") ? NULL : real(count, bytes);
}

void *realloc(void *p, size_t bytes)
{
    REAL_MEMORY(realloc);
    return must_lack("realloc") ? NULL : real(p, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    REAL_MEMORY(aligned_alloc);
    return must_lack("aligned_alloc") ? NULL : real(alignment, bytes);
}

void free(void *p)
{
    REAL_MEMORY(free);
    if (!is_first(p))
        real(p);
}

static int open_as(__typeof__(&open) real, const char *path, int flags,
                   va_list args)
{
    int mode = flags & O_CREAT ? va_arg(args, int) : 0;
    return must_fail("open") ? -1 : real(path, flags, mode);
}

#define OPEN(name)                                 \
    int name(const char *path, int flags, ...)     \
    {                                              \
        REAL(open, #name);                         \
        va_list args;                              \
        va_start(args, flags);                     \
        int fd = open_as(real, path, flags, args); \
        va_end(args);                              \
        return fd;                                 \
    }

#define PREAD(name, offset_type)                                           \
    ssize_t name(int fd, void *to, size_t n, offset_type at)               \
    {                                                                      \
        REAL(name, #name);                                                 \
        return must_fail("pread")                                          \
                   ? -1                                                    \
                   : garbled(to, real(fd, to, shortened("pread", n), at)); \
    }

#define STAT(name, call, what, buffer)                \
    int name(what, struct buffer *out)                \
    {                                                 \
        REAL(name, #name);                            \
        return must_fail(#call) ? -1 : real(of, out); \
    }

#define LSEEK(name, offset_type)                                   \
    offset_type name(int fd, offset_type offset, int whence)       \
    {                                                              \
        REAL(name, #name);                                         \
        return must_fail("lseek") ? -1 : real(fd, offset, whence); \
    }

#define MMAP(name, offset_type)                                                \
    void *name(void *at, size_t n, int protection, int flags, int fd,          \
               offset_type offset)                                             \
    {                                                                          \
        REAL(name, #name);                                                     \
        return must_fail("mmap") ? MAP_FAILED                                  \
                                 : real(at, n, protection, flags, fd, offset); \
    }

/* Both names: with and without _FILE_OFFSET_BITS=64. */
OPEN(open)
OPEN(open64)
PREAD(pread, off_t)
PREAD(pread64, off64_t)
STAT(fstat, fstat, int of, stat)
STAT(fstat64, fstat, int of, stat64)
STAT(stat, stat, const char *of, stat)
STAT(stat64, stat, const char *of, stat64)
LSEEK(lseek, off_t)
LSEEK(lseek64, off64_t)
MMAP(mmap, off_t)
MMAP(mmap64, off64_t)

int madvise(void *at, size_t n, int advice)
{
    REAL(madvise, "madvise");
    return must_fail("madvise") ? -1 : real(at, n, advice);
}

ssize_t read(int fd, void *to, size_t n)
{
    REAL(read, "read");
    return must_fail("read") ? -1 : real(fd, to, shortened("read", n));
}

ssize_t write(int fd, const void *from, size_t n)
{
    REAL(write, "write");
    return must_fail("write") ? -1 : real(fd, from, shortened("write", n));
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                   void *(*run)(void *), void *arg)
{
    REAL(pthread_create, "pthread_create");
    if (must_fail("pthread_create"))
        return errno;
    return real(thread, attributes, run, arg);
}

int pthread_mutex_init(pthread_mutex_t *mutex,
                       const pthread_mutexattr_t *attributes)
{
    REAL(pthread_mutex_init, "pthread_mutex_init");
    return must_fail("pthread_mutex_init") ? errno : real(mutex, attributes);
}

int pthread_cond_init(pthread_cond_t *condition,
                      const pthread_condattr_t *attributes)
{
    REAL(pthread_cond_init, "pthread_cond_init");
    return must_fail("pthread_cond_init") ? errno : real(condition, attributes);
}

int pipe2(int ends[2], int flags)
{
    REAL(pipe2, "pipe2");
    return must_fail("pipe2") ? -1 : real(ends, flags);
}

int poll(struct pollfd *what, nfds_t n, int milliseconds)
{
    REAL(poll, "poll");
    return must_fail("poll") ? -1 : real(what, n, milliseconds);
}

int sched_getaffinity(pid_t pid, size_t bytes, cpu_set_t *set)
{
    REAL(sched_getaffinity, "sched_getaffinity");
    return must_fail("sched_getaffinity") ? -1 : real(pid, bytes, set);
}

static const char *text_of(const char *name)
{
    const char *text = getenv(name);
    return text && *text ? text : NULL;
}

static int (*program)(int argc, char **argv, char **environment);

static int armed_main(int argc, char **argv, char **environment)
{
    const char *at = text_of("FAULT_AT"), *code = text_of("FAULT_ERRNO");
    plan.call = text_of("FAULT_CALL");
    plan.mode = text_of("FAULT_MODE");
    plan.log = text_of("FAULT_LOG");
    plan.at = at ? strtoul(at, NULL, 10) : 1;
    plan.error = code ? atoi(code) : EIO;
    void *frame[1];
    if (plan.mode && strcmp(plan.mode, "list") == 0)
        backtrace(frame, 1); /* loads what it needs, which looks like a leak */
    atomic_store(&armed, plan.call && plan.mode);
    int status = program(argc, argv, environment);
    atomic_store(&armed, false);
    return status;
}

#if defined(__SSE2__)
/* As a library that is built with -ffast-math: subnormal numbers are 0. */
__attribute__((constructor)) static void lose_subnormals(void)
{
    __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040);
}
#endif

/* _start calls this function. It wraps main, to arm the faults. */
int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv,
                      void (*init)(void), void (*fini)(void),
                      void (*at_exit)(void), void *stack_end)
{
    REAL(__libc_start_main, "__libc_start_main");
    program = main;
    Dl_info of;
    if (dladdr((void *)main, &of))
        loaded = of.dli_fbase;
    return real(armed_main, argc, argv, init, fini, at_exit, stack_end);
}
