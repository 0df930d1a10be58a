/* SPDX-License-Identifier: MIT */
#include "graph_arcs.h"

#include <stdlib.h>

const char *arcs_capacity(graph_arcs *arcs, const file_number *value, int64_t *out)
{
    *out = INT64_MAX;
    if (value->digits < 0) return "is below 0; capacities go from 0 to 2^63 - 2, and inf has no limit";
    if (value->infinite || (value->digits == INT64_MAX && !value->decimals)) return NULL;
    if (value->decimals > arcs->decimals) arcs->decimals = value->decimals;
    if (file_number_scale(value, arcs->filling ? arcs->decimals : value->decimals, out)) return NULL;
    return "is larger than 64 bits hold with as many digits after the point as another one has; round them";
}

/* ---- the first pass --------------------------------------------------------------------------- */

static void note_step(graph_arcs *arcs, int64_t low, int64_t high)
{
    const int64_t step = high - low;
    if (step == 1 && low % 2) arcs->odd = true;
    for (int i = 0; i < arcs->steps; i++)
        if (arcs->step[i] == step) return;
    if (arcs->steps == ARC_STEPS) arcs->scattered = true;
    else arcs->step[arcs->steps++] = step;
}

static bool has_step(const graph_arcs *arcs, int64_t step)
{
    for (int i = 0; i < arcs->steps; i++)
        if (arcs->step[i] == step) return true;
    return false;
}

/* True if the steps are 1, a width and a slice, as in a volume; *out then becomes its shape. Steps of 1, 2 and 4 also
 * occur in a plane three pixels wide with diagonals. But there a step of 1 may begin at an odd number, which is
 * impossible in a volume two voxels wide. */
static bool find_volume(const graph_arcs *arcs, graph_shape *out)
{
    int64_t width = INT64_MAX, slice = 0;
    if (arcs->steps != 3 || !has_step(arcs, 1)) return false;
    for (int i = 0; i < 3; i++) {
        if (arcs->step[i] > slice) slice = arcs->step[i];
        if (arcs->step[i] > 1 && arcs->step[i] < width) width = arcs->step[i];
    }
    if (slice % width || slice == width || arcs->nodes % slice || arcs->nodes == slice) return false;
    *out = (graph_shape){width, slice / width, arcs->nodes / slice, 6};
    return !(width == 2 && arcs->odd);
}

static bool fits(const graph_arcs *arcs, int64_t width)
{
    if (width < 1 || width > TILECUT_MAX_SIDE || arcs->nodes % width || arcs->nodes / width > TILECUT_MAX_SIDE)
        return false;
    for (int i = 0; i < arcs->steps; i++) {
        const int64_t step = arcs->step[i];
        if (step != 1 && step != width && step != width - 1 && step != width + 1) return false;
    }
    return true;
}

/* Finds the width of a plane; 0 if there is none. The largest step is the width, or differs from it by one. A graph
 * whose steps are all 1 is a single row. */
static int64_t find_width(const graph_arcs *arcs)
{
    int64_t largest = 1;
    for (int i = 0; i < arcs->steps; i++)
        if (arcs->step[i] > largest) largest = arcs->step[i];
    if (largest == 1 && fits(arcs, arcs->nodes)) return arcs->nodes;
    if (has_step(arcs, largest - 1) && fits(arcs, largest - 1) && largest - 1 > 1) return largest - 1;
    for (int64_t width = largest; width >= largest - 1; width--)
        if (fits(arcs, width)) return width;
    return fits(arcs, largest + 1) ? largest + 1 : 0;
}

/* Takes a graph that is not a grid: all arcs then go to `any`, which accepts graphs of any shape. */
static int take_any(graph_arcs *arcs, failure *why)
{
    arcs->any->taken = arcs->filling = true;
    arcs->any->nodes = arcs->nodes;
    arcs->any->decimals = arcs->decimals;
    return arcs->any->begin(arcs->any->into, arcs->name, arcs->nodes + 2, arcs->count, why);
}

/* Finds the shape: what the file says, or else what the steps show. width 0: the graph is not a grid. */
static graph_shape find_shape(const graph_arcs *arcs)
{
    graph_shape s;
    if (arcs->shape.width) return arcs->shape;
    if (arcs->scattered) return (graph_shape){0};
    if (find_volume(arcs, &s)) return s;
    const int64_t width = find_width(arcs);
    const bool slanted = has_step(arcs, width + 1) || (width > 2 && has_step(arcs, width - 1)) ||
                         (width == 2 && arcs->odd);
    return (graph_shape){width, width ? arcs->nodes / width : 0, 1, slanted ? 8 : 4};
}

