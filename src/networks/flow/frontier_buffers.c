/* SPDX-License-Identifier: MIT */
#include "frontier_buffers.h"

#include <stdlib.h>
#include <string.h>

#include "parallel.h"

bool tc_frontier_init(tc_frontier_buffers *m, int threads)
{
    enum { CACHE_LINE = 64 };
    int count = 1;
    while (2 * count <= threads && 2 * count <= TC_FRONTIER_THREADS) count *= 2;
    const size_t bytes = 2 * sizeof *m->box * (size_t)count * (size_t)count;
    const size_t news = 2 * sizeof *m->news * (size_t)count;
    *m = (tc_frontier_buffers){.threads = count, .box = aligned_alloc(CACHE_LINE, bytes),
                         .news = aligned_alloc(CACHE_LINE, news)};
    if (m->news) memset(m->news, 0, news);
    return m->box && m->news;
}

void tc_frontier_free(tc_frontier_buffers *m)
{
    free(m->box);
    free(m->news);
}

bool tc_frontier_wait(const tc_frontier_message *news, unsigned round)
{
    enum { LOOKS = 2000, EVERY = 64 };
    const double long_ms = 0.2;
    double begun = 0;
    for (int i = 0; __atomic_load_n(&news->round, __ATOMIC_ACQUIRE) != round; i++) {
        tc_spin_wait(i, LOOKS);
        if (i == EVERY) begun = tc_now_ms();
    }
    return begun > 0 && tc_now_ms() - begun > long_ms;
}
