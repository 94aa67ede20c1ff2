/* SPDX-License-Identifier: MIT */
#include "output/sink.h"

static const char prefix[] = "gpureduce: ";

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
    fprintf(sink_hold(sink), "%s%s\n", prefix, text);
    sink_resume(sink);
}

void sink_notes(struct sink *sink)
{
    if (sink->quiet)
        return;
    notes_print(&sink->notes, sink_hold(sink), prefix);
    sink_resume(sink);
}
