/* SPDX-License-Identifier: MIT */
#include "plan/complete.h"

#include <string.h>
#include <sys/stat.h>

#include "base/quote.h"
#include "base/text.h"
#include "cli/rows.h"
#include "plan/plan.h"

/* The most words offered: a shell cannot show more usefully, and a table may
 * have millions of columns. */
enum { OFFERS_MAX = 4096 };

struct typed {
    const char *word;
    const struct option_row *row; /* the option whose value it has; or NULL */
    const char *value;            /* where the value starts in the word */
    const char *item;             /* the last item of a list; else the value */
};

/* Whether a terminal and a line of text can hold the name as it is. */
static bool is_plain(const char *name)
{
    char shown[8];
    size_t left = strlen(name), step;
    for (; (step = escape_next(shown, name, left));
         name += step, left -= step) {
        if (memcmp(shown, name, step) != 0)
            return false;
    }
    return true;
}

/* A column's name as --columns takes it. */
static const char *list_form(char room[QUOTE_MAX], const char *name)
{
    size_t n = 0;
    if (!strpbrk(name, ",\"") && name[0] != ' ' &&
        name[strlen(name) - 1] != ' ')
        return name;
    room[n++] = '"';
    for (; *name && n < QUOTE_MAX - 4; name++) {
        if (*name == '"')
            room[n++] = '"';
        room[n++] = *name;
    }
    memcpy(room + n, "\"", 2);
    return *name ? "" : room;
}

/* Where the last item of a list starts. A quoted name may hold commas. */
static const char *last_item(const char *list)
{
    const char *item = list;
    bool is_quoted = false;
    for (; *list; list++) {
        is_quoted ^= *list == '"';
        if (*list == ',' && !is_quoted)
            item = list + 1;
    }
    return item;
}

/* Whether the list has the word before its last item. */
static bool is_used(const struct typed *t, const char *word)
{
    const size_t n = strlen(word);
    const char *item = t->value;
    bool is_quoted = false;
    for (const char *at = item; at < t->item; at++) {
        is_quoted ^= *at == '"';
        if (*at != ',' || is_quoted)
            continue;
        if ((size_t)(at - item) == n && memcmp(item, word, n) == 0)
            return true;
        item = at + 1;
    }
    return false;
}

/* Offers a word that continues the typed one and is not in the list yet. */
static bool offer(const struct typed *t, const char *word, const char *about,
                  FILE *to)
{
    if (!*word || strncmp(word, t->item, strlen(t->item)) != 0 ||
        is_used(t, word))
        return false;
    fprintf(to, "%.*s%s\t%.*s\n", (int)(t->item - t->word), t->word, word,
            (int)strcspn(about, "\n"), about);
    return true;
}

static void offer_words(const struct typed *t, const struct csv_table *table,
                        FILE *to)
{
    char room[QUOTE_MAX];
    const char *word;
    size_t offers = 0;
    for (size_t i = 0; offers < OFFERS_MAX && (word = t->row->words(i, table));
         i++) {
        char about[32] = "";
        const struct op *op = t->row->words == words_op ? op_find(word) : NULL;
        if (table && (!*word || !is_plain(word)))
            continue;
        if (table)
            snprintf(about, sizeof about, "column %zu", i + 1);
        offers += offer(t, table ? list_form(room, word) : word,
                        op ? op->about : about, to);
    }
}

static void offer_options(const struct typed *t, FILE *to)
{
    const struct option_row *row;
    char name[64];
    for (size_t i = 0; (row = option_row(i)); i++) {
        if (row->group == GROUP_OTHER)
            continue;
        snprintf(name, sizeof name, "-%c", row->letter);
        if (row->letter)
            offer(t, name, row->help, to);
        snprintf(name, sizeof name, "--%s", row->name);
        offer(t, name, row->help, to);
    }
}

/* The option of a word that has an option and its value, as --columns=pr or
 * -qcpr; *value is where the value starts. NULL: any other word. */
static const struct option_row *row_within(const char *word, const char **value)
{
    const struct option_row *row = NULL;
    size_t n = strcspn(word, "=");
    if (word[1] != '-') {
        while (*++word && (row = option_row_of(*word)) && !row->value)
            ;
        *value = word + 1;
        return row && row->value && word[0] && word[1] ? row : NULL;
    }
    for (size_t i = 0; word[n] && (row = option_row(i)); i++) {
        if (strlen(row->name) == n - 2 &&
            memcmp(row->name, word + 2, n - 2) == 0)
            break;
    }
    *value = word + n + 1;
    return row && row->value ? row : NULL;
}

static void find_value(struct typed *t)
{
    const char *value, *own = NULL;
    const struct option_row *row = row_within(t->word, &value);
    if (row) {
        t->row = option_row_meant(row, &own);
        t->value = value;
    }
}

/* Finds the columns of the first regular file. Other files are not read, since
 * reading a pipe could wait for another process. */
static bool look(struct plan *plan, struct options *o)
{
    struct error e;
    struct stat st;
    while (o->files > 0 &&
           (stat(o->file[0], &st) != 0 || !S_ISREG(st.st_mode))) {
        o->file++;
        o->files--;
    }
    if (o->files == 0)
        return false;
    o->files = 1;
    o->threads = 1;
    o->csv.columns = "1-"; /* all, of numbers or not */
    o->csv.exclude = o->csv.weights = o->csv.by = NULL;
    o->where = o->map = NULL;
    o->ops = o->assertions = o->lets = 0;
    o->files0_from = NULL;
    o->compare = false;
    return set_op(o, "sum", &e) && plan_look(plan, o, NULL, NULL, &e);
}

static void offer_columns(const struct typed *t, struct options *o, char **rest,
                          int count, FILE *to)
{
    struct plan plan = {.inputs = NULL};
    bool ok = look(&plan, o);
    if (!ok) {
        plan_free(&plan);
        options_gather(o, count, rest);
        plan = (struct plan){.inputs = NULL};
        ok = look(&plan, o);
    }
    if (ok && plan.inputs[0].table)
        offer_words(t, plan.inputs[0].table, to);
    plan_free(&plan);
}

/* Whether the options ended before the word. */
static bool is_operand(const struct typed *t, char **words, uint64_t n)
{
    bool ended = t->word[0] != '-';
    for (uint64_t i = 0; i < n; i++)
        ended |= strcmp(words[i], "--") == 0;
    return ended;
}

void complete_print(const struct options *line, FILE *to)
{
    struct options o = {.action = ACTION_REDUCE};
    char **words = (char **)line->file;
    uint64_t n;
    if (!text_to_u64(words[0], &n) || n >= line->files - 1)
        return;
    /* options_gather ignores the first word that it gets, as argv[0]. */
    struct typed t = {.word = words[n + 1]};
    t.row = options_gather(&o, (int)n + 1, words);
    t.value = t.item = t.word;
    const bool is_value = t.row, is_file = is_operand(&t, words + 1, n);
    if (!is_value && !is_file)
        find_value(&t);
    bool is_list = t.row && strcmp(t.row->value, "LIST") == 0;
    t.item = is_list ? last_item(t.value) : t.value;
    if (t.row ? strcmp(t.row->value, "FILE") == 0 : is_file)
        fputs("files\n", to);
    else if (!t.row)
        offer_options(&t, to);
    if (is_list && t.row->words)
        fputs("list\n", to);
    if (t.row && t.row->words == words_columns)
        offer_columns(&t, &o, words + n + 1, (int)(line->files - n - 1), to);
    else if (t.row && t.row->words)
        offer_words(&t, NULL, to);
}
