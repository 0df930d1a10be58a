/* SPDX-License-Identifier: MIT */
#include "job_part_turns.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

struct turn_slot {
    turns *in;
    const tilecut_exchange *inner;
    tilecut_exchange outer;
    spill *room;
};

struct turns {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool taken; /* true while a part has its turn */
    int parts;
    turn_slot slots[];
};

/* ---- Turns ------------------------------------------------------------------------------------ */

void turn_slot_begin(turn_slot *own)
{
    turns *const all = own->in;
    pthread_mutex_lock(&all->mutex);
    while (all->taken) pthread_cond_wait(&all->changed, &all->mutex);
    all->taken = true;
    pthread_mutex_unlock(&all->mutex);
}

void turn_slot_end(turn_slot *own)
{
    turns *const all = own->in;
    spill_rest(own->room);
    pthread_mutex_lock(&all->mutex);
    all->taken = false;
    pthread_cond_signal(&all->changed);
    pthread_mutex_unlock(&all->mutex);
}

static int sum(void *context, int64_t *values, size_t count)
{
    turn_slot *const own = context;
    turn_slot_end(own);
    const int left = own->inner->sum(own->inner->context, values, count);
    turn_slot_begin(own);
    return left;
}

static int swap(void *context, const void *to_above, const void *to_below, void *from_above, void *from_below,
                size_t bytes)
{
    turn_slot *const own = context;
    turn_slot_end(own);
    const int left = own->inner->swap(own->inner->context, to_above, to_below, from_above, from_below, bytes);
    turn_slot_begin(own);
    return left;
}

static void leave(void *context)
{
    const turn_slot *const own = context;
    own->inner->leave(own->inner->context);
}

/* ---- All of them ------------------------------------------------------------------------------ */

int turns_open(turns **out, const tilecut_exchange *inner, const char *output, failure *why)
{
    const int parts = inner->parts;
    turns *const all = calloc(1, sizeof *all + (size_t)parts * sizeof *all->slots);
    *out = NULL;
    if (!all) return fail(why, EXIT_RESOURCES, "not enough memory for %d parts", parts);
    pthread_mutex_init(&all->mutex, NULL);
    pthread_cond_init(&all->changed, NULL);
    for (; all->parts < parts; all->parts++) {
        turn_slot *const own = &all->slots[all->parts];
        *own = (turn_slot){.in = all, .inner = &inner[all->parts],
                           .outer = {sizeof own->outer, all->parts, parts, own, sum, swap, leave, NULL, 0}};
        if (spill_open(&own->room, output, why) == EXIT_DONE) continue;
        turns_close(all);
        return why->status;
    }
#ifdef __GLIBC__
    (void)mallopt(M_MMAP_THRESHOLD, 1 << 16); /* memory that a part frees must become free for the others */
    (void)mallopt(M_ARENA_MAX, 2);
#endif
    *out = all;
    return EXIT_DONE;
}

void turns_close(turns *all)
{
    if (!all) return;
    for (int i = 0; i < all->parts; i++) spill_close(all->slots[i].room);
    pthread_cond_destroy(&all->changed);
    pthread_mutex_destroy(&all->mutex);
    free(all);
}

turn_slot *turns_slot(turns *all, int part)
{
    return &all->slots[part];
}

const tilecut_exchange *turn_slot_exchange(const turn_slot *own)
{
    return &own->outer;
}

spill *turn_slot_spill(const turn_slot *own)
{
    return own->room;
}
