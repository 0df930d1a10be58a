/* SPDX-License-Identifier: MIT
 *
 * region_turns.h - assigns regions to threads so that no two threads are in the same region or in neighbouring ones
 * (net_regions.h). Of the free regions with work, the one farthest from the sink is taken first. A thread that finds no
 * region spins for a while and then sleeps, so there may be more threads than processors.
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "net_regions.h"

enum { TC_TURN_WORDS = TC_MOST_REGIONS / 64 };

typedef struct tc_region_turns {
    int count;                     /* number of regions                                       */
    uint64_t work[TC_TURN_WORDS];  /* a bit for each region, set if it has work               */
    uint64_t taken[TC_TURN_WORDS]; /* a bit for each region, set if a thread is in it         */
    int busy;                      /* number of threads in regions; may be read without the lock */
    int sleepers;                  /* number of threads that wait                             */
    bool over;                     /* true: no thread takes another region                    */
    unsigned changes;              /* how many times a region was given back; atomic          */
    pthread_mutex_t lock;          /* protects all of these fields                            */
    pthread_cond_t more;
} tc_region_turns;

/* The report of a thread about the region that it leaves. */
typedef struct tc_region_left {
    int index;            /* the region in which it was; -1: none                             */
    bool work;            /* true: the region `index` still has work                          */
    bool nearer, further; /* the neighbouring region on that side has work */
    bool over;            /* true: no thread may take another region */
} tc_region_left;

void tc_region_turns_init(tc_region_turns *turns, int count);
void tc_region_turns_free(tc_region_turns *turns);

static inline void tc_region_set(uint64_t *bits, int index, bool on)
{
    const uint64_t bit = UINT64_C(1) << index % 64;
    if (on) bits[index / 64] |= bit;
    else bits[index / 64] &= ~bit;
}

/* Gives a region back and takes another one. Returns -1 if no region has work, or if `over` is set. */
int tc_region_next(tc_region_turns *turns, const tc_region_left *left);
