/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as delimited text, in a dialect that the first byte chooses. Every
 * set of loops, the byte-by-byte definition and the reader of records must find
 * the structure that a naive reader finds, which goes from field to field.
 */
#include "fuzz.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "csv/simd/loops.h"
#include "csv/structure/record.h"
#include "csv/structure/squeeze.h"

enum { TEXT_MAX = 4096 };

/* What the naive reader finds: the ends of fields, and where each starts. */
static struct {
    uint32_t start[TEXT_MAX + 1], end[TEXT_MAX + 1];
    bool ends_record[TEXT_MAX + 1], is_comment[TEXT_MAX + 1];
    size_t fields, records;
    bool is_stray, is_inside; /* a quote within a field; text ends in quotes */
    uint64_t lines, quotes;
} naive;

static const char *text;
static size_t bytes;

static bool is_gap(struct csv_dialect d, char c)
{
    return d.blank && (c == ' ' || c == '\t');
}

static bool is_quote(struct csv_dialect d, size_t at)
{
    return d.quotes && at < bytes && text[at] == (char)d.quote;
}

/* From after the opening quote to after the closing one. */
static size_t after_quoted(struct csv_dialect d, size_t at)
{
    for (; at < bytes; at++) {
        if (!is_quote(d, at))
            continue;
        if (!is_quote(d, at + 1))
            return at + 1;
        at++;
    }
    naive.is_inside = true;
    return bytes;
}

/* Reads a field and returns where it ends, or `bytes`. */
static size_t field_end(struct csv_dialect d, size_t at, bool is_comment)
{
    for (; at < bytes && text[at] != (char)d.end; at++) {
        if (!is_comment &&
            (text[at] == (char)d.delimiter || is_gap(d, text[at])))
            break;
        naive.is_stray |= is_quote(d, at);
    }
    return at;
}

static void read_fields(struct csv_dialect d, bool inside)
{
    size_t at = 0;
    bool is_first = true;
    memset(&naive, 0, sizeof naive);
    while (at < bytes) {
        const size_t start = at;
        const bool is_comment =
            !inside && is_first && d.comments && text[at] == (char)d.comment;
        if (inside ||
            (!is_comment && text[at] != (char)d.end && is_quote(d, at)))
            at = after_quoted(d, inside ? at : at + 1);
        at = field_end(d, at, is_comment);
        inside = false;
        if (at == bytes)
            break;
        naive.start[naive.fields] = (uint32_t)start;
        naive.end[naive.fields] = (uint32_t)at;
        naive.is_comment[naive.fields] = is_comment;
        is_first = text[at] == (char)d.end;
        naive.ends_record[naive.fields++] = is_first;
        naive.records += is_first;
        at++;
    }
    for (size_t i = 0; i < bytes; i++) {
        naive.lines += text[i] == (char)d.end;
        naive.quotes += is_quote(d, i);
    }
}

static void check(bool ok, const char *who, const char *what)
{
    if (!ok)
        wrong(what, who, "the naive reader");
}

/* The text is scanned in three pieces. */
static void check_scan(const struct csv_loops *loops, struct csv_dialect d,
                       size_t cut)
{
    struct csv_scan got = {0};
    const size_t half = cut + (bytes - cut) / 2;
    d.comments = false;
    loops->scan(text, 0, cut, d, &got);
    loops->scan(text, cut, half, d, &got);
    loops->scan(text, half, bytes, d, &got);
    for (int inside = 0; inside < 2; inside++) {
        read_fields(d, inside);
        check(got.lines == naive.lines && got.odd == naive.quotes % 2 &&
                  got.stray[inside] == naive.is_stray,
              loops->name, inside ? "scan in quotes" : "scan");
    }
}

