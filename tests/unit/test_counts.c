/* SPDX-License-Identifier: MIT
 *
 * Threads: run under the thread sanitizer, too.
 *
 * test_counts.c - counts over all pixels are the same for any number of threads, and equal those of a plain loop. The
 * same holds for levels of nearness.
 */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "counts.h"
#include "nearness.h"
#include "random_graph.h"
#include "run_suite.h"

/* the image is large enough to be split among three threads */
enum { W = 2500, H = 2600, BITS = 3, BINS = 1 << 3 * BITS };

static uint8_t pixels[W * H * 3], labels[W * H], seeds[W * H];
static const tilecut_image image = {0, W, H, 3, 8, 3 * W, pixels};

static void draw(uint64_t seed)
{
    uint64_t state = seed;
    memset(seeds, 0, sizeof seeds);
    for (int p = 0; p < W * H; p++) {
        for (int c = 0; c < 3; c++) pixels[3 * p + c] = (uint8_t)(p / W % 97 + (int)(random_next(&state) & 127));
        labels[p] = (uint8_t)(p / W % 5 ? random_next(&state) & 3 : 0); /* some rows have no labels */
    }
    for (int i = 0; i < 4000; i++) seeds[random_below(&state, W * H)] = (uint8_t)(1 + i % 3);
}

/* Counts with a plain loop. */
static void count_plainly(uint32_t table[TC_COUNTS][BINS])
{
    for (int p = 0; p < W * H; p++) {
        const uint8_t *const s = pixels + 3 * p;
        const int bin = s[0] >> 5 << 6 | s[1] >> 5 << 3 | s[2] >> 5;
        table[TC_SEEN][bin]++;
        if (labels[p]) table[labels[p] == TILECUT_FOREGROUND ? TC_LABELLED_FG : TC_LABELLED_BG][bin]++;
        if (seeds[p] == TILECUT_FOREGROUND) table[TC_SEEDED_FG][bin]++;
        if (seeds[p] == TILECUT_BACKGROUND) table[TC_SEEDED_BG][bin]++;
        if (seeds[p] == TILECUT_OUTSIDE) table[TC_SEEDED_OUTSIDE][bin]++;
    }
}

TEST(threads_count_what_a_loop_counts)
{
    static uint32_t plain[TC_COUNTS][BINS], counted[TC_COUNTS][BINS];
    draw(7);
    count_plainly(plain);
    for (int wanted = 1; wanted < 1 << 3; wanted++)
        for (int threads = 1; threads <= 3; threads++) {
            tc_count count = {.image = &image, .labels = labels, .seeds = seeds, .bits = BITS, .threads = threads};
            memset(counted, 0, sizeof counted);
            for (int k = 0; k < TC_COUNTS; k++) {
                const int group = k == TC_SEEN ? 0 : k < TC_SEEDED_FG ? 1 : 2;
                if (wanted >> group & 1) count.of[k] = counted[k];
            }
            ck_assert_int_eq(tc_count_colors(&count), TILECUT_OK);
            for (int k = 0; k < TC_COUNTS; k++)
                ck_assert_msg(!count.of[k] || !memcmp(plain[k], counted[k], sizeof plain[k]), "table %d, %d threads",
                              k, threads);
            if (wanted > 1) continue;
            memset(counted, 0, sizeof counted);
            count.marks = true;
            ck_assert_int_eq(tc_count_colors(&count), TILECUT_OK);
            for (int b = 0; b < BINS; b++) ck_assert_int_eq(counted[TC_SEEN][b] != 0, plain[TC_SEEN][b] != 0);
        }
}

/* From three threads on, all threads share one map (nearness.c). Runs with `first` to `last` threads. */
static void check_levels(int width, int height, int first, int last)
{
    static uint8_t one[W * H], several[W * H];
    const size_t size = (size_t)width * (size_t)height;
    const tc_nearness_lattice lattice = {width, height, 0, {1, 1, 1}};
    ck_assert_int_eq(tc_nearness(seeds, &lattice, 1, NULL, one, NULL), TILECUT_OK);
    for (int threads = first; threads <= last; threads++) {
        memset(several, 0, size);
        ck_assert_int_eq(tc_nearness(seeds, &lattice, threads, NULL, several, NULL), TILECUT_OK);
        ck_assert_msg(!memcmp(one, several, size), "%dx%d, %d threads", width, height, threads);
    }
}

TEST(levels_do_not_depend_on_threads)
{
    draw(8);
    check_levels(W, H, 4, 4);
    check_levels(1, 300000, 2, 4);
    check_levels(300000, 1, 2, 4);
    check_levels(63, 9001, 2, 8);
    check_levels(5003, 129, 2, 8);
    /* draws few seeds, so that distances reach across all blocks */
    for (uint64_t state = 11, turn = 0; turn < 4; turn++) {
        const int width = 300 + (int)random_below(&state, 1200), height = 900 + (int)random_below(&state, 900);
        memset(seeds, 0, sizeof seeds);
        for (uint64_t i = 0; i < 2 + turn; i++)
            seeds[random_below(&state, width * height)] = (uint8_t)(1 + i % 2);
        check_levels(width, height, 3 + (int)turn, 4 + (int)turn);
    }
}

/* ---- In space --------------------------------------------------------------------------------- */

enum { MOST_VOXELS = 12 * 12 * 9 };

typedef struct space {
    int size[3];
    double spacing[3];
    int32_t to[2][MOST_VOXELS]; /* distances to the foreground and to the background */
} space;

