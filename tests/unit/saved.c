/* SPDX-License-Identifier: MIT */
/* The reader of files of states, given damaged ones. Its arguments are the
 * files. */
#include "saved/saved.h"

#include "check.h"

struct file {
    uint8_t *at;
    size_t n;
};

/* Whether a copy of n bytes can be read, merged with itself and freed. */
static bool reads(const uint8_t *at, size_t n)
{
    struct saved a, b;
    struct error e;
    uint8_t *first = malloc(n + 1), *second = malloc(n + 1);
    memcpy(first, at, n);
    memcpy(second, at, n);
    const bool ok = saved_read(&a, first, n, "a", &e);
    CHECK(saved_read(&b, second, n, "b", &e) == ok);
    if (ok)
        saved_merge(&a, "a", &b, "b", &e);
    saved_free(&a);
    saved_free(&b);
    return ok;
}

static void mend(const struct file *f)
{
    struct saved_bytes sum = {0};
    saved_put_number(&sum, saved_checksum(f->at, f->n - 8), 8);
    memcpy(f->at + f->n - 8, sum.at, 8);
    free(sum.at);
}

/* A file that is cut at any byte is refused; also with a right checksum. */
static void test_cuts(const struct file *f)
{
    CHECK(reads(f->at, f->n));
    for (size_t n = 0; n < f->n; n++) {
        CHECK(!reads(f->at, n), "%zu", n);
        if (n < 8)
            continue;
        struct file cut = {malloc(n), n};
        memcpy(cut.at, f->at, n);
        mend(&cut);
        CHECK(!reads(cut.at, n), "%zu", n);
        free(cut.at);
    }
}

/* A file with any flipped bit is refused. With a right checksum it may be
 * another file, which merges without harm. */
static void test_flips(const struct file *f)
{
    unsigned read = 0;
    for (size_t bit = 0; bit < 8 * f->n; bit++) {
        f->at[bit / 8] ^= (uint8_t)(1u << bit % 8);
        CHECK(!reads(f->at, f->n), "bit %zu", bit);
        if (bit / 8 < f->n - 8 && check_below(4) == 0) {
            mend(f);
            read += reads(f->at, f->n);
        }
        f->at[bit / 8] ^= (uint8_t)(1u << bit % 8);
        mend(f);
    }
    CHECK(read > 0);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        struct file f;
        struct error e;
        if (!CHECK(saved_load(argv[i], &f.at, &f.n, &e), "%s", argv[i]))
            continue;
        test_cuts(&f);
        test_flips(&f);
        free(f.at);
    }
    return check_end();
}
