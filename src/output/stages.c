/* SPDX-License-Identifier: MIT */
#include "output/stages.h"

static const char *const names[STAGES_END] = {
    [STAGE_START_UP] = "start-up", [STAGE_READ] = "read",
    [STAGE_INFLATE] = "inflate",   [STAGE_COPY] = "copy",
    [STAGE_DECODE] = "decode",     [STAGE_REDUCE] = "reduce",
    [STAGE_MERGE] = "merge",
};

static void print_row(FILE *to, const char *name, double busy, double wall,
                      uint64_t bytes)
{
    fprintf(to, "%-8s %10.4f", name, busy);
    if (wall > 0)
        fprintf(to, " %8.2f", busy / wall);
    else
        fprintf(to, " %8s", "");
    if (bytes > 0 && busy > 0)
        fprintf(to, " %9.2f", 1e-9 * (double)bytes / busy);
    fputc('\n', to);
}

void stages_print(FILE *to, const struct meter *meter, double wall,
                  uint64_t bytes)
{
    fprintf(to, "%-8s %10s %8s %9s\n", "stage", "busy s", "threads", "GB/s");
    for (int s = 0; s < STAGES_END; s++) {
        double busy = 1e-9 * (double)meter->ns[s];
        if (busy > 0)
            print_row(to, names[s], busy, wall, meter->bytes[s]);
    }
    print_row(to, "wall", wall, 0, bytes);
}

void stages_clear(struct meter *meter)
{
    for (int s = 0; s < STAGES_END; s++)
        meter->ns[s] = meter->bytes[s] = 0;
}
