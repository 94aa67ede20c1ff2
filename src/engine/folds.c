/* SPDX-License-Identifier: MIT */
#include "engine/folds.h"

#include <inttypes.h>
#include <stdlib.h>

#include "chunk/chunker.h"

/* A folder for each type of elements. */
struct folders {
    struct folder *of[FOLD_KINDS];
};

struct fold_part {
    const struct job *job;
    const struct folders *folders; /* of the worker that made it */
    struct fold_part *next;        /* in the list fold_run.late */
    /* Index of its first row, and sequence of its chunk; set when placed. */
    uint64_t first, sequence;
    size_t rows, groups;
    bool has_trees;
    struct fold_piece {
        struct fold_tree tree;
        struct fold_values values;
    } piece[]; /* [groups] */
};

struct fold_steps {
    const struct job *job;
    struct folders folders;
    struct fold_values values;
};

struct fold_run {
    const struct job *job;
    struct folders folders;
    uint64_t rows;     /* of the parts that were placed */
    uint64_t appended; /* rows whose trees were appended */
    /* Parts that wait for an earlier part, in the order of their first rows. */
    struct fold_part *late;
    struct fold_total {
        struct fold_tree tree;
        bool has_value; /* `value` is set; only if any order will do */
        struct expr_value value;
    } total[]; /* [job_groups] */
};

/* Whether parts have trees from the start: the indexes of their values are
 * known or do not matter. */
static bool are_trees(const struct job *job)
{
    return job->reading->chunker->is_indexed || job->folds->any_order;
}

struct fold_part *fold_part_new(const struct job *job)
{
    const size_t groups = job_groups(job);
    struct fold_part *p = calloc(1, sizeof *p + groups * sizeof p->piece[0]);
    if (p) {
        p->job = job;
        p->groups = groups;
        p->has_trees = are_trees(job);
    }
    return p;
}

void fold_part_free(struct fold_part *p)
{
    for (size_t g = 0; p && g < p->groups; g++) {
        fold_tree_free(&p->piece[g].tree);
        fold_values_free(&p->piece[g].values);
    }
    free(p);
}

size_t fold_part_bytes(const struct fold_part *p)
{
    return !p || p->has_trees ? 0 : p->rows * p->groups * sizeof(int64_t);
}

static void close_folders(struct folders *f)
{
    for (size_t i = 0; i < FOLD_KINDS; i++)
        folder_close(f->of[i]);
}

static bool open_folders(struct folders *f, const struct folds *folds,
                         struct error *e)
{
    bool ok = true;
    for (size_t i = 0; i < FOLD_KINDS; i++) {
        f->of[i] = ok && folds->has[i] ? folder_open(&folds->kind[i], e) : NULL;
        ok = ok && (!folds->has[i] || f->of[i]);
    }
    if (!ok)
        close_folders(f);
    return ok;
}

static struct folder *folder_of(const struct folders *f, const struct job *job,
                                size_t group)
{
    return f->of[job->folds->kind_of[group]];
}

struct fold_steps *fold_steps_open(const struct job *job, struct error *e)
{
    struct fold_steps *s = calloc(1, sizeof *s);
    if (!s)
        return error_memory(e);
    s->job = job;
    if (open_folders(&s->folders, job->folds, e))
        return s;
    free(s);
    return NULL;
}

void fold_steps_close(struct fold_steps *s)
{
    if (!s)
        return;
    close_folders(&s->folders);
    fold_values_free(&s->values);
    free(s);
}

bool fold_steps_add(struct fold_steps *s, const struct column *column,
                    const struct chunk *chunk, size_t rows, size_t group,
                    struct fold_part *part, struct error *e)
{
    const struct fold *fold = fold_of(s->job->folds, group);
    struct folder *folder = folder_of(&s->folders, s->job, group);
    struct fold_piece *piece = &part->piece[group];
    const bool is_indexed = s->job->reading->chunker->is_indexed;
    struct error why;
    part->rows = rows;
    part->folders = &s->folders;
    if (!part->has_trees)
        return fold_load(fold, column, 0, rows, &piece->values, e);
    for (size_t at = 0; at < rows; at += FOLD_BLOCK) {
        const size_t left = rows - at;
        if (!fold_load(fold, column, at, left < FOLD_BLOCK ? left : FOLD_BLOCK,
                       &s->values, &why) ||
            !fold_tree_add(&piece->tree, folder, is_indexed ? chunk->first : 0,
                           &s->values, &why)) {
            *e = why;
            return is_indexed
                       ? false
                       : error_set(e, why.kind,
                                   "counted from line %" PRIu64 " on, %.2000s",
                                   chunk->line, why.text);
        }
    }
    return true;
}