int arcs_shape(graph_arcs *arcs, saved_graph *graph, failure *why)
{
    /* a larger file with so few arcs is a mistake or an attack, not an image */
    enum { SMALL = 1 << 16, NODES_AN_ARC = 64 };
    if (arcs->nodes > SMALL && arcs->nodes / NODES_AN_ARC > arcs->count)
        return fail(why, EXIT_INPUT, "%s: claims %lld nodes but has %lld arcs; nearly all nodes would stand alone",
                    arcs->name, (long long)arcs->nodes, (long long)arcs->count);
    const graph_shape shape = find_shape(arcs);
    if (arcs->any && (!shape.width || arcs->any->always || arcs->decimals)) return take_any(arcs, why);
    if (arcs->decimals)
        return fail(why, EXIT_INPUT, "%s: has fractions as capacities; only 'tilecut maxflow' takes them", arcs->name);
    if (!shape.width)
        return fail(why, EXIT_INPUT, "%s: not a grid: its arcs do not join the neighbours of an image numbered row by "
                    "row; only 'tilecut maxflow' takes graphs of any shape", arcs->name);
    STEP(saved_graph_init(graph, arcs->name, &shape, false, why));
    arcs->graph = graph;
    arcs->filling = true;
    arcs->terminal = calloc((size_t)arcs->nodes * 2, sizeof *arcs->terminal);
    if (!arcs->terminal)
        return fail(why, EXIT_RESOURCES, "%s: no memory for %lld terminals", arcs->name, (long long)arcs->nodes);
    return EXIT_DONE;
}

void arcs_free(graph_arcs *arcs)
{
    free(arcs->terminal);
    arcs->terminal = NULL;
}

/* ---- the second pass -------------------------------------------------------------------------- */

static const char *const too_much = "its capacity, with others of the same place, is too large";

/* Returns the direction of the link from node `low` to the node `high` with the higher number, or -1 if they are
 * not neighbours. */
static int direction_of(const graph_arcs *arcs, int64_t low, int64_t high)
{
    const saved_graph *const graph = arcs->graph;
    const int64_t width = graph->width, x = low % width, y = low / width % graph->height, step = high - low;
    for (int k = 0; k < graph->connectivity / 2; k++) {
        const graph_step to = graph_step_of(graph->connectivity, k);
        if (step == to.x + (to.z * (int64_t)graph->height + to.y) * width && x + to.x >= 0 && x + to.x < width &&
            y + to.y < graph->height)
            return k;
    }
    return -1;
}

static bool add32(int32_t *sum, int64_t more)
{
    const int64_t total = *sum + (more > INT32_MAX ? INT32_MAX : more);
    if (total > INT32_MAX || more > INT32_MAX) return false;
    *sum = (int32_t)total;
    return true;
}

/* Passes an arc on to `any`, which accepts graphs of any shape. Drops an arc without capacity. */
static const char *pass_on(const graph_arcs *arcs, int64_t tail, int64_t head, int64_t capacity)
{
    const graph_any *const any = arcs->any;
    return !capacity || any->put(any->into, tail, head, capacity) ? NULL : "there is no memory for it";
}

const char *arcs_link(graph_arcs *arcs, int64_t from, int64_t to, int64_t forward, int64_t backward)
{
    arcs->count++;
    if (from == to) return NULL;
    if (arcs->filling && arcs->any && arcs->any->taken) {
        const char *const wrong = pass_on(arcs, from, to, forward);
        return wrong ? wrong : pass_on(arcs, to, from, backward);
    }
    const int64_t low = from < to ? from : to, high = from < to ? to : from;
    if (!arcs->filling) {
        note_step(arcs, low, high);
        return NULL;
    }
    if (!forward && !backward) return NULL;
    const int k = direction_of(arcs, low, high);
    if (k < 0)
        return "joins two pixels that are not neighbours; only grids of pixels numbered row by row are "
               "supported";
    if (!add32(saved_graph_to(arcs->graph, k, (size_t)low), from < to ? forward : backward) ||
        !add32(saved_graph_from(arcs->graph, k, (size_t)low), from < to ? backward : forward))
        return too_much;
    return NULL;
}

const char *arcs_direct(graph_arcs *arcs, int64_t capacity)
{
    arcs->count++;
    if (!arcs->filling) return NULL;
    if (arcs->any && arcs->any->taken) return pass_on(arcs, arcs->nodes, arcs->nodes + 1, capacity);
    return __builtin_add_overflow(arcs->direct, capacity, &arcs->direct) ? too_much : NULL;
}

