/* SPDX-License-Identifier: MIT
 *
 * tuning.h - the numbers of the solvers on a CPU that were found by measuring, in one place. None of them changes an
 * answer. The tables of the device are tiles_schedule_default() (cuda/tiles/tiles_solver.cuh) and tc_costs_default()
 * (hybrid_decide.c).
 *
 * What half and double of a number cost is the instructions of the whole solve with it, those of today being 1: two
 * figures, half and double, each the geometric mean of coffee and tulips of images/ at lambda 50 on one thread, as
 * `valgrind --tool=callgrind --toggle-collect=tc_solver_cascade` (or tc_solver_push, for push) counts them for
 * `tilecut segment`. Instructions say nothing of caches; where that is what a number is for, the times that docs/lab
 * has are named instead. `-`: not measured, or without meaning there.
 */
#ifndef TC_TUNING_H
#define TC_TUNING_H

enum {
    /* ---- cascade.c and drain.c: excess runs downhill ----                                           half   double */
    TC_DRAIN_NEAR = 5,           /* levels that the first descents reach                               1.03   0.96 */
    TC_DRAIN_FAR = 50,           /* levels beyond which push goes on; table in performance.md          0.89   0.88 */
    TC_DRAIN_HARDLY = 8,         /* steps of a search for each source met: then it goes on, farther    1.00   1.00 */
    TC_DRAIN_LEVELS = 6,         /* that follow each other through the rows: 11 ms of hussein 4096    1.00   0.98 */
    TC_DRAIN_SWEEPS = 4,         /* over the rows of a tile in one visit                               1.00   1.00 */
    TC_DRAIN_VISITS = 2,         /* to a row of pixels in one sweep                                    1.01   1.00 */
    TC_DRAIN_AHEAD = 4,          /* rows that are fetched ahead, for the cache                         -      - */
    TC_DRAIN_TURNS = 64,         /* of tiles in one descent; the rest waits for the next search        1.00   1.00 */
    TC_DRAIN_WEIGHT = 20,        /* of draining a tile in steps of a search, to balance threads        -      - */
    TC_DRAIN_FEW = 8,            /* tiles for each source: then descents run around sources            1.00   1.00 */
    TC_DRAIN_AROUND = 8,         /* descents around a tile                                             1.00   1.00 */
    TC_DRAIN_WHOLE = 32,         /* descents in the whole image at most                                1.00   1.00 */
    TC_DRAIN_SAMPLE = 16,        /* one tile of so many tells how near flow is                         1.01   0.99 */
    TC_DRAIN_BLOCK = 4,          /* tiles along a side of a block: 50 ms of hussein 4096             1.00   1.00 */
    TC_DRAIN_IN_BLOCK = 3,       /* descents in a block                                                1.00   1.00 */
    /* Flow is near if fewer than one in so many sources that met a sink in a tile's first descent still do in the last:
     * photographs have 1 in 10 to 42, `hussein` 1 in 150 and fewer. It is far if fewer than one in so many do in the
     * second. Both tell kinds of graphs apart and are not to be halved. */
    TC_DRAIN_IS_NEAR = 64,
    TC_DRAIN_IS_FAR = 10,
    TC_STRIPS_A_THREAD = 4,      /* for threads: strips are unequal work                               -      - */
    TC_CASCADE_ROWS_A_STRIP = 4, /* at least: else too much crosses strips                             -      - */

    /* ---- push ---- */
    TC_PUSH_REACH = 16,          /* levels that push reaches at first; times: 0.66, with 8 0.68, with 64 0.73 */
    TC_PUSH_REACH_ON = 64,       /* the same after descents; 32 takes 1.03 of the work, 128 1.19       -      - */
    TC_PUSH_LEFT = 12,           /* twice as far when one in so many is left; performance.md has six   1.05   0.94 */
    TC_PUSH_WORK_A_STEP = 2,     /* pushes for a step of searching, before the next search             -      - */
    TC_PUSH_FEW = 64,            /* steps for each active pixel met: then a search goes on             -      - */
    TC_PUSH_FURTHER = 4,         /* levels that a search goes beyond the last active pixel             -      - */
    TC_PUSH_PRICE = 128,         /* of placing parts anew for threads, in tiles                        -      - */
    TC_PUSH_WINDOW_LEAST = 2,    /* levels; photographs want 2, mazes 50: see TC_PUSH_WINDOW           -      - */

    /* ---- survey.h: what a graph is like ---- */
    TC_SURVEY_ENOUGH = 1 << 14   /* pixels to look at                                                  -      - */
};

/* The window is this times the highest active level to the power 2/3. A maze of 1 Mpx takes 35 ms for 180 without. */
#define TC_PUSH_WINDOW 0.07

#endif
