/* SPDX-License-Identifier: MIT */
/* Finds where fields end. A template of ENDS, PUT_PLACES and TARGET, which it
 * undefines. Included by loops_structure.h, once for each PUT_PLACES. */

static TARGET bool ENDS(const char *text, size_t from, size_t bytes,
                        struct csv_dialect dialect, struct csv_ends *out)
{
    struct structure s = structure_of(text, bytes, dialect, out->inside);
    uint64_t stray = 0;
    size_t n = 0, records = 0;
    for (size_t at = from; at < bytes; at += 64) {
        uint64_t valid = valid64(&s, at);
        uint64_t quotes = quotes64(&s, at) & valid;
        uint64_t lf = equal64(text + at, s.end) & valid;
        uint64_t end = (equal64(text + at, s.delimiter) & valid) | lf;
        if (quotes | s.inside) {
            uint64_t inside = prefix_odd(quotes) ^ s.inside;
            stray |= out_of_place(&s, at, quotes, lf) & inside;
            s.inside = (uint64_t)((int64_t)inside >> 63);
            end &= ~inside;
            lf &= ~inside;
        }
        n += PUT_PLACES(out->at + n, end, (uint32_t)at);
        records += (size_t)__builtin_popcountll(lf);
    }
    out->n = n;
    out->records = records;
    out->inside = s.inside != 0;
    return stray == 0;
}

#undef ENDS
#undef PUT_PLACES
#undef TARGET
