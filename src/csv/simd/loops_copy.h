/* SPDX-License-Identifier: MIT */
/* Copies text with each run of blanks reduced to one. A template with the
 * parameters SQUEEZE, KEEP and TARGET, which it undefines. loops_plain.h
 * includes it once for each way to compress bytes. */

/* Keeps the last byte of each run of blanks between two fields, as a blank, and
 * drops all other blanks. csv_squeeze is the definition. */
static TARGET size_t SQUEEZE(const char *text, size_t bytes, char end, char *to)
{
    /* The next byte begins a line or continues its leading blanks. */
    uint64_t leading = 1;
    char *out = to;
    for (size_t at = 0; at < bytes; at += 64) {
        const char *p = text + at;
        size_t left = bytes - at;
        uint64_t valid = left >= 64 ? ~0ull : (1ull << left) - 1;
        uint64_t blank = (equal64(p, ' ') | equal64(p, '\t')) & valid;
        uint64_t lf = equal64(p, end) & valid;
        uint64_t keep = valid;
        if (blank) {
            uint64_t after = next_bits(p, left, end);
            uint64_t line_end =
                lf | (equal64(p, '\r') & valid & (lf >> 1 | after << 63));
            uint64_t begins = blank & (lf << 1 | leading);
            uint64_t led = blank & ~(blank + begins);
            uint64_t last = blank & ~led & ~(blank >> 1) & ~(line_end >> 1);
            if (last >> 63)
                last &= ~(closes_after(p, left, end) << 63);
            keep = valid & (~blank | last);
            leading = (led | lf) >> 63;
        } else {
            leading = lf >> 63;
        }
        out += KEEP(out, p, keep, blank);
    }
    return (size_t)(out - to);
}

#undef SQUEEZE
#undef KEEP
#undef TARGET
