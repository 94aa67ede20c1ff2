/* SPDX-License-Identifier: MIT */
/* Notes about the FILEs of --merge: given twice, or parts that are missing or
 * out of order. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/quote.h"
#include "format/input.h"
#include "plan/merging_parts.h"

static int order(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int by_checksum(const void *a, const void *b)
{
    const struct merging_file *x = a, *y = b;
    const int c = order(x->checksum, y->checksum);
    return c ? c : order(x->file, y->file);
}

static int by_part(const void *a, const void *b)
{
    const struct merging_file *x = a, *y = b;
    const int c = order(x->parts, y->parts);
    return c ? c : order(x->part, y->part);
}

/* Notes FILEs that are the same. Parts may be, such as two of zeros only, but
 * mostly a FILE was named twice. */
static void note_copies(const struct file_names *names,
                        struct merging_file *file, struct notes *notes)
{
    qsort(file, names->count, sizeof *file, by_checksum);
    for (size_t i = 1; i < names->count; i++) {
        char quoted[QUOTE_MAX];
        if (file[i].checksum == file[i - 1].checksum)
            notes_add(notes, "copies", NOTE_COUNTED,
                      input_name(names->name[file[i].file]),
                      "it is the same as %s; both are counted",
                      quote(quoted, input_name(names->name[file[i - 1].file])));
    }
}

/* The first part that is missing from file[0, n), which are sorted parts of N;
 * 0: none. Each part must be there as often as any other, since there may be
 * the parts of several inputs. */
static uint64_t missing_part(const struct merging_file *file, size_t n,
                             uint64_t parts)
{
    uint64_t wanted = 1, missing = 0;
    size_t least = SIZE_MAX, most = 0;
    for (size_t i = 0, end; i < n; i = end, wanted++) {
        for (end = i + 1; end < n && file[end].part == file[i].part; end++)
            ;
        if (file[i].part != wanted)
            return wanted;
        missing = end - i < least ? wanted : missing;
        least = end - i < least ? end - i : least;
        most = end - i > most ? end - i : most;
    }
    return wanted <= parts ? wanted : least < most ? missing : 0;
}

/* Whether the parts come in order, those of one input after those of another.
 */
static bool is_in_order(const struct merging_file *file, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const bool follows = i > 0 && file[i].parts == file[i - 1].parts &&
                             file[i - 1].part < file[i].parts;
        if (file[i].parts > 0 &&
            file[i].part != (follows ? file[i - 1].part + 1 : 1))
            return false;
    }
    return true;
}

/* Notes parts that are missing: then the results are those of a part of the
 * data. If none are, but they are in another order, first, last and indexes are
 * not those of the data. */
static void note_parts(struct merging_file *file, size_t n, struct notes *notes)
{
    const bool ordered = is_in_order(file, n);
    bool complete = true;
    qsort(file, n, sizeof *file, by_part);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && file[end].parts == file[i].parts; end++)
            ;
        const uint64_t missing =
            file[i].parts ? missing_part(file + i, end - i, file[i].parts) : 0;
        complete &= missing == 0;
        if (missing)
            notes_add(notes, "parts", NOTE_COUNTED, NULL,
                      "part %" PRIu64 " of %" PRIu64
                      " is missing, or another is given more often",
                      missing, file[i].parts);
    }
    if (complete && !ordered)
        notes_add(notes, "parts", NOTE_COUNTED, NULL,
                  "the parts are not in order, so first, last and indexes are "
                  "not those of the data");
}

void merging_note(const struct file_names *names, struct merging_file *file,
                  struct notes *notes)
{
    note_parts(file, names->count, notes);
    note_copies(names, file, notes);
}
