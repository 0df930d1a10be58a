/* SPDX-License-Identifier: MIT
 *
 * tile_board_kernels.h - the bodies of the bitboard kernels, for vectors of LANES rows. tile_board.c includes this file
 * once for each instruction set, with
 *   LANES        words in a vector
 *   TARGET       function attribute that lets the compiler use the instruction set
 *   NAME(x)      x with the set's suffix
 *   ONES(n)      the bits set in a word
 *   SIGNS(v)     the sign bits of the words of v, one bit each
 *   POSITIVE(v)  one bit for each float of v: whether it is > 0
 *   ABOVE16(p)   the same for 16 floats from p on
 *   LOWER(a, b), HIGHER(a, b)   the lower or higher of two floats, for each lane
 *   WHERE(bits, v)   the floats of v whose bit is set, 0 for the others
 *   PREV_ROW(before, v), NEXT_ROW(v, after)   v shifted by one word; the free word is filled with the last one of
 *                `before` or the first one of `after`
 */
typedef uint32_t NAME(vec) __attribute__((vector_size(4 * LANES)));
typedef uint32_t NAME(words) __attribute__((vector_size(4 * LANES), aligned(4), may_alias)); /* in memory */
#define VEC NAME(vec)
#define EACH_VECTOR(y) for (int y = 0; y < TC_TILE; y += LANES)

static inline TARGET VEC NAME(load)(const uint32_t *words)
{
    return (VEC) * (const NAME(words) *)words;
}

static inline TARGET void NAME(store)(uint32_t *words, VEC v)
{
    *(NAME(words) *)words = v;
}

/* The halo at the left and right side; bit y stands for row y. [0] has the pixels next to row y. With diagonals, [1]
 * and [2] have the pixels next to the row below and to the row above. */
typedef struct NAME(sides) {
    uint32_t right[3], left[3];
#if TC_NEIGHBOURS == 6
    const uint32_t *beyond[2]; /* rows of the next and of the previous slice */
#endif
} NAME(sides);

static inline TARGET NAME(sides) NAME(sides_of)(const tc_halo *halo)
{
    NAME(sides) s = {.right = {halo->side[TC_RIGHT]}, .left = {halo->side[TC_LEFT]}};
#if TC_NEIGHBOURS == 8
    s.right[1] = s.right[0] >> 1 | halo->side[TC_DOWN_RIGHT] << (TC_TILE - 1);
    s.right[2] = s.right[0] << 1 | halo->side[TC_UP_RIGHT];
    s.left[1] = s.left[0] >> 1 | halo->side[TC_DOWN_LEFT] << (TC_TILE - 1);
    s.left[2] = s.left[0] << 1 | halo->side[TC_UP_LEFT];
#endif
    return s;
}

/* Returns, for each pixel, the bit in `rows` of the pixel to its right; from_left() does the same for the left. `side`
 * has the pixels beyond the edge, and `row` the numbers of the rows. */
static inline TARGET VEC NAME(from_right)(VEC rows, uint32_t side, VEC row)
{
    return rows >> 1 | (side >> row) << 31;
}

static inline TARGET VEC NAME(from_left)(VEC rows, uint32_t side, VEC row)
{
    return rows << 1 | ((side >> row) & 1);
}

/* Returns, among rows y .. y + LANES - 1 and by direction, the pixels with an open link to the front or to a pixel of
 * the halo. */
static inline __attribute__((always_inline)) TARGET void NAME(look_around)(const tc_board *board, int y, VEC above,
                                                                          VEC here, VEC below, const NAME(sides) *side,
                                                                          VEC to[TC_NEIGHBOURS])
{
    const VEC row = NAME(load)(row_number + y);
    to[TC_RIGHT] = NAME(from_right)(here, side->right[0], row);
    to[TC_LEFT] = NAME(from_left)(here, side->left[0], row);
    to[TC_DOWN] = below;
    to[TC_UP] = above;
#if TC_NEIGHBOURS == 6
    to[TC_BEHIND] = NAME(load)(side->beyond[0] + y);
    to[TC_BEFORE] = NAME(load)(side->beyond[1] + y);
#elif TC_NEIGHBOURS == 8
    to[TC_DOWN_RIGHT] = NAME(from_right)(below, side->right[1], row);
    to[TC_UP_LEFT] = NAME(from_left)(above, side->left[2], row);
    to[TC_DOWN_LEFT] = NAME(from_left)(below, side->left[1], row);
    to[TC_UP_RIGHT] = NAME(from_right)(above, side->right[2], row);
#endif
    for (int d = 0; d < TC_NEIGHBOURS; d++) to[d] &= NAME(load)(board->open[d] + y);
}

