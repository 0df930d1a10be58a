/* SPDX-License-Identifier: MIT
 *
 * tile_drain_kernels.h - the kernels that push excess downhill into sinks, for vectors of LANES pixels.
 * tile_board_kernels.h includes this file once for each instruction set; its macros are described there.
 *
 * A row pushes all that it can at once: one pixel to the right and left, to the row below and to the row above; with
 * diagonals also diagonally; in a volume also to the same row of the next and the previous slice. A sweep visits the
 * rows from the top down or from the bottom up, so that excess can cross a tile in one visit. All links in `lead`
 * descend by one level, so excess cannot go in circles. During the sweeps only the bits of `lead` are kept correct; the
 * other bits of a row are recomputed once at the end.
 */
#define FLOATS NAME(floats)
typedef float NAME(floats) __attribute__((vector_size(4 * LANES)));
typedef float NAME(row_of_floats) __attribute__((vector_size(4 * LANES), aligned(4), may_alias)); /* in memory */
#define VECTORS (TC_TILE / LANES)

static inline TARGET FLOATS NAME(floats_at)(const float *p)
{
    return (FLOATS) * (const NAME(row_of_floats) *)p;
}

static inline TARGET void NAME(put_floats)(float *p, FLOATS v)
{
    *(NAME(row_of_floats) *)p = v;
}

/* ---- Links ------------------------------------------------------------------------------------ */

static TARGET void NAME(split_links)(float *links)
{
    float row[4][TC_TILE];
    for (int y = 0; y < TC_TILE; y++, links += 4 * TC_TILE) {
        for (int x = 0; x < TC_TILE; x++)
            for (int d = 0; d < 4; d++) row[d][x] = links[4 * x + d];
        memcpy(links, row, sizeof row);
    }
}

static TARGET void NAME(join_links)(float *links)
{
    float row[4][TC_TILE];
    for (int y = 0; y < TC_TILE; y++, links += 4 * TC_TILE) {
        memcpy(row, links, sizeof row);
        for (int x = 0; x < TC_TILE; x++)
            for (int d = 0; d < 4; d++) links[4 * x + d] = row[d][x];
    }
}

/* Returns the links of row y in direction d. */
static inline TARGET float *NAME(links_at)(const tc_tile_view *tile, int d, int y)
{
    return tile->links[d / 4] + tc_link_at(d % 4, 0, y);
}

/* ---- Rows ------------------------------------------------------------------------------------- */

/* Returns one bit for each pixel of a row, set if its value is > 0. */
static inline TARGET uint32_t NAME(above)(const FLOATS row[VECTORS])
{
    uint32_t bits = 0;
    for (int i = 0; i < VECTORS; i++) bits |= (uint32_t)POSITIVE(row[i]) << (i * LANES);
    return bits;
}

/* Returns vector i of a row, shifted by one pixel: each lane gets the value to its left or, in the other function, to
 * its right. */
static inline TARGET FLOATS NAME(left_of)(const FLOATS row[VECTORS], int i)
{
    return (FLOATS)PREV_ROW(i > 0 ? (VEC)row[i - (i > 0)] : (VEC){0}, (VEC)row[i]);
}

static inline TARGET FLOATS NAME(right_of)(const FLOATS row[VECTORS], int i)
{
    return (FLOATS)NEXT_ROW((VEC)row[i], i + 1 < VECTORS ? (VEC)row[(i + 1) % VECTORS] : (VEC){0});
}

/* ---- Downhill --------------------------------------------------------------------------------- */

/* The tile that pushes, and its current row. Everything is held by value: behind a pointer, the compiler would have to
 * reload it after every store of a vector, because such a store may alias anything. */
typedef struct NAME(row) {
    tc_tile_view here, around[TC_NEIGHBOURS];
    uint32_t ready, stale; /* the bits `ready` and `stale` of tile `here` */
    int y;
    uint32_t lead[TC_NEIGHBOURS]; /* the links of row y that lead nearer to a sink */
    FLOATS excess[VECTORS];
    uint32_t active; /* pixels with excess                              */
    uint32_t over;   /* bit d is set if excess went to the tile in direction d */
} NAME(row);

/* Takes the flow that vector i of the row pushes from the excess and from `link`, for the pixels in `on`. Returns that
 * flow. */
static inline TARGET FLOATS NAME(take)(NAME(row) *r, FLOATS *link, uint32_t on, int i)
{
    const FLOATS flow = WHERE(on >> (i * LANES), LOWER(r->excess[i], *link));
    r->excess[i] -= flow;
    *link -= flow;
    return flow;
}

