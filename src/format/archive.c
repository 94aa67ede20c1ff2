/* SPDX-License-Identifier: MIT */
/* Looks at a zip archive: the input becomes one member, or all members if they
 * are arrays. */
#include "format/compression.h"
#include "format/foreign.h"
#include "format/pack.h"
#include "source/io.h"
#include "source/compressed/zip.h"

/* Refuses archives that have no data to reduce, such as workbooks. */
static bool check_archive(const struct input *input, struct error *e)
{
    unsigned char head[512];
    size_t have;
    if (input->member || input->settings->format)
        return true;
    if (!io_pread(input->fd, head, sizeof head, input->offset, &have))
        return error_errno(e, input->name, "cannot be read");
    const struct foreign *foreign = foreign_find(head, have, false);
    return !foreign || foreign_refuse(foreign, input, e);
}

/* Makes a pack of the arrays of an .npz archive, if it has several, or of those
 * that a pattern chooses. */
static bool look_arrays(struct input *input, struct error *e)
{
    struct zip_list *list =
        zip_list_open(input->fd, input->offset, input->bytes, input->name, e);
    if (!list)
        return false;
    if (zip_list_count(list) <= (input->member ? 0 : 1) ||
        !pack_are_arrays(list)) {
        zip_list_free(list);
        return true;
    }
    input->pack = pack_of_members(list, e);
    return input->pack &&
           pack_select(input->pack, input->member, input_file(input), e);
}

static bool find_member(const struct input *input, struct zip_member *member,
                        struct error *e)
{
    if (input->listed)
        return zip_list_member(input->whole->pack->list, input->listed->member,
                               input->fd, member, e);
    return zip_find(input->fd, input->offset, input->bytes, input->member,
                    input->name, member, e);
}

bool archive_look(struct input *input, struct error *e)
{
    struct zip_member member;
    /* A pipe cannot be read from its end, where an archive has its
     * directory. */
    if (!input->regular)
        return error_named(e, ERROR_USAGE, input->name,
                           "a zip or .npz archive cannot be read from a "
                           "pipe\nGive it as a file.");
    if (!check_archive(input, e) ||
        (!input->whole && pack_is_pattern(input->member) &&
         !look_arrays(input, e)))
        return false;
    if (input->pack)
        return true;
    if (!find_member(input, &member, e))
        return false;
    input->form = member.form;
    input->packed_offset = member.form.offset;
    input->packed_bytes = member.packed;
    input->bytes = member.form.bytes;
    input->inside = member.name;
    /* A member that is not compressed is read as a part of the file. */
    if (member.form.kind == UNPACK_STORED)
        input->offset = member.form.offset;
    return true;
}
