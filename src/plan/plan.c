/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "plan/plan.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/quote.h"

enum {
    /* Read into a buffer: small enough for a core's L2, large enough that
     * dealing costs nothing. */
    CPU_CHUNK = 512 << 10,
    /* Mapped: 16 threads reached 129 GB/s in windows of 4 MiB, 78 of 1 MiB.
     * Small files are cut finer, for all threads to have some. */
    CPU_WINDOW = 4 << 20,
    CPU_SHARES = 4,
    /* PCIe gives 53 of its 55 GB/s from 4 MiB on; 8 feeders of two slots hold
     * 64 MiB pinned, which take 36 ms to allocate. */
    GPU_CHUNK = 4 << 20,
    GPU_FEEDERS = 8,
    /* Text. A CPU's window and what is decoded of it stay in L2. On the GPU
     * a chunk has a dozen launches a column. */
    CPU_TEXT = 512 << 10,
    GPU_TEXT = 6 << 20,
    GPU_TEXT_FEEDERS = 10,
    TEXT_MAX = 32 << 20,
    /* Of all threads, 14 KB each: of thousands of columns fewer at a time. */
    PARTIALS_MAX = 8192,
};

static unsigned cores(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return (unsigned)CPU_COUNT(&set);
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? (unsigned)n : 1;
}

static bool check_options(const struct options *o, struct error *e)
{
    if (o->deterministic && o->fast)
        return error_set(e, ERROR_USAGE,
                         "--deterministic and --fast exclude each other");
    if (o->verify && o->fast)
        return error_set(e, ERROR_USAGE,
                         "--verify and --fast exclude each other: fast sums "
                         "may differ");
    if (o->verbose && o->quiet)
        return error_set(e, ERROR_USAGE,
                         "--verbose and --quiet exclude each other");
    bool seen = false;
    for (size_t i = 0; i < o->files; i++) {
        bool is_stdin = strcmp(o->file[i], "-") == 0;
        if (is_stdin && seen)
            return error_set(e, ERROR_USAGE,
                             "standard input ('-') can be read only once");
        seen |= is_stdin;
    }
    if (o->files == 0 && isatty(STDIN_FILENO))
        return error_set(e, ERROR_USAGE,
                         "no FILE given, and standard input is a terminal");
    return true;
}

static bool check_text(const struct options *o, const struct input *input,
                       struct error *e)
{
    char name[QUOTE_MAX];
    if (!input_is_text(input)) {
        if (!o->text_option)
            return true;
        return error_set(e, ERROR_USAGE,
                         "%s: --%s is for text, and this is taken as %s\n"
                         "Give --format csv or --format tsv if it is text.",
                         quote(name, input->name), o->text_option,
                         input->format->name);
    }
    if (o->has_dtype && dtype_info(o->dtype)->size == 2 &&
        dtype_is_float(o->dtype))
        return error_set(e, ERROR_USAGE,
                         "%s: text is not read as %s; take f32",
                         quote(name, input->name), dtype_info(o->dtype)->name);
    if (o->has_order && o->big_endian)
        return error_set(e, ERROR_USAGE, "%s: text has no byte order",
                         quote(name, input->name));
    if (o->skip_bytes)
        return error_set(e, ERROR_USAGE, "%s: --skip-bytes is for raw data",
                         quote(name, input->name));
    return true;
}

/* Whether one of the words of --na could be taken for a number. */
static bool has_number(const struct csv_words *words)
{
    const struct csv_spec spec = {.dtype = DTYPE_f64};
    for (size_t i = 0; i < words->n; i++) {
        const struct csv_span text = {words->word[i].text,
                                      words->word[i].bytes};
        uint64_t bits;
        if (csv_cell_read(&spec, text, &bits) == CSV_CELL_NUMBER)
            return true;
    }
    return false;
}

static bool make_text_wishes(struct plan *plan, struct error *e)
{
    const struct options *o = plan->options;
    struct csv_spec *spec = &plan->csv.spec;
    plan->csv.delimiter = o->delimiter;
    plan->csv.header = o->header;
    plan->csv.columns = o->columns;
    spec->dtype = o->has_dtype ? o->dtype : DTYPE_f64;
    spec->missing_is_error = o->missing_is_error;
    spec->skip_bad = o->skip_bad;
    if (!csv_words_init(&spec->words, o->na ? o->na : CSV_WORDS_DEFAULT, e))
        return false;
    spec->words_first = has_number(&spec->words);
    plan->wishes.csv = &plan->csv;
    return true;
}

