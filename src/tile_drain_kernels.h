/* SPDX-License-Identifier: MIT
 *
 * tile_drain_kernels.h - the kernel that lets the excess of a tile run downhill, for vectors of LANES
 * pixels. tile_board_kernels.h includes it once for each instruction set; macros as there.
 *
 * A row pushes all that it can at once: to the row below, the row above, and one pixel to either side. Rows
 * are visited from the top down, then from the bottom up, so that what falls or rises through a tile does
 * so in one visit. The links in `lead` all descend a level, so the excess cannot run in circles.
 */
#define FLOATS NAME(floats)
typedef float NAME(floats) __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
#define VECTORS (TC_TILE / LANES)

static inline TARGET FLOATS NAME(floats_at)(const float *p)
{
    return *(const FLOATS *)p;
}

static inline TARGET void NAME(put_floats)(float *p, FLOATS v)
{
    *(FLOATS *)p = v;
}

/* A row of a tile while it pushes. */
typedef struct NAME(row) {
    const tc_tile_view *here, *around;
    int y;
    FLOATS excess[VECTORS];
    uint32_t gave, got; /* pixels that pushed; pixels of this row that were pushed to */
    int more;           /* sources gained, less those lost                            */
    uint32_t over;      /* bit d: something went to the tile in direction d           */
} NAME(row);

/* The flow of vector i of the row along `link`, where `bits` allow it: taken from both. The pixels that
 * push are added to *moved, those that fill their link to *filled. */
static inline TARGET FLOATS NAME(take)(NAME(row) *r, float *link, uint32_t bits, int i, uint32_t *moved,
                                       uint32_t *filled)
{
    const FLOATS e = r->excess[i], c = NAME(floats_at)(link + i * LANES);
    const VEC allowed = (VEC)(((bits >> (i * LANES)) & NAME(load)(lane_bit)) != 0);
    const VEC on = allowed & (VEC)(e > 0), less = (VEC)(e < c);
    const FLOATS flow = (FLOATS)((((VEC)e & less) | ((VEC)c & ~less)) & on);
    r->excess[i] = e - flow;
    NAME(put_floats)(link + i * LANES, c - flow);
    *moved |= (uint32_t)SIGNS(on) << (i * LANES);
    *filled |= (uint32_t)SIGNS((VEC)(c == flow) & on) << (i * LANES);
    return flow;
}

/* Pushes to the row below or above, d = TC_DOWN or TC_UP. */
static inline TARGET void NAME(drain_vertically)(NAME(row) *r, int d)
{
    tc_board *const board = r->here->board;
    const uint32_t bits = board->lead[d][r->y];
    if (!(bits & board->source[r->y])) return;
    const bool out = r->y == (d == TC_DOWN ? TC_TILE - 1 : 0);
    const tc_tile_view *const there = out ? &r->around[d] : r->here;
    const int y_to = (d == TC_DOWN ? r->y + 1 : r->y - 1) & (TC_TILE - 1);
    float *const link = r->here->links + d * TC_TILE_NODES + r->y * TC_TILE;
    float *const back = there->links + (d ^ 1) * TC_TILE_NODES + y_to * TC_TILE;
    float *const excess = there->excess + y_to * TC_TILE;
    uint32_t moved = 0, filled = 0, above = 0, below = 0;

    for (int i = 0; i < VECTORS; i++) {
        const FLOATS flow = NAME(take)(r, link, bits, i, &moved, &filled);
        const FLOATS e = NAME(floats_at)(excess + i * LANES) + flow;
        NAME(put_floats)(excess + i * LANES, e);
        NAME(put_floats)(back + i * LANES, NAME(floats_at)(back + i * LANES) + flow);
        above |= (uint32_t)SIGNS((VEC)(e > 0)) << (i * LANES);
        below |= (uint32_t)SIGNS((VEC)(e < 0)) << (i * LANES);
    }
    const uint32_t fed = above & moved & ~there->board->source[y_to];
    there->board->source[y_to] |= fed;
    there->board->sink[y_to] &= below | ~moved;
    there->board->open[d ^ 1][y_to] |= moved;
    board->open[d][r->y] &= ~filled;
    board->lead[d][r->y] &= ~filled;
    r->more += __builtin_popcount(fed);
    r->gave |= moved;
    if (out && moved) r->over |= 1u << d;
}

