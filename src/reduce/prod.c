/* SPDX-License-Identifier: MIT */
#include "reduce/prod.h"

void prod_init(struct prod *p)
{
    p->zeros = p->infs = p->nans = 0;
    p->begin = p->end = 0;
    p->nodes = 0;
    prod_integer_one(&p->integer);
}

void prod_push(struct prod *p, uint64_t begin, struct prod_node node,
               unsigned level)
{
    if (p->nodes == 0)
        p->begin = p->end = begin;
    p->end += 1ull << level;
    /* As in a binary counter, two nodes with one parent are replaced by it. */
    while (p->nodes > 0 && p->level[p->nodes - 1] == level) {
        uint64_t start = p->end - (2ull << level);
        if (start & ((2ull << level) - 1))
            break;
        node = prod_times(p->node[--p->nodes], node);
        level++;
    }
    p->node[p->nodes] = node;
    p->level[p->nodes++] = (uint8_t)level;
}

void prod_merge(struct prod *into, const struct prod *from)
{
    into->zeros += from->zeros;
    into->infs += from->infs;
    into->nans += from->nans;
    prod_integer_merge(&into->integer, &from->integer);
    uint64_t begin = from->begin;
    for (unsigned i = 0; i < from->nodes; i++) {
        prod_push(into, begin, from->node[i], from->level[i]);
        begin += 1ull << from->level[i];
    }
}

/* Whether 1 <= |mantissa| < 2, and 2^(13 + level) f64 can have this exponent:
 * each adds at most 1074, and 1 more by the mantissas. */
static bool node_is_sound(struct prod_node node, unsigned level)
{
    int64_t most = (int64_t)1075 * PROD_LEAF << level;
    return (bits_of_double(node.mantissa) >> 52 & 0x7ff) == 1023 &&
           node.exponent >= -most && node.exponent <= most;
}

bool prod_is_sound(const struct prod *p)
{
    enum { LEVEL_MAX = 39 };
    struct prod again;
    uint64_t end = p->begin;
    prod_init(&again);
    for (unsigned i = 0; i < p->nodes; i++) {
        unsigned level = p->level[i];
        if (end >> LEVEL_MAX || level > LEVEL_MAX ||
            end & ((1ull << level) - 1) || !node_is_sound(p->node[i], level))
            return false;
        prod_push(&again, end, (struct prod_node){1, 0}, level);
        end = again.end;
        if (again.nodes != i + 1)
            return false; /* prod_push would have joined them */
    }
    return p->end == end;
}

struct prod_node prod_value(const struct prod *p)
{
    struct prod_node value = {1.0, 0};
    for (unsigned i = p->nodes; i-- > 0;)
        value = prod_times(p->node[i], value);
    return value;
}
