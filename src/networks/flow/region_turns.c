/* SPDX-License-Identifier: MIT */
#include "region_turns.h"

#include "thread_pool.h"

void tc_region_turns_init(tc_region_turns *t, int count)
{
    *t = (tc_region_turns){.count = count};
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->more, NULL);
}

void tc_region_turns_free(tc_region_turns *t)
{
    pthread_mutex_destroy(&t->lock);
    pthread_cond_destroy(&t->more);
}

/* Takes the lock, which is held for about ten nanoseconds, less time than it takes to put a thread to sleep. */
static void lock(tc_region_turns *t)
{
    enum { LOOKS = 200 };
    for (int i = 0; i < LOOKS; i++) {
        if (!pthread_mutex_trylock(&t->lock)) return;
        tc_cpu_relax();
    }
    pthread_mutex_lock(&t->lock);
}

/* Returns the region with work that is farthest from the sink, among those that are neither taken nor next to a taken
 * one; -1 if there is none. */
static int furthest(const tc_region_turns *t)
{
    enum { LAST = 63 };
    for (int k = TC_TURN_WORDS - 1; k >= 0; k--) {
        const uint64_t taken = t->taken[k];
        const uint64_t from_below = k ? t->taken[k - 1] >> LAST : 0;
        const uint64_t from_above = k + 1 < TC_TURN_WORDS ? t->taken[k + 1] << LAST : 0;
        const uint64_t open = t->work[k] & ~(taken | taken << 1 | taken >> 1 | from_below | from_above);
        if (open) return 64 * k + LAST - __builtin_clzll(open);
    }
    return -1;
}

static void give_back(tc_region_turns *t, const tc_region_left *left)
{
    if (left->index < 0) return;
    tc_region_set(t->taken, left->index, false);
    tc_region_set(t->work, left->index, left->work);
    if (left->nearer) tc_region_set(t->work, left->index - 1, true);
    if (left->further) tc_region_set(t->work, left->index + 1, true);
    if (left->over) t->over = true;
    __atomic_fetch_sub(&t->busy, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&t->changes, 1, __ATOMIC_RELEASE);
}

static bool still(const tc_region_turns *t, unsigned changes)
{
    return __atomic_load_n(&t->changes, __ATOMIC_ACQUIRE) == changes;
}

/* Called with the lock held, and returns with it held. Spins before it sleeps, because most waits are shorter than
 * going to sleep. */
static void wait(tc_region_turns *t)
{
    enum { LOOKS = 1000, YIELDS = 50 };
    const unsigned changes = t->changes;
    pthread_mutex_unlock(&t->lock);
    for (int i = 0; i < LOOKS + YIELDS && still(t, changes); i++) tc_spin_wait(i, LOOKS);
    lock(t);
    if (!still(t, changes)) return;
    t->sleepers++;
    pthread_cond_wait(&t->more, &t->lock);
    t->sleepers--;
}

int tc_region_next(tc_region_turns *t, const tc_region_left *left)
{
    lock(t);
    give_back(t, left);
    int index = -1;
    while (!t->over && (index = furthest(t)) < 0 && t->busy) wait(t);
    if (index >= 0) {
        tc_region_set(t->taken, index, true);
        __atomic_fetch_add(&t->busy, 1, __ATOMIC_RELAXED);
    }
    const bool done = index < 0, more = !done && t->sleepers && furthest(t) >= 0;
    if (done && t->sleepers) pthread_cond_broadcast(&t->more);
    if (more) pthread_cond_signal(&t->more);
    pthread_mutex_unlock(&t->lock);
    return index;
}
