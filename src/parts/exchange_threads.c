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

typedef struct room room;

typedef struct seat {
    room *in;
    int number;
    int64_t *values;              /* valid during sum() */
    const void *to_above, *to_below; /* valid during swap() and swap_there() */
} seat;

enum { MOST_DEVICES = 64 };

struct room {
    uint64_t reach[MOST_DEVICES]; /* by device, a bit for each device whose memory this exchange let it access */
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    int parts, arrived;
    unsigned turn;
    bool left; /* whether a part has failed */
    seat seats[];
};

/* A barrier: waits for all parts. Returns 1 if one has failed, else 0. */
static int meet(room *r)
{
    pthread_mutex_lock(&r->mutex);
    const unsigned turn = r->turn;
    if (++r->arrived == r->parts) {
        r->arrived = 0;
        r->turn++;
        pthread_cond_broadcast(&r->changed);
    }
    while (r->turn == turn && !r->left) pthread_cond_wait(&r->changed, &r->mutex);
    const int left = r->turn == turn; /* once all have arrived the barrier counts, even if one has failed since */
    pthread_mutex_unlock(&r->mutex);
    return left;
}

/* Sums `count` values over all parts: each part sums its share of them, and writes the sums to all. */
static int sum(void *context, int64_t *values, size_t count)
{
    seat *const own = context;
    room *const r = own->in;
    const size_t parts = (size_t)r->parts, number = (size_t)own->number;
    const size_t first = count * number / parts, end = count * (number + 1) / parts;

    own->values = values;
    if (meet(r)) return 1;
    for (size_t k = first; k < end; k++) {
        int64_t all = 0;
        for (size_t i = 0; i < parts; i++) all += r->seats[i].values[k];
        for (size_t i = 0; i < parts; i++) r->seats[i].values[k] = all;
    }
    return meet(r);
}

/* Publishes the rows to send, and waits until all parts have done so. */
static int show(seat *own, const void *to_above, const void *to_below)
{
    own->to_above = to_above;
    own->to_below = to_below;
    return meet(own->in);
}

static int swap(void *context, const void *to_above, const void *to_below, void *from_above, void *from_below,
                size_t bytes)
{
    seat *const own = context;
    room *const r = own->in;

    if (show(own, to_above, to_below)) return 1;
    if (own->number > 0 && from_above) memcpy(from_above, own[-1].to_below, bytes);
    if (own->number + 1 < r->parts && from_below) memcpy(from_below, own[1].to_above, bytes);
    return meet(r);
}

/* Lets the device of `to` access the memory of the device of `from`, if it can and does not yet. If it cannot, rows go
 * through the host. */
static void reach(room *r, const void *to, const void *from)
{
    int here, there;
    if (tc_cuda_device_of(to, "what is received is", &here)) return;
    if (tc_cuda_device_of(from, "what is sent is", &there)) return;
    if (here == there || here >= MOST_DEVICES || there >= MOST_DEVICES || !tc_cuda_reaches(here, there)) return;
    pthread_mutex_lock(&r->mutex);
    if (!(r->reach[here] >> there & 1)) tc_cuda_reach(here, there);
    r->reach[here] |= (uint64_t)1 << there;
    pthread_mutex_unlock(&r->mutex);
}

static tilecut_status take_across(room *r, void *to, const void *from, size_t bytes)
{
    reach(r, to, from);
    return tc_cuda_copy_across(to, from, bytes);
}

/* Like swap(), for rows in the memory of devices: each part copies the rows sent to it. Returns -1 if that fails. */
static int swap_there(void *context, const void *to_above, const void *to_below, void *from_above, void *from_below,
                      size_t bytes)
{
    seat *const own = context;
    room *const r = own->in;
    bool good = true;

    if (show(own, to_above, to_below)) return 1;
    if (own->number > 0) good = take_across(r, from_above, own[-1].to_below, bytes) == TILECUT_OK;
    if (good && own->number + 1 < r->parts) good = take_across(r, from_below, own[1].to_above, bytes) == TILECUT_OK;
    return good ? meet(r) : -1;
}

static void leave(void *context)
{
    room *const r = ((seat *)context)->in;
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
    room *const r = calloc(1, sizeof *r + (size_t)parts * sizeof *r->seats);
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
        r->seats[i] = (seat){.in = r, .number = i};
        all[i] = (tilecut_exchange){sizeof *all, i, parts, &r->seats[i], sum, swap, leave, swap_there, 1};
    }
    *exchanges = all;
    return TILECUT_OK;
}

void tilecut_exchange_free(tilecut_exchange *exchanges)
{
    if (!exchanges) return;
    room *const r = ((seat *)exchanges[0].context)->in;
    for (int here = 0; here < MOST_DEVICES; here++)
        for (int there = 0; there < MOST_DEVICES; there++)
            if (r->reach[here] >> there & 1) tc_cuda_reach_no_more(here, there);
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
