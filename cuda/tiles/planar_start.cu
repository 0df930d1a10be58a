/* SPDX-License-Identifier: MIT
 *
 * planar_start.cu - see planar_start.cuh. All is one kernel, whose blocks meet at barriers:
 *
 *   look    checks that all terminals are hard and that sources, and sinks, are connected. Chooses the slit: a path
 *           from a source to the nearest sink
 *   search  finds shortest walks in the dual that start on one side of the slit, go around the sources, and end on its
 *           other side; tile by tile
 *   close   a walk that ends at the link where it began is a cut, and the cheapest such cut bounds the flow. With that
 *           flow on the slit, walks may cross it; where that gives shorter distances, the search goes on
 *   lay     the flow is the difference of potentials. It is checked before it is written
 *
 * Shortest walks do not cross, so they end in the order in which they begin, and one of them returns to its own
 * beginning. After few searches the best of these is the minimum cut. The solver that follows relies on none of this:
 * if a guess was wrong, the flow is not maximum, or there is none, and the solver goes on from there.
 */
#include "planar_dual_search.cuh"
#include "planar_start.cuh"

enum { PHASES = 64, ROUNDS = 16384, ROUNDS_BETWEEN = 4, WAYS = 16 };

/* What a block knows about the progress. All but `seat` is the same in all blocks. */
typedef struct planar_driver {
    unsigned target, seat, round;
} planar_driver;

/* Calls visit(p, x, y) for all pixels, shared among all threads. */
template <class Visit>
static __device__ inline void all_pixels(const grid_view &g, Visit visit)
{
    for (int p = (int)(blockIdx.x * BLOCK + threadIdx.x); p < view_nodes(g); p += (int)(gridDim.x * BLOCK)) {
        int x, y;
        position_of(g, p, &x, &y);
        if (x < g.width && y < g.height) visit(p, x, y);
    }
}

/* The sum of the capacities of the links out of pixel (x, y), a source, or into it, a sink. */
static __device__ inline long long around(const grid_view &g, int x, int y, bool sink)
{
    long long sum = 0;
    for (int d = 0; d < 4; d++) {
        const int cost = sink ? link_cost(g, x + step_x(d), y + step_y(d), d ^ 1) : link_cost(g, x, y, d);
        if (cost != CLOSED) sum += cost;
    }
    return sum;
}

/* A terminal is hard if its capacity exceeds what all links of its pixel can carry. Looks for one that is soft and
 * stops at the first. Also finds the first source. */
static __device__ inline void look_for_soft(const dual_view &v)
{
    const grid_view &g = v.grid;
    int first = NO_PIXEL;
    for (int p = (int)(blockIdx.x * BLOCK + threadIdx.x); p < view_nodes(g); p += (int)(gridDim.x * BLOCK)) {
        const float e = __ldcg(g.excess + p);
        int x, y;
        if (__ldcg(&v.facts->soft)) break;
        if (e == 0) continue;
        position_of(g, p, &x, &y);
        if (fabsf(e) <= (float)around(g, x, y, e < 0)) v.facts->soft = 1;
        if (e > 0) first = min(first, y * g.width + x);
    }
    first = warp_min(first);
    if ((threadIdx.x & 31) == 0 && first != NO_PIXEL && !__ldcg(&v.facts->soft))
        atomicMax(&v.facts->source, NO_PIXEL - first);
}

/* Collects facts on the terminals: components minus holes, counted by the 2 x 2 pixels around each corner (Gray 1971);
 * the cost of the two obvious cuts, next to all sources and next to all sinks; the sink nearest to the source. */