/* Fills in the corners of `border`, whose edges are set. */
static inline void NAME(add_corners)(tc_halo *border)
{
    for (int d = 4; d < TC_TILE_SIDES; d++)
        border->side[d] = border->side[tc_along[d]] >> (tc_across[d] == TC_DOWN ? TC_TILE - 1 : 0) & 1;
}

/* Called when the pixels in `border`, along the edges, have been reached: removes their links from those that are
 * wanted. */
static inline TARGET void NAME(stop_wanting)(tc_board *board, const tc_halo *border)
{
#if TC_NEIGHBOURS == 8
    for (int d = 0; d < 4; d++)
        for (int k = 0; k < 3; k++) board->outward.link[d][k] &= ~border->side[d];
    for (int d = 0; d < 8; d++) board->wanted.side[d] = tc_outward_to(&board->outward, d);
#else
    for (int d = 0; d < 4; d++) board->wanted.side[d] &= ~border->side[d];
#endif
}

static inline __attribute__((always_inline)) TARGET bool NAME(go)(tc_board *board, int level, tc_halo *border,
                                                                  int *sources, bool leading)
{
    const tc_halo halo = board->halo[level & 1];
    NAME(sides) side = NAME(sides_of)(&halo);
#if TC_NEIGHBOURS == 6
    for (int k = 0; k < 2; k++) side.beyond[k] = board->reached[level & 1][k] ? board->beyond[level & 1][k] : no_rows;
#endif
    const VEC top = (VEC){0} + halo.side[TC_UP], bottom = (VEC){0} + halo.side[TC_DOWN];
    VEC front[TC_TILE / LANES]; /* kept in registers: storing rows and loading them one row off would stall */
    VEC any = {0}, hit = {0};
    uint32_t first = 0, last = 0;

    EACH_VECTOR(y) front[y / LANES] = NAME(load)(board->front + y);
    EACH_VECTOR(y)
    {
        const VEC here = front[y / LANES];
        const VEC above = PREV_ROW(y == 0 ? top : front[(y - 1) / LANES], here);
        const VEC below = NEXT_ROW(here, y + LANES == TC_TILE ? bottom : front[(y + LANES) % TC_TILE / LANES]);
        const VEC seen = NAME(load)(board->seen + y);
        VEC to[TC_NEIGHBOURS], new = {0};
        NAME(look_around)(board, y, above, here, below, &side, to);
        for (int d = 0; d < TC_NEIGHBOURS; d++) new |= to[d];
        new &= ~seen;
        if (leading) {
            for (int d = 0; d < TC_NEIGHBOURS; d++)
                NAME(store)(board->lead[d] + y, NAME(load)(board->lead[d] + y) | (to[d] & ~seen));
            board->ready |= (uint32_t)SIGNS((VEC)((new & NAME(load)(board->source + y)) != 0)) << y;
        }
        NAME(store)(board->front + y, new);
        NAME(store)(board->seen + y, seen | new);
        any |= new;
        hit |= new & NAME(load)(board->source + y);
        last |= (uint32_t)SIGNS(new) << y;
        first |= (uint32_t)SIGNS(new << 31) << y;
    }
    /* emptied here, not earlier, because clang 14 for WebAssembly moves a load that fills a vector behind later
     * stores */
    board->halo[level & 1] = (tc_halo){0};
#if TC_NEIGHBOURS == 6
    board->reached[level & 1][0] = board->reached[level & 1][1] = false;
#endif
    *sources = 0;
    if (!SIGNS((VEC)(any != 0))) return false;
    *border = (tc_halo){{[TC_RIGHT] = last, [TC_LEFT] = first, [TC_DOWN] = board->front[TC_TILE - 1],
                      [TC_UP] = board->front[0]}};
    NAME(add_corners)(border);
    NAME(stop_wanting)(board, border);
    if (SIGNS((VEC)(hit != 0)))
        for (int y = 0; y < TC_TILE; y++) *sources += ONES(board->front[y] & board->source[y]);
    return true;
}

