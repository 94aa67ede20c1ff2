/* SPDX-License-Identifier: MIT */
#include "backend/cuda/axis_answers.h"

#include "backend/cuda/memory.h"

struct place place_answers(const struct axis_setup *s, char *base, uint64_t n)
{
    const size_t size = dtype_info(s->dtype)->size, at = n * sizeof(uint32_t);
    struct place p = {.room = n / 16 + 64};
    char *next = base;
    p.doubtfuls = cuda_cut(&next, MEASURE_SUMS * sizeof *p.doubtfuls);
    for (int m = 0; m < MEASURE_SUMS; m++) {
        if (s->measures >> m & 1)
            p.at.sum[m] =
                cuda_cut(&next, n * axis_sum_bytes((enum measure)m, s->dtype));
    }
    if (s->measures >> MEASURE_COUNT & 1) {
        p.at.nan = cuda_cut(&next, at);
        p.at.inf = cuda_cut(&next, at);
        p.at.nonzero = cuda_cut(&next, at);
    }
    for (int i = 0; i < 2; i++) {
        struct axis_extremes *x = &p.at.extremes[i];
        if (!(s->measures >> (MEASURE_EXTREMA + i) & 1))
            continue;
        x->least = cuda_cut(&next, n * size);
        x->greatest = cuda_cut(&next, n * size);
        x->least_at = cuda_cut(&next, at);
        x->greatest_at = cuda_cut(&next, at);
        x->first_nan = cuda_cut(&next, at);
    }
    p.copied = (size_t)(next - base);
    for (int m = 0; m < MEASURE_SUMS && dtype_is_float(s->dtype); m++) {
        if (s->measures >> m & 1)
            p.at.doubtful[m] = cuda_cut(&next, p.room * sizeof(uint64_t));
    }
    p.bytes = (size_t)(next - base);
    return p;
}

struct axis_results place_results(const struct place *p, int m)
{
    struct axis_results r = {0};
    if (m < MEASURE_SUMS) {
        r.value = (double *)p->at.sum[m];
        r.integer = (void *)p->at.sum[m];
        r.doubtful = (uint64_t *)p->at.doubtful[m];
        r.doubtful_count = &p->doubtfuls[m];
        r.doubtful_room = p->room;
        return r;
    }
    const struct axis_extremes *x =
        &p->at.extremes[m == MEASURE_ABSEXTREMA ? 1 : 0];
    r.nan = (uint32_t *)p->at.nan;
    r.inf = (uint32_t *)p->at.inf;
    r.nonzero = (uint32_t *)p->at.nonzero;
    r.least = (void *)x->least;
    r.greatest = (void *)x->greatest;
    r.least_at = (uint32_t *)x->least_at;
    r.greatest_at = (uint32_t *)x->greatest_at;
    r.first_nan = (uint32_t *)x->first_nan;
    return r;
}

bool place_lists(struct place *got, const struct place *device,
                 cudaStream_t stream, struct error *e)
{
    bool any = false, ok = true;
    for (int m = 0; ok && m < MEASURE_SUMS; m++) {
        const uint64_t n = got->at.doubtful[m] ? got->doubtfuls[m] : 0;
        got->at.doubtfuls[m] = n > got->room ? UINT64_MAX : n;
        if (n == 0 || n > got->room)
            continue;
        any = true;
        ok = cuda_to_host((void *)got->at.doubtful[m], device->at.doubtful[m],
                          n * sizeof(uint64_t), stream, e);
    }
    return ok &&
           (!any || cuda_check(cudaStreamSynchronize(stream), "reducing", e));
}