static __device__ inline void look_at_terminals(const dual_view &v)
{
    const grid_view &g = v.grid;
    const int source = NO_PIXEL - v.facts->source, sx = source % g.width, sy = source / g.width;
    const long long corners = (long long)(g.width + 1) * (g.height + 1);
    unsigned long long nearest = ~0ull;
    long long cut[2] = {0, 0};
    int euler[2] = {0, 0};
    for (long long i = blockIdx.x * BLOCK + threadIdx.x; i < corners; i += gridDim.x * BLOCK) {
        const int x = (int)(i % (g.width + 1)), y = (int)(i / (g.width + 1));
        const int k[4] = {kind_at(g, x - 1, y - 1), kind_at(g, x, y - 1), kind_at(g, x - 1, y), kind_at(g, x, y)};
        for (int side = 0; side < 2; side++) {
            int in[4], n = 0;
            for (int j = 0; j < 4; j++) n += in[j] = k[j] == (side ? -1 : 1);
            euler[side] += n == 1 ? 1 : n == 3 ? -1 : n == 2 && in[0] == in[3] ? 2 : 0;
            if (in[3]) cut[side] += around(g, x, y, side);
        }
        if (k[3] < 0) {
            const unsigned distance = (unsigned)(abs(x - sx) + abs(y - sy));
            nearest = min(nearest, (unsigned long long)distance << 32 | (unsigned)(y * g.width + x));
        }
    }
    for (int side = 0; side < 2; side++) {
        if (euler[side]) atomicAdd(v.facts->euler + side, euler[side]);
        if (cut[side]) atomicAdd(v.facts->cut + side, (unsigned long long)cut[side]);
    }
    if (nearest != ~0ull) atomicMax(&v.facts->sink, ~nearest);
}

/* Sets the costs of all edges, without those across the slit. No corner is reached yet. */
static __device__ inline void prepare(const dual_view &v, const slit &s)
{
    const int corners = v.tiles_x * v.tiles_y * TC_TILE_NODES;
    const unsigned long long nobody = pack({FAR, 0});
    for (int i = (int)(blockIdx.x * BLOCK + threadIdx.x); i < corners; i += (int)(gridDim.x * BLOCK)) {
        int x, y;
        tiled_position(v.tiles_x, i, &x, &y);
        int4 c = {link_cost(v.grid, x, y, TC_UP), link_cost(v.grid, x - 1, y - 1, TC_DOWN),
                  link_cost(v.grid, x - 1, y, TC_RIGHT), link_cost(v.grid, x, y - 1, TC_LEFT)};
        if (slit_down(s, x, y - 1)) c.x = CLOSED;
        if (slit_down(s, x - 1, y - 1)) c.y = CLOSED;
        if (slit_right(s, x - 1, y)) c.z = CLOSED;
        if (slit_right(s, x - 1, y - 1)) c.w = CLOSED;
        v.cost[i] = c;
        v.label[i] = nobody;
    }
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        v.facts->outer = nobody;
        v.facts->bound = (int)min(min(v.facts->cut[0], v.facts->cut[1]), (unsigned long long)FAR);
    }
}

/* Starts a walk at corner (x, y) with the label `from`, if that is shorter than the corner's label. */
static __device__ inline void begin(const dual_view &v, int x, int y, reach from, uint32_t *list)
{
    const unsigned long long mine = pack(from);
    if (atomicMin(label_at(v, x, y), mine) <= mine) return;
    wake_around(v, x, y, list);
    v.entry[from.origin] = from.distance;
}

static __device__ inline void begin_all(const dual_view &v, const slit &s, uint32_t *list)
{
    for (int i = (int)(blockIdx.x * BLOCK + threadIdx.x); i < slit_links(s); i += (int)(gridDim.x * BLOCK)) {
        const crossing c = crossing_of(s, i);
        if (link_cost(v.grid, c.px, c.py, c.along) != CLOSED) begin(v, c.to_x, c.to_y, {0, i}, list);
    }
}

/* Lowers the bound to the cheapest cut found: a walk that ends at the link of the slit where it began, or several
 * walks in sequence that do. Called by one block. If distances have become shorter since a walk was recorded, its
 * cost is overestimated, but never below that of a cut. */
static __device__ inline void close(const dual_view &v, const slit &s)
{
    int least = FAR;
    for (int i = (int)threadIdx.x; i < slit_links(s); i += BLOCK) {
        long long sum = 0;
        int at = i;
        for (int ways = 1; ways <= WAYS; ways++) {
            const crossing c = crossing_of(s, at);
            const reach r = reach_of(v, c.x, c.y);
            const int cost = link_cost(v.grid, c.px, c.py, c.along);
            if (r.distance >= FAR || cost == CLOSED) break;
            sum += r.distance - __ldcg(v.entry + r.origin) + cost;
            at = r.origin;
            if (at != i) continue;
            least = (int)min((long long)least, sum / ways);
            break;
        }
    }
    if (least < FAR) atomicMin(&v.facts->bound, least);
}