/* Returns column x = 0 or x = 31 as one word: bit y is row y. */
static inline TARGET uint32_t NAME(column)(const uint32_t rows[TC_TILE], int x)
{
    uint32_t bits = 0;
    EACH_VECTOR(y) bits |= (uint32_t)SIGNS(NAME(load)(rows + y) << (31 - x)) << y;
    return bits;
}

static TARGET tc_halo NAME(border)(const uint32_t rows[TC_TILE])
{
    tc_halo border = {{[TC_RIGHT] = NAME(column)(rows, TC_TILE - 1), [TC_LEFT] = NAME(column)(rows, 0),
                    [TC_DOWN] = rows[TC_TILE - 1], [TC_UP] = rows[0]}};
    NAME(add_corners)(&border);
    return border;
}

/* Sets which pixels beyond the edges are wanted: all pixels to which open links lead. */
static TARGET void NAME(want)(tc_board *board)
{
    uint32_t(*const open)[TC_TILE] = board->open;
#if TC_NEIGHBOURS == 8
    board->outward = (tc_outward){{
        [TC_RIGHT] = {NAME(column)(open[TC_RIGHT], TC_TILE - 1), NAME(column)(open[TC_DOWN_RIGHT], TC_TILE - 1),
                      NAME(column)(open[TC_UP_RIGHT], TC_TILE - 1)},
        [TC_LEFT] = {NAME(column)(open[TC_LEFT], 0), NAME(column)(open[TC_DOWN_LEFT], 0),
                     NAME(column)(open[TC_UP_LEFT], 0)},
        [TC_DOWN] = {open[TC_DOWN][TC_TILE - 1], open[TC_DOWN_RIGHT][TC_TILE - 1], open[TC_DOWN_LEFT][TC_TILE - 1]},
        [TC_UP] = {open[TC_UP][0], open[TC_UP_RIGHT][0], open[TC_UP_LEFT][0]},
    }};
#else
    board->wanted = (tc_halo){{[TC_RIGHT] = NAME(column)(open[TC_RIGHT], TC_TILE - 1),
                               [TC_LEFT] = NAME(column)(open[TC_LEFT], 0),
                               [TC_DOWN] = open[TC_DOWN][TC_TILE - 1], [TC_UP] = open[TC_UP][0]}};
#endif
}

static TARGET void NAME(restart)(tc_board *board, bool leading)
{
    const tc_halo sinks = NAME(border)(board->sink);
    NAME(want)(board);
    NAME(stop_wanting)(board, &sinks);
    EACH_VECTOR(y)
    {
        const VEC sink = NAME(load)(board->sink + y);
        NAME(store)(board->seen + y, sink);
        NAME(store)(board->front + y, sink);
        for (int d = 0; leading && d < TC_NEIGHBOURS; d++) NAME(store)(board->lead[d] + y, (VEC){0});
    }
    board->halo[0] = board->halo[1] = (tc_halo){0};
#if TC_NEIGHBOURS == 6
    memset(board->reached, 0, sizeof board->reached);
#endif
    board->queued[0] = board->queued[1] = -1;
    board->ready = 0;
}

static TARGET bool NAME(advance)(tc_board *board, int level, tc_halo *border, int *sources)
{
    return NAME(go)(board, level, border, sources, false);
}

static TARGET bool NAME(advance_leading)(tc_board *board, int level, tc_halo *border, int *sources)
{
    return NAME(go)(board, level, border, sources, true);
}

#if TC_NEIGHBOURS == 6
static TARGET bool NAME(spread_to_slice)(tc_board *other, int d, const uint32_t front[TC_TILE], bool ours, int next)
{
    uint32_t *const beyond = other->beyond[next & 1][(d ^ 1) - 4];
    VEC any = {0};
    EACH_VECTOR(y)
    {
        VEC news = NAME(load)(front + y) & NAME(load)(other->open[d ^ 1] + y);
        if (ours) news &= ~NAME(load)(other->seen + y);
        NAME(store)(beyond + y, news);
        any |= news;
    }
    if (!SIGNS((VEC)(any != 0))) return false;
    other->reached[next & 1][(d ^ 1) - 4] = true;
    return true;
}
#endif

static TARGET int NAME(count)(const uint32_t rows[TC_TILE])
{
    int bits = 0;
    for (int y = 0; y < TC_TILE; y++) bits += ONES(rows[y]);
    return bits;
}