/* Returns five times the length of a step, rounded half to even, or -1 for a step of length zero. */
static int32_t cost_of(const space *s, int x, int y, int z)
{
    const double dx = x * s->spacing[0], dy = y * s->spacing[1], dz = z * s->spacing[2];
    if (x == 0 && y == 0 && z == 0) return -1;
    return (int32_t)rint(5 * sqrt(dx * dx + dy * dy + dz * dz));
}

/* Shortens the distance of voxel p by one step if possible. Returns true if it has changed. */
static bool shorten(const space *s, int32_t *to, int p)
{
    const int32_t before = to[p];
    const int at[3] = {p % s->size[0], p / s->size[0] % s->size[1], p / s->size[0] / s->size[1]};
    for (int d = 0; d < 3 * 3 * 3; d++) {
        const int dx = d % 3 - 1, dy = d / 3 % 3 - 1, dz = d / 9 - 1;
        const int x = at[0] + dx, y = at[1] + dy, z = at[2] + dz;
        const int32_t cost = cost_of(s, dx, dy, dz);
        if (cost < 0 || x < 0 || x >= s->size[0] || y < 0 || y >= s->size[1] || z < 0 || z >= s->size[2]) continue;
        const int32_t way = to[(z * s->size[1] + y) * s->size[0] + x] + cost;
        to[p] = way < to[p] ? way : to[p];
    }
    return to[p] < before;
}

static void measure_plainly(space *s, const uint8_t *label, int voxels)
{
    for (int k = 0; k < 2; k++) {
        for (int p = 0; p < voxels; p++) {
            const bool fg = label[p] == TILECUT_FOREGROUND, bg = label[p] != TILECUT_UNKNOWN && !fg;
            s->to[k][p] = (k ? bg : fg) ? 0 : 1 << 29;
        }
        for (bool more = true; more;) {
            more = false;
            for (int p = 0; p < voxels; p++) more = shorten(s, s->to[k], p) || more;
        }
    }
}

/* The levels of voxels, the gap, and the far strokes are compared with distances that single steps shorten until none
 * helps. */
LOOP_TEST(distances_in_space_are_those_of_single_steps, 0, RANDOM_LOOPS(200))
{
    static space s;
    uint8_t label[MOST_VOXELS] = {0}, own[MOST_VOXELS], level[MOST_VOXELS];
    uint64_t state = 700 + (uint64_t)_i;
    s.size[0] = 1 + random_below(&state, 12), s.size[1] = 1 + random_below(&state, 12);
    s.size[2] = 2 + random_below(&state, 8);
    for (int k = 0; k < 3; k++) s.spacing[k] = random_below(&state, 2) ? 1 : 1 + random_below(&state, 40) / 8.0;
    s.spacing[random_below(&state, 3)] = 1;
    const int voxels = s.size[0] * s.size[1] * s.size[2];
    for (int i = 0; i < 1 + _i % 9; i++) label[random_below(&state, voxels)] = (uint8_t)(1 + random_below(&state, 2));
    label[0] = TILECUT_BACKGROUND, label[voxels - 1] = TILECUT_FOREGROUND;
    memcpy(own, label, sizeof own);
    measure_plainly(&s, label, voxels);

    tc_nearness_lattice lattice = {s.size[0], s.size[1] * s.size[2], s.size[1], {0}};
    tc_nearness_strokes strokes = {.seeds = own};
    memcpy(lattice.spacing, s.spacing, sizeof s.spacing);
    ck_assert_int_eq(tc_nearness(own, &lattice, 1 + _i % 4, NULL, level, &strokes), TILECUT_OK);
    int least[3] = {99, 99, 99}, most[3] = {-1, -1, -1};
    double gap = 0, seeded = 0, extent = 0, all = 0;
    for (int p = 0; p < voxels; p++) {
        const int at[3] = {p % s.size[0], p / s.size[0] % s.size[1], p / s.size[0] / s.size[1]};
        if (label[p] != TILECUT_FOREGROUND) continue;
        gap += s.to[1][p], seeded++;
        for (int k = 0; k < 3; k++) {
            least[k] = at[k] < least[k] ? at[k] : least[k];
            most[k] = at[k] > most[k] ? at[k] : most[k];
        }
    }
    for (int k = 0; k < 3; k++) {
        extent += pow((most[k] - least[k] + 1) * s.spacing[k], 2);
        all += pow(s.size[k] * s.spacing[k], 2);
    }
    gap /= 5 * seeded;
    /* the extent is at least twice the gap, and at least a dot of five voxels */
    extent = 25 * fmax(extent, fmax(4 * gap * gap, fmax(3 * 3 + 3 * 3 + 1, all / 2500)));
    ck_assert_double_eq_tol(strokes.gap, gap, 1e-9);
    for (int p = 0; p < voxels; p++) {
        const bool far = label[p] == TILECUT_BACKGROUND && s.to[0][p] > 10 * strokes.gap;
        const uint8_t wanted = tc_nearness_level(s.to[0][p], s.to[1][p], true, extent, 1, 0);
        ck_assert_msg(abs(level[p] - wanted) <= 1, "case %d, voxel %d: level %d, not %d", _i, p, level[p], wanted);
        ck_assert_int_eq(own[p], far ? TILECUT_OUTSIDE : label[p]);
    }
}

int main(void) { return run_suite((test_suite){.name = "counts", .seconds = 600}); }
