/* SPDX-License-Identifier: MIT
 *
 * frontier_buffers.h - messages between threads that search a network level by level. Every node has an owner, the only
 * thread that writes the node's label. A thread that finds a slot to a node of another owner puts the node into a
 * buffer for that owner (as in searches on machines without shared memory: Buluc & Madduri 2011). In each round every
 * thread sends one buffer to every other, even if it is empty. So no barrier is needed: a thread that has received all
 * buffers of a round begins the next one.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* TC_FRONTIER_BLOCK: how many consecutive nodes have the same owner: a cache line */
enum { TC_FRONTIER_THREADS = 32, TC_FRONTIER_BLOCK = 16 };

enum { TC_FRONTIER_NODES = 63 };

/* The message that a thread sends to all others about the level from which it searches, after filling its buffers. */
typedef struct tc_frontier_message {
    unsigned round; /* atomic: the round in which it was sent                                           */
    int32_t lacks;  /* by how much the labels of its nodes are too low, if it is the same for all; DIFFER or NONE of
                       net_relabel.c */
    bool any;       /* true: the sender has nodes of this level                                         */
    bool more;      /* true: the level needs another round                                              */
    bool slow;      /* true: threads wait for each other so long that one thread should do the rest     */
    char apart[53]; /* padding: other threads poll a message, so it has a cache line of its own         */
} tc_frontier_message;

typedef struct tc_frontier_buffer {
    int32_t count;
    int32_t head[TC_FRONTIER_NODES];
} tc_frontier_buffer;

typedef struct tc_frontier_buffers {
    int threads;               /* at most TC_FRONTIER_THREADS and a power of two */
    unsigned round;            /* the present round                              */
    tc_frontier_buffer *box;   /* [2][threads][threads] buffers of even and odd rounds, by sender and owner */
    tc_frontier_message *news; /* [2][threads] messages of even and odd rounds, by sender */
} tc_frontier_buffers;

/* Returns false if there is no memory. */
bool tc_frontier_init(tc_frontier_buffers *mail, int threads);
void tc_frontier_free(tc_frontier_buffers *mail);

static inline tc_frontier_buffer *tc_frontier_buffer_of(const tc_frontier_buffers *m, unsigned round, int sender,
                                                       int owner)
{
    return &m->box[((int)(round % 2) * m->threads + sender) * m->threads + owner];
}

static inline tc_frontier_message *tc_frontier_message_of(const tc_frontier_buffers *m, unsigned round, int sender)
{
    return &m->news[(int)(round % 2) * m->threads + sender];
}

/* Sends the message and all buffers of a round. */
static inline void tc_frontier_send(tc_frontier_message *to, unsigned round, const tc_frontier_message *news)
{
    to->lacks = news->lacks;
    to->any = news->any;
    to->more = news->more;
    to->slow = news->slow;
    __atomic_store_n(&to->round, round, __ATOMIC_RELEASE);
}

/* Waits for the message and buffers that another thread sends in `round`. Returns true if that took long. */
bool tc_frontier_wait(const tc_frontier_message *news, unsigned round);

/* The length of the queue of one owner: all nodes that it has, and one entry past the end. */
static inline int32_t tc_frontier_share(int32_t nodes, int threads)
{
    const int64_t blocks = ((int64_t)nodes - 1) / TC_FRONTIER_BLOCK + 1;
    return (int32_t)((blocks - 1) / threads + 2) * TC_FRONTIER_BLOCK;
}

/* The length of the queues of all owners together, however many of the threads come. */
static inline size_t tc_frontier_room(int32_t nodes)
{
    return (size_t)nodes + (size_t)(2 * TC_FRONTIER_THREADS + 1) * TC_FRONTIER_BLOCK;
}
