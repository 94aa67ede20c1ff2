/* SPDX-License-Identifier: MIT */
/*
 * The structure of delimited text, byte by byte: RFC 4180, and for what that
 * leaves open the way of Python's csv module: a quote opens a quoted field only
 * as the first byte of one, elsewhere it is data; what follows a closing quote
 * is data, too. This is the definition. The loops that look at many bytes at
 * once count quotes instead, which is the same as long as every quote that
 * would open one stands where one may: csv_scan tells.
 */
#pragma once

#include <stdbool.h>

#include "reduce/hd.h"

/* The bytes that give a text its structure. Small, so that it is passed by
 * value, to kernels too. */
struct csv_dialect {
    unsigned char delimiter; /* between fields; ' ' where `blank` */
    unsigned char end;       /* of records: LF, or CR in files of old Macs */
    unsigned char quote;     /* opens and closes a field, where `quotes` */
    unsigned char comment;   /* starts an ignored record, where `comments` */
    bool quotes, comments;
    bool blank; /* runs of blanks and tabs are delimiters */
};

/* Comma-separated text as most programs write it, with another delimiter. */
HD struct csv_dialect csv_dialect_of(unsigned char delimiter)
{
    struct csv_dialect d = {delimiter, '\n', '"', 0, true, false, false};
    return d;
}

enum csv_state {
    CSV_RECORD,  /* at the start of a record */
    CSV_FIELD,   /* at the start of another field */
    CSV_PLAIN,   /* in a field, outside quotes */
    CSV_QUOTED,  /* inside quotes */
    CSV_CLOSED,  /* after a quote inside quotes: the end of them, or doubled */
    CSV_COMMENT, /* in a record that is ignored */
};

/* Whether the byte is one of a run of blanks that delimits fields. */
HD bool csv_is_gap(struct csv_dialect d, unsigned char byte)
{
    return d.blank && (byte == ' ' || byte == '\t');
}

/* The state after a byte: CSV_FIELD and CSV_RECORD after what ends a field.
 * Where runs of blanks delimit, each of their bytes gives CSV_FIELD. */
HD enum csv_state csv_step(enum csv_state state, unsigned char byte,
                           struct csv_dialect d)
{
    if (state == CSV_QUOTED)
        return byte == d.quote ? CSV_CLOSED : CSV_QUOTED;
    if (byte == d.end)
        return CSV_RECORD;
    if (state == CSV_COMMENT ||
        (state == CSV_RECORD && d.comments && byte == d.comment))
        return CSV_COMMENT;
    if (byte == d.delimiter || csv_is_gap(d, byte))
        return CSV_FIELD;
    return d.quotes && byte == d.quote && state != CSV_PLAIN ? CSV_QUOTED
                                                             : CSV_PLAIN;
}
