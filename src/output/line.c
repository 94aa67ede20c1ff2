/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "output/line.h"

#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/terminal.h"

enum { COLUMNS = 80, TEXT_MAX = 512, ENDING = 4, PATIENCE_MS = 50 };

static const int endings[ENDING] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};

static struct {
    bool is_terminal, is_dumb;
    struct sigaction before[ENDING];
} line;

static char blanks[TEXT_MAX];

/* These are lock-free, because the signal handler uses them. The handler sets
 * `ending`, then waits while `drawing` is set. A thread that draws sets
 * `drawing`, then draws only if `ending` is not set. */
static atomic_int shown; /* characters on the line now */
static atomic_int drawing, ending;
/* this thread is drawing */
static _Thread_local volatile sig_atomic_t drawing_here;

static bool is_foreground(void)
{
    /* Fails (-1) if this terminal does not control the process. Then there is
     * no job control, and the process may write. */
    pid_t group = tcgetpgrp(STDERR_FILENO);
    return group == -1 || group == getpgrp();
}

/* Whether a line can be written without blocking, within `ms` milliseconds. */
static bool is_ready(int ms)
{
    struct pollfd p = {.fd = STDERR_FILENO, .events = POLLOUT};
    return poll(&p, 1, ms) > 0;
}

/* Writes text. Ignores failures, because nothing can report them. */
static void put(const char *text, size_t bytes)
{
    ssize_t n = write(STDERR_FILENO, text, bytes);
    (void)n;
}

unsigned line_width(void)
{
    struct winsize window;
    unsigned columns = COLUMNS;
    if (line.is_terminal && ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 &&
        window.ws_col > 0)
        columns = window.ws_col;
    return columns - 1;
}

/* Composes "\rTEXT" and the characters that erase the rest of the `before`
 * characters shown. If the window has become narrower than these, most
 * terminals have wrapped them; then all rows from the first on are cleared. On
 * a terminal, the cursor then returns to the start of the text. So it stays in
 * that first row, and a ^C that the terminal echoes starts no new row. */
static size_t compose(char out[2 * TEXT_MAX], const char *text, size_t n,
                      size_t before)
{
    char *to = out;
    *to++ = '\r';
    to = mempcpy(to, text, n);
    if (line.is_terminal && !line.is_dumb)
        to = mempcpy(to, before > line_width() ? "\33[J" : "\33[K", 3);
    else if (before > n)
        to = mempcpy(to, blanks, before - n);
    if (line.is_terminal)
        *to++ = '\r';
    return (size_t)(to - out);
}

static void wipe(void)
{
    char out[2 * TEXT_MAX];
    put(out, compose(out, "", 0, (size_t)atomic_load(&shown)));
}

/* Ends the process by the signal's default action, which other threads cannot
 * delay. */
static void die(int number)
{
    sigset_t set;
    signal(number, SIG_DFL);
    sigemptyset(&set);
    sigaddset(&set, number);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    raise(number);
    /* Process 1 of a container survives the default action. */
    _exit(128 + number);
}

/* The signal handler. If it interrupts the thread that draws, it does not wait:
 * that thread draws no more. */
static void on_ending(int number)
{
    atomic_store(&ending, 1);
    for (int ms = 0; !drawing_here && atomic_load(&drawing) && ms < PATIENCE_MS;
         ms++)
        poll(NULL, 0, 1);
    if (atomic_load(&shown) && is_foreground() && is_ready(PATIENCE_MS))
        wipe();
    die(number);
}

static void handle_endings(void)
{
    struct sigaction action = {.sa_handler = on_ending};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < ENDING; i++)
        sigaddset(&action.sa_mask, endings[i]);
    for (int i = 0; i < ENDING; i++) {
        sigaction(endings[i], NULL, &line.before[i]);
        if (line.before[i].sa_handler == SIG_DFL)
            sigaction(endings[i], &action, NULL);
    }
}

bool line_open(bool anyway)
{
    line.is_terminal = isatty(STDERR_FILENO);
    line.is_dumb = terminal_is_dumb();
    memset(blanks, ' ', sizeof blanks);
    if ((!line.is_terminal || line.is_dumb) && !anyway)
        return false;
    if (line.is_terminal)
        handle_endings();
    return true;
}

bool line_is_terminal(void)
{
    return line.is_terminal;
}

/* False if a signal is about to end the process. */
static bool start_drawing(void)
{
    drawing_here = 1;
    atomic_store(&drawing, 1);
    return !atomic_load(&ending);
}

static void end_drawing(void)
{
    atomic_store(&drawing, 0);
    drawing_here = 0;
}

void line_draw(const char *text)
{
    char out[2 * TEXT_MAX];
    size_t n = strnlen(text, TEXT_MAX - 1);
    size_t before = (size_t)atomic_load(&shown);
    /* While the process was in the background, other programs have written over
     * its line. */
    if (line.is_terminal && !is_foreground())
        atomic_store(&shown, 0);
    else if (is_ready(0) && start_drawing()) {
        size_t bytes = compose(out, text, n, before);
        atomic_store(&shown, (int)(n > before ? n : before));
        put(out, bytes);
        atomic_store(&shown, (int)n);
    }
    end_drawing();
}

void line_erase(void)
{
    if (start_drawing() && atomic_load(&shown)) {
        if (line.is_terminal && is_foreground())
            wipe();
        else if (!line.is_terminal && is_ready(0))
            put("\n", 1);
        atomic_store(&shown, 0);
    }
    end_drawing();
}

void line_close(void)
{
    line_erase();
    for (int i = 0; line.is_terminal && i < ENDING; i++)
        sigaction(endings[i], &line.before[i], NULL);
}