/* Pushes one pixel to the right and one to the left, inside the tile. */
static inline TARGET void NAME(drain_sideways)(NAME(row) *r)
{
    tc_board *const board = r->here->board;
    const int y = r->y;
    if (!((board->lead[TC_RIGHT][y] | board->lead[TC_LEFT][y]) & board->source[y])) return;
    FLOATS flow[2][VECTORS]; /* in registers: storing it and loading it one pixel off would stall */
    float *const links = r->here->links + y * TC_TILE;
    uint32_t below = 0;

    for (int d = TC_RIGHT; d <= TC_LEFT; d++) {
        const uint32_t rim = d == TC_RIGHT ? 1u << (TC_TILE - 1) : 1;
        uint32_t moved = 0, filled = 0;
        for (int i = 0; i < VECTORS; i++)
            flow[d][i] = NAME(take)(r, links + d * TC_TILE_NODES, board->lead[d][y] & ~rim, i, &moved, &filled);
        const uint32_t to = d == TC_RIGHT ? moved << 1 : moved >> 1;
        board->open[d][y] &= ~filled;
        board->lead[d][y] &= ~filled;
        board->open[d ^ 1][y] |= to;
        r->gave |= moved;
        r->got |= to;
    }
    for (int i = 0; i < VECTORS; i++) {
        const VEC before = i > 0 ? (VEC)flow[TC_RIGHT][i - (i > 0)] : (VEC){0};
        const VEC after = i + 1 < VECTORS ? (VEC)flow[TC_LEFT][(i + 1) % VECTORS] : (VEC){0};
        const FLOATS from_left = (FLOATS)PREV_ROW(before, (VEC)flow[TC_RIGHT][i]);
        const FLOATS from_right = (FLOATS)NEXT_ROW((VEC)flow[TC_LEFT][i], after);
        float *const left = links + TC_LEFT * TC_TILE_NODES + i * LANES;
        float *const right = links + TC_RIGHT * TC_TILE_NODES + i * LANES;
        r->excess[i] += from_left + from_right;
        NAME(put_floats)(left, NAME(floats_at)(left) + from_left);
        NAME(put_floats)(right, NAME(floats_at)(right) + from_right);
        below |= (uint32_t)SIGNS((VEC)(r->excess[i] < 0)) << (i * LANES);
    }
    board->sink[y] &= below | ~r->got;
}

/* The pixel of the row at the edge d = TC_RIGHT or TC_LEFT of its tile pushes over it. */
static inline TARGET void NAME(drain_over)(NAME(row) *r, int d)
{
    tc_board *const board = r->here->board, *const other = r->around[d].board;
    const int x = d == TC_RIGHT ? TC_TILE - 1 : 0, i = r->y * TC_TILE + x, i_to = r->y * TC_TILE + TC_TILE - 1 - x;
    const uint32_t bit = 1u << x, bit_to = 1u << (TC_TILE - 1 - x);
    if (!(board->lead[d][r->y] & board->source[r->y] & bit)) return;
    float *const link = r->here->links + d * TC_TILE_NODES + i, *const excess = r->here->excess + i;
    const float flow = *excess < *link ? *excess : *link;
    *excess -= flow;
    *link -= flow;
    r->around[d].links[(d ^ 1) * TC_TILE_NODES + i_to] += flow;
    const float got = r->around[d].excess[i_to] += flow;

    if (*link <= 0) board->open[d][r->y] &= ~bit, board->lead[d][r->y] &= ~bit;
    if (*excess <= 0) board->source[r->y] &= ~bit, r->more--;
    other->open[d ^ 1][r->y] |= bit_to;
    if (got >= 0) other->sink[r->y] &= ~bit_to;
    if (got > 0 && !(other->source[r->y] & bit_to)) other->source[r->y] |= bit_to, r->more++;
    r->over |= 1u << d;
}

static inline TARGET void NAME(drain_row)(NAME(row) *r)
{
    tc_board *const board = r->here->board;
    float *const excess = r->here->excess + r->y * TC_TILE;
    uint32_t above = 0;

    r->gave = r->got = 0;
    for (int i = 0; i < VECTORS; i++) r->excess[i] = NAME(floats_at)(excess + i * LANES);
    NAME(drain_vertically)(r, TC_DOWN);
    NAME(drain_vertically)(r, TC_UP);
    NAME(drain_sideways)(r);
    for (int i = 0; i < VECTORS; i++) {
        NAME(put_floats)(excess + i * LANES, r->excess[i]);
        above |= (uint32_t)SIGNS((VEC)(r->excess[i] > 0)) << (i * LANES);
    }
    const uint32_t fed = r->got & above & ~board->source[r->y], emptied = r->gave & ~above;
    board->source[r->y] = (board->source[r->y] | fed) & ~emptied;
    r->more += __builtin_popcount(fed) - __builtin_popcount(emptied);
    NAME(drain_over)(r, TC_RIGHT);
    NAME(drain_over)(r, TC_LEFT);
}

static TARGET bool NAME(drain)(const tc_tile_view *here, const tc_tile_view around[4], int sweeps, int *more,
                               uint32_t *over)
{
    enum { VISITS = 2 }; /* of a row at a time: what came from its own left or right goes on */
    const tc_board *const b = here->board;
    NAME(row) row = {.here = here, .around = around};
    bool any = true;
    for (int sweep = 0; sweep < sweeps && any; sweep++) {
        any = false;
        for (int i = 0; i < TC_TILE; i++) {
            const int y = row.y = sweep & 1 ? TC_TILE - 1 - i : i;
            for (int visit = 0; visit < VISITS; visit++) {
                if (!(b->source[y] & (b->lead[0][y] | b->lead[1][y] | b->lead[2][y] | b->lead[3][y]))) break;
                NAME(drain_row)(&row);
                any = true;
            }
        }
    }
    *more = row.more;
    *over = row.over;
    return any;
}

#undef FLOATS
#undef VECTORS
