/* SPDX-License-Identifier: MIT
 *
 * decisions.c - tilecut_decisions(): the decisions of `hybrid` in the last solve of a thread.
 */
#include <string.h>

#include "solver.h"

static _Thread_local tilecut_decision last[TILECUT_DECISIONS];
static _Thread_local int lasts;

void tc_decisions_keep(const tc_solve_stats *stats)
{
    lasts = stats->decisions;
    memcpy(last, stats->decision, (size_t)lasts * sizeof *last);
}

int tilecut_decisions(tilecut_decision *out, int most)
{
    const int count = lasts < most ? lasts : most;
    if (out && count > 0) memcpy(out, last, (size_t)count * sizeof *last);
    return lasts;
}
