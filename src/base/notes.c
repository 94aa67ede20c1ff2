/* SPDX-License-Identifier: MIT */
#include "base/notes.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/quote.h"

/* The note that counts this file, because `most` other files have a note of
 * this kind; NULL if the file gets a note of its own. */
static struct note *find(const struct notes *notes, const char *kind,
                         size_t most, const char *file)
{
    struct note *last = NULL;
    size_t files = 0;
    for (size_t i = 0; file && i < notes->n; i++) {
        struct note *note = &notes->note[i];
        if (!note->file || strcmp(note->kind, kind) != 0)
            continue;
        if (strcmp(note->file, file) == 0)
            return NULL;
        files += !last || strcmp(last->file, note->file) != 0;
        last = note;
    }
    return files < most ? NULL : last;
}

void notes_add(struct notes *notes, const char *kind, size_t most,
               const char *file, const char *format, ...)
{
    char name[QUOTE_MAX], text[4 * QUOTE_MAX];
    if (!notes)
        return;
    struct note *counting = find(notes, kind, most, file);
    if (counting) {
        counting->more += counting->last != file;
        counting->last = file;
        return;
    }
    /* Without memory the note is lost. Other allocations will fail and say
     * so. */
    if (!array_grow(&notes->note, &notes->room, notes->n, sizeof *notes->note))
        return;
    int n = 0;
    if (file)
        n = snprintf(text, sizeof text, "%s: ", escape(name, file));
    va_list args;
    va_start(args, format);
    vsnprintf(text + n, sizeof text - (size_t)n, format, args);
    va_end(args);
    char *kept = strdup(text);
    if (kept)
        notes->note[notes->n++] =
            (struct note){kind, file, NULL, kept, 0, false};
}

void notes_print(struct notes *notes, FILE *to, const char *prefix)
{
    for (size_t i = 0; i < notes->n; i++) {
        struct note *note = &notes->note[i];
        if (!note->is_printed)
            fprintf(to, "%s%s\n", prefix, note->text);
        note->is_printed = true;
        if (note->more > 0)
            fprintf(to, "%s... and %zu more file%s likewise\n", prefix,
                    note->more, note->more == 1 ? "" : "s");
        note->more = 0;
    }
}

void notes_free(struct notes *notes)
{
    for (size_t i = 0; i < notes->n; i++)
        free(notes->note[i].text);
    free(notes->note);
    *notes = (struct notes){.n = 0};
}
