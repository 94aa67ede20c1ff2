/* SPDX-License-Identifier: MIT */
/*
 * Runs $GPUREDUCE on a file of numbers or of text that another process changes
 * the whole time. No answer is right then, but the program must end by itself:
 * with status 0, or with status 1 and a message where the file was cut short.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BYTES = 8 << 20, WORDS = BYTES / 4, RUNS = 40, SECONDS = 10 };

static char path[256];
static int file;
static int messages; /* a file: standard error of the program */

static void die(const char *what)
{
    perror(what);
    exit(1);
}

static uint32_t *map_file(void)
{
    void *p = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (p == MAP_FAILED)
        die("mmap");
    return p;
}

/* Keeps writing new f32 into every block. The least value is soon overwritten,
 * so a second read of a block finds another one. */
static void scribble(void)
{
    volatile uint32_t *p = map_file();
    for (uint32_t k = 0;; k++)
        p[WORDS - 1 - k % 16 * 4096] = 0xbf800000 + (k & 0x3fffffff);
}

/* Writes quotes, line ends and delimiters among the digits. */
static void scribble_text(void)
{
    static const char letters[] = "\",\n1\n,\"9";
    volatile char *p = (volatile char *)map_file();
    for (uint32_t k = 1;; k = k * 1664525 + 1013904223)
        p[200000 + k / 3 % (BYTES - 200000)] = letters[k >> 29];
}

/* Shortens and restores the file. */
static void cut(void)
{
    for (unsigned k = 0;; k++) {
        if (ftruncate(file, k % 3 * 1000003 + 5) != 0 ||
            ftruncate(file, BYTES) != 0)
            _exit(1);
    }
}

static bool is_text;

static void fill(void)
{
    char *p = (char *)map_file();
    memset(p, 0x3f, BYTES);
    for (size_t i = 0; is_text && i < BYTES; i++)
        p[i] = "12,\"3\",4\n"[i % 9];
}

static void make_file(void)
{
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%.200s/changing.XXXXXX",
             folder ? folder : "/tmp");
    file = mkstemp(path);
    if (file < 0 || ftruncate(file, BYTES) != 0)
        die(path);
    fill();
}

static pid_t start(void (*change)(void))
{
    pid_t child = fork();
    if (child < 0)
        die("fork");
    if (child == 0) {
        change();
        _exit(0);
    }
    return child;
}

static void reduce(void)
{
    const char *program = getenv("GPUREDUCE");
    int null = open("/dev/null", O_RDWR);
    dup2(null, STDOUT_FILENO);
    dup2(messages, STDERR_FILENO);
    if (program && is_text)
        execl(program, program, "-o", "min,argmax,prod,sum", "-f", "csv", "-c",
              "1-3", "--header", "no", "--bad", "skip", "--chunk-size", "300K",
              "--device", "cpu", path, (char *)NULL);
    else if (program)
        execl(program, program, "-o", "min,argmax,absmax,prod,var,alltrue",
              "-t", "f32", "--device", "cpu", path, (char *)NULL);
    _exit(127);
}

/* Returns whether the program exited with 0 and said nothing, or exited with 1
 * and a message of its own. */
static bool is_right_end(int status)
{
    static const char start_of_message[] = "gpureduce: ";
    char text[4096];
    ssize_t n = pread(messages, text, sizeof text - 1, 0);
    text[n > 0 ? n : 0] = '\0';
    size_t want = WEXITSTATUS(status) == 0 ? 0 : sizeof start_of_message - 1;
    if (WIFEXITED(status) && WEXITSTATUS(status) <= 1 &&
        (want ? strncmp(text, start_of_message, want) == 0 : n == 0))
        return true;
    if (WIFSIGNALED(status))
        fprintf(stderr, "died of signal %d\n", WTERMSIG(status));
    else
        fprintf(stderr, "exit status %d: %s\n", WEXITSTATUS(status), text);
    return false;
}

static bool ends_well(void)
{
    int status;
    if (ftruncate(messages, 0) != 0)
        die("ftruncate");
    lseek(messages, 0, SEEK_SET);
    pid_t child = start(reduce);
    for (int ms = 0; waitpid(child, &status, WNOHANG) == 0; ms++) {
        if (ms == 1000 * SECONDS) {
            kill(child, SIGKILL);
            fprintf(stderr, "a hang\n");
        }
        usleep(1000);
    }
    return is_right_end(status);
}

static int run(const char *what, void (*change)(void))
{
    int failed = 0;
    make_file();
    pid_t changer = start(change);
    for (int i = 0; i < RUNS; i++)
        failed += !ends_well();
    kill(changer, SIGKILL);
    waitpid(changer, NULL, 0);
    unlink(path);
    close(file);
    printf("%s: %d of %d runs failed\n", what, failed, RUNS);
    return failed;
}

int main(void)
{
    messages = memfd_create("messages", MFD_CLOEXEC);
    if (messages < 0)
        die("memfd_create");
    int failed = run("scribbled over", scribble) + run("cut short", cut);
    is_text = true;
    failed += run("text scribbled over", scribble_text);
    failed += run("text cut short", cut);
    return failed > 0;
}
