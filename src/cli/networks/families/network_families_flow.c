/* SPDX-License-Identifier: MIT
 *
 * network_families_flow.c - families of flow networks.
 */
#include <stdlib.h>

#include "chance.h"
#include "network_families.h"

enum { MOST_CAPACITY = 10000 };

/* A sequence of nodes with an arc from each node to all later ones. The first node is the source, the last
 * one the sink. */
bool network_dense(const network_request *request, network_shape *shape, const arc_sink *sink)
{
    chance dice = chance_of(request->seed, 11);
    const int64_t n = request->size;
    *shape = (network_shape){.nodes = n, .arcs = n * (n - 1) / 2, .sink = n - 1};
    for (int64_t u = 0; sink && u < n; u++)
        for (int64_t v = u + 1; v < n; v++)
            if (!sink->put(sink->into, u, v, chance_between(&dice, 1, MOST_CAPACITY))) return false;
    return true;
}

/* ---- genrmf ----------------------------------------------------------------------------------- */

enum { C1 = 1, C2 = 1000 }; /* range of the capacities between frames */

/* Joins two nodes of a frame both ways, with this capacity, or with random ones if it is 0. */
static bool join_both_ways(const arc_sink *sink, chance *dice, int64_t v, int64_t u, int64_t capacity)
{
    const int64_t there = capacity ? capacity : chance_between(dice, C1, C2);
    const int64_t back = capacity ? capacity : chance_between(dice, C1, C2);
    return sink->put(sink->into, v, u, there) && sink->put(sink->into, u, v, back);
}

/* Sends the arcs within one frame of a x a nodes, which join neighbours. */
static bool put_frame(const arc_sink *sink, chance *dice, int64_t a, int64_t first, int64_t capacity)
{
    for (int64_t y = 0; y < a; y++)
        for (int64_t x = 0; x < a; x++) {
            const int64_t v = first + y * a + x;
            if (x + 1 < a && !join_both_ways(sink, dice, v, v + 1, capacity)) return false;
            if (y + 1 < a && !join_both_ways(sink, dice, v, v + a, capacity)) return false;
        }
    return true;
}

/* Sends b frames of a x a nodes. Arcs within a frame have capacity c2 a^2, which never limits the flow, or with
 * `narrow` c1 .. c2. From each node one arc of capacity c1 .. c2 leads to a node of the next frame, by a random
 * permutation. The source is a corner of the first frame, the sink a corner of the last one. */
static bool put_frames(const network_request *request, bool narrow, network_shape *shape, const arc_sink *sink)
{
    chance dice = chance_of(request->seed, narrow ? 20 : 12);
    const int64_t a = request->size, b = request->depth, frame = a * a;
    if (a > INT32_MAX / a || b > INT32_MAX / frame) return false;
    *shape = (network_shape){.nodes = frame * b, .arcs = (4 * (a - 1) * a + frame) * b, .sink = frame * b - 1};
    if (!sink) return true;
    int32_t *permutation = malloc((size_t)frame * sizeof *permutation);
    bool going = permutation != NULL;
    for (int64_t i = 0; going && i < frame; i++) permutation[i] = (int32_t)i;
    for (int64_t z = 0; going && z < b; z++) {
        going = put_frame(sink, &dice, a, z * frame, narrow ? 0 : C2 * frame);
        for (int64_t i = frame - 1; i > 0 && z + 1 < b; i--) {
            const int k = chance_below(&dice, (int)i + 1);
            const int32_t other = permutation[k];
            permutation[k] = permutation[i];
            permutation[i] = other;
        }
        for (int64_t i = 0; going && i < frame && z + 1 < b; i++)
            going = sink->put(sink->into, z * frame + i, (z + 1) * frame + permutation[i],
                              chance_between(&dice, C1, C2));
    }
    free(permutation);
    return going;
}

bool network_genrmf(const network_request *request, network_shape *shape, const arc_sink *sink)
{
    return put_frames(request, false, shape, sink);
}

bool network_frames(const network_request *request, network_shape *shape, const arc_sink *sink)
{
    return put_frames(request, true, shape, sink);
}

/* A path s = a_1 .. a_n, a path b_n .. b_1 = t, and a narrow arc from each a_i to b_i. So there is exactly one way from
 * s to t of each length 2 i - 1, and a solver that works in phases of shortest paths finds only one way per phase (as
 * in the generator AK of Cherkassky & Goldberg 1997). */
bool network_ak(const network_request *request, network_shape *shape, const arc_sink *sink)
{
    const int64_t n = request->size;
    *shape = (network_shape){.nodes = 2 * n, .arcs = 3 * n - 2, .source = 0, .sink = n};
    for (int64_t i = 0; sink && i < n; i++) {
        if (!sink->put(sink->into, i, n + i, 1)) return false;
        if (i + 1 < n && !(sink->put(sink->into, i, i + 1, n - i) && sink->put(sink->into, n + i + 1, n + i, n - i)))
            return false;
    }
    return true;
}