/* Pushes in direction d from the pixels in `on` to a whole row; `excess` is the excess of that row, and `back` its
 * links back. */
static inline TARGET void NAME(push_row)(NAME(row) *r, int d, uint32_t on, float *link, float *back, float *excess)
{
    FLOATS left[VECTORS];

    for (int i = 0; i < VECTORS; i++) {
        left[i] = NAME(floats_at)(link + i * LANES);
        const FLOATS flow = NAME(take)(r, &left[i], on, i);
        NAME(put_floats)(link + i * LANES, left[i]);
        NAME(put_floats)(excess + i * LANES, NAME(floats_at)(excess + i * LANES) + flow);
        NAME(put_floats)(back + i * LANES, NAME(floats_at)(back + i * LANES) + flow);
    }
    r->lead[d] &= NAME(above)(left);
}

/* Marks rows to which excess has come. The bits of `fed`, which may be 0, are rows of this tile or, with `out`, of the
 * tile in direction d. */
static inline TARGET void NAME(note_fed)(NAME(row) *r, bool out, int d, uint32_t fed)
{
    if (out) {
        r->around[d].board->stale |= fed;
        r->around[d].board->ready |= fed;
        r->over |= (uint32_t)(fed != 0) << d;
    } else {
        r->stale |= fed;
        r->ready |= fed;
    }
}

/* Pushes to the row below or above, d = TC_DOWN or TC_UP. */
static inline TARGET void NAME(drain_vertically)(NAME(row) *r, int d)
{
    const uint32_t on = r->lead[d] & r->active;
    const bool out = r->y == (d == TC_DOWN ? TC_TILE - 1 : 0);
    const int y_to = (d == TC_DOWN ? r->y + 1 : r->y - 1) & (TC_TILE - 1);
    const uint32_t fed = (uint32_t)(on != 0) << y_to;
    float *const link = NAME(links_at)(&r->here, d, r->y);
    float *const back = NAME(links_at)(out ? &r->around[d] : &r->here, d ^ 1, y_to);
    float *const excess = (out ? r->around[d].excess : r->here.excess) + y_to * TC_TILE;

    NAME(push_row)(r, d, on, link, back, excess);
    NAME(note_fed)(r, out, d, fed);
}

/* Pushes `flow` from a pixel at the left or right edge of the row over that edge in direction d, and adds it in row y
 * of the tile in direction `over`. */
static inline TARGET void NAME(arrive)(NAME(row) *r, int d, int over, int y, float flow)
{
    const tc_tile_view there = r->around[over];
    const int x = tc_along[d] == TC_RIGHT ? 0 : TC_TILE - 1;
    NAME(links_at)(&there, d ^ 1, y)[x] += flow;
    there.excess[y * TC_TILE + x] += flow;
    there.board->stale |= 1u << y;
    there.board->ready |= 1u << y;
    r->over |= 1u << over;
}

#if TC_NEIGHBOURS == 8
/* Pushes from every pixel along its two diagonals to the row below or above; `across` is TC_DOWN or TC_UP. */
static inline TARGET void NAME(drain_slanted)(NAME(row) *r, int across)
{
    const bool down = across == TC_DOWN, out = r->y == (down ? TC_TILE - 1 : 0);
    const int d[2] = {down ? TC_DOWN_RIGHT : TC_UP_RIGHT, down ? TC_DOWN_LEFT : TC_UP_LEFT};
    const uint32_t on[2] = {r->lead[d[0]] & r->active, r->lead[d[1]] & r->active}, border[2] = {1u << (TC_TILE - 1), 1};
    const int y_to = (down ? r->y + 1 : r->y - 1) & (TC_TILE - 1);
    const tc_tile_view *const there = out ? &r->around[across] : &r->here;
    float *const excess = there->excess + y_to * TC_TILE;
    float *const back[2] = {NAME(links_at)(there, d[0] ^ 1, y_to), NAME(links_at)(there, d[1] ^ 1, y_to)};
    FLOATS flow[2][VECTORS], left[VECTORS];

    if (!(on[0] | on[1])) return;
    for (int k = 0; k < 2; k++) {
        float *const link = NAME(links_at)(&r->here, d[k], r->y);
        for (int i = 0; i < VECTORS; i++) {
            left[i] = NAME(floats_at)(link + i * LANES);
            flow[k][i] = NAME(take)(r, &left[i], on[k], i);
            NAME(put_floats)(link + i * LANES, left[i]);
        }
        r->lead[d[k]] &= NAME(above)(left);
    }
    for (int i = 0; i < VECTORS; i++) {
        const FLOATS from_left = NAME(left_of)(flow[0], i), from_right = NAME(right_of)(flow[1], i);
        NAME(put_floats)(excess + i * LANES, NAME(floats_at)(excess + i * LANES) + from_left + from_right);
        NAME(put_floats)(back[0] + i * LANES, NAME(floats_at)(back[0] + i * LANES) + from_left);
        NAME(put_floats)(back[1] + i * LANES, NAME(floats_at)(back[1] + i * LANES) + from_right);
    }
    NAME(note_fed)(r, out, across, (uint32_t)(((on[0] & ~border[0]) | (on[1] & ~border[1])) != 0) << y_to);
    if (on[0] & border[0]) NAME(arrive)(r, d[0], out ? d[0] : TC_RIGHT, y_to, flow[0][VECTORS - 1][LANES - 1]);
    if (on[1] & border[1]) NAME(arrive)(r, d[1], out ? d[1] : TC_LEFT, y_to, flow[1][0][0]);
}
#endif

