/* SPDX-License-Identifier: MIT */
#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/quote.h"

bool error_set(struct error *e, enum error_kind kind, const char *format, ...)
{
    if (e) {
        va_list args;
        va_start(args, format);
        vsnprintf(e->text, sizeof e->text, format, args);
        va_end(args);
        e->kind = kind;
    }
    return false;
}

bool error_errno(struct error *e, const char *name, const char *doing)
{
    int code = errno;
    char quoted[QUOTE_MAX];
    return error_set(e, ERROR_DATA, "%s: %s: %s", quote(quoted, name), doing,
                     strerror(code));
}
