/* SPDX-License-Identifier: MIT */
/* Finds where fields end. A template with the parameters ENDS, ENDS_BLOCK,
 * PUT_PLACES and TARGET, which it undefines. loops_structure.h includes it once
 * for each PUT_PLACES. */

/* Finds the ends in the 64 bytes from `at` on, of which only those in `valid`
 * count. A constant `valid` is fastest. */
ALWAYS_INLINE TARGET void ENDS_BLOCK(struct ends_walk *w, uint32_t *to,
                                     size_t at, uint64_t valid)
{
    const char *p = w->s.text + at;
    uint64_t end = either64(p, w->s.delimiter, w->s.end) & valid;
    if ((any64(p, w->s.quote) & w->s.quotes) | w->s.inside)
        end = ends_quoted(w, at, valid, end);
    else if (valid == ~0ull)
        w->records += count64(p, w->s.end);
    else
        w->records += count_bits(equal64(p, w->s.end) & valid);
    w->n += PUT_PLACES(to + w->n, end, (uint32_t)at);
}

static TARGET bool ENDS(const char *text, size_t from, size_t bytes,
                        struct csv_dialect dialect, struct csv_ends *out)
{
    struct ends_walk w = {structure_of(text, bytes, dialect, out->inside), 0, 0,
                          0};
    uint32_t *to = out->at;
    size_t at = from;
    for (; at < bytes && bytes - at >= 64; at += 64)
        ENDS_BLOCK(&w, to, at, ~0ull);
    if (at < bytes)
        ENDS_BLOCK(&w, to, at, (1ull << (bytes - at)) - 1);
    out->n = w.n;
    out->records = w.records;
    out->inside = w.s.inside != 0;
    return w.stray == 0;
}

#undef ENDS
#undef ENDS_BLOCK
#undef PUT_PLACES
#undef TARGET
