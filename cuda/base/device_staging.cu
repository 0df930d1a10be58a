/* SPDX-License-Identifier: MIT */
#include "device_staging.cuh"

#include <algorithm>
#include <string.h>

extern "C" {
#include "parallel.h"
}

tilecut_status staging_init(device_staging *s)
{
    for (cudaEvent_t &event : s->copied) CUDA_NEED(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    return TILECUT_OK;
}

void staging_free(device_staging *s)
{
    for (cudaEvent_t event : s->copied)
        if (event) (void)cudaEventDestroy(event);
    if (s->memory) (void)cudaFreeHost(s->memory);
    *s = {};
}

void staging_reserve(device_staging *s, size_t bytes)
{
    const size_t unit = (size_t)1 << 18, each = std::min(bytes, (size_t)STAGING_MOST) / STAGING_PIECES;
    const size_t room = (each + unit) / unit * unit;
    if (room <= s->room) return;
    if (s->memory) (void)cudaFreeHost(s->memory);
    s->memory = NULL, s->room = 0;
    if (cudaMallocHost(&s->memory, STAGING_PIECES * room) == cudaSuccess) s->room = room;
    else (void)cudaGetLastError();
}

/* Queues the copy of the next piece. */
static tilecut_status copy_piece(device_staging *s, void *to, const void *from, size_t bytes)
{
    CUDA_NEED(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, s->stream));
    CUDA_NEED(cudaEventRecord(s->copied[s->next], s->stream));
    s->next = (s->next + 1) % STAGING_PIECES;
    return TILECUT_OK;
}

/* Rows that are packed by several threads. */
typedef struct packing {
    char *to;
    const char *from;
    size_t stride, bytes, rows, each; /* each: rows that one turn packs */
} packing;

static void pack_some(void *context, int turn)
{
    const packing *const p = (const packing *)context;
    const size_t first = (size_t)turn * p->each, end = std::min(first + p->each, p->rows);
    for (size_t y = first; y < end; y++) memcpy(p->to + y * p->bytes, p->from + y * p->stride, p->bytes);
}

static void pack(int threads, const packing *p)
{
    const int turns = (int)((p->rows + p->each - 1) / p->each);
    if (p->stride == p->bytes) tc_parallel_copy(threads, p->to, p->from, p->rows * p->bytes);
    else tc_parallel(tc_threads_for(threads, turns, 4), turns, pack_some, (void *)p);
}

tilecut_status staging_send(device_staging *s, void *to, const void *from, size_t stride, size_t bytes, size_t rows)
{
    const bool gaps = stride != bytes;
    const size_t unit = gaps ? bytes : 1, count = gaps ? rows : bytes * rows; /* copied in pieces of whole units */
    const size_t step = gaps ? stride : 1, each = std::max((size_t)1, ((size_t)1 << 16) / unit);
    for (size_t at = 0, some; at < count; at += some) {
        char *const piece = s->memory + (size_t)s->next * s->room;
        some = std::min(s->room / unit, count - at);
        const packing p = {piece, (const char *)from + at * step, step, unit, some, each};
        CUDA_NEED(cudaEventSynchronize(s->copied[s->next]));
        pack(s->threads, &p);
        NEED(copy_piece(s, (char *)to + at * unit, piece, some * unit));
    }
    return TILECUT_OK;
}

/* The copies of all pieces are queued ahead; the host empties them in turn. */
tilecut_status staging_receive(device_staging *s, void *to, const void *from, size_t bytes)
{
    size_t asked = 0, got = 0;
    for (int i = s->next; got < bytes; i = (i + 1) % STAGING_PIECES) {
        for (size_t some; asked < bytes && asked < got + STAGING_PIECES * s->room; asked += some) {
            some = std::min(s->room, bytes - asked);
            NEED(copy_piece(s, s->memory + (size_t)s->next * s->room, (const char *)from + asked, some));
        }
        const size_t some = std::min(s->room, bytes - got);
        CUDA_NEED(cudaEventSynchronize(s->copied[i]));
        tc_parallel_copy(s->threads, (char *)to + got, s->memory + (size_t)i * s->room, some);
        got += some;
    }
    return TILECUT_OK;
}
