/* SPDX-License-Identifier: MIT */
#include "progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine.h"

void progress_init(progress *p, int total, bool quiet)
{
    const char *const terminal = getenv("TERM");
    *p = (progress){.total = total, .start_ms = machine_ms()};
    p->wanted = !quiet && total > 1 && isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb");
}

void progress_show(progress *p, int finished)
{
    enum { WIDTH = 24, PAUSE_MS = 100 };
    static const char full[] = "########################", none[] = "........................";
    const double now = machine_ms(), seconds = (now - p->start_ms) / 1e3;
    if (!p->wanted || (now - p->last_ms < PAUSE_MS && finished < p->total)) return;
    const int filled = (int)((double)finished / p->total * WIDTH);
    const double rate = seconds > 0 ? finished / seconds : 0;
    fprintf(stderr, "\r[%.*s%.*s] %d of %d", filled, full, WIDTH - filled, none, finished, p->total);
    if (rate > 0 && finished < p->total)
        fprintf(stderr, ", %.1f images/s, %.0f s left  ", rate, (p->total - finished) / rate);
    fputs("\033[K", stderr);
    fflush(stderr);
    p->last_ms = now;
    p->shown = true;
}

void progress_clear(progress *p)
{
    if (p->shown) fputs("\r\033[K", stderr);
    p->shown = false;
}