/* Searches in rounds until no distance gets shorter. */
static __device__ inline void search_all(const dual_view &v, const slit &s, planar_driver &t, dual_exchange &exchange)
{
    while (t.round < ROUNDS) {
        uint32_t *next = list_of(v.todo, v.words, t.round + 1);
        const int n = list_share(list_of(v.todo, v.words, t.round), v.words, t.seat, gridDim.x,
                                 [&](int tile) { search_corners(v, tile, next, exchange); });
        if ((n == 0 || t.round % ROUNDS_BETWEEN == 0) && t.seat == gridDim.x - 1) close(v, s);
        list_clear(list_of(v.todo, v.words, t.round + 2), v.words);
        if (n > 0) t.round++;
        barrier_all(&v.facts->arrived, &t.target);
        if (n == 0) return;
    }
}

/* Puts `flow` on the slit, and lets walks cross the slit where that is shorter. `other`: the flow has changed, and
 * with it the cost of crossing the slit backwards, whose links have gained that much room. */
static __device__ inline void go_on(const dual_view &v, const slit &s, int flow, bool other, uint32_t *list)
{
    for (int i = (int)(blockIdx.x * BLOCK + threadIdx.x); i < slit_links(s); i += (int)(gridDim.x * BLOCK)) {
        const crossing c = crossing_of(s, i);
        const reach r = reach_of(v, c.x, c.y);
        const int cost = link_cost(v.grid, c.px, c.py, c.along);
        if (cost == CLOSED) continue;
        if (other) {
            const int back = link_cost(v.grid, c.px + step_x(c.along), c.py + step_y(c.along), c.along ^ 1);
            ((int *)(v.cost + corner_at(v, c.x, c.y)))[c.side] = min(back + flow, CLOSED);
            list_add(list, corner_tile(v, c.x, c.y));
        }
        const int distance = r.distance + cost - flow;
        if (r.distance >= flow || distance >= reach_of(v, c.to_x, c.to_y).distance) continue;
        if (distance <= -FAR) v.facts->wrong = 1;
        else begin(v, c.to_x, c.to_y, {distance, i}, list);
    }
}

/* Computes the potential. Returns the flow that it belongs to; 0: none was found. Distances beyond that flow count as
 * equal to it. */
static __device__ inline int potential(const dual_view &v, const slit &s, planar_driver &t, dual_exchange &exchange)
{
    int flow = CLOSED;
    begin_all(v, s, list_of(v.todo, v.words, t.round));
    barrier_all(&v.facts->arrived, &t.target);
    for (int phase = 0; phase < PHASES; phase++) {
        const unsigned before = t.round;
        search_all(v, s, t, exchange);
        if (t.round == ROUNDS || v.facts->wrong) return 0;
        if (phase > 0 && t.round == before) return flow;
        const int bound = v.facts->bound;
        go_on(v, s, bound, bound < flow, list_of(v.todo, v.words, t.round));
        flow = bound;
        barrier_all(&v.facts->arrived, &t.target);
    }
    return 0;
}

/* The flow on the link between two corners. */
static __device__ inline int flow_between(const dual_view &v, int flow, int x, int y, int x2, int y2, int with)
{
    return min(reach_of(v, x2, y2).distance, flow) - min(reach_of(v, x, y).distance, flow) + with * flow;
}

/* Capacities and excess of pixel p after the flow; false if the flow does not fit: a capacity would become negative,
 * or excess have the wrong sign. */