static bool open_inputs(struct plan *plan, struct error *e)
{
    static const char *const standard_input = "-";
    const struct options *o = plan->options;
    const char *const *names = o->files ? o->file : &standard_input;
    size_t count = o->files ? o->files : 1;
    plan->wishes = (struct input_wishes){
        .format = o->format,
        .has_dtype = o->has_dtype,
        .dtype = o->dtype,
        .has_order = o->has_order,
        .big_endian = o->big_endian,
        .skip_bytes = o->skip_bytes,
    };
    if (!make_text_wishes(plan, e))
        return false;
    plan->inputs = calloc(count, sizeof *plan->inputs);
    if (!plan->inputs)
        return error_set(e, ERROR_DATA, "out of memory");
    for (size_t i = 0; i < count; i++) {
        if (!input_open(&plan->inputs[i], names[i], &plan->wishes, i > 0, e))
            return false;
        plan->input_count++;
        if (!plan->inputs[i].deferred && !check_text(o, &plan->inputs[i], e))
            return false;
        if (i == 0 && !o->per_file && input_is_text(&plan->inputs[0]))
            plan->wishes.like = &plan->inputs[0];
    }
    return true;
}

static bool check_dtypes(const struct dataset *d, struct error *e)
{
    for (size_t i = 1; i < d->count; i++) {
        if (!d->inputs[i].deferred &&
            !input_same_dtype(&d->inputs[0], &d->inputs[i], e))
            return false;
    }
    return true;
}

static unsigned monoids_of(const struct options *o)
{
    unsigned monoids = 0;
    for (size_t i = 0; i < o->ops; i++)
        monoids |= op_monoids(o->op[i], o->nan);
    return monoids;
}

/* Whether sums may round. Not where a variance is made of them: it is the
 * small difference of two large numbers. */
static bool may_be_fast(const struct options *o)
{
    const unsigned both = MONOID_BIT(sum) | MONOID_BIT(sumsq);
    for (size_t i = 0; i < o->ops; i++) {
        if ((o->op[i]->monoids & both) == both)
            return false;
    }
    return o->fast;
}

static size_t chunk_bytes_of(const struct options *o, enum dtype dtype,
                             size_t tuned)
{
    size_t grain = CHUNK_ELEMENTS * (size_t)dtype_info(dtype)->size;
    uint64_t bytes = o->chunk_size ? o->chunk_size : tuned;
    if (bytes > CHUNK_BYTES_MAX)
        bytes = CHUNK_BYTES_MAX;
    return (size_t)(bytes + grain - 1) / grain * grain;
}

static bool may_be_mapped(const struct dataset *d)
{
    for (size_t i = 0; i < d->count; i++) {
        if (!d->inputs[i].regular || d->inputs[i].big_endian)
            return false;
    }
    return true;
}

/* Text is cut where it comes: any size will do. */
static size_t text_chunk(const struct options *o, bool gpu)
{
    uint64_t bytes = o->chunk_size ? o->chunk_size : gpu ? GPU_TEXT : CPU_TEXT;
    return bytes < TEXT_MAX ? (size_t)bytes : TEXT_MAX;
}

static size_t cpu_chunk(const struct options *o, const struct dataset *d)
{
    if (!may_be_mapped(d))
        return CPU_CHUNK;
    uint64_t threads = o->threads ? o->threads : cores();
    uint64_t share = d->bytes / (threads * CPU_SHARES);
    return share < CPU_CHUNK    ? CPU_CHUNK
           : share > CPU_WINDOW ? CPU_WINDOW
                                : (size_t)share;
}

/* No more threads than chunks. */
static unsigned threads_of(const struct options *o, const struct dataset *d,
                           unsigned limit)
{
    uint64_t threads = o->threads ? o->threads : cores();
    uint64_t full = d->bytes / d->job.chunk_bytes;
    if (limit && threads > limit)
        threads = limit;
    if (threads > 1 && threads * job_columns(&d->job) > PARTIALS_MAX)
        threads = PARTIALS_MAX / job_columns(&d->job) + 1;
    return (unsigned)(threads <= full ? threads : full + 1);
}

static bool check_readable_twice(const struct dataset *d, struct error *e)
{
    char name[QUOTE_MAX];
    for (size_t i = 0; i < d->count; i++) {
        const struct input *input = &d->inputs[i];
        if (!input->regular && !(input->is_file && input->ended))
            return error_set(e, ERROR_USAGE,
                             "%s: --verify needs files that can be read twice",
                             quote(name, d->inputs[i].name));
    }
    return true;
}