/* ---- random levels ---------------------------------------------------------------------------- */

/* The second problem of the University of Washington's generator: levels of nodes, where each node has arcs of random
 * capacity to random nodes of the next level. The source feeds the first level and the sink drains the last one,
 * through arcs large enough for all that a node's arcs can carry. */
bool network_washington(const network_request *request, network_shape *shape, const arc_sink *sink)
{
    chance dice = chance_of(request->seed, 13);
    const int64_t width = request->size, length = request->depth, degree = request->degree;
    if (width > INT32_MAX / length) return false;
    const int64_t inner = width * length;
    *shape = (network_shape){.nodes = inner + 2, .arcs = inner * degree, .source = inner, .sink = inner + 1};
    if (!sink) return true;
    for (int64_t x = 0; x < width; x++)
        if (!sink->put(sink->into, inner, x, degree * MOST_CAPACITY)) return false;
    for (int64_t v = 0; v < inner - width; v++)
        for (int64_t k = 0; k < degree; k++) {
            const int64_t next = (v / width + 1) * width + chance_below(&dice, (int)width);
            if (!sink->put(sink->into, v, next, chance_between(&dice, 1, MOST_CAPACITY))) return false;
        }
    for (int64_t x = 0; x < width; x++)
        if (!sink->put(sink->into, inner - width + x, inner + 1, degree * MOST_CAPACITY)) return false;
    return true;
}

/* ---- random graphs with terminals far apart --------------------------------------------------- */

enum { PAIRS = 20 };

/* Sends the arcs of `list`. Then, as in WBPR, sends unlimited arcs from a super source to one node of each pair, and
 * from the other node to a super sink. */
static bool put_with_pairs(const arc_list *list, uint64_t seed, const network_shape *shape, const arc_sink *sink)
{
    int32_t from[PAIRS], to[PAIRS];
    int found = 0;
    if (!network_far_pairs(list, false, PAIRS, seed, from, to, &found)) return false;
    for (int64_t a = 0; a < list->arcs; a++)
        if (!sink->put(sink->into, list->tail[a], list->head[a], 1)) return false;
    for (int i = 0; i < found; i++)
        if (!sink->put(sink->into, shape->source, from[i], list->arcs) ||
            !sink->put(sink->into, to[i], shape->sink, list->arcs))
            return false;
    return true;
}

typedef bool draw_function(chance *dice, const network_request *request, int64_t nodes, const arc_sink *into);

static bool put_random(const network_request *request, uint64_t stream, draw_function *draw, int64_t nodes,
                       network_shape *shape, const arc_sink *sink)
{
    chance dice = chance_of(request->seed, stream);
    arc_list list = {.nodes = nodes};
    const arc_sink keep = {network_keep, &list};
    *shape = (network_shape){.nodes = nodes + 2, .source = nodes, .sink = nodes + 1};
    if (!sink) return true;
    const bool made = draw(&dice, request, nodes, &keep) && put_with_pairs(&list, request->seed, shape, sink);
    arcs_clear(&list);
    return made;
}

static bool draw_degrees(chance *dice, const network_request *request, int64_t nodes, const arc_sink *into)
{
    for (int64_t v = 0; v < nodes; v++)
        for (int64_t k = 0; k < request->degree; k++)
            if (!into->put(into->into, v, chance_below(dice, (int)nodes), 1)) return false;
    return true;
}

bool network_degrees(const network_request *request, network_shape *shape, const arc_sink *sink)
{
    return put_random(request, 14, draw_degrees, request->size, shape, sink);
}

/* Draws arcs bit by bit: a bit of both ends falls into one of four quarters with 57, 19, 19 and 5 per cent (Chakrabarti
 * et al. 2004, with the numbers of Graph500). */
static bool draw_rmat(chance *dice, const network_request *request, int64_t nodes, const arc_sink *into)
{
    for (int64_t i = 0; i < nodes * request->degree; i++) {
        int64_t tail = 0, head = 0;
        for (int64_t bit = 1; bit < nodes; bit *= 2) {
            const int lot = chance_below(dice, 100);
            if (lot >= 76) tail += bit;
            if ((lot >= 57 && lot < 76) || lot >= 95) head += bit;
        }
        if (!into->put(into->into, tail, head, 1)) return false;
    }
    return true;
}

bool network_rmat(const network_request *request, network_shape *shape, const arc_sink *sink)
{
    int64_t nodes = 2;
    while (nodes < request->size) nodes *= 2;
    return put_random(request, 15, draw_rmat, nodes, shape, sink);
}
