/* SPDX-License-Identifier: MIT
 *
 * tile_feed_kernels.h - the kernels that push excess into sinks next to it, for vectors of LANES pixels.
 * tile_drain_kernels.h includes this file once for each instruction set; the macros are described in
 * tile_board_kernels.h.
 */
/* Returns how much of `excess` fits over `link` into the neighbouring pixel, whose excess is `room` (negative if it is
 * a sink). */
static inline TARGET FLOATS NAME(fitting)(FLOATS excess, FLOATS link, FLOATS room)
{
    return HIGHER(LOWER(LOWER(excess, link), -room), (FLOATS){0});
}

/* Pushes from pixels of row `y` into sinks next to them in the row; `e` are the excesses. */
static inline TARGET void NAME(feed_along)(float *links, int y, FLOATS e[VECTORS])
{
    FLOATS to_right[VECTORS], to_left[VECTORS];
    float *const right = links + tc_link_at(TC_RIGHT, 0, y), *const left = links + tc_link_at(TC_LEFT, 0, y);

    for (int i = 0; i < VECTORS; i++)
        to_right[i] = NAME(fitting)(e[i], NAME(floats_at)(right + i * LANES), NAME(right_of)(e, i));
    for (int i = 0; i < VECTORS; i++) e[i] += NAME(left_of)(to_right, i) - to_right[i];
    for (int i = 0; i < VECTORS; i++)
        to_left[i] = NAME(fitting)(e[i], NAME(floats_at)(left + i * LANES), NAME(left_of)(e, i));
    for (int i = 0; i < VECTORS; i++) {
        const FLOATS from_left = NAME(left_of)(to_right, i), from_right = NAME(right_of)(to_left, i);
        e[i] += from_right - to_left[i];
        NAME(put_floats)(right + i * LANES, NAME(floats_at)(right + i * LANES) + from_right - to_right[i]);
        NAME(put_floats)(left + i * LANES, NAME(floats_at)(left + i * LANES) + from_left - to_left[i]);
    }
}

/* Pushes into sinks between row `y` and the row above it, both ways. */
static inline TARGET void NAME(feed_across)(float *links, int y, FLOATS above[VECTORS], FLOATS excess[VECTORS])
{
    float *const down = links + tc_link_at(TC_DOWN, 0, y - 1), *const up = links + tc_link_at(TC_UP, 0, y);
    for (int i = 0; i < VECTORS; i++) {
        const FLOATS c_down = NAME(floats_at)(down + i * LANES), c_up = NAME(floats_at)(up + i * LANES);
        const FLOATS fall = NAME(fitting)(above[i], c_down, excess[i]) - NAME(fitting)(excess[i], c_up, above[i]);
        NAME(put_floats)(down + i * LANES, c_down - fall);
        NAME(put_floats)(up + i * LANES, c_up + fall);
        above[i] -= fall;
        excess[i] += fall;
    }
}

#if TC_NEIGHBOURS == 8
/* Pushes along one kind of diagonals between row y - 1 and row y: from a pixel to the pixel below and to the right (or,
 * if not `right`, to the left), and back. */
static inline TARGET void NAME(feed_diagonally)(float *links, int y, bool right, FLOATS above[VECTORS],
                                            FLOATS excess[VECTORS])
{
    float *const down = links + tc_link_at((right ? TC_DOWN_RIGHT : TC_DOWN_LEFT) - 4, 0, y - 1);
    float *const up = links + tc_link_at((right ? TC_UP_LEFT : TC_UP_RIGHT) - 4, 0, y);
    FLOATS fall[VECTORS], rise[VECTORS];

    for (int i = 0; i < VECTORS; i++) {
        const FLOATS below = right ? NAME(right_of)(excess, i) : NAME(left_of)(excess, i);
        const FLOATS over = right ? NAME(left_of)(above, i) : NAME(right_of)(above, i);
        fall[i] = NAME(fitting)(above[i], NAME(floats_at)(down + i * LANES), below);
        rise[i] = NAME(fitting)(excess[i], NAME(floats_at)(up + i * LANES), over);
    }
    for (int i = 0; i < VECTORS; i++) {
        const FLOATS fell = right ? NAME(left_of)(fall, i) : NAME(right_of)(fall, i);
        const FLOATS rose = right ? NAME(right_of)(rise, i) : NAME(left_of)(rise, i);
        above[i] += rose - fall[i];
        excess[i] += fell - rise[i];
        NAME(put_floats)(down + i * LANES, NAME(floats_at)(down + i * LANES) + rose - fall[i]);
        NAME(put_floats)(up + i * LANES, NAME(floats_at)(up + i * LANES) + fell - rise[i]);
    }
}
#endif

/* Pushes into sinks between row y - 1 and row y, both of which are in registers. */
static inline TARGET void NAME(feed_row)(const tc_tile_view *tile, int y, FLOATS above[VECTORS], FLOATS excess[VECTORS])
{
    NAME(feed_across)(tile->links[0], y, above, excess);
#if TC_NEIGHBOURS == 8
    NAME(feed_diagonally)(tile->links[1], y, true, above, excess);
    NAME(feed_diagonally)(tile->links[1], y, false, above, excess);
#endif
    for (int i = 0; i < VECTORS; i++) NAME(put_floats)(tile->excess + (y - 1) * TC_TILE + i * LANES, above[i]);
}

static TARGET void NAME(feed_beside)(const tc_tile_view *tile)
{
    FLOATS above[VECTORS], excess[VECTORS];
    float *e = tile->excess;
    for (int y = 0; y < TC_TILE; y++, e += TC_TILE) {
        for (int i = 0; i < VECTORS; i++) excess[i] = NAME(floats_at)(e + i * LANES);
        NAME(feed_along)(tile->links[0], y, excess);
        if (y > 0) NAME(feed_row)(tile, y, above, excess);
        for (int i = 0; i < VECTORS; i++) NAME(put_floats)(e + i * LANES, above[i] = excess[i]);
    }
}
