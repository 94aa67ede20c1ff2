/* SPDX-License-Identifier: MIT */
/* Mapped files that are cut while other threads open and close maps: the bytes
 * that are read, and what map_check reports. A sanitizer sees if the SIGBUS
 * handler uses a map that is gone. */
#include "source/map.h"

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include "check.h"
#include "temporary.h"

enum { PAGES = 64, ROUNDS = 20, OTHERS = 3 };

static char cut_path[TEMPORARY_MAX], whole_path[TEMPORARY_MAX];
static atomic_bool over;
static size_t page_bytes;

static void make_file(char path[TEMPORARY_MAX], const char *name)
{
    char *bytes = malloc(PAGES * page_bytes);
    memset(bytes, 'x', PAGES * page_bytes);
    temporary_write(temporary_path(path, name), bytes, PAGES * page_bytes);
    free(bytes);
}

/* Counts the bytes of a page that are 'x'. */
static size_t count(const char *page)
{
    size_t n = 0;
    for (size_t i = 0; i < page_bytes; i++)
        n += page[i] == 'x';
    return n;
}

/* Opens, reads and closes a file that is never cut, until the test is over. */
static void *use_whole(void *arg)
{
    int fd = open(whole_path, O_RDONLY);
    (void)arg;
    while (!atomic_load(&over)) {
        struct map *m = malloc(sizeof *m);
        CHECK(m && map_open(m, fd, 0, PAGES * page_bytes));
        CHECK(count(map_range(m, page_bytes, page_bytes)) == page_bytes);
        CHECK(map_check(m, page_bytes, page_bytes), "the file was not cut");
        map_close(m);
        free(m);
    }
    close(fd);
    return NULL;
}

/* The file loses all but its first page between two reads. */
static void cut_once(int fd)
{
    struct map m;
    CHECK(ftruncate(fd, PAGES * page_bytes) == 0);
    CHECK(pwrite(fd, "x", 1, 0) == 1 &&
          map_open(&m, fd, 0, PAGES * page_bytes));
    const char *at = map_range(&m, 0, PAGES * page_bytes);
    CHECK(at[0] == 'x');
    CHECK(ftruncate(fd, page_bytes) == 0);
    for (size_t i = 1; i < PAGES; i++)
        CHECK(count(at + i * page_bytes) == 0);
    CHECK(at[0] == 'x');
    CHECK(!map_check(&m, 0, PAGES * page_bytes));
    CHECK(!map_check(&m, 0, page_bytes), "once torn, nothing of it counts");
    map_close(&m);
}

int main(void)
{
    pthread_t thread[OTHERS];
    page_bytes = (size_t)sysconf(_SC_PAGESIZE);
    make_file(cut_path, "cut");
    make_file(whole_path, "whole");
    for (int i = 0; i < OTHERS; i++)
        CHECK(pthread_create(&thread[i], NULL, use_whole, NULL) == 0);
    int fd = open(cut_path, O_RDWR);
    for (int i = 0; i < ROUNDS; i++)
        cut_once(fd);
    atomic_store(&over, true);
    for (int i = 0; i < OTHERS; i++)
        pthread_join(thread[i], NULL);
    close(fd);
    return check_end();
}
