/* SPDX-License-Identifier: MIT */
/* Keeps the complete subtrees of a range of elements. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "fold/parts.h"

void fold_tree_free(struct fold_tree *t)
{
    free(t->node);
    *t = (struct fold_tree){.nodes = 0};
}

static bool have_room(struct fold_tree *t, struct error *e)
{
    return array_grow(&t->node, &t->room, t->nodes, sizeof *t->node) ||
           error_memory(e);
}

/* Appends a subtree of 2^level elements. As in a binary counter, two neighbours
 * with a common parent are combined to that parent. */
static bool push(struct fold_tree *t, struct folder *f, uint64_t first,
                 struct expr_value value, unsigned level, struct error *e)
{
    if (t->nodes == 0)
        t->begin = t->end = first;
    t->end += 1ull << level;
    while (t->nodes > 0 && t->node[t->nodes - 1].level == level) {
        const uint64_t start = t->end - (2ull << level);
        if (start & ((2ull << level) - 1))
            break;
        if (!fold_pair(f, &t->node[--t->nodes].value, &value, start, t->end,
                       &value, e))
            return false;
        level++;
    }
    if (!have_room(t, e))
        return false;
    t->node[t->nodes++] = (struct fold_node){value, level};
    return true;
}

/* The last node of a level, which has no neighbour in its block. */
struct tail {
    struct expr_value value;
    unsigned level;
};

/* Removes the first node of the level. */
static void drop_first(struct level *l)
{
    l->words += l->words ? 1 : 0;
    l->values += l->words ? 0 : 1;
    l->at++;
    l->n--;
}

/* Adds a block level by level. A node without a neighbour in the block is
 * pushed by itself: on the left before the nodes after it, on the right after
 * those before it. */
static bool add_block(struct fold_tree *t, struct folder *f, struct level *l,
                      struct error *e)
{
    struct tail tail[64];
    size_t tails = 0;
    while (l->n > 1) {
        if (l->at & 1) {
            if (!push(t, f, l->at << l->level, level_value(f, l, 0), l->level,
                      e))
                return false;
            drop_first(l);
        }
        if (l->n & 1) {
            l->n--;
            tail[tails++] = (struct tail){level_value(f, l, l->n), l->level};
        }
        if (l->n > 0 && !level_up(f, l, e))
            return false;
    }
    if (l->n == 1 &&
        !push(t, f, l->at << l->level, level_value(f, l, 0), l->level, e))
        return false;
    while (tails-- > 0) {
        if (!push(t, f, t->end, tail[tails].value, tail[tails].level, e))
            return false;
    }
    return true;
}

/* Copies the values that do not fit words into the block. */
static bool put_odds(struct folder *f, struct level *l, size_t from,
                     const struct fold_values *v, struct error *e)
{
    for (size_t i = 0; i < v->odds; i++) {
        const struct fold_odd *odd = &v->odd[i];
        if (odd->at < from || odd->at - from >= l->n)
            continue;
        if (l->words && !level_slow(f, l, e))
            return false;
        l->values[odd->at - from] = odd->value;
    }
    return true;
}

bool fold_tree_add(struct fold_tree *t, struct folder *f, uint64_t first,
                   const struct fold_values *v, struct error *e)
{
    first = t->nodes ? t->end : first;
    for (size_t from = 0, n; from < v->n; from += n) {
        const uint64_t at = first + from;
        const size_t left = v->n - from, fits = FOLD_BLOCK - at % FOLD_BLOCK;
        n = left < fits ? left : fits;
        struct level l = {f->words[0], NULL, at, n, 0};
        memcpy(f->words[0], v->words + from, n * sizeof *v->words);
        if (!put_odds(f, &l, from, v, e) || !add_block(t, f, &l, e))
            return false;
    }
    return true;
}

bool fold_tree_append(struct fold_tree *t, struct folder *f,
                      const struct fold_tree *from, struct error *e)
{
    uint64_t first = from->begin;
    for (size_t i = 0; i < from->nodes; i++) {
        const struct fold_node *node = &from->node[i];
        if (!push(t, f, first, node->value, node->level, e))
            return false;
        first += 1ull << node->level;
    }
    return true;
}

bool fold_tree_value(const struct fold_tree *t, struct folder *f,
                     struct expr_value *out, struct error *e)
{
    uint64_t first = t->end;
    *out = f->fold->identity;
    for (size_t i = t->nodes; i-- > 0;) {
        const struct expr_value *left = &t->node[i].value;
        first -= 1ull << t->node[i].level;
        if (i + 1 == t->nodes)
            *out = *left;
        else if (!fold_pair(f, left, out, first, t->end, out, e))
            return false;
    }
    return true;
}
