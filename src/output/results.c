/* SPDX-License-Identifier: MIT */
#include "output/results.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/quote.h"
#include "output/number.h"

static void put(void *to, const char *piece)
{
    fputs(piece, to);
}

static void print_table(const struct results *r, FILE *to)
{
    char text[NUMBER_MAX];
    fputs("file", to);
    for (size_t i = 0; i < r->ops; i++)
        fprintf(to, "\t%s", r->op[i]->name);
    for (size_t d = 0; d < r->datasets; d++) {
        fputc('\n', to);
        escape_each(r->name[d], put, to);
        for (size_t i = 0; i < r->ops; i++)
            fprintf(to, "\t%s", number_text(text, &r->value[d * r->ops + i]));
    }
    fputc('\n', to);
}

static void print_lines(const struct results *r, FILE *to)
{
    char text[NUMBER_MAX];
    for (size_t i = 0; i < r->ops; i++) {
        if (r->ops > 1)
            fprintf(to, "%s\t", r->op[i]->name);
        fprintf(to, "%s\n", number_text(text, &r->value[i]));
    }
}

static bool write_all(int fd, const char *p, size_t bytes, struct error *e)
{
    while (bytes > 0) {
        ssize_t n = write(fd, p, bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return error_set(e, ERROR_DATA, "write error: %s",
                             strerror(errno));
        p += n;
        bytes -= (size_t)n;
    }
    return true;
}

bool results_text(const struct results *r, int fd, struct error *e)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *to = open_memstream(&text, &bytes);
    if (!to)
        return error_set(e, ERROR_DATA, "out of memory");
    (r->datasets > 1 ? print_table : print_lines)(r, to);
    bool ok = !ferror(to);
    ok = fclose(to) == 0 && ok;
    if (!ok)
        error_set(e, ERROR_DATA, "out of memory");
    ok = ok && write_all(fd, text, bytes, e);
    free(text);
    return ok;
}