const char *arcs_terminal(graph_arcs *arcs, int64_t node, int64_t source, int64_t sink)
{
    arcs->count++;
    if (!arcs->filling) return NULL;
    if (arcs->any && arcs->any->taken) {
        const char *const wrong = pass_on(arcs, arcs->nodes, node, source);
        return wrong ? wrong : pass_on(arcs, node, arcs->nodes + 1, sink);
    }
    int64_t *terminal = arcs->terminal + 2 * node;
    if (__builtin_add_overflow(terminal[0], source, &terminal[0]) ||
        __builtin_add_overflow(terminal[1], sink, &terminal[1]))
        return too_much;
    return NULL;
}

/* ---- afterwards ------------------------------------------------------------------------------- */

enum { EXACT = 1 << 24 };

typedef struct reach {
    int64_t out, in;
} reach;

/* Returns the sums of the capacities of all links out of the pixel in column x of row r, and of all links into it. */
static reach reach_of(const saved_graph *graph, int x, int r)
{
    const int y = r % graph->height, z = r / graph->height;
    reach sum = {0, 0};
    for (int k = 0; k < graph->connectivity / 2; k++)
        for (int back = 0; back < 2; back++) {
            /* the link that starts at this pixel or, if `back`, the one that ends here */
            const graph_step to = graph_step_of(graph->connectivity, k);
            const int sx = back ? x - to.x : x, sy = back ? y - to.y : y, sz = back ? z - to.z : z;
            const int ex = sx + to.x, ey = sy + to.y, ez = sz + to.z;
            if (sx < 0 || sx >= graph->width || sy < 0 || sz < 0 || ex < 0 || ex >= graph->width ||
                ey >= graph->height || ez >= graph->depth)
                continue;
            const size_t p = ((size_t)sz * (size_t)graph->height + (size_t)sy) * (size_t)graph->width + (size_t)sx;
            sum.out += back ? *saved_graph_from(graph, k, p) : *saved_graph_to(graph, k, p);
            sum.in += back ? *saved_graph_to(graph, k, p) : *saved_graph_from(graph, k, p);
        }
    return sum;
}

/* Reduces terminal links that mean "infinite", because they exceed what a grid holds exactly. The flow that runs
 * straight from the source through this pixel to the sink is counted as settled. The rest is limited to one more than
 * all links of the pixel can carry, which has the same effect as infinity, so minimum cuts stay the same. Returns false
 * if the flow has no limit or does not fit 64 bits. */
static bool settle_terminals(saved_graph *graph, int x, int y, int64_t *source, int64_t *sink)
{
    const reach links = reach_of(graph, x, y);
    const int64_t excess = *source - *sink;
    const int64_t size = excess < 0 ? -excess : excess;
    if (*source < EXACT && *sink < EXACT && size + links.out + links.in < EXACT) return true;
    const int64_t room = excess > 0 ? links.out + 1 : links.in + 1;
    const int64_t straight = excess > 0 ? *sink : *source;
    if (straight == INT64_MAX) return false; /* infinite on both sides: the flow has no limit */
    *source = excess > 0 ? (excess < room ? excess : room) : 0;
    *sink = excess < 0 ? (size < room ? size : room) : 0;
    return !__builtin_add_overflow(graph->settled, straight, &graph->settled);
}

static void join_symmetric(saved_graph *graph)
{
    const size_t pixels = saved_graph_pixels(graph);
    for (int k = 0; k < graph->connectivity / 2; k++) {
        const int32_t *to = graph->arrays.to[k], *from = graph->arrays.from[k];
        size_t p = 0;
        while (p < pixels && to[p] == from[p]) p++;
        if (p == pixels) graph->arrays.from[k] = NULL;
    }
}

int arcs_finish(graph_arcs *arcs, failure *why)
{
    if (arcs->any && arcs->any->taken) return EXIT_DONE;
    saved_graph *graph = arcs->graph;
    const size_t pixels = (size_t)arcs->nodes;
    int64_t *terminal = arcs->terminal;
    bool held = !__builtin_add_overflow(graph->settled, arcs->direct, &graph->settled);
    for (int y = 0; y < graph->height * graph->depth && held; y++)
        for (int x = 0; x < graph->width && held; x++, terminal += 2) {
            const size_t p = (size_t)y * (size_t)graph->width + (size_t)x;
            held = settle_terminals(graph, x, y, &terminal[0], &terminal[1]) && terminal[0] <= INT32_MAX &&
                   terminal[1] <= INT32_MAX;
            if (!held) break;
            graph->cells[p] = (int32_t)terminal[0];
            graph->cells[pixels + p] = (int32_t)terminal[1];
        }
    if (!held) return fail(why, EXIT_INPUT, "%s: capacities so large that the flow may not fit 64 bits", arcs->name);
    join_symmetric(graph);
    return EXIT_DONE;
}
