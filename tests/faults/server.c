/* SPDX-License-Identifier: MIT */
/*
 * Runs the program many times, each time in a child that is forked just before
 * main. Starting the program and loading its libraries takes longer than most
 * runs, so the server does that once. The child is the same program in the same
 * state as one that has just been started.
 *
 * A request on standard input is a uint32_t, the number of bytes that follow,
 * and texts that end in a NUL: the call, mode, use, errno and log of the plan,
 * the source of standard input, and the arguments, argv[0] first. The source is
 * "<PATH", a file, or "|PATH", a pipe with the bytes of a file.
 *
 * A reply on standard output is a struct reply, and the bytes that the program
 * wrote to standard output and to standard error. The end of the requests ends
 * the server.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "faults.h"

enum {
    TIMEOUT = 100, /* seconds, in case of a hang; a machine may be busy */
    REQUEST_MAX = 1 << 17,
    WORDS_MAX = 4096,
    PLAN_WORDS = 6,
    /* Filling memory, as MALLOC_PERTURB_ says, takes a third of a run. */
    FILLED_EVERY = 8,
};

struct reply {
    int32_t status; /* exit status, or a signal's number less than 0 */
    uint32_t fired;
    uint32_t bytes[2]; /* of standard output and error */
};

/* Files of the server. Children close them. */
static int requests, replies, written[2];

static void must(bool ok)
{
    if (!ok)
        _exit(99);
}

/* Reads n bytes. Returns whether there are any. */
static bool read_all(int fd, void *to, size_t n)
{
    size_t have = 0;
    while (have < n) {
        ssize_t got = read(fd, (char *)to + have, n - have);
        if (got == 0 && have == 0)
            return false;
        must(got > 0);
        have += (size_t)got;
    }
    return true;
}

/* Writes n bytes, or as many as somebody reads. */
static void write_all(int fd, const char *from, size_t n)
{
    while (n > 0) {
        ssize_t wrote = write(fd, from, n);
        if (wrote < 0)
            return;
        from += wrote;
        n -= (size_t)wrote;
    }
}

/* Writes the bytes of a file, from its start, to another one. */
static void copy(int from, int to)
{
    char bytes[1 << 16];
    off_t at = 0;
    ssize_t got;
    while ((got = pread(from, bytes, sizeof bytes, at)) > 0) {
        write_all(to, bytes, (size_t)got);
        at += got;
    }
}

/* Makes standard input and output of a child what the request asks for. */
static void redirect(int in)
{
    must(dup2(in, 0) == 0 && dup2(written[0], 1) == 1 &&
         dup2(written[1], 2) == 2);
    int unwanted[] = {in, requests, replies, written[0], written[1]};
    for (size_t i = 0; i < sizeof unwanted / sizeof *unwanted; i++)
        close(unwanted[i]);
    signal(SIGPIPE, SIG_DFL);
    alarm(TIMEOUT);
}

/* Forks a child. Returns its id, and in the child 0, with standard input and
 * output as they must be. Feeds its standard input if that is a pipe. */
static pid_t start(const char *in)
{
    int file = open(in + 1, O_RDONLY | O_CLOEXEC), ends[2] = {file, -1};
    must(file >= 0 && (*in == '<' || pipe2(ends, O_CLOEXEC) == 0));
    pid_t child = fork();
    must(child >= 0);
    if (child == 0) {
        if (*in == '|') {
            close(file);
            close(ends[1]);
        }
        redirect(ends[0]);
        return 0;
    }
    close(ends[0]);
    if (*in == '|') {
        copy(file, ends[1]);
        close(file);
        close(ends[1]);
    }
    return child;
}

/* Waits for the child, replies, and empties what it wrote. */
static void finish(pid_t child, atomic_bool *fired)
{
    int status;
    must(waitpid(child, &status, 0) == child);
    struct reply reply = {WIFEXITED(status) ? WEXITSTATUS(status)
                                            : -WTERMSIG(status),
                          atomic_exchange(fired, false),
                          {(uint32_t)lseek(written[0], 0, SEEK_END),
                           (uint32_t)lseek(written[1], 0, SEEK_END)}};
    write_all(replies, (char *)&reply, sizeof reply);
    for (int i = 0; i < 2; i++) {
        copy(written[i], replies);
        must(ftruncate(written[i], 0) == 0 &&
             lseek(written[i], 0, SEEK_SET) == 0);
    }
}

/* Reads a request. Returns its words, NULL last, and their number; NULL at
 * the end of the requests. */
static char **request(int *n)
{
    static char text[REQUEST_MAX], *word[WORDS_MAX];
    uint32_t bytes;
    if (!read_all(requests, &bytes, sizeof bytes))
        return NULL;
    must(bytes <= sizeof text && read_all(requests, text, bytes));
    *n = 0;
    for (char *at = text; at < text + bytes; at += strlen(at) + 1) {
        must(*n + 1 < WORDS_MAX);
        word[(*n)++] = at;
    }
    must(*n > PLAN_WORDS);
    word[*n] = NULL;
    return word;
}

char **fault_serve(struct fault_plan *plan, int *argc)
{
    requests = dup(0);
    replies = dup(1);
    written[0] = memfd_create("output", MFD_CLOEXEC);
    written[1] = memfd_create("errors", MFD_CLOEXEC);
    atomic_bool *fired = mmap(NULL, sizeof *fired, PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    must(replies > 0 && written[1] > 0 && fired != MAP_FAILED);
    signal(SIGPIPE, SIG_IGN);
    char **word;
    int n;
    for (unsigned run = 0; (word = request(&n)); run++) {
        pid_t child = start(word[5]);
        if (child == 0) {
            if (run % FILLED_EVERY != 0)
                mallopt(M_PERTURB, 0);
            *plan = (struct fault_plan){.call = word[0],
                                        .mode = word[1],
                                        .at = strtoul(word[2], NULL, 10),
                                        .error = atoi(word[3]),
                                        .log = *word[4] ? word[4] : NULL,
                                        .fired = fired};
            *argc = n - PLAN_WORDS;
            return word + PLAN_WORDS;
        }
        finish(child, fired);
    }
    _exit(0);
}
