/* SPDX-License-Identifier: MIT */
#include "axis/box.h"

static uint64_t part_size(const struct geometry *g, const struct part *p)
{
    return p->slabs * p->rows * p->items * g->inner_size;
}

uint64_t part_outputs(const struct geometry *g, const struct part *p)
{
    return p->slabs * p->items * g->inner_outputs;
}

uint64_t part_output(const struct geometry *g, const struct part *p)
{
    return (p->slab * g->items + p->item) * g->inner_outputs;
}

/* The arguments of the recursion. */
struct walk {
    const struct dimension *dimension; /* those that remain */
    unsigned left;
    size_t size; /* bytes of an element */
    struct box at;
    box_fn *fn;
    void *context;
};

/* The last two dimensions, or the last one, make a box. */
static void give_box(const struct walk *w)
{
    struct box box = w->at;
    size_t stride = w->size;
    box.steps = box.lanes = 1;
    box.step = box.lane = w->size;
    for (unsigned i = w->left; i-- > 0;) {
        const size_t n = (size_t)w->dimension[i].size;
        *(w->dimension[i].kept ? &box.lanes : &box.steps) = n;
        *(w->dimension[i].kept ? &box.lane : &box.step) = stride;
        stride *= n;
    }
    w->fn(w->context, &box);
}

static void walk(struct walk w)
{
    if (w.left <= 2) {
        give_box(&w);
        return;
    }
    const struct dimension d = *w.dimension++;
    size_t bytes = w.size, outputs = 1, each = 1;
    w.left--;
    for (unsigned i = 0; i < w.left; i++) {
        const size_t n = (size_t)w.dimension[i].size;
        bytes *= n;
        *(w.dimension[i].kept ? &outputs : &each) *= n;
    }
    for (uint64_t i = 0; i < d.size; i++) {
        walk(w);
        w.at.data += bytes;
        if (d.kept)
            w.at.output += outputs;
        else
            w.at.first += each;
    }
}

static void slab_boxes(const struct geometry *g, const struct part *p,
                       struct walk w, size_t pitch)
{
    const struct box start = w.at;
    for (uint64_t i = 0; i < p->rows; i++) {
        for (uint64_t k = 0; k < p->items; k++) {
            w.at.data = start.data + i * pitch + k * g->inner_size * w.size;
            w.at.first = (p->row + i) * g->inner_each;
            w.at.output = start.output + k * g->inner_outputs;
            walk(w);
        }
    }
}

void part_boxes(const struct geometry *g, const struct part *p, uint64_t output,
                const char *data, size_t size, size_t pitch, box_fn *fn,
                void *context)
{
    struct walk w = {g->inner, g->inners,
                     size,     {.data = data, .output = output},
                     fn,       context};
    struct box plain = {data, p->row, p->rows, pitch, p->items, size, output};
    const size_t slab = p->rows * p->items * g->inner_size * size;
    if (part_size(g, p) == 0)
        return;
    if (g->inners == 0 && p->items == 1) {
        plain.lanes = p->slabs;
        plain.lane = slab;
        fn(context, &plain);
        return;
    }
    for (uint64_t s = 0; s < p->slabs; s++) {
        if (g->inners == 0)
            fn(context, &plain);
        else
            slab_boxes(g, p, w, pitch);
        plain.data += slab;
        w.at.data += slab;
        plain.output += p->items;
        w.at.output += p->items * g->inner_outputs;
    }
}
