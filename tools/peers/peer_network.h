/* SPDX-License-Identifier: MIT
 *
 * peer_network.h - shared by the peers for graphs of any shape: reading the file that `tilecut bench` writes for them,
 * and computing the canonical cut from a library's flow. For C and C++.
 *
 * The file, in this machine's byte order: "TCNET 1\n"; eight 64-bit numbers: problem (1 flow, 2 matching, 3
 * assignment), nodes of the mask, nodes, arcs, rows, source, sink, 0; then tails and heads, 32 bits each; then values,
 * 64 bits each: capacities or costs. In bipartite problems tails are rows and heads are columns, each from 0.
 *
 * A peer prints the line of peer_report(): the flow, the number of pairs, or the cost. If it cannot solve an instance,
 * it prints a line that begins with "no: ".
 */
#ifndef PEER_NETWORK_H
#define PEER_NETWORK_H

#include "peer.h"

enum { PEER_FLOW = 1, PEER_MATCH = 2, PEER_ASSIGN = 3 };

typedef struct peer_network {
    int problem;
    int64_t told, nodes, arcs; /* told: number of nodes in the mask */
    int64_t rows, columns;     /* for bipartite problems */
    int64_t source, sink;
    int32_t *tail, *head;
    int64_t *value;
} peer_network;

static inline void *peer_take(const char *path, FILE *file, int64_t count, size_t size)
{
    void *data = malloc((size_t)count * size + 1);
    if (!data) peer_refuse(path, "no memory");
    if (fread(data, size, (size_t)count, file) != (size_t)count) peer_refuse(path, "ends early");
    return data;
}

static inline peer_network peer_network_read(const char *path)
{
    peer_network n;
    char magic[8];
    int64_t head[8];
    FILE *file = fopen(path, "rb");
    memset(&n, 0, sizeof n);
    if (!file) peer_refuse(path, "cannot be opened");
    if (fread(magic, 1, 8, file) != 8 || memcmp(magic, "TCNET 1\n", 8) || fread(head, sizeof *head, 8, file) != 8)
        peer_refuse(path, "not a network for peers");
    n.problem = (int)head[0];
    n.told = head[1];
    n.nodes = head[2];
    n.arcs = head[3];
    n.rows = head[4];
    n.columns = head[1] - head[4];
    n.source = head[5];
    n.sink = head[6];
    n.tail = (int32_t *)peer_take(path, file, n.arcs, sizeof *n.tail);
    n.head = (int32_t *)peer_take(path, file, n.arcs, sizeof *n.head);
    n.value = (int64_t *)peer_take(path, file, n.arcs, sizeof *n.value);
    fclose(file);
    return n;
}

/* True if the sum of all capacities is below `limit`. */
static inline int peer_network_below(const peer_network *n, int64_t limit)
{
    int64_t sum = 0;
    for (int64_t a = 0; a < n->arcs; a++)
        if (__builtin_add_overflow(sum, n->value[a], &sum) || sum >= limit) return 0;
    return 1;
}

/* Like peer_rounds(), for networks. */
static inline int peer_network_rounds(const peer_network *n)
{
    return n->arcs <= 1 << 20 ? 2 : 1;
}

/* Writes the mask computed from the flow of each arc: 0 for nodes that still reach the sink. Outside of the measured
 * time. */
static inline void peer_network_mask(const peer_network *n, const int64_t *flow, const char *path)
{
    const size_t nodes = (size_t)n->nodes, arcs = (size_t)n->arcs;
    int64_t *first = (int64_t *)calloc(nodes + 2, sizeof *first);
    int32_t *from = (int32_t *)malloc((2 * arcs + 1) * sizeof *from), *queue = (int32_t *)malloc(nodes * sizeof *queue);
    unsigned char *mask = (unsigned char *)malloc(nodes);
    size_t ends = 0;
    if (!first || !from || !queue || !mask) peer_refuse(path, "no memory");
    for (int pass = 0; pass < 2; pass++) { /* counts the residual arcs into each node, then lists their tails */
        for (size_t a = 0; a < arcs; a++) {
            const int32_t u = n->tail[a], v = n->head[a];
            if (flow[a] < n->value[a]) {
                if (pass) from[first[v + 1]] = u;
                first[v + 1 + !pass]++;
            }
            if (flow[a] > 0) {
                if (pass) from[first[u + 1]] = v;
                first[u + 1 + !pass]++;
            }
        }
        for (size_t v = 2; !pass && v < nodes + 2; v++) first[v] += first[v - 1];
    }
    memset(mask, 255, nodes);
    mask[n->sink] = 0;
    queue[ends++] = (int32_t)n->sink;
    for (size_t at = 0; at < ends; at++)
        for (int64_t i = first[queue[at]]; i < first[queue[at] + 1]; i++)
            if (mask[from[i]]) {
                mask[from[i]] = 0;
                queue[ends++] = from[i];
            }
    peer_write_mask(path, mask, (size_t)n->told);
    free(first);
    free(from);
    free(queue);
    free(mask);
}

#endif
