/* SPDX-License-Identifier: MIT */
/*
 * The structure of delimited text, byte by byte. This is the definition: RFC
 * 4180, and where that is silent Python's csv module. A quote opens a quoted
 * field only as the first byte of the field; elsewhere it is data. Bytes after
 * a closing quote are data, too.
 *
 * The loops in simd/ look at many bytes at a time and count quotes instead. The
 * result is the same as long as every quote that would open a field stands
 * where one may; csv_scan reports where one does not.
 */
#pragma once

#include <stdbool.h>

#include "reduce/hd.h"

/* The bytes that give a text its structure. Small enough to be passed by value,
 * to kernels too. */
struct csv_dialect {
    unsigned char delimiter; /* between fields; ' ' if `blank` */
    unsigned char end;       /* of records: LF, or CR in files of old Macs */
    unsigned char quote;     /* opens and closes a field, if `quotes` */
    unsigned char comment;   /* starts an ignored record, if `comments` */
    bool quotes, comments;
    bool blank; /* runs of blanks and tabs are delimiters */
};

/* The usual dialect of comma-separated text, with this delimiter. */
HD struct csv_dialect csv_dialect_of(unsigned char delimiter)
{
    struct csv_dialect d = {delimiter, '\n', '"', 0, true, false, false};
    return d;
}

enum csv_state {
    CSV_RECORD, /* at the start of a record */
    CSV_FIELD,  /* at the start of another field */
    CSV_PLAIN,  /* in a field, outside quotes */
    CSV_QUOTED, /* inside quotes */
    /* After a quote inside quotes: it closes them, or is the first of a doubled
     * one. */
    CSV_CLOSED,
    CSV_COMMENT, /* in a record that is ignored */
};

/* Whether the byte is a blank or tab that delimits fields. */
HD bool csv_is_gap(struct csv_dialect d, unsigned char byte)
{
    return d.blank && (byte == ' ' || byte == '\t');
}

/* The state after a byte. It is CSV_FIELD or CSV_RECORD after the byte that
 * ends a field. Where runs of blanks delimit, each byte of a run gives
 * CSV_FIELD. */
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
