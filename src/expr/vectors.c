/* SPDX-License-Identifier: MIT */
/* Runs the steps of an expression over batches. */
#include <stdlib.h>

#include "base/cpu.h"
#include "expr/vectors_parts.h"

#ifdef HAVE_X86_LOOPS
extern const struct step_pair expr_steps_avx2[], expr_steps_avx512[];
#endif

/* Allocates so many stack entries. */
static bool make_slots(struct vectors *v, size_t slots)
{
    const size_t words = VECTOR_ROWS * sizeof(int64_t);
    const size_t texts = VECTOR_ROWS * sizeof(struct expr_text);
    const size_t each = words + texts + VECTOR_ROWS;
    v->slot = calloc(slots, sizeof *v->slot);
    v->memory = aligned_alloc(64, slots * each);
    if (!v->slot || !v->memory)
        return false;
    for (size_t i = 0; i < slots; i++) {
        char *at = (char *)v->memory + i * each;
        v->slot[i].words = (int64_t *)at;
        v->slot[i].texts = (struct expr_text *)(at + words);
        v->slot[i].marks = (uint8_t *)(at + words + texts);
    }
    return true;
}

/* Makes the steps call the loops compiled for the processor's best instruction
 * set. */
static void use_best(struct vectors *v)
{
    const struct step_pair *best = NULL;
#ifdef HAVE_X86_LOOPS
    best = cpu_runs(CPU_AVX512) ? expr_steps_avx512
           : cpu_runs(CPU_AVX2) ? expr_steps_avx2
                                : NULL;
#endif
    for (const struct step_pair *p = best; p && p->base; p++) {
        for (size_t i = 0; i < v->steps; i++) {
            if (v->step[i].run == p->base)
                v->step[i].run = p->best;
        }
    }
}

bool vectors_open(struct vectors **out, const struct expr *x, bool portable,
                  struct error *e)
{
    struct vectors *v = calloc(1, sizeof *v);
    size_t slots = 0;
    *out = NULL;
    if (v) {
        v->step = calloc(3 * x->nodes + 1, sizeof *v->step);
        v->sorted = calloc(x->constants + 1, sizeof *v->sorted);
    }
    bool ok = v && v->step && v->sorted;
    if (ok) {
        v->x = x;
        if (vectors_make(v, &slots))
            *out = v;
        ok = !*out || make_slots(v, slots);
        if (!portable)
            use_best(v);
    }
    if (ok && *out)
        return true;
    vectors_close(v);
    *out = NULL;
    return ok || error_memory(e);
}

void vectors_close(struct vectors *v)
{
    if (!v)
        return;
    free(v->slot);
    free(v->memory);
    free(v->step);
    free(v->sorted);
    free(v);
}

bool vectors_run(struct vectors *v, const struct expr_batch *batch,
                 struct expr_vector *out)
{
    v->batch = batch;
    for (size_t i = 0; i < v->steps; i++) {
        if (!v->step[i].run(v, &v->step[i], batch->n))
            return false;
    }
    const struct slot *s = &v->slot[0];
    *out = (struct expr_vector){s->type, s->has_missing, s->values, s->valid};
    return true;
}
