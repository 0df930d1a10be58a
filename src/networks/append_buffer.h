/* SPDX-License-Identifier: MIT
 *
 * append_buffer.h - a list of nodes to which several threads append. Each thread reserves room for one buffer of nodes
 * at a time, so the threads seldom write to the same shared counter.
 */
#pragma once

#include <stdint.h>
#include <string.h>

enum { TC_APPEND_NODES = 128 };

/* The state of one thread. Initialise it as {.list = ..., .ends = ...}: the list, and the number of nodes in it, a
 * count that is atomic while threads append. */
typedef struct tc_append_buffer {
    int32_t *list, *ends;
    int count;
    int32_t node[TC_APPEND_NODES];
} tc_append_buffer;

/* Appends the nodes that are still in the thread's buffer. */
static inline void tc_append_flush(tc_append_buffer *h)
{
    const int32_t at = __atomic_fetch_add(h->ends, h->count, __ATOMIC_RELAXED);
    memcpy(h->list + at, h->node, (size_t)h->count * sizeof *h->node);
    h->count = 0;
}

static inline void tc_append_node(tc_append_buffer *h, int32_t v)
{
    if (h->count == TC_APPEND_NODES) tc_append_flush(h);
    h->node[h->count++] = v;
}
