/* SPDX-License-Identifier: MIT */
/* Groups by key: adds the device's bins to the records of the keys. */
#include <stdlib.h>

#include "backend/cuda/by_parts.h"
#include "by/sum.h"
#include "kernels/by/number.h"

bool cuda_by_fetch(void *to, const void *from, size_t bytes, struct error *e)
{
    return cuda_check(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost),
                      "copying results", e);
}

/* Waits for all work of the context. Then every key that has a number is
 * written. */
static bool wait_slots(struct context *t, struct error *e)
{
    bool ok = true;
    for (unsigned i = 0; ok && i < CUDA_TEXT_SLOTS; i++)
        ok =
            cuda_check(cudaStreamSynchronize(t->slot[i].stream), "decoding", e);
    return ok;
}

bool cuda_by_begin(struct cuda_by *b, const struct owner *owner,
                   struct error *e)
{
    if (!b->grouper)
        b->grouper = grouper_open(owner->total->groups, b->job->portable, e);
    return b->grouper;
}

/* Finds the records of n keys, from number `known` on. */
static bool find_records(struct cuda_by *b, const struct gpu_by_key *key,
                         size_t n, struct error *e)
{
    struct by_table *table = grouper_own(b->grouper);
    enum distinct_lost lost = DISTINCT_KEPT;
    for (size_t i = 0; i < n && !lost; i++) {
        const struct text_cell text = {(const char *)key[i].word,
                                       (uint32_t)key[i].bytes, 0};
        const struct key_sought sought = key_seek(text);
        uint32_t *record = &b->record[b->known];
        lost = table_find(table, &sought, 1, NULL, record);
        if (lost)
            break;
        /* table_find has counted a row, but a key is not one. */
        ((struct by_head *)table_record(table, *record))->rows--;
        b->known++;
    }
    return !lost || groups_refuse(NULL, lost, e);
}

bool cuda_by_know(struct context *t, struct error *e)
{
    struct cuda_by *b = t->by;
    unsigned n;
    if (!wait_slots(t, e) || !cuda_by_fetch(&n, b->dictionary.n, sizeof n, e))
        return false;
    const size_t keys = n < GPU_BY_KEYS ? n : GPU_BY_KEYS;
    const size_t more = keys - b->known;
    struct gpu_by_key *key = malloc((more + 1) * sizeof *key);
    const bool ok = (key || error_memory(e)) &&
                    cuda_by_fetch(key, b->dictionary.key + b->known,
                                  more * sizeof *key, e) &&
                    find_records(b, key, more, e);
    free(key);
    return ok;
}

/* A bin of a column: [gpu_by_places.words] words, `stride` words apart. */
struct bin {
    const uint64_t *word;
    size_t stride;
};

static uint64_t bin_word(struct bin bin, unsigned place)
{
    return bin.word[place * bin.stride];
}

/* Adds the limbs of a sum, each of which has room for GPU_BY_ROWS_MAX
 * addends. */
static enum distinct_lost take_sum(struct by_table *table, char *column,
                                   const int64_t limb[GPU_BY_LIMBS])
{
    const struct by_layout *l = table->layout;
    const int64_t most = (int64_t)1 << 29;
    char *sum = column + l->at[MONOID_sum];
    enum distinct_lost lost = DISTINCT_KEPT;
    __int128 all = 0;
    if (limb[3] >= -most && limb[3] < most) {
        __int128 have;
        for (int i = GPU_BY_LIMBS - 1; i >= 0; i--)
            all = all * ((__int128)1 << GPU_BY_LIMB) + limb[i];
        memcpy(&have, sum, sizeof have);
        if (!__builtin_add_overflow(have, all, &have)) {
            memcpy(sum, &have, sizeof have);
            return lost;
        }
    }
    char *spill = table_spill(table, (struct by_column *)column, &lost);
    const int lsb = dtype_is_float(l->dtype) ? BY_SUM_LSB : 0;
    for (int i = 0; spill && i < GPU_BY_LIMBS; i++) {
        struct exact *x = &spill_sum(l, spill)->exact;
        exact_add_shifted(x, limb[i],
                          (unsigned)(lsb + i * GPU_BY_LIMB - x->lsb));
    }
    return lost;
}

/* Adds the limbs of a sum of n squares. */
static void take_squares(struct exact *x, struct bin bin, uint64_t n)
{
    x->not_negative_zero |= n > 0;
    for (unsigned i = 0; i < GPU_BY_SQUARE_LIMBS; i++)
        exact_add_shifted(
            x, (__int128)bin_word(bin, i),
            (unsigned)(2 * BY_SUM_LSB + (int)i * GPU_BY_LIMB - x->lsb));
}

static void take_extreme(struct extremum *have, enum dtype dtype, uint64_t key,
                         uint64_t position, int greater)
{
    const struct extremum e = {key, gpu_by_unkey(dtype, key), position};
    if (position != INDEX_NONE && extremum_beats(&e, have, greater))
        *have = e;
}

