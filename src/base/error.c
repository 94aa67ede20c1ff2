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
        e->lacks_memory = false;
    }
    return false;
}

bool error_named(struct error *e, enum error_kind kind, const char *name,
                 const char *format, ...)
{
    char quoted[QUOTE_MAX], text[sizeof e->text];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return error_set(e, kind, "%s: %s", quote(quoted, name), text);
}

void *error_memory(struct error *e)
{
    error_set(e, ERROR_DATA, "out of memory");
    return NULL;
}

bool error_errno(struct error *e, const char *name, const char *doing)
{
    return error_named(e, ERROR_DATA, name, "%s: %s", doing, strerror(errno));
}

void first_error_note(struct first_error *f, uint64_t place,
                      const struct error *e)
{
    pthread_mutex_lock(&f->lock);
    if (!f->failed || place < f->place) {
        f->failed = true;
        f->place = place;
        f->error = *e;
    }
    pthread_mutex_unlock(&f->lock);
}

bool first_error_none(const struct first_error *f, struct error *e)
{
    if (f->failed)
        *e = f->error;
    return !f->failed;
}
