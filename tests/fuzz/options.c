/* SPDX-License-Identifier: MIT */
/*
 * Lines of any bytes as options, which name columns and have expressions, for a
 * small table. A plan must explain itself the same way each time. A line is
 * also typed at a shell, and read as a size.
 */
#include "fuzz.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "cli/options.h"
#include "plan/complete.h"
#include "plan/plan.h"

enum { WORDS_MAX = 20, TEXT_MAX = 4096 };

/* Explains the plan of argv, or names the error. The caller frees the text. */
static char *explain(int argc, char **argv)
{
    char *said = NULL;
    size_t bytes;
    struct options o;
    struct plan plan;
    struct notes notes = {0};
    struct error e = {.kind = ERROR_NONE};
    FILE *to = open_memstream(&said, &bytes);
    if (!to)
        abort();
    if (!read_options(&o, argc, argv, &e)) {
        check_error(&e);
    } else if (o.action == ACTION_REDUCE) {
        bool ok = plan_make(&plan, &o, &notes, NULL, &e);
        if (ok)
            plan_explain(&plan, to);
        else if (e.kind != ERROR_DEVICE)
            check_error(&e);
        plan_free(&plan);
        notes_free(&notes);
    }
    fputs(e.text, to);
    fclose(to);
    return said;
}

/* Offers words for each word in turn. */
static void complete(int argc, char **argv)
{
    char *said = NULL, number[16];
    size_t bytes;
    FILE *to = open_memstream(&said, &bytes);
    const char *words[WORDS_MAX + 4] = {number};
    const struct options o = {
        .action = ACTION_COMPLETE, .file = words, .files = (size_t)argc};
    if (!to)
        abort();
    for (int i = 0; i < argc; i++) { /* completion permutes the words */
        memcpy(words + 1, argv + 1, ((size_t)argc - 1) * sizeof *words);
        snprintf(number, sizeof number, "%d", i);
        complete_print(&o, to);
    }
    fclose(to);
    free(said);
}

/* The definition of a size: digits, then perhaps a letter and B or iB, or B
 * alone. */
static bool naive_size(const char *text, uint64_t *bytes)
{
    static const char letters[] = "kmgt";
    unsigned __int128 x = 0;
    const char *p = text;
    for (; *p >= '0' && *p <= '9'; p++) {
        x = 10 * x + (unsigned)(*p - '0');
        if (x > UINT64_MAX)
            return false;
    }
    const char *letter =
        *p ? strchr(letters, tolower((unsigned char)*p)) : NULL;
    const bool ok =
        p > text && (!*p || strcasecmp(p, "b") == 0 ||
                     (letter && (!p[1] || strcasecmp(p + 1, "b") == 0 ||
                                 strcasecmp(p + 1, "ib") == 0)));
    x <<= letter ? 10 * (letter - letters + 1) : 0;
    *bytes = (uint64_t)x;
    return ok && x <= UINT64_MAX;
}

static void check_size(const char *text)
{
    uint64_t mine = 0, theirs = 0;
    char a[40], b[40];
    const bool ok = text_to_size(text, &mine);
    if (ok == naive_size(text, &theirs) && (!ok || mine == theirs))
        return;
    snprintf(a, sizeof a, "%d %" PRIu64, ok, mine);
    snprintf(b, sizeof b, "%d %" PRIu64, !ok, theirs);
    wrong(text, a, b);
}

/* Cuts the text into words. Those that are no options, and those that name
 * files, are left out. Returns how many. */
static int cut(char *text, char **word)
{
    int n = 0;
    for (char *at = strtok(text, "\n"); at; at = strtok(NULL, "\n")) {
        check_size(at);
        if (*at == '-' && at[1] && n < WORDS_MAX && !strstr(at, "--save") &&
            !strstr(at, "--files0") && !strstr(at, "--keys"))
            word[n++] = at;
    }
    return n;
}

void run_options(const struct target *t, const unsigned char *p, size_t n)
{
    static const char table[] =
        "a,b c,\"d\"\"e\",3,t\n1,2,3,4,x\n,-5,6e3,7,y\n";
    static char text[TEXT_MAX];
    char *word[WORDS_MAX], *argv[WORDS_MAX + 3] = {"gpureduce"}, *said[2];
    char *path = (char *)save((const unsigned char *)table, sizeof table - 1);
    (void)t;
    n = n < TEXT_MAX ? n : TEXT_MAX - 1;
    memcpy(text, p, n);
    text[n] = '\0';
    const int words = cut(text, word);
    for (int i = 0; i < 2; i++) { /* parsing permutes the words */
        memcpy(argv + 1, word, (size_t)words * sizeof *word);
        argv[words + 1] = path;
        argv[words + 2] = NULL;
        said[i] = explain(words + 2, argv);
    }
    if (strcmp(said[0], said[1]) != 0)
        wrong("explained again", said[1], said[0]);
    free(said[0]);
    free(said[1]);
    complete(words + 2, argv);
}