static __device__ inline bool lay(const dual_view &v, const slit &s, int flow, int p, int x, int y, float4 *r, float *e)
{
    *r = __ldcg(v.grid.residual + p);
    *e = __ldcg(v.grid.excess + p);
    const int own = kind(*e);
    const int out[4] = {flow_between(v, flow, x + 1, y + 1, x + 1, y, slit_right(s, x, y)),
                        -flow_between(v, flow, x, y + 1, x, y, slit_right(s, x - 1, y)),
                        flow_between(v, flow, x, y + 1, x + 1, y + 1, slit_down(s, x, y)),
                        -flow_between(v, flow, x, y, x + 1, y, slit_down(s, x, y - 1))};
    float *const residual[4] = {&r->x, &r->y, &r->z, &r->w};
    bool fits = true;
    for (int d = 0; d < 4; d++) {
        if (own != 0 && kind_at(v.grid, x + step_x(d), y + step_y(d)) == own) continue;
        *residual[d] -= (float)out[d];
        *e -= (float)out[d];
        fits &= *residual[d] >= 0;
    }
    return fits && (own > 0 ? *e > 0 : own < 0 ? *e < 0 : *e == 0);
}

static __device__ inline void lay_all(const dual_view &v, const slit &s, int flow, planar_driver &t)
{
    bool fits = true;
    float4 r;
    float e;
    if (flow > 0) all_pixels(v.grid, [&](int p, int x, int y) { fits &= lay(v, s, flow, p, x, y, &r, &e); });
    if (!fits) v.facts->wrong = 1;
    barrier_all(&v.facts->arrived, &t.target);
    if (flow <= 0 || v.facts->wrong) return;
    all_pixels(v.grid, [&](int p, int x, int y) {
        (void)lay(v, s, flow, p, x, y, &r, &e);
        v.grid.residual[p] = r;
        v.grid.excess[p] = e;
    });
}

static __global__ void __launch_bounds__(BLOCK, 2) planar_start_kernel(dual_view v)
{
    __shared__ dual_exchange exchange;
    __shared__ unsigned seat;
    planar_driver t = {0, 0, 0};
    dual_facts *const facts = v.facts;
    const grid_view &g = v.grid;

    if (threadIdx.x == 0) seat = take_seat(&facts->seats);
    look_for_soft(v);
    barrier_all(&facts->arrived, &t.target);
    t.seat = seat;
    if (facts->soft || facts->source == 0) return;
    look_at_terminals(v);
    barrier_all(&facts->arrived, &t.target);
    if (facts->sink == 0 || facts->euler[0] > 4 || facts->euler[1] > 4) return;
    const int source = NO_PIXEL - facts->source, sink = (int)~(unsigned)facts->sink;
    const slit s = {source % g.width, source / g.width, sink % g.width, sink / g.width};
    prepare(v, s);
    barrier_all(&facts->arrived, &t.target);
    const int flow = potential(v, s, t, exchange);
    lay_all(v, s, flow, t);
}

/* ---- Host side -------------------------------------------------------------------------------- */

/* Sets all of the view, for memory from `base` on. Returns its size. From todo to its end all is 0 at the start. */
static size_t lay_out(const grid_view *g, char *base, dual_view *v)
{
    size_t total = 0;
    *v = {};
    v->grid = *g;
    v->tiles_x = g->width / TC_TILE + 1;
    v->tiles_y = g->height / TC_TILE + 1;
    v->words = list_words(v->tiles_x * v->tiles_y);
    const size_t corners = (size_t)v->tiles_x * v->tiles_y * TC_TILE_NODES;
    lay(&v->cost, base, &total, corners);
    lay(&v->label, base, &total, corners);
    lay(&v->entry, base, &total, (size_t)(g->width + g->height));
    lay(&v->todo, base, &total, 3 * (size_t)v->words);
    lay(&v->facts, base, &total, 1);
    return total;
}

size_t planar_scratch_bytes(const grid_view *grid)
{
    dual_view v;
    return lay_out(grid, LAYOUT_TRIAL, &v);
}

tilecut_status planar_start(const grid_view *grid, void *scratch, cudaStream_t stream)
{
    char *const base = (char *)scratch;
    dual_view v;
    const char *const end = base + lay_out(grid, base, &v);
    void *arguments[] = {&v};
    int blocks = 0;

    NEED(blocks_at_once((const void *)planar_start_kernel, BLOCK, &blocks));
    CUDA_NEED(cudaMemsetAsync(v.todo, 0, (size_t)(end - (char *)v.todo), stream)); /* lists and facts */
    return CUDA_STATUS(
        cudaLaunchCooperativeKernel((const void *)planar_start_kernel, blocks, BLOCK, arguments, 0, stream));
}
