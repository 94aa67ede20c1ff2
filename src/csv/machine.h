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

enum csv_state {
    CSV_RECORD, /* at the start of a record */
    CSV_FIELD,  /* at the start of another field */
    CSV_PLAIN,  /* in a field, outside quotes */
    CSV_QUOTED, /* inside quotes */
    CSV_CLOSED, /* after a quote inside quotes: the end of them, or doubled */
};

/* The state after a byte: CSV_FIELD and CSV_RECORD after what ends a field. */
HD enum csv_state csv_step(enum csv_state state, unsigned char byte,
                           unsigned char delimiter)
{
    if (state == CSV_QUOTED)
        return byte == '"' ? CSV_CLOSED : CSV_QUOTED;
    if (byte == delimiter)
        return CSV_FIELD;
    if (byte == '\n')
        return CSV_RECORD;
    return byte == '"' && state != CSV_PLAIN ? CSV_QUOTED : CSV_PLAIN;
}
