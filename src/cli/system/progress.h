/* SPDX-License-Identifier: MIT
 *
 * progress.h - a line on the terminal that shows the progress of a batch. Nothing is shown if standard error is not a
 * terminal, or is one that cannot return to the start of a line.
 */
#pragma once

#include <stdbool.h>

typedef struct progress {
    bool shown;       /* true: the line is on the terminal at present */
    bool wanted;
    int total;
    double start_ms, last_ms;
} progress;

void progress_init(progress *p, int total, bool quiet);
void progress_show(progress *p, int finished); /* draws the line, at most ten times a second */
void progress_clear(progress *p);              /* call it before anything else is printed, and at the end */
