/* SPDX-License-Identifier: MIT
 *
 * exchange_threads.c - the exchange between threads of one process. Each thread publishes pointers to its data; between
 * two barriers it reads the data of others, or writes its share of the result.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_device.h"
#include "cuda_parts.h"
#include "parallel.h"
#include "status.h"
#include "tilecut_parts.h"

typedef struct shared shared;

typedef struct slot {
    shared *in;
    int number;
    int64_t *values;              /* valid during sum_values() */
    const void *to_above, *to_below; /* valid during swap_rows() and swap_there() */
} slot;

enum { MOST_DEVICES = 64 };

struct shared {
    uint64_t reach[MOST_DEVICES]; /* by device, a bit for each device whose memory this exchange has made accessible to
                                     it */
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    int parts, arrived;
    unsigned turn;
    bool left; /* true: a part has failed */
    slot slots[];
};

/* A barrier: waits for all parts. Returns 1 if one has failed, else 0. */
static int meet(shared *r)
{
    pthread_mutex_lock(&r->mutex);
    const unsigned turn = r->turn;
    if (++r->arrived == r->parts) {
        r->arrived = 0;
        r->turn++;
        pthread_cond_broadcast(&r->changed);
    }
    while (r->turn == turn && !r->left) pthread_cond_wait(&r->changed, &r->mutex);
    /* if all parts have arrived, the barrier has succeeded, even if a part has failed since */
    const int left = r->turn == turn;
    pthread_mutex_unlock(&r->mutex);
    return left;
}

/* Sums `count` values over all parts: each part sums its share of them, and writes the sums to all. */
static int sum_values(void *context, int64_t *values, size_t count)
{
    slot *const own = context;
    shared *const r = own->in;
    const size_t parts = (size_t)r->parts, number = (size_t)own->number;
    const size_t first = count * number / parts, end = count * (number + 1) / parts;

    own->values = values;
    if (meet(r)) return 1;
    for (size_t k = first; k < end; k++) {
        int64_t all = 0;
        for (size_t i = 0; i < parts; i++) all += r->slots[i].values[k];
        for (size_t i = 0; i < parts; i++) r->slots[i].values[k] = all;
    }
    return meet(r);
}

/* Publishes pointers to the rows to send, and waits until all parts have done so. */
static int show(slot *own, const void *to_above, const void *to_below)
{
    own->to_above = to_above;
    own->to_below = to_below;
    return meet(own->in);
}

static int swap_rows(void *context, const void *to_above, const void *to_below, void *from_above, void *from_below,
                size_t bytes)
{
    slot *const own = context;
    shared *const r = own->in;

    if (show(own, to_above, to_below)) return 1;
    if (own->number > 0 && from_above) memcpy(from_above, own[-1].to_below, bytes);
    if (own->number + 1 < r->parts && from_below) memcpy(from_below, own[1].to_above, bytes);
    return meet(r);
}

/* Lets the device of `to` access the memory of the device of `from`, if it can and does not do so yet. If it cannot,
 * rows go through the host. */
static void let_reach(shared *r, const void *to, const void *from)
{
    int to_device, from_device;
    if (tc_cuda_device_of(to, "what is received is", &to_device)) return;
    if (tc_cuda_device_of(from, "what is sent is", &from_device)) return;
    if (to_device == from_device || to_device >= MOST_DEVICES || from_device >= MOST_DEVICES ||
        !tc_cuda_reaches(to_device, from_device))
        return;
    pthread_mutex_lock(&r->mutex);
    if (!(r->reach[to_device] >> from_device & 1)) tc_cuda_reach(to_device, from_device);
    r->reach[to_device] |= (uint64_t)1 << from_device;
    pthread_mutex_unlock(&r->mutex);
}

static tilecut_status copy_across(shared *r, void *to, const void *from, size_t bytes)
{
    let_reach(r, to, from);
    return tc_cuda_copy_across(to, from, bytes);
}

/* Does the same as swap_rows(), for rows in the memory of devices: each part copies the rows sent to it. Returns -1 if
 * that fails. */
static int swap_there(void *context, const void *to_above, const void *to_below, void *from_above, void *from_below,
                      size_t bytes)
{
    slot *const own = context;
    shared *const r = own->in;
    bool good = true;

    if (show(own, to_above, to_below)) return 1;
    if (own->number > 0) good = copy_across(r, from_above, own[-1].to_below, bytes) == TILECUT_OK;
    if (good && own->number + 1 < r->parts) good = copy_across(r, from_below, own[1].to_above, bytes) == TILECUT_OK;
    return good ? meet(r) : -1;
}

static void leave_threads(void *context)
{
    shared *const r = ((slot *)context)->in;
    pthread_mutex_lock(&r->mutex);
    r->left = true;
    pthread_cond_broadcast(&r->changed);
    pthread_mutex_unlock(&r->mutex);
}

tilecut_status tilecut_exchange_threads(tilecut_exchange **exchanges, int parts)
{
    if (!exchanges) return tc_fail(TILECUT_EINVAL, "exchanges is NULL");
    *exchanges = NULL;
    if (parts < 1 || parts > TC_MAX_THREADS)
        return tc_fail(TILECUT_EINVAL, "parts is %d; 1 to %d are possible", parts, TC_MAX_THREADS);
    shared *const r = calloc(1, sizeof *r + (size_t)parts * sizeof *r->slots);
    tilecut_exchange *const all = calloc((size_t)parts, sizeof *all);
    if (!r || !all) {
        free(r);
        free(all);
        return tc_fail(TILECUT_ENOMEM, "no memory for %d parts to meet", parts);
    }
    pthread_mutex_init(&r->mutex, NULL);
    pthread_cond_init(&r->changed, NULL);
    r->parts = parts;
    for (int i = 0; i < parts; i++) {
        r->slots[i] = (slot){.in = r, .number = i};
        all[i] = (tilecut_exchange){sizeof *all,   i,          parts, &r->slots[i], sum_values, swap_rows,
                                    leave_threads, swap_there, 1};
    }
    *exchanges = all;
    return TILECUT_OK;
}

void tilecut_exchange_free(tilecut_exchange *exchanges)
{
    if (!exchanges) return;
    shared *const r = ((slot *)exchanges[0].context)->in;
    for (int to_device = 0; to_device < MOST_DEVICES; to_device++)
        for (int from_device = 0; from_device < MOST_DEVICES; from_device++)
            if (r->reach[to_device] >> from_device & 1) tc_cuda_reach_no_more(to_device, from_device);
    pthread_cond_destroy(&r->changed);
    pthread_mutex_destroy(&r->mutex);
    free(r);
    free(exchanges);
}

/* ---- With NCCL around it ----------------------------------------------------------------------- */

tilecut_status tilecut_exchange_nccl(tilecut_exchange **exchanges, const int *devices, int parts)
{
    tilecut_status status = TILECUT_OK;
    tilecut_exchange *inner = NULL;
    if (!exchanges || !devices) return tc_fail(TILECUT_EINVAL, "exchanges or devices is NULL");
    *exchanges = NULL;
    TRY(tilecut_exchange_threads(&inner, parts));
    TRY(tc_cuda_nccl_open(inner, devices, parts, exchanges));
    inner = NULL;
done:
    tilecut_exchange_free(inner);
    return status;
}

void tilecut_exchange_nccl_free(tilecut_exchange *exchanges)
{
    if (exchanges) tilecut_exchange_free(tc_cuda_nccl_close(exchanges));
}
