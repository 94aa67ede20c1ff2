/* SPDX-License-Identifier: MIT */
/* Jobs of text with expressions: a kernel computes columns or selects records
 * before the other kernels reduce them. */
#include "backend/cuda/text_parts.h"
#include "formula/formula.h"

const char *text_formulas_left(const struct job *job)
{
    const unsigned here = (GPU_MONOIDS & ~MONOID_BIT(prod)) | MONOID_BIT(wide);
    if (job->text->is_bool)
        return "truth values are read one by one, on the CPU";
    if (job->texts || job->text->rows_only)
        return "records and texts are counted on the CPU";
    if (job->monoids & ~here || job->pairing.kind || job->folds)
        return "some operation is the CPU's";
    return cuda_formulas_missing();
}

struct gpu_csv_buffers text_groups(const struct context *t,
                                   const struct text_slot *s)
{
    struct gpu_csv_buffers to = s->work.to;
    const size_t columns = t->formulas ? text_decoded(t->job) : 0;
    const size_t rows = columns * to.pitch;
    const size_t bytes = rows * dtype_info(t->job->dtype)->size;
    to.column += columns;
    to.value = (char *)to.value + bytes;
    to.dense = (char *)to.dense + bytes;
    to.row_of += rows;
    to.used += rows / 32;
    return to;
}

/* Starts to compute the columns of all groups. */
static bool start(struct context *t, struct text_slot *s,
                  const struct gpu_csv_buffers *to, struct error *e)
{
    const struct gpu_csv_buffers *from = &s->work.to;
    uint64_t n = s->report->rows, pitch = from->pitch;
    void *arguments[] = {(void *)&from->value,
                         (void *)&from->used,
                         &n,
                         &pitch,
                         (void *)&to->value,
                         (void *)&to->used,
                         (void *)&to->column,
                         &s->device_counts};
    const size_t columns = t->job->columns * sizeof *to->column;
    return cuda_check(cudaMemsetAsync(to->column, 0, columns, s->stream),
                      "clearing results", e) &&
           cuda_check(cudaMemsetAsync(s->device_counts, 0, sizeof *s->counts,
                                      s->stream),
                      "clearing results", e) &&
           (n == 0 ||
            cuda_formulas_launch(t->formulas, n, arguments, s->stream, e)) &&
           cuda_to_host((struct gpu_csv_column *)(s->report + 1) +
                            text_decoded(t->job),
                        to->column, columns, s->stream, e) &&
           cuda_to_host(s->counts, s->device_counts, sizeof *s->counts,
                        s->stream, e);
}

bool text_compute(struct context *t, struct text_slot *s, size_t n,
                  struct error *e)
{
    struct gpu_csv_chunk groups = s->work;
    struct gpu_csv_spec spec = s->spec;
    groups.to = text_groups(t, s);
    spec.columns = (unsigned)t->job->columns;
    return cuda_to_device(s->device_numbers, s->numbers, n * sizeof *s->numbers,
                          s->stream, e) &&
           cuda_check(gpu_csv_compact(&s->spec, &s->work, 0, s->device_numbers,
                                      n, s->stream),
                      "starting kernels", e) &&
           start(t, s, &groups.to, e) &&
           cuda_check(gpu_csv_compact(&spec, &groups, s->report->rows, NULL, 0,
                                      s->stream),
                      "starting kernels", e);
}
