// SPDX-License-Identifier: MIT
//
// bench_axis [MIB] [--shape O,L,I] [--dtype NAME] [--monoid NAME] [--sweep]
//            [--set NAME=VALUE]...
//
// Reductions along an axis of data in GPU memory, beside reading alone and
// CUB's segmented sum. By default, a table: sums of f32 over both axes of
// arrays of 1 to 10^6 columns, other shapes, other types. --shape: only that
// shape. --sweep: other plans beside the chosen one, for that shape or for
// shapes of all kinds. --set changes a number of struct axis_tuning.
//
// Many short rows take longer to write than to read. "of reading" counts only
// the bytes read. "of the bus" compares the time with that of reading the
// elements and writing the results one after the other; a copy shows how much
// slower both are together.
#include "axis_sweep.cuh"

static void one(struct bench *b, const struct cell *c, bool all_plans)
{
    if (all_plans)
        sweep(b, c);
    else
        print_cell(b, c, &b->tuning, true);
}

static const size_t widths[] = {1,  2,   3,    7,     8,      31,
                                32, 100, 1000, 10000, 1000000};

static void both_axes(struct bench *b, enum axis_monoid monoid,
                      enum dtype dtype)
{
    const size_t n = b->bytes / dtype_size(dtype);
    for (const size_t columns : widths) {
        const size_t rows = n / columns;
        const struct cell along_0 = {monoid, dtype, {1, rows, columns}};
        const struct cell along_1 = {monoid, dtype, {rows, columns, 1}};
        one(b, &along_0, false);
        one(b, &along_1, false);
    }
}

static void other_shapes(struct bench *b)
{
    const size_t n = b->bytes / 4;
    const struct axis_shape shapes[] = {{n / 262144, 262144, 1},
                                        {1, 3, n / 3},
                                        {n / 9, 3, 3},
                                        {n / 300, 100, 3},
                                        {n / 3000, 1000, 3},
                                        {n / 30000, 10000, 3},
                                        {n / 10000, 100, 100},
                                        {n / 1000000, 1000, 1000},
                                        {n / 3000000, 3, 1000000},
                                        {n / 1500, 1500, 1},
                                        {n / 2048, 2048, 1},
                                        {n / 5000, 5000, 1},
                                        {1, n / 129, 129},
                                        {1, n / 300, 300},
                                        {16, n / 16 / 4096, 4096}};
    for (const struct axis_shape &shape : shapes) {
        const struct cell c = {AXIS_SUM, DTYPE_f32, shape};
        one(b, &c, false);
    }
}

static void other_types(struct bench *b)
{
    static const size_t some[] = {3, 32, 100, 1000, 1000000};
    for (int d = 0; d < DTYPES_END; d++) {
        for (int m = 0; m < AXIS_MONOIDS_END; m++) {
            const enum dtype dtype = (enum dtype)d;
            const size_t n = b->bytes / dtype_size(dtype);
            if (dtype == DTYPE_f32 && m == AXIS_SUM)
                continue;
            for (const size_t w : some) {
                const struct cell along_0 = {
                    (enum axis_monoid)m, dtype, {1, n / w, w}};
                const struct cell along_1 = {
                    (enum axis_monoid)m, dtype, {n / w, w, 1}};
                one(b, &along_0, false);
                one(b, &along_1, false);
            }
        }
    }
}

static void print_worst(struct bench *b)
{
    printf("\nworst: %.3f of reading, %.3f of the bus\n", b->worst,
           b->worst_bus);
    b->worst = b->worst_bus = 1e9;
}

static void table(struct bench *b)
{
    print_head("Sums of f32, both axes");
    both_axes(b, AXIS_SUM, DTYPE_f32);
    print_worst(b);
    print_head("Other shapes");
    other_shapes(b);
    print_worst(b);
    print_head("Other types");
    other_types(b);
    print_worst(b);
}

// Copies f32 as f64: the traffic of rows of one element, and no more.
static __global__ void only_widen(const float4 *p, double2 *to, size_t n)
{
    const size_t step = (size_t)gridDim.x * blockDim.x;
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    for (; i < n; i += step) {
        const float4 x = __ldcs(p + i);
        __stcs(to + 2 * i, make_double2(x.x, x.y));
        __stcs(to + 2 * i + 1, make_double2(x.z, x.w));
    }
}

static void widen_ceiling(struct bench *b)
{
    need(&b->results, &b->results_bytes, 2 * b->bytes);
    double best = 0;
    for (unsigned blocks = 132 * 4; blocks <= 132 * 256; blocks *= 4) {
        const struct timing t = timed(&b->timer, 1, [&](cudaStream_t stream) {
            only_widen<<<blocks, 256, 0, stream>>>(
                (const float4 *)b->data, (double2 *)b->results, b->bytes / 16);
            return cudaGetLastError();
        });
        const double bytes = (double)b->bytes;
        best = std::max(best,
                        (bytes / b->read + 2 * bytes / b->write) / t.seconds);
    }
    printf("reading f32 and writing each as f64: %.3f of the bus\n", best);
}

