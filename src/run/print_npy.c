/* SPDX-License-Identifier: MIT */
/* Prints the results of one op as a NumPy array, for -O npy. */
#include "output/npy.h"
#include "output/number.h"
#include "run/printer.h"

static struct npy_dtype dtype_of(const struct printer *p,
                                 const struct answers_part *part)
{
    return npy_dtype_of(p->op[0]->name, part->dtype, part->is_bool);
}

/* Values that are written together, if all are reals or all integers. */
enum { PIECE = 32 << 10 };

static size_t piece_at(const struct answers_part *part, size_t row)
{
    const size_t left = part->rows - row;
    return left < PIECE ? left : PIECE;
}

static size_t place_of(const struct printer *p, const struct answers_part *part,
                       size_t row)
{
    return (part->first + row) * p->answers->plan->ops + p->index[0];
}

/* Whether a piece begins at the row and has only reals, or only integers whose
 * magnitudes an i64 can hold. */
static bool is_piece(const struct printer *p, const struct answers_part *part,
                     struct npy_dtype dtype, size_t row)
{
    const struct values *values = &p->answers->values;
    const size_t ops = p->answers->plan->ops, n = piece_at(part, row);
    const size_t first = place_of(p, part, row);
    if (row % PIECE > 0)
        return false;
    if (dtype.type == NPY_FLOAT)
        return values_are_reals(values, first, ops, n);
    return dtype.type != NPY_BOOL && values_are_integers(values, first, ops, n);
}

bool npy_check(const struct printer *p, struct error *e)
{
    static const char *const kinds[] = {"bool", "signed integers",
                                        "unsigned integers", "floats"};
    const struct answers_part *part = p->answers->part;
    const struct npy_dtype dtype = dtype_of(p, part);
    char text[NUMBER_MAX];
    for (size_t row = 0; row < part->rows; row++) {
        if (is_piece(p, part, dtype, row)) {
            row += piece_at(part, row) - 1;
            continue;
        }
        const struct value value = printer_value(p, part, row, p->index[0]);
        if (npy_fits(dtype, &value))
            continue;
        number_text(text, &value);
        return error_set(e, ERROR_DATA,
                         "-O npy: %s is %.200s, which an array of %s cannot "
                         "hold; -O json prints it",
                         p->op[0]->name,
                         value.kind == VALUE_NONE   ? "undefined"
                         : value.kind == VALUE_TEXT ? "a text"
                                                    : text,
                         kinds[dtype.type]);
    }
    return true;
}

static void put_piece(struct printer *p, const struct answers_part *part,
                      struct npy_dtype dtype, size_t row)
{
    uint64_t copied[PIECE];
    const size_t n = piece_at(part, row);
    const uint64_t *word =
        values_words(&p->answers->values, place_of(p, part, row),
                     p->answers->plan->ops, n, copied);
    if (dtype.size == 8)
        writer_put(&p->to, (const char *)word, n * sizeof *word);
    else
        npy_words(&p->to, dtype, word, n);
}

static void put_header(struct printer *p, const struct answers_part *part)
{
    uint64_t size[RESULT_RANK_MAX] = {part->rows};
    unsigned rank = p->by_column;
    if (part->pairing.kind == PAIRING_MATRIX)
        size[rank++] = size[0] = part->pairing.columns;
    if (part->has_axes)
        geometry_result(&part->geometry, &rank, size);
    npy_header(&p->to, dtype_of(p, part), size, rank);
}

/* All pairs of columns, each twice. */
static void put_matrix(struct printer *p, const struct answers_part *part,
                       struct npy_dtype dtype)
{
    const size_t columns = part->pairing.columns;
    for (size_t i = 0; i < columns * columns; i++) {
        const size_t a = i / columns, b = i % columns;
        const struct column_pair pair = {a < b ? a : b, a < b ? b : a};
        const struct value value = printer_value(
            p, part, pairing_group(&part->pairing, pair), p->index[0]);
        npy_element(&p->to, dtype, &value);
    }
}

static void put_values(struct printer *p, const struct answers_part *part)
{
    const struct npy_dtype dtype = dtype_of(p, part);
    if (part->pairing.kind == PAIRING_MATRIX) {
        put_matrix(p, part, dtype);
        return;
    }
    for (size_t row = 0; row < part->rows; row++) {
        if (is_piece(p, part, dtype, row)) {
            put_piece(p, part, dtype, row);
            row += piece_at(part, row) - 1;
            continue;
        }
        const struct value value = printer_value(p, part, row, p->index[0]);
        npy_element(&p->to, dtype, &value);
    }
}

void print_npy(struct printer *p, const struct answers_part *part)
{
    put_header(p, part);
    put_values(p, part);
}

bool npy_stream_suits(const struct plan *plan, const struct dataset *d)
{
    const unsigned growing = MONOID_BIT(ranks) | MONOID_BIT(distinct) |
                             MONOID_BIT(tallies) | MONOID_BIT(sketch);
    return plan->form == FORM_npy && plan->dataset_count == 1 &&
           plan->ops == 1 && plan->assertions == 0 && !plan->verify &&
           plan->nan == NAN_PROPAGATE && dtype_is_float(d->job.dtype) &&
           !(plan->monoids & growing) && geometry_each(&d->geometry) > 0 &&
           !d->geometry.is_fortran; /* its outputs end in another order */
}

void npy_stream_open(struct npy_stream *s, const struct plan *plan, int fd)
{
    s->answers = (struct answers){.plan = plan, .part = &s->part, .parts = 1};
    s->p.answers = &s->answers;
    s->p.op[0] = plan->op[0];
    s->p.ops = 1;
    s->p.index[0] = 0;
    s->p.by_column = false;
    s->began = false;
    writer_start(&s->p.to, fd);
}

void npy_stream_start(struct npy_stream *s, const struct dataset *d)
{
    s->part = (struct answers_part){.input = d->inputs,
                                    .inputs = d->count,
                                    .has_axes = true,
                                    .geometry = d->geometry,
                                    .dtype = d->job.dtype};
}

bool npy_stream_emit(void *stream, const struct values *values, struct error *e)
{
    struct npy_stream *s = stream;
    s->answers.values = *values;
    s->part.rows = values->n;
    if (!npy_check(&s->p, e))
        return false;
    if (!s->began)
        put_header(&s->p, &s->part);
    s->began = true;
    put_values(&s->p, &s->part);
    return s->p.to.failed == 0 || writer_end(&s->p.to, e);
}
