/* SPDX-License-Identifier: MIT
 *
 * tuning.h - all numbers of the CPU solvers that were found by measuring. None of them changes an answer. The numbers
 * of the GPU solver are in tiles_schedule_default() (cuda/tiles/tiles_solver.cuh), those of `hybrid` in
 * tc_costs_default() (hybrid_decide.c).
 *
 * The columns "half" and "double" say what half and double of a number cost: the instructions of a whole solve,
 * relative to those with the number as it is. Each figure is the geometric mean over coffee and tulips of images/ at
 * lambda 50 on one thread, counted by `valgrind --tool=callgrind --toggle-collect=tc_cascade_solve` (tc_push_solve for
 * push) around `tilecut segment --solver cascade` (push). Instructions do not show effects of the cache; a number that
 * is about the cache names a time from docs/lab instead. Pieces and the survey were counted with these photos scaled to
 * 1 Mpx (`tilecut make photo --size 1024`). `-` marks numbers that divide work among threads or classify graphs, about
 * which the instructions of one thread say nothing. The numbers about threads were measured with 16 threads instead,
 * together with those of other files: docs/lab/performance.md, "Numbers about threads".
 */
#pragma once

enum {
    /* ---- cascade.c and drain.c: excess runs downhill ----                                           half   double */
    TC_DRAIN_NEAR = 5,           /* reach, in levels, of the first descents                            1.03   0.96 */
    TC_DRAIN_FAR = 50,           /* largest reach of descents, then push; see performance.md           0.89   0.88 */
    TC_DRAIN_HARDLY = 8,         /* search on if it took more steps than this per source reached       1.00   1.00 */
    TC_DRAIN_LEVELS = 6,         /* levels searched in one pass over the rows                          1.00   0.98 */
    TC_DRAIN_SWEEPS = 4,         /* sweeps over the rows of a tile in one visit                        1.00   1.00 */
    TC_DRAIN_VISITS = 2,         /* visits to a row of pixels in one sweep                             1.01   1.00 */
    TC_DRAIN_AHEAD = 4,          /* rows to prefetch; processor time, see performance.md               1.00   1.01 */
    TC_DRAIN_TURNS = 64,         /* rounds over the tiles in one descent, at most                      1.00   1.00 */
    TC_DRAIN_WEIGHT = 20,        /* work of draining a tile, in search steps, to balance threads       -      - */
    TC_DRAIN_FEW = 8,            /* with this many tiles per source, descents run around sources       1.00   1.00 */
    TC_DRAIN_AROUND = 8,         /* most descents around a tile                                        1.00   1.00 */
    TC_DRAIN_WHOLE = 32,         /* most descents in the whole image                                   1.00   1.00 */
    TC_DRAIN_SAMPLE = 16,        /* one tile in this many is a sample of how near flow is              1.01   0.99 */
    TC_DRAIN_BLOCK = 4,          /* tiles along a side of a block                                      1.00   1.00 */
    TC_DRAIN_IN_BLOCK = 3,       /* most descents in a block                                           1.00   1.00 */
    /* These two classify graphs, so half and double have no meaning. Some tiles are samples: several descents run in
     * each, and the sources that reach a sink in each descent are counted. Flow is near if the last descent has fewer
     * than 1/64 of the first one's sources: photographs have 1/10 to 1/42, `hussein` 1/150 and less. Flow is far if the
     * second descent has fewer than 1/10 of the first one's; this is tested only for volumes. */
    TC_DRAIN_IS_NEAR = 64,
    TC_DRAIN_IS_FAR = 10,
    TC_STRIPS_A_THREAD = 4,      /* strips per thread: more than one, as strips differ in work         -      - */
    TC_CASCADE_PIECE = 4,        /* tiles along a side of the first pieces; a cache of 1 MB holds them  1.05   1.00 */
    TC_CASCADE_PIECES = 4,       /* fewest of the largest pieces along the longer side of the image    0.98   1.02 */
    TC_CASCADE_SLAB = 4,         /* fewest slices in a slab: thinner ones exchange too much            -      - */

    /* ---- push ---- */
    TC_PUSH_REACH = 16,          /* levels that the first search covers. Time: 0.66; with 8 levels 0.68, with 64 0.73 */
    TC_PUSH_REACH_ON = 64,       /* the same after descents. A reach of 32 makes 1.03 times the work, 128 1.19 times */
    TC_PUSH_LEFT = 12,           /* double the reach when 1/12 is left; performance.md has six values  1.05   0.94 */
    TC_PUSH_WORK_A_STEP = 2,     /* pushes per step of a search, before the next search                1.00   1.00 */
    TC_PUSH_FEW = 64,            /* search on if it took more steps than this per active pixel         0.99   1.00 */
    TC_PUSH_FURTHER = 4,         /* levels to search beyond the farthest active pixel                  1.00   1.00 */
    TC_PUSH_PRICE = 128,         /* cost of dividing the parts among threads anew, in tiles            -      - */
    TC_PUSH_TILES_A_THREAD = 8,  /* fewest tiles per level of a search for each thread; performance.md -     - */
    TC_PUSH_STEPS_A_THREAD = 4096, /* in a volume: fewest tiles in all levels of a search for each thread - - */
    TC_PUSH_ACTIVE_A_THREAD = 128, /* fewest active pixels for each thread                           -      - */
    TC_PUSH_ROUNDS = 64,         /* rounds before judging whether rounds have enough work              -      - */
    TC_PUSH_WORK_A_ROUND = 64,   /* fewest pushes in a round for each thread that takes part           -      - */
    TC_PUSH_WINDOW_LEAST = 2,    /* smallest window (TC_PUSH_WINDOW); best is 2 for photos, 50 for mazes 1.06   1.13 */

    /* ---- survey.h: what a graph is like ---- */
    TC_SURVEY_ENOUGH = 1 << 14   /* pixels to look at; tc_survey_grid() was counted, too               1.00   1.00 */
};

/* The window is this factor times (highest active level)^(2/3). A maze of 1 Mpx takes 180 ms without the window and 35
 * ms with it. */
#define TC_PUSH_WINDOW 0.07