static void ceilings(struct bench *b)
{
    make_data(b, DTYPE_f32);
    const struct timing r = timed_read(&b->timer, b->data, b->bytes, 1, b->out);
    need(&b->results, &b->results_bytes, b->bytes);
    const struct timing w = timed(&b->timer, 1, [&](cudaStream_t stream) {
        return cudaMemsetAsync(b->results, 0, b->bytes, stream);
    });
    b->read = (double)b->bytes / r.seconds;
    b->write = (double)b->bytes / w.seconds;
    const struct timing c = timed(&b->timer, 1, [&](cudaStream_t stream) {
        return cudaMemcpyAsync(b->results, b->data, b->bytes,
                               cudaMemcpyDeviceToDevice, stream);
    });
    printf("%zu MiB resident: only reading %.0f GB/s, spread %.1f %%; only "
           "writing %.0f; copying, both ways %.0f\n",
           b->bytes >> 20, 1e-9 * b->read, 100 * r.spread, 1e-9 * b->write,
           2e-9 * (double)b->bytes / c.seconds);
    widen_ceiling(b);
}

static bool set(struct axis_tuning *t, const char *text)
{
    const struct {
        const char *name;
        void *at;
    } names[] = {{"form", &t->form},
                 {"multiprocessors", &t->multiprocessors},
                 {"resident", &t->resident},
                 {"waves", &t->waves},
                 {"column_waves", &t->column_waves},
                 {"rows_bytes", &t->rows_bytes},
                 {"plain_rows_bytes", &t->plain_rows_bytes},
                 {"warp_bytes", &t->warp_bytes},
                 {"many_warp_bytes", &t->many_warp_bytes},
                 {"piece_bytes", &t->piece_bytes},
                 {"column_rows", &t->column_rows},
                 {"lanes_log", &t->lanes_log}};
    const char *equals = strchr(text, '=');
    for (const auto &n : names) {
        if (equals && strlen(n.name) == (size_t)(equals - text) &&
            strncmp(n.name, text, equals - text) == 0) {
            *(int *)n.at = atoi(equals + 1);
            return true;
        }
    }
    return false;
}

struct request {
    struct cell cell;
    size_t mib;
    bool shape, sweep;
};

static bool find_monoid(const char *name, enum axis_monoid *monoid)
{
    for (int m = 0; m < AXIS_MONOIDS_END; m++) {
        if (strcmp(name, monoid_names[m]) == 0) {
            *monoid = (enum axis_monoid)m;
            return true;
        }
    }
    return false;
}

static bool parse_shape(const char *text, struct axis_shape *s)
{
    unsigned long long o, l, i;
    if (sscanf(text, "%llu,%llu,%llu", &o, &l, &i) != 3)
        return false;
    *s = {o, l, i};
    return true;
}

static bool parse(int argc, char **argv, struct axis_tuning *t,
                  struct request *r)
{
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        bool big_endian = false, ok = true;
        if (strcmp(argv[i], "--sweep") == 0) {
            r->sweep = true;
            continue;
        }
        if (argv[i][0] != '-') {
            r->mib = (size_t)atoi(argv[i]);
            continue;
        }
        if (strcmp(argv[i], "--shape") == 0)
            ok = r->shape = parse_shape(value, &r->cell.shape);
        else if (strcmp(argv[i], "--dtype") == 0)
            ok = dtype_find(value, &r->cell.dtype, &big_endian);
        else if (strcmp(argv[i], "--monoid") == 0)
            ok = find_monoid(value, &r->cell.monoid);
        else
            ok = strcmp(argv[i], "--set") == 0 && set(t, value);
        if (!ok)
            return false;
        i++;
    }
    return r->mib > 0;
}

static void print_device(unsigned *multiprocessors)
{
    struct cudaDeviceProp p;
    check(cudaGetDeviceProperties(&p, 0));
    *multiprocessors = (unsigned)p.multiProcessorCount;
    printf("%s, %d multiprocessors, sm_%d%d\n", p.name, p.multiProcessorCount,
           p.major, p.minor);
}

int main(int argc, char **argv)
{
    struct request r = {{AXIS_SUM, DTYPE_f32, {1, 1, 1}}, 1024, false, false};
    struct bench b = {};
    unsigned multiprocessors;
    print_device(&multiprocessors);
    b.tuning = axis_tuning_default(multiprocessors);
    if (!parse(argc, argv, &b.tuning, &r)) {
        fprintf(stderr, "usage: bench_axis [MIB] [--shape O,L,I] [--dtype NAME]"
                        " [--monoid NAME] [--sweep] [--set NAME=VALUE]\n");
        return 2;
    }
    b.bytes = r.mib << 20;
    if (r.shape)
        b.bytes = std::max(
            b.bytes, (size_t)(r.cell.shape.outer * r.cell.shape.length *
                              r.cell.shape.inner * dtype_size(r.cell.dtype)));
    b.filled = DTYPES_END;
    b.worst = b.worst_bus = 1e9;
    open_timer(&b.timer);
    check(cudaMalloc((void **)&b.data, b.bytes));
    check(cudaMalloc((void **)&b.out, 64));
    check(cudaMalloc((void **)&b.doubtful_count, 64));
    ceilings(&b);
    if (r.shape) {
        print_head("One shape");
        one(&b, &r.cell, r.sweep);
    } else if (r.sweep) {
        sweeps(&b);
    } else {
        table(&b);
    }
    return 0;
}
