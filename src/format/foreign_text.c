/* SPDX-License-Identifier: MIT */
/* Recognises, by its start, text that is not a table of delimited fields. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "csv/cell/shape.h"
#include "format/foreign_look.h"

/* Skips white space. Returns the byte that follows, or 0 at the end. */
static char skip_space(struct foreign_text *t)
{
    while (t->at < t->end && isspace((unsigned char)*t->at))
        t->at++;
    return t->at < t->end ? *t->at : '\0';
}

/* Whether the text starts with a word, in upper or lower case. */
static bool starts(const struct foreign_text *t, const char *word)
{
    size_t n = strlen(word);
    return (size_t)(t->end - t->at) >= n && strncasecmp(t->at, word, n) == 0;
}

/* Takes the next line off the text. Returns it without its line end. */
static struct foreign_text take_line(struct foreign_text *t)
{
    size_t left = (size_t)(t->end - t->at);
    const char *lf = left > 0 ? memchr(t->at, '\n', left) : NULL;
    struct foreign_text l = {t->at, lf ? lf : t->end};
    t->at = lf ? lf + 1 : t->end;
    if (l.end > l.at && l.end[-1] == '\r')
        l.end--;
    return l;
}

/* Whether the text starts with a bracket, after white space. If so, moves past
 * it, and *inside is the next byte that is not white space. */
static bool opens(struct foreign_text *t, char bracket, char *inside)
{
    bool is_open = skip_space(t) == bracket;
    t->at += is_open;
    *inside = is_open ? skip_space(t) : '\0';
    return is_open;
}

/* Skips a number or a word that JSON has, or Python writes. False: there is
 * none. */
static bool skip_json_value(struct foreign_text *t)
{
    static const char *const words[] = {"null", "true",     "false",
                                        "nan",  "infinity", "-infinity"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (starts(t, words[i])) {
            t->at += strlen(words[i]);
            return true;
        }
    }
    if (t->at == t->end || !(*t->at == '-' || isdigit((unsigned char)*t->at)))
        return false;
    while (t->at < t->end && *t->at && strchr("+-.eE0123456789", *t->at))
        t->at++;
    return true;
}

/* Whether the text starts like a JSON array of numbers: a comma follows the
 * first value, or the closing bracket ends the text. A log may also start with
 * a bracket, as in [2024-01-03], and so may output of R, as in [1]. */
bool foreign_is_json_numbers(struct foreign_text t)
{
    char c;
    if (!opens(&t, '[', &c) || !skip_json_value(&t))
        return false;
    c = skip_space(&t);
    if (c != ']')
        return c == ',';
    t.at++;
    return skip_space(&t) == '\0';
}

bool foreign_is_json_rows(struct foreign_text t)
{
    char c;
    return opens(&t, '[', &c) && c == '[';
}

bool foreign_is_json(struct foreign_text t)
{
    struct foreign_text again = t;
    char c;
    if (opens(&t, '{', &c))
        return c == '"' || c == '}';
    return opens(&again, '[', &c) && (c == '{' || c == '"');
}

bool foreign_is_html(struct foreign_text t)
{
    skip_space(&t);
    return starts(&t, "<!doctype html") || starts(&t, "<html") ||
           starts(&t, "<table");
}

static bool holds(struct foreign_text t, const char *word)
{
    for (; t.at < t.end; t.at++) {
        if (starts(&t, word))
            return true;
    }
    return false;
}

/* Whether a line of tags alone ends with the last of them: <a>1</a> or <a/>. */
static bool ends_with_tag(struct foreign_text after, char before)
{
    const bool is_cell =
        after.at < after.end && *after.at && strchr(",;|\t", *after.at);
    return after.at == after.end
               ? before == '/'
               : !is_cell && after.end[-1] == '>' && holds(after, "</");
}

/* Whether the text starts with a tag and has a second one: right after it, at
 * the end of its line, or at the start of the next line that is not blank. A
 * header of names in brackets has delimiters between them: <DATE>,<OPEN>. <NA>
 * is a missing value. */
static bool has_tags(struct foreign_text *t)
{
    struct foreign_text l = take_line(t);
    const struct foreign_text first = l;
    while (l.at < l.end && *l.at != '>')
        l.at++;
    if (l.at - first.at < 2 || l.at == l.end || *first.at != '<' ||
        !isalpha((unsigned char)first.at[1]))
        return false;
    const char before = l.at[-1];
    l.at++;
    const size_t bytes = (size_t)(l.at - first.at);
    if (ends_with_tag(l, before))
        return true;
    if (l.at < l.end)
        return *l.at == '<';
    return skip_space(t) == '<' &&
           ((size_t)(t->end - t->at) < bytes ||
            memcmp(t->at, first.at, bytes) != 0) &&
           !csv_is_missing_word((struct csv_span){first.at, bytes});
}

