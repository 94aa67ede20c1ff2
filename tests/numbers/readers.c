/* SPDX-License-Identifier: MIT */
#include "readers.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "csv/number/number.h"

enum { SHOWN = 10 };

/* Keeps the pointers, since quick_sets is slow in a virtual machine. */
void run_start(struct run *run, uint64_t seed)
{
    run->random.state = seed;
    for (size_t i = 0; i + 1 < SETS_MAX && quick_sets(i); i++)
        run->sets[i] = quick_sets(i);
    for (size_t i = 0; i + 1 < SETS_MAX && csv_loops(i); i++)
        run->loops[i] = csv_loops(i);
}

void run_end(struct run *run)
{
    for (int i = DTYPE_f32; i < DTYPES_END; i++)
        columns_check(run, (enum dtype)i);
}

void run_fail(struct run *run, enum dtype dtype, const char *reader,
              const char *p, uint64_t got, uint64_t want)
{
    if (run->failures++ < SHOWN)
        printf("FAILED: %s of \"%s\" by %s: 0x%" PRIx64 ", not 0x%" PRIx64 "\n",
               dtype_info(dtype)->name, p, reader, got, want);
}

/* Checks number.h, and libc where that is undecided. All texts that number.h
 * leaves undecided and one in 16 of the others are also checked by big
 * integers. */
static void check_plain(struct run *run, enum dtype dtype, const char *p,
                        size_t length, const struct oracle *oracle)
{
    uint64_t bits = 0;
    enum number_kind kind;
    if (dtype_is_float(dtype))
        kind = number_float(dtype, p, p + length, number_powers(), &bits);
    else
        kind = number_integer(dtype, p, p + length, &bits);
    run->compared++;
    if (kind == NUMBER_UNDECIDED) {
        run->undecided++;
        if (!number_resolve(dtype, p, p + length, &bits, NULL))
            run_fail(run, dtype, "number_resolve", p, 0, 0);
    }
    bool is_number = kind != NUMBER_BAD;
    if (is_number != oracle->is_number || (is_number && bits != oracle->bits))
        run_fail(run, dtype, is_number ? "number.h" : "refusal", p, bits,
                 oracle->bits);
    if (!is_number || !dtype_is_float(dtype) || length > 850 ||
        strpbrk(p, "nN") ||
        (kind == NUMBER_OK && random_below(&run->random, 16)))
        return;
    run->nearest++;
    if (!oracle_nearest(dtype, p, length, bits))
        run_fail(run, dtype, "big integers", p, bits, oracle->bits);
}

static void check_quick(struct run *run, enum dtype dtype, const char *p,
                        size_t length, const struct oracle *oracle)
{
    columns_take(run, dtype, p, length, oracle);
    for (size_t i = 0; run->sets[i]; i++) {
        uint64_t bits;
        run->compared++;
        if (!run->sets[i]->read(dtype, p, length, number_powers(), &bits))
            continue;
        run->quick++;
        if (!oracle->is_number || bits != oracle->bits)
            run_fail(run, dtype, run->sets[i]->name, p, bits, oracle->bits);
    }
}

/* Copies the text between digits and other bytes of numbers, which no reader
 * may touch. */
static const char *place(struct run *run, const char *text, size_t length)
{
    static const char around[] = "0123456789.e-+77";
    char *p = run->room + AROUND;
    uint64_t bytes = 0;
    for (int i = 1; i <= AROUND; i++, bytes >>= 4) {
        if (i % 16 == 1)
            bytes = random_next(&run->random);
        p[-i] = around[bytes & 15];
    }
    memcpy(p, text, length);
    p[length] = '\0';
    return p;
}

void check_text(struct run *run, const char *text, size_t length)
{
    const char *p = place(run, text, length);
    run->texts++;
    for (int i = DTYPE_f32; i < DTYPES_END; i++) {
        enum dtype dtype = (enum dtype)i;
        struct oracle oracle = oracle_of(dtype, p, length);
        run->numbers += oracle.is_number;
        check_plain(run, dtype, p, length, &oracle);
        check_quick(run, dtype, p, length, &oracle);
    }
}

void check_trip(struct run *run, enum dtype dtype, const char *text,
                size_t length, uint64_t want)
{
    const char *p = place(run, text, length);
    const struct oracle oracle = {true, want};
    uint64_t bits = ~want;
    enum number_kind kind =
        dtype_is_float(dtype)
            ? number_float(dtype, p, p + length, number_powers(), &bits)
            : number_integer(dtype, p, p + length, &bits);
    run->trips++;
    if (kind != NUMBER_OK || bits != want)
        run_fail(run, dtype, "number.h", p, bits, want);
    check_quick(run, dtype, p, length, &oracle);
}