struct fold_run *fold_run_open(const struct job *job, struct error *e)
{
    const size_t groups = job_groups(job);
    struct fold_run *r = calloc(1, sizeof *r + groups * sizeof r->total[0]);
    if (!r)
        return error_memory(e);
    r->job = job;
    if (open_folders(&r->folders, job->folds, e))
        return r;
    free(r);
    return NULL;
}

void fold_run_close(struct fold_run *r)
{
    if (!r)
        return;
    for (struct fold_part *p = r->late, *next; p; p = next) {
        next = p->next;
        fold_part_free(p);
    }
    for (size_t g = 0; g < job_groups(r->job); g++)
        fold_tree_free(&r->total[g].tree);
    close_folders(&r->folders);
    free(r);
}

/* Combines the partial of a chunk with those of others, in any order. */
static bool add_any(struct fold_total *total, struct folder *folder,
                    const struct fold_tree *tree, struct error *e)
{
    struct expr_value value;
    if (tree->nodes == 0)
        return true;
    if (!fold_tree_value(tree, folder, &value, e) ||
        (total->has_value &&
         !fold_combine(folder, &total->value, &value, &value, e)))
        return false;
    total->has_value = true;
    total->value = value;
    return true;
}

void fold_run_place(struct fold_run *r, struct fold_part *part,
                    uint64_t sequence)
{
    part->sequence = sequence;
    part->first = r->rows;
    r->rows += part->rows;
}

bool fold_part_has_values(const struct fold_part *part)
{
    return !part->has_trees;
}

const struct folders *fold_part_folders(const struct fold_part *part)
{
    return part->folders;
}

const struct folders *fold_run_folders(const struct fold_run *run)
{
    return &run->folders;
}

bool fold_part_combine(struct fold_part *part, const struct folders *folders,
                       struct error *e)
{
    bool ok = true;
    for (size_t g = 0; ok && g < part->groups; g++) {
        struct fold_piece *piece = &part->piece[g];
        ok = fold_tree_add(&piece->tree, folder_of(folders, part->job, g),
                           part->first, &piece->values, e);
        fold_values_free(&piece->values);
    }
    part->has_trees = true;
    return ok;
}

static bool append(struct fold_run *r, const struct fold_part *part,
                   struct error *e)
{
    const bool any_order =
        r->job->folds->any_order && !r->job->reading->chunker->is_indexed;
    bool ok = true;
    for (size_t g = 0; ok && g < part->groups; g++) {
        struct fold_total *total = &r->total[g];
        const struct fold_tree *tree = &part->piece[g].tree;
        struct folder *folder = folder_of(&r->folders, r->job, g);
        ok = any_order ? add_any(total, folder, tree, e)
                       : fold_tree_append(&total->tree, folder, tree, e);
    }
    r->appended += part->rows;
    return ok;
}

bool fold_run_append(struct fold_run *r, struct fold_part *part,
                     uint64_t *sequence, struct error *e)
{
    struct fold_part **at = &r->late;
    bool ok = true;
    if (part->rows == 0) { /* else the next part has the same first row */
        fold_part_free(part);
        return true;
    }
    while (*at && (*at)->first < part->first)
        at = &(*at)->next;
    part->next = *at;
    *at = part;
    while (ok && r->late && r->late->first == r->appended) {
        struct fold_part *first = r->late;
        r->late = first->next;
        *sequence = first->sequence;
        ok = append(r, first, e);
        fold_part_free(first);
    }
    return ok;
}

bool fold_run_finish(struct fold_run *r, struct states *states, struct error *e)
{
    const size_t groups = job_groups(r->job);
    states->folded = calloc(groups + 1, sizeof *states->folded);
    bool ok = states->folded || error_memory(e);
    for (size_t g = 0; ok && g < groups; g++) {
        const struct fold_total *total = &r->total[g];
        struct expr_value value = total->value;
        ok = total->has_value ||
             fold_tree_value(&total->tree, folder_of(&r->folders, r->job, g),
                             &value, e);
        if (ok)
            states->folded[g] = fold_result(&value);
    }
    return ok;
}