bool foreign_is_xml(struct foreign_text t)
{
    skip_space(&t);
    return starts(&t, "<?xml") || starts(&t, "<!doctype") ||
           starts(&t, "<!--") || has_tags(&t);
}

/* Skips blank lines and comments of SQL. */
static void skip_sql_comments(struct foreign_text *t)
{
    while (skip_space(t) && (starts(t, "--") || starts(t, "/*")))
        take_line(t);
}

static bool starts_any(const struct foreign_text *t, const char *const *words)
{
    while (*words && !starts(t, *words))
        words++;
    return *words;
}

/* Whether a semicolon follows within the first line, with a cell after it. */
static bool has_cells(struct foreign_text t)
{
    struct foreign_text l = take_line(&t);
    while (l.at < l.end && *l.at != ';')
        l.at++;
    if (l.at == l.end)
        return false;
    l.at++;
    return skip_space(&l);
}

/* Whether the text starts like a dump, which sets options and creates tables
 * before its data. The header of a table may start with some of the words, as
 * in "set id;value". */
static bool is_sql(struct foreign_text *t)
{
    static const char *const words[] = {
        "insert into ",       "create table ",
        "drop table ",        "pragma ",
        "begin transaction",  "lock tables ",
        "create database ",   "start transaction;",
        "select pg_catalog.", NULL};
    static const char *const doubtful[] = {"begin;", "copy ", "set ", NULL};
    return starts_any(t, words) || (starts_any(t, doubtful) && !has_cells(*t));
}

bool foreign_is_copy(struct foreign_text t)
{
    const struct foreign_text all = t;
    skip_sql_comments(&t);
    if (!starts(&t, "copy ") && !is_sql(&t))
        return false;
    while (t.at < t.end) {
        struct foreign_text l = take_line(&t);
        if (starts(&l, "copy ") && holds(l, " from stdin"))
            return true;
    }
    return holds(all, "-- PostgreSQL database dump") &&
           !holds(all, "insert into ");
}

/* Statements end with a semicolon; a column named "set " does not. */
bool foreign_is_insert(struct foreign_text t)
{
    skip_sql_comments(&t);
    return is_sql(&t) &&
           (starts(&t, "insert into ") || holds(t, ";\n") || holds(t, ";\r"));
}

/* Starts with a line such as +----+-----+. */
bool foreign_is_mysql_box(struct foreign_text t)
{
    struct foreign_text l = take_line(&t);
    bool is_box = l.end - l.at > 4 && starts(&l, "+--") && l.end[-1] == '+';
    for (; is_box && l.at < l.end; l.at++)
        is_box = *l.at == '+' || *l.at == '-';
    return is_box;
}

/* The number of runs of dashes in a line that has only dashes, blanks and
 * pluses. 0 for any other line, and if a run is a single dash, which may
 * be a cell. */
static int dash_runs(struct foreign_text l, bool *has_plus)
{
    int runs = 0;
    *has_plus = false;
    while (l.at < l.end) {
        const char *start = l.at;
        while (l.at < l.end && *l.at == '-')
            l.at++;
        if (l.at - start == 1)
            return 0;
        runs += l.at > start;
        if (l.at == l.end)
            break;
        if (*l.at != ' ' && *l.at != '\t' && *l.at != '+')
            return 0;
        *has_plus |= *l.at++ == '+';
    }
    return runs;
}

/* Starts with -[ RECORD 1 ]-, or with a header that has ---+--- under it. */
bool foreign_is_psql_box(struct foreign_text t)
{
    bool has_plus;
    struct foreign_text l = take_line(&t);
    if (starts(&l, "-[ RECORD "))
        return true;
    return dash_runs(take_line(&t), &has_plus) > 1 && has_plus;
}

/* Starts with the corner of a box, as sqlite3 -box and duckdb draw it. */
bool foreign_is_drawn_box(struct foreign_text t)
{
    return starts(&t, "\xe2\x94\x8c") || starts(&t, "\xe2\x95\xad");
}

/* Starts with a header that has --- --- under it. */
bool foreign_is_ruled(struct foreign_text t)
{
    bool has_plus;
    take_line(&t);
    return dash_runs(take_line(&t), &has_plus) > 1 && !has_plus;
}
