/* SPDX-License-Identifier: MIT
 *
 * dead_ends.c - see dead_ends.h. Each pixel has a byte with a bit for each direction in which it has a link, to it or
 * from it. A pixel with exactly one such bit is an end. It is solved, and its link is removed from its own byte and
 * from that of the pixel at the link's other end, which may become an end itself. So each dead end is walked up to its
 * mouth, where it joins the rest, and each pixel is visited once.
 */
#include "dead_ends.h"

#include <stdlib.h>

#include "alloc_list.h"
#include "parallel.h"
#include "simd.h"
#include "steps.h"
#include "tile_board.h"

/* A pixel's byte: a bit for each direction, and TIED if the pixel has excess or residual capacity to the sink. */
enum { DIRECTIONS = 15, TIED = 16 };

/* The link from the last pixel of a dead end to the pixel before it: the first that is in no dead end. */
typedef struct tc_end_link {
    ptrdiff_t end, before;
    int d;           /* the direction from `end` to `before` */
    float out, back; /* capacities             */
} tc_end_link;

/* Residual capacity to the sink that belongs to pixel `end`, but counts as that of pixel `before` until the maze is
 * solved. */
typedef struct tc_offer {
    ptrdiff_t end, before;
    int d;
    float room;
} tc_offer;

typedef uint32_t rows[TC_TILE];

typedef struct scan {
    const tc_grid *grid;
    rows (*open)[4]; /* [tiles] the links that have capacity */
    uint8_t *way;    /* [nodes]                              */
} scan;

static void scan_tile(void *context, int tile)
{
    const scan *const s = context;
    const tc_board_kernels *const kernel = tc_board_kernels_get();
    const tc_float4 *const links = s->grid->residual + (size_t)tile * TC_TILE_NODES;
    if (s->grid->by_rows) kernel->scan_link_rows(links->to, s->open[tile]);
    else kernel->scan_links(links, s->open[tile]);
}

/* Writes one byte for each pixel of a row, from one word for each bit. */
TC_VECTOR_LOOP
static void spread_bits(const uint32_t bit[5], uint8_t *way)
{
    for (uint32_t x = 0; x < TC_TILE; x++)
        way[x] = (uint8_t)((bit[0] >> x & 1) | (bit[1] >> x & 1) << 1 | (bit[2] >> x & 1) << 2 |
                           (bit[3] >> x & 1) << 3 | (bit[4] >> x & 1) << 4);
}

/* Finds the links of the pixels of a tile. A pixel has a link in direction d if that link or its reverse has
 * capacity. */
static void write_ways(void *context, int tile)
{
    const scan *const s = context;
    const int across = s->grid->tiles_x, last = TC_TILE - 1;
    const bool right = (tile + 1) % across > 0, left = tile % across > 0;
    const bool below = tile + across < across * s->grid->tiles_y, above = tile >= across;
    rows *const open = s->open[tile];
    rows sink, source;
    tc_board_kernels_get()->scan_excess(s->grid->excess + (size_t)tile * TC_TILE_NODES, sink, source);
    for (int y = 0; y < TC_TILE; y++) {
        const uint32_t to_right = right ? s->open[tile + 1][TC_LEFT][y] : 0;
        const uint32_t to_left = left ? s->open[tile - 1][TC_RIGHT][y] : 0;
        const uint32_t up = y < last ? open[TC_UP][y + 1] : below ? s->open[tile + across][TC_UP][0] : 0;
        const uint32_t down = y > 0 ? open[TC_DOWN][y - 1] : above ? s->open[tile - across][TC_DOWN][last] : 0;
        const uint32_t bit[5] = {open[TC_RIGHT][y] | open[TC_LEFT][y] >> 1 | to_right << last,
                                 open[TC_LEFT][y] | open[TC_RIGHT][y] << 1 | to_left >> last,
                                 open[TC_DOWN][y] | up, open[TC_UP][y] | down, sink[y] | source[y]};
        spread_bits(bit, s->way + (size_t)tile * TC_TILE_NODES + (size_t)y * TC_TILE);
    }
}

static inline bool is_end(uint8_t way)
{
    way &= DIRECTIONS;
    return way && !(way & (way - 1));
}

static bool add_end_link(tc_dead_ends *ends, tc_end_link link)
{
    tc_end_link *const list = tc_list_grow(ends->end_link, ends->end_links, &ends->end_link_room, sizeof link);
    if (!list) return false;
    ends->end_link = list;
    ends->end_link[ends->end_links++] = link;
    return true;
}

static bool add_offer(tc_dead_ends *ends, tc_offer offer)
{
    tc_offer *const list = tc_list_grow(ends->offer, ends->offers, &ends->offer_room, sizeof offer);
    if (!list) return false;
    ends->offer = list;
    ends->offer[ends->offers++] = offer;
    return true;
}

static inline bool is_exact(float sum)
{
    return sum < TC_EXACT_LIMIT && sum > -TC_EXACT_LIMIT;
}

/* Pushes the excess of an end over its link, or offers its capacity to the sink to the pixel before it. Returns false
 * if nothing was moved, because a sum would not be exact or there is no memory. */
