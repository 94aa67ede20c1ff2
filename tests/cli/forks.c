/* SPDX-License-Identifier: MIT */
/*
 * Loaded before the program, it makes the program a server: for each request it
 * forks a child just before main, which is then as it is after a start of its
 * own. Loading the program and its libraries takes longer than most runs of the
 * tests.
 *
 * A request is a packet to the socket of number $FORKS: a struct request, and
 * texts that end in a NUL: the folder, the variables of the environment as
 * NAME=TEXT, and the arguments, argv[0] first. Standard input, output and error
 * come with it. The replies are the child's id and, when it has ended, the
 * status of waitpid, both int32_t. The end of the requests ends the server.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <malloc.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

enum { REQUEST_MAX = 1 << 18, WORDS_MAX = 1 << 16, FILES = 3 };

struct request {
    int32_t variables, arguments; /* how many */
    int32_t filler;               /* as MALLOC_PERTURB_ */
};

static int (*program)(int argc, char **argv, char **environment);

static void must(int ok)
{
    if (!ok)
        _exit(99);
}

/* Receives a request. Returns its bytes, 0 at the end of the requests. */
static size_t receive(int from, char *text, int file[FILES])
{
    struct iovec part = {text, REQUEST_MAX};
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(FILES * sizeof(int))];
    } files;
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = &files,
                             .msg_controllen = sizeof files};
    ssize_t bytes = recvmsg(from, &message, MSG_CMSG_CLOEXEC);
    if (bytes <= 0)
        return 0;
    must(!(message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) &&
         CMSG_FIRSTHDR(&message));
    memcpy(file, CMSG_DATA(&files.header), FILES * sizeof(int));
    return (size_t)bytes;
}

/* Makes this child what the request asks for. Returns its arguments. */
static char **become(char *text, const int file[FILES])
{
    static char *word[WORDS_MAX];
    struct request asked;
    memcpy(&asked, text, sizeof asked);
    must(asked.variables + asked.arguments + 2 <= WORDS_MAX);
    char *folder = text + sizeof asked, *at = folder + strlen(folder) + 1;
    mallopt(M_PERTURB, asked.filler);
    must(chdir(folder) == 0 && clearenv() == 0);
    for (int i = 0; i < asked.variables; i++, at += strlen(at) + 1)
        must(putenv(at) == 0);
    for (int i = 0; i < asked.arguments; i++, at += strlen(at) + 1)
        word[i] = at;
    for (int i = 0; i < FILES; i++)
        must(dup2(file[i], i) == i);
    return word;
}

/* Returns in each child, with its arguments. */
static char **serve(int with, int *argc)
{
    static char text[REQUEST_MAX];
    int file[FILES];
    while (receive(with, text, file) > 0) {
        pid_t child = fork();
        must(child >= 0);
        if (child == 0) {
            memcpy(argc, text + offsetof(struct request, arguments),
                   sizeof *argc);
            char **argv = become(text, file);
            for (int i = 0; i < FILES; i++)
                close(file[i]);
            close(with);
            return argv;
        }
        for (int i = 0; i < FILES; i++)
            close(file[i]);
        int32_t id = child;
        int status;
        must(send(with, &id, sizeof id, MSG_NOSIGNAL) == sizeof id);
        must(waitpid(child, &status, 0) == child);
        must(send(with, &status, sizeof status, MSG_NOSIGNAL) == sizeof status);
    }
    _exit(0);
}

static int forked_main(int argc, char **argv, char **environment)
{
    const char *socket = getenv("FORKS");
    if (!socket)
        return program(argc, argv, environment);
    argv = serve(atoi(socket), &argc);
    int status = program(argc, argv, environ);
#ifdef QUICK_EXIT /* without what libraries do at exit: 0.2 ms of 2 */
    fflush(NULL);
    _exit(status);
#endif
    return status;
}

/* _start calls this function. It wraps main. */
int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv,
                      void (*init)(void), void (*fini)(void),
                      void (*at_exit)(void), void *stack_end)
{
    int (*real)(int (*)(int, char **, char **), int, char **, void (*)(void),
                void (*)(void), void (*)(void), void *);
    *(void **)&real = dlsym(RTLD_NEXT, "__libc_start_main");
    program = main;
    return real(forked_main, argc, argv, init, fini, at_exit, stack_end);
}