static void take_extremes(struct extrema *x, enum dtype dtype, struct bin bin)
{
    take_extreme(&x->min, dtype, bin_word(bin, GPU_BY_MIN),
                 bin_word(bin, GPU_BY_MIN_AT), 0);
    take_extreme(&x->max, dtype, ~bin_word(bin, GPU_BY_MAX),
                 bin_word(bin, GPU_BY_MAX_AT), 1);
}

/* Adds a bin, in which the key has `rows` rows, to a column of a record. */
static enum distinct_lost take_column(struct cuda_by *b, char *column,
                                      uint64_t rows, struct bin bin)
{
    struct by_table *table = grouper_own(b->grouper);
    const struct by_layout *l = table->layout;
    const struct gpu_by_places p = gpu_by_places(b->set);
    const uint64_t n = rows - bin_word(bin, p.absent);
    int64_t limb[GPU_BY_LIMBS];
    ((struct by_column *)column)->n += n;
    if (b->set.zeros)
        layout_state(l, column, MONOID_count)->count.nonzero +=
            n - bin_word(bin, p.zeros);
    if (b->set.extremes)
        take_extremes(
            &layout_state(l, column, MONOID_extrema)->extrema, b->job->dtype,
            (struct bin){bin.word + p.extremes * bin.stride, bin.stride});
    if (b->set.squares)
        take_squares(
            &layout_state(l, column, MONOID_sumsq)->exact,
            (struct bin){bin.word + p.squares * bin.stride, bin.stride}, n);
    for (unsigned i = 0; b->set.sums && i < GPU_BY_LIMBS; i++)
        limb[i] = (int64_t)bin_word(bin, p.sum + i);
    return b->set.sums ? take_sum(table, column, limb) : DISTINCT_KEPT;
}

/* Adds a bin to the record of a key. */
static enum distinct_lost take_bin(struct cuda_by *b, size_t key,
                                   struct bin bin)
{
    struct by_table *table = grouper_own(b->grouper);
    const struct by_layout *l = table->layout;
    const unsigned words = gpu_by_places(b->set).words;
    const uint64_t rows = bin_word(bin, GPU_BY_ROWS);
    const uint64_t first = bin_word(bin, GPU_BY_FIRST);
    char *record = table_record(table, b->record[key]);
    enum distinct_lost lost = DISTINCT_KEPT;
    ((struct by_head *)record)->rows += rows;
    if (l->spec.is_first && first < *layout_first(record))
        *layout_first(record) = first;
    for (size_t c = 0; rows > 0 && c < l->columns && !lost; c++) {
        const struct bin of = {
            bin.word + (GPU_BY_ROW_WORDS + c * words) * bin.stride, bin.stride};
        lost = take_column(b, layout_column(l, record, c), rows, of);
    }
    return lost;
}

static bool take_bins(struct cuda_by *b, const uint64_t *word, size_t stride,
                      struct error *e)
{
    enum distinct_lost lost = DISTINCT_KEPT;
    for (unsigned key = 0; key < b->known && !lost; key++) {
        for (unsigned i = 0; i < gpu_by_copies(key) && !lost; i++)
            lost = take_bin(b, key,
                            (struct bin){word + gpu_by_bin(key, i), stride});
    }
    return !lost || groups_refuse(NULL, lost, e);
}

bool cuda_by_empty(struct context *t, struct error *e)
{
    struct cuda_by *b = t->by;
    const unsigned columns = (unsigned)t->job->by.columns;
    const cudaStream_t stream = t->slot[0].stream;
    if (!cuda_by_know(t, e))
        return false;
    const size_t last = b->known ? b->known - 1 : 0;
    const size_t used = gpu_by_bin((unsigned)last, 0) + GPU_BY_COPIES;
    const size_t words =
        GPU_BY_ROW_WORDS + columns * gpu_by_places(b->set).words;
    const size_t bins = used < GPU_BY_BINS ? used : GPU_BY_BINS;
    uint64_t *word = malloc(words * bins * sizeof *word);
    bool ok = word || error_memory(e);
    ok = ok && cuda_check(cudaMemcpy2D(word, bins * sizeof *word, b->bins,
                                       GPU_BY_BINS * sizeof *word,
                                       bins * sizeof *word, words,
                                       cudaMemcpyDeviceToHost),
                          "copying results", e);
    ok = ok && take_bins(b, word, bins, e) &&
         cuda_check(gpu_by_clear(b->bins, b->set, columns, stream),
                    "clearing memory", e) &&
         cuda_check(cudaStreamSynchronize(stream), "clearing memory", e);
    free(word);
    b->rows = 0;
    return ok;
}

bool cuda_by_end(struct context *t, struct owner *owner, struct error *e)
{
    struct cuda_by *b = t->by;
    return cuda_by_begin(b, owner, e) && cuda_by_empty(t, e) &&
           grouper_end(b->grouper, e);
}
