/* SPDX-License-Identifier: MIT */
#include "output/sink.h"

#include "base/terminal.h"

/* Starts a line with the program's name in bold, and in red for an error. The
 * text after it has the terminal's own colours. */
static const char *prefix(FILE *to, bool is_error)
{
    if (!terminal_has_colour(fileno(to)))
        return "gpureduce: ";
    return is_error ? "\33[1;31mgpureduce:\33[0m " : "\33[1mgpureduce:\33[0m ";
}

void sink_error(FILE *to, const struct error *e)
{
    fprintf(to, "%s%s\n", prefix(to, true), e->text);
    if (e->kind == ERROR_USAGE)
        fputs("Try 'gpureduce --help' for more information.\n", to);
}

FILE *sink_hold(struct sink *sink)
{
    progress_hold(&sink->bar);
    return sink->to;
}

void sink_resume(struct sink *sink)
{
    progress_resume(&sink->bar);
}

void sink_say(struct sink *sink, const char *text)
{
    if (sink->quiet)
        return;
    fprintf(sink_hold(sink), "%s%s\n", prefix(sink->to, false), text);
    sink_resume(sink);
}

void sink_notes(struct sink *sink)
{
    if (sink->quiet)
        return;
    notes_print(&sink->notes, sink_hold(sink), prefix(sink->to, false));
    sink_resume(sink);
}