#if TC_NEIGHBOURS == 6
/* Pushes to the same row of another slice, d = TC_BEHIND or TC_BEFORE. */
static inline TARGET void NAME(drain_to_slice)(NAME(row) *r, int d)
{
    const uint32_t on = r->lead[d] & r->active;
    const tc_tile_view there = r->around[d];
    float *const link = NAME(links_at)(&r->here, d, r->y), *const back = NAME(links_at)(&there, d ^ 1, r->y);
    float *const excess = there.excess + r->y * TC_TILE;

    if (!on) return;
    NAME(push_row)(r, d, on, link, back, excess);
    NAME(note_fed)(r, true, d, 1u << r->y);
}
#endif

/* Pushes from every pixel to its right and to its left neighbour. */
static inline TARGET void NAME(drain_sideways)(NAME(row) *r)
{
    static const uint32_t border[2] = {1u << (TC_TILE - 1), 1};
    const uint32_t on[2] = {r->lead[TC_RIGHT] & r->active, r->lead[TC_LEFT] & r->active};
    FLOATS flow[2][VECTORS], left[2][VECTORS]; /* kept in registers: storing and loading them one pixel off would
                                                  stall */
    float *const link[2] = {NAME(links_at)(&r->here, TC_RIGHT, r->y), NAME(links_at)(&r->here, TC_LEFT, r->y)};

    for (int d = TC_RIGHT; d <= TC_LEFT; d++) {
        for (int i = 0; i < VECTORS; i++) {
            left[d][i] = NAME(floats_at)(link[d] + i * LANES);
            flow[d][i] = NAME(take)(r, &left[d][i], on[d], i);
        }
        r->lead[d] &= NAME(above)(left[d]);
    }
    for (int i = 0; i < VECTORS; i++) {
        const FLOATS from_left = NAME(left_of)(flow[TC_RIGHT], i), from_right = NAME(right_of)(flow[TC_LEFT], i);
        r->excess[i] += from_left + from_right;
        NAME(put_floats)(link[TC_RIGHT] + i * LANES, left[TC_RIGHT][i] + from_right);
        NAME(put_floats)(link[TC_LEFT] + i * LANES, left[TC_LEFT][i] + from_left);
    }
    if (on[TC_RIGHT] & border[TC_RIGHT])
        NAME(arrive)(r, TC_RIGHT, TC_RIGHT, r->y, flow[TC_RIGHT][VECTORS - 1][LANES - 1]);
    if (on[TC_LEFT] & border[TC_LEFT]) NAME(arrive)(r, TC_LEFT, TC_LEFT, r->y, flow[TC_LEFT][0][0]);
    r->active = NAME(above)(r->excess);
}

/* True if some pixel of the row has excess and a link in `lead`. */
static inline TARGET bool NAME(can_push)(const NAME(row) *r)
{
    uint32_t lead = 0;
    for (int d = 0; d < TC_NEIGHBOURS; d++) lead |= r->lead[d];
    return r->active & lead;
}

/* Lets row y push at most `visits` times, because excess that moved sideways may move on. Returns true if it can push
 * more. */