/* The numbers are in Gray code, in which consecutive numbers differ in only one plane. */
static TARGET void NAME(count_on)(uint32_t (*plane)[TC_TILE], size_t step, const tc_board *board, uint32_t from,
                                  uint32_t to)
{
    const uint32_t flips = from ^ from >> 1 ^ to ^ to >> 1;
    const uint32_t used = all_below(from), added = all_below(to) & ~used;
    VEC later[TC_TILE / LANES];
    EACH_VECTOR(y) later[y / LANES] = ~NAME(load)(board->seen + y) | NAME(load)(board->front + y);
    for (uint32_t planes = flips & used; planes; planes &= planes - 1) {
        uint32_t *const rows = plane[(size_t)__builtin_ctz(planes) * step];
        EACH_VECTOR(y) NAME(store)(rows + y, NAME(load)(rows + y) ^ later[y / LANES]);
    }
    for (uint32_t planes = added; planes; planes &= planes - 1) {
        const int k = __builtin_ctz(planes);
        uint32_t *const rows = plane[(size_t)k * step];
        const VEC flip = -((VEC){0} + (flips >> k & 1));
        EACH_VECTOR(y) NAME(store)(rows + y, later[y / LANES] & flip);
    }
}

static TARGET void NAME(read_numbers)(uint32_t (*plane)[TC_TILE], size_t step, int planes, const uint32_t rows[TC_TILE],
                                      uint32_t first, uint32_t other, uint32_t number[TC_TILE][TC_TILE])
{
    EACH_VECTOR(x)
    {
        const VEC column = NAME(load)(row_number + x);
        for (int y = 0; y < TC_TILE; y++) {
            const VEC set = -((rows[y] >> column) & 1);
            VEC sum = {0}, bit = {0};
            if (!rows[y]) continue;
            for (int k = planes - 1; k >= 0; k--) {
                bit ^= (plane[(size_t)k * step][y] >> column) & 1;
                sum |= bit << k;
            }
            NAME(store)(number[y] + x, ((sum + first) & set) | (other & ~set));
        }
    }
}

static TARGET void NAME(scan_excess)(const float *excess, uint32_t below[TC_TILE], uint32_t above[TC_TILE])
{
    for (int y = 0; y < TC_TILE; y++, excess += TC_TILE) {
        uint32_t minus = 0;
        for (int x = 0; x < TC_TILE; x += LANES)
            minus |= (uint32_t)SIGNS(NAME(load)((const uint32_t *)(const void *)(excess + x))) << x;
        below[y] = minus; /* no zero is negative, because differences of equal floats are +0 */
        above[y] = (uint32_t)ABOVE16(excess) | (uint32_t)ABOVE16(excess + 16) << 16;
    }
}

static TARGET void NAME(scan_links)(const tc_float4 *residual, uint32_t open[4][TC_TILE])
{
    for (int y = 0; y < TC_TILE; y++) {
        uint32_t rows[4] = {0};
        for (int x = 0; x < TC_TILE; x += 4, residual += 4) {
            const uint32_t bits = (uint32_t)ABOVE16((const float *)residual);
            /* bit 4i + d is direction d of node i; the multiplication brings bits 0, 4, 8 and 12 together */
            for (int d = 0; d < 4; d++) rows[d] |= (((bits >> d & 0x1111) * 0x1248) >> 12 & 15) << x;
        }
        for (int d = 0; d < 4; d++) open[d][y] = rows[d];
    }
}

#include "tile_drain_kernels.h"

static const tc_board_kernels NAME(kernels) = {
    .restart = NAME(restart),
    .advance = NAME(advance),
    .advance_leading = NAME(advance_leading),
    .split_links = NAME(split_links),
    .join_links = NAME(join_links),
    .feed_beside = NAME(feed_beside),
    .drain = NAME(drain),
    .read_off = NAME(read_off),
    .scan_links = NAME(scan_links),
    .scan_link_rows = NAME(scan_link_rows),
    .scan_excess = NAME(scan_excess),
    .count = NAME(count),
    .count_on = NAME(count_on),
    .read_numbers = NAME(read_numbers),
    .border = NAME(border),
#if TC_NEIGHBOURS == 6
    .spread_to_slice = NAME(spread_to_slice),
#endif
};

#undef EACH_VECTOR
#undef VEC
#undef LANES
#undef TARGET
#undef NAME
#undef SIGNS
#undef ONES
#undef POSITIVE
#undef ABOVE16
#undef LOWER
#undef HIGHER
#undef WHERE
#undef PREV_ROW
#undef NEXT_ROW