bool plan_dataset(const struct plan *plan, struct dataset *d, struct error *e)
{
    const struct options *o = plan->options;
    bool gpu = o->device == DEVICE_GPU;
    if (!input_open_deferred(&d->inputs[0], e) ||
        !check_text(o, &d->inputs[0], e) || !check_dtypes(d, e) ||
        (o->verify && !check_readable_twice(d, e)))
        return false;
    d->bytes = 0;
    for (size_t i = 0; i < d->count && d->bytes != INPUT_UNKNOWN; i++) {
        if (__builtin_add_overflow(d->bytes, d->inputs[i].bytes, &d->bytes))
            d->bytes = INPUT_UNKNOWN;
    }
    d->job = (struct job){.dtype = d->inputs[0].dtype,
                          .monoids = monoids_of(o),
                          .gpu = o->gpu,
                          .fast = may_be_fast(o)};
    bool is_text = input_is_text(&d->inputs[0]);
    if (is_text) {
        d->job.text = &plan->csv.spec;
        d->job.columns = d->inputs[0].table->columns;
        d->job.chunk_bytes = text_chunk(o, gpu);
    } else {
        d->job.chunk_bytes =
            chunk_bytes_of(o, d->job.dtype, gpu ? GPU_CHUNK : cpu_chunk(o, d));
    }
    d->backend = gpu ? &backend_cuda : &backend_cpu;
    unsigned feeders = is_text ? GPU_TEXT_FEEDERS : GPU_FEEDERS;
    d->threads = threads_of(o, d, gpu ? feeders : 0);
    return true;
}

void plan_verification(const struct plan *plan, const struct dataset *d,
                       struct dataset *other)
{
    size_t grain = d->job.text ? 1
                               : CHUNK_ELEMENTS *
                                     (size_t)dtype_info(d->job.dtype)->size;
    size_t chunks = d->job.chunk_bytes / grain;
    *other = *d;
    /* Cut elsewhere: by a size that shares no factor with the first. */
    other->job.chunk_bytes = (chunks > 1 ? chunks - 1 : 2) * grain;
    other->threads = d->threads > 1 ? d->threads - 1 : 2;
    bool gpu = d->backend == &backend_cpu &&
               plan->options->device != DEVICE_CPU &&
               backend_cuda.probe(d->job.gpu, NULL);
    other->backend = gpu ? &backend_cuda : &backend_cpu;
    other->job.portable = true;
    unsigned feeders = d->job.text ? GPU_TEXT_FEEDERS : GPU_FEEDERS;
    if (gpu && other->threads > feeders)
        other->threads = feeders;
}

static bool plan_datasets(struct plan *plan, struct error *e)
{
    bool apart = plan->options->per_file;
    plan->dataset_count = apart ? plan->input_count : 1;
    plan->datasets = calloc(plan->dataset_count, sizeof *plan->datasets);
    if (!plan->datasets)
        return error_set(e, ERROR_DATA, "out of memory");
    for (size_t i = 0; i < plan->dataset_count; i++) {
        struct dataset *d = &plan->datasets[i];
        d->inputs = &plan->inputs[i];
        d->count = apart ? 1 : plan->input_count;
        if (!d->inputs[0].deferred && !plan_dataset(plan, d, e))
            return false;
    }
    return true;
}

static bool choose_device(struct plan *plan, struct error *e)
{
    switch (plan->options->device) {
    case DEVICE_GPU:
        plan->device_reason = "asked for";
        return backend_cuda.probe(plan->options->gpu, e);
    case DEVICE_CPU:
        plan->device_reason = "asked for";
        return true;
    default:
        /* Cores read a warm file no slower than PCIe takes it to a GPU, and
         * need no start-up. Of text 16 of them take 15 GB/s, a GPU 46 after
         * 0.3 s: it is ahead from 7 GB on. */
        plan->device_reason =
            plan->input_count > 0 && input_is_text(&plan->inputs[0])
                ? "no start-up; --device gpu is faster for many GB of text"
                : "plain reductions are bound by reading";
        return true;
    }
}

bool plan_make(struct plan *plan, const struct options *options,
               struct error *e)
{
    *plan = (struct plan){.options = options};
    if (check_options(options, e) && open_inputs(plan, e) &&
        plan_datasets(plan, e) && choose_device(plan, e))
        return true;
    plan_free(plan);
    return false;
}

void plan_free(struct plan *plan)
{
    for (size_t i = 0; i < plan->input_count; i++)
        input_close(&plan->inputs[i]);
    free(plan->inputs);
    free(plan->datasets);
}