static void check_ends(const struct csv_loops *loops, struct csv_dialect d)
{
    uint32_t *at = malloc((bytes + 64) * sizeof *at);
    struct csv_ends got = {.at = at};
    if (!at)
        abort();
    read_fields(d, false);
    check(loops->ends(text, 0, bytes, d, &got) == !naive.is_stray, loops->name,
          "stray quotes");
    if (!naive.is_stray)
        check(got.n == naive.fields && got.records == naive.records &&
                  memcmp(at, naive.end, got.n * sizeof *at) == 0 &&
                  got.inside == naive.is_inside,
              loops->name, "ends");
    free(at);
}

/* Whether naive field i alone is a record that readers pass over. */
static bool is_passed(struct csv_dialect d, size_t i)
{
    const char *p = text + naive.start[i];
    const size_t n = naive.end[i] - naive.start[i];
    return naive.is_comment[i] || n == 0 ||
           (n == 1 && *p == '\r' && d.end == '\n');
}

/* Compares the fields of whole records, without the CR of a line end. */
static void check_records(struct csv_dialect d)
{
    const struct csv_span whole = {text, bytes};
    struct csv_fields got = {.n = 0};
    size_t at = 0, i = 0;
    read_fields(d, false);
    for (size_t first = 0; i < naive.fields; first = i) {
        while (!naive.ends_record[i] && i < naive.fields)
            i++;
        if (i++ >= naive.fields)
            break;
        if (i == first + 1 && is_passed(d, first))
            continue;
        check(csv_record_next(whole, &at, d, false, &got) == CSV_RECORD_OK &&
                  got.n == i - first && at == naive.end[i - 1] + 1u,
              "record.c", "record");
        for (size_t k = first; k < i; k++) {
            size_t n = naive.end[k] - naive.start[k];
            if (k + 1 == i && n > 0 && d.end == '\n')
                n -= text[naive.end[k] - 1] == '\r';
            check(got.at[k - first].at == text + naive.start[k] &&
                      got.at[k - first].bytes == n,
                  "record.c", "field");
        }
    }
    check(csv_record_next(whole, &at, d, false, &got) == CSV_RECORD_NONE,
          "record.c", "end");
    csv_fields_free(&got);
}

/* Both squeeze the whole records the same way, within the room they ask for. */
static void check_squeeze(const struct csv_loops *loops, struct csv_dialect d)
{
    size_t n = bytes;
    while (n > 0 && text[n - 1] != (char)d.end)
        n--;
    char *mine = malloc(n + CSV_PADDING), *theirs = malloc(n + 1);
    if (!mine || !theirs)
        abort();
    const size_t a = loops->squeeze(text, n, (char)d.end, mine),
                 b = csv_squeeze(text, n, d, CSV_NONE_JOINED, theirs);
    check(a == b && memcmp(mine, theirs, a) == 0, loops->name, "squeeze");
    free(mine);
    free(theirs);
}

static struct csv_dialect dialect_of(unsigned char byte)
{
    static const unsigned char delimiters[] = {',', '\t', ';', '1'};
    struct csv_dialect d = csv_dialect_of(delimiters[byte & 3]);
    d.quotes = !(byte & 4);
    d.end = byte & 8 ? '\r' : '\n';
    d.comments = byte & 16;
    d.comment = '#';
    d.blank = byte & 32;
    if (d.blank)
        d.delimiter = ' ';
    return d;
}

void run_structure(const struct target *t, const unsigned char *p, size_t n)
{
    static char room[TEXT_MAX + CSV_PADDING];
    const struct csv_loops *loops;
    (void)t;
    if (n < 2)
        return;
    const struct csv_dialect d = dialect_of(p[0]);
    bytes = n - 2 < TEXT_MAX ? n - 2 : TEXT_MAX;
    memcpy(room, p + 2, bytes);
    text = room;
    for (size_t i = 0; (loops = csv_loops(i)); i++) {
        check_scan(loops, d, bytes * p[1] / 256);
        if (!d.comments && !d.blank)
            check_ends(loops, d);
        if (d.blank && !d.quotes && !d.comments)
            check_squeeze(loops, d);
    }
    if (!d.blank)
        check_records(d);
}