static bool settle_end(tc_dead_ends *ends, const tc_grid *grid, ptrdiff_t end, ptrdiff_t before, int d)
{
    float *const out = tc_residual(grid, end, d), *const back = tc_residual(grid, before, d ^ 1);
    const float excess = grid->excess[end], link = excess > 0 ? *out : *back;
    const float amount = excess > 0 ? (excess < link ? excess : link) : (-excess < link ? -excess : link);
    if (!(amount > 0)) return true;
    const float after = grid->excess[before] + (excess > 0 ? amount : -amount);
    if (!is_exact(after)) return false;
    if (excess > 0) {
        *out -= amount;
        *back += amount;
        grid->excess[end] -= amount;
    } else if (!add_offer(ends, (tc_offer){end, before, d, amount})) {
        return false;
    } else {
        *back -= amount; /* reserved for the excess that will use the offer */
        grid->excess[end] += amount;
    }
    grid->excess[before] = after;
    return true;
}

/* Walks from pixel `p`, an end, as long as pixels are ends. Returns the last link walked, or a link from p to p if
 * there was none. */
static tc_end_link walk(tc_dead_ends *ends, const tc_grid *grid, const tc_steps *steps, uint8_t *way, int32_t p)
{
    tc_end_link link = {.end = p, .before = p};
    do {
        const int d = __builtin_ctz(way[p]);
        const int32_t q = tc_step(steps, p, d);
        if (way[p] & TIED) {
            if (!settle_end(ends, grid, p, q, d)) break;
            way[q] |= TIED;
        }
        way[p] = 0;
        way[q] &= (uint8_t)~(1u << (d ^ 1));
        link = (tc_end_link){.end = p, .before = q, .d = d};
        p = q;
    } while (is_end(way[p]));
    return link;
}

/* Walks every dead end. Returns false if there is no memory for their last links. */
static bool walk_all(tc_dead_ends *ends, const tc_grid *grid, uint8_t *way)
{
    const tc_steps steps = tc_steps_of(grid);
    for (int32_t p = 0; p < (int32_t)grid->nodes; p++) {
        if (!is_end(way[p])) continue;
        const tc_end_link link = walk(ends, grid, &steps, way, p);
        if (link.end != link.before && way[link.before] & DIRECTIONS && !add_end_link(ends, link)) return false;
    }
    return true;
}

/* Keeps only those last links that lead to a ring of links, and closes them. */
static void shut(tc_dead_ends *ends, const tc_grid *grid, const uint8_t *way)
{
    size_t kept = 0;
    for (size_t i = 0; i < ends->end_links; i++) {
        tc_end_link m = ends->end_link[i];
        if (!(way[m.before] & DIRECTIONS)) continue;
        float *const out = tc_residual(grid, m.end, m.d), *const back = tc_residual(grid, m.before, m.d ^ 1);
        m.out = *out, m.back = *back;
        *out = *back = 0;
        ends->end_link[kept++] = m;
    }
    ends->end_links = kept;
    uint8_t any = 0;
    for (size_t p = 0; p < grid->nodes; p++) any |= way[p];
    ends->solved = !(any & DIRECTIONS);
}

/* Takes back the part of an offer that `before` still has. The rest was used: that much excess moves on to `end`. */
static void redeem(const tc_grid *grid, const tc_offer *offer)
{
    float *const excess = grid->excess, left = excess[offer->before] < 0 ? -excess[offer->before] : 0;
    const float unused = left < offer->room ? left : offer->room, used = offer->room - unused;
    excess[offer->before] += unused;
    excess[offer->end] -= unused;
    *tc_residual(grid, offer->before, offer->d ^ 1) += unused;
    *tc_residual(grid, offer->end, offer->d) += used;
}

void tc_dead_ends_shut(tc_dead_ends *ends, tc_grid *grid, int threads)
{
    const int tiles = grid->tiles_x * grid->tiles_y;
    if (grid->connectivity != 4 || grid->nodes > INT32_MAX) return;
    scan s = {.grid = grid, .open = malloc((size_t)tiles * sizeof *s.open), .way = malloc(grid->nodes)};
    if (s.open && s.way) {
        tc_parallel(threads, tiles, scan_tile, &s);
        tc_parallel(threads, tiles, write_ways, &s);
        const bool all = walk_all(ends, grid, s.way);
        if (all) shut(ends, grid, s.way);
        /* withdraws all offers, because the dead ends stay open */
        else ends->end_links = 0, tc_dead_ends_open(ends, grid);
        ends->bytes = (size_t)tiles * sizeof *s.open + grid->nodes + ends->end_link_room * sizeof *ends->end_link +
                      ends->offer_room * sizeof *ends->offer;
    }
    free(s.open);
    free(s.way);
}

void tc_dead_ends_open(tc_dead_ends *ends, tc_grid *grid)
{
    for (size_t i = 0; i < ends->end_links; i++) {
        const tc_end_link *const m = &ends->end_link[i];
        *tc_residual(grid, m->end, m->d) = m->out;
        *tc_residual(grid, m->before, m->d ^ 1) = m->back;
    }
    for (size_t i = ends->offers; i > 0; i--) redeem(grid, &ends->offer[i - 1]);
    free(ends->end_link);
    free(ends->offer);
    *ends = (tc_dead_ends){.bytes = ends->bytes};
}