static inline TARGET bool NAME(drain_row)(NAME(row) *r, int visits)
{
    float *const excess = r->here.excess + r->y * TC_TILE;
    uint32_t(*const lead)[TC_TILE] = r->here.board->lead;
    bool more;

    for (int i = 0; i < VECTORS; i++) r->excess[i] = NAME(floats_at)(excess + i * LANES);
    for (int d = 0; d < TC_NEIGHBOURS; d++) r->lead[d] = lead[d][r->y];
    r->active = NAME(above)(r->excess);
    if (!NAME(can_push)(r)) return false;
    do {
        NAME(drain_sideways)(r);
        NAME(drain_vertically)(r, TC_DOWN);
        NAME(drain_vertically)(r, TC_UP);
#if TC_NEIGHBOURS == 6
        NAME(drain_to_slice)(r, TC_BEHIND);
        NAME(drain_to_slice)(r, TC_BEFORE);
#elif TC_NEIGHBOURS == 8
        NAME(drain_slanted)(r, TC_DOWN);
        NAME(drain_slanted)(r, TC_UP);
#endif
        r->active = NAME(above)(r->excess);
        more = NAME(can_push)(r);
    } while (more && --visits > 0);
    for (int i = 0; i < VECTORS; i++) NAME(put_floats)(excess + i * LANES, r->excess[i]);
    for (int d = 0; d < TC_NEIGHBOURS; d++) lead[d][r->y] = r->lead[d];
    r->stale |= 1u << r->y;
    return more;
}

/* Prefetches a row to which a downward sweep will come soon; the processor's prefetcher does not foresee it. */
TC_FETCHES TARGET void NAME(fetch_row)(const tc_tile_view *tile, int y)
{
    enum { LINE = 64 / sizeof(float) };
    for (int k = 0; k < TC_LINK_ARRAYS; k++)
        for (int i = 0; i < (k && TC_SLICES ? 2 : 4) * TC_TILE; i += LINE)
            __builtin_prefetch(tile->links[k] + tc_link_at(0, i, y), 1);
    for (int i = 0; i < TC_TILE; i += LINE) __builtin_prefetch(tile->excess + y * TC_TILE + i, 1);
}

static TARGET uint32_t NAME(drain)(const tc_tile_view *here, const tc_tile_view around[TC_NEIGHBOURS], int sweeps)
{
    NAME(row) row = {.here = *here, .ready = here->board->ready, .stale = here->board->stale};
    for (int d = 0; d < TC_NEIGHBOURS; d++) row.around[d] = around[d];
    for (int sweep = 0; sweep < sweeps && row.ready; sweep++) {
        for (uint32_t ahead = ~0u; row.ready & ahead;) {
            const uint32_t waiting = row.ready & ahead;
            const int y = row.y = sweep & 1 ? 31 - __builtin_clz(waiting) : __builtin_ctz(waiting);
            if (sweep == 0 && y + TC_DRAIN_AHEAD < TC_TILE) NAME(fetch_row)(&row.here, y + TC_DRAIN_AHEAD);
            if (!NAME(drain_row)(&row, TC_DRAIN_VISITS)) row.ready &= ~(1u << y);
            ahead = sweep & 1 ? (1u << y) - 1 : ~1u << y;
        }
    }
    here->board->ready = row.ready;
    here->board->stale = row.stale;
    return row.over;
}

/* ---- Bits ------------------------------------------------------------------------------------- */

/* Returns the open links of row y in direction d, in a tile whose links lie by row. */
static inline TARGET uint32_t NAME(open_in_row)(const float *links, int d, int y)
{
    FLOATS row[VECTORS];
    for (int i = 0; i < VECTORS; i++) row[i] = NAME(floats_at)(links + tc_link_at(d, i * LANES, y));
    return NAME(above)(row);
}

static TARGET void NAME(scan_link_rows)(const float *links, uint32_t open[4][TC_TILE])
{
    for (int y = 0; y < TC_TILE; y++)
        for (int d = 0; d < 4; d++) open[d][y] = NAME(open_in_row)(links, d, y);
}

static TARGET int NAME(read_off)(const tc_tile_view *tile, uint32_t rows)
{
    tc_board *const board = tile->board;
    int more = 0;
    for (; rows; rows &= rows - 1) {
        const int y = __builtin_ctz(rows);
        FLOATS row[VECTORS];
        uint32_t below = 0;
        for (int i = 0; i < VECTORS; i++) {
            row[i] = NAME(floats_at)(tile->excess + y * TC_TILE + i * LANES);
            below |= (uint32_t)SIGNS((VEC)row[i]) << (i * LANES); /* no zero is negative */
        }
        const uint32_t source = NAME(above)(row) & (board->seen[y] | board->source[y]);
        more += ONES(source) - ONES(board->source[y]);
        board->source[y] = source;
        board->sink[y] = below;
        for (int d = 0; d < TC_NEIGHBOURS; d++) board->open[d][y] = NAME(open_in_row)(tile->links[d / 4], d % 4, y);
    }
    return more;
}

#include "tile_feed_kernels.h"

#undef FLOATS
#undef VECTORS
