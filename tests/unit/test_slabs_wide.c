/* SPDX-License-Identifier: MIT
 *
 * Threads: run under the thread sanitizer, too.
 *
 * test_slabs_wide.c - capacities of volumes with 26 neighbours, cut by several threads, each with some slices. The
 * answer is compared with trying all labellings, with one part, and with network solvers. (test_slabs.c tests voxels;
 * test_libmaxflow_volumes compares with another program.) SLABS_CASES is the number of random volumes, by default 24;
 * SLABS_SEED is the first seed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "random_graph.h"
#include "run_suite.h"
#include "wide_scene.h"

enum { ENOUGH = 8 }; /* number of random cases among which at least one has to need waves */
static const int counts[] = {1, 2, 3, 5, 8};

/* The number of cuts in a test that needed waves, because flow crossed a border. */
static int waves_met;

/* Cuts in `parts` parts, and checks the flow and the mask (zero or not). */
static void check_parts(const wide_scene *s, int parts, int64_t flow, const uint8_t *expected, unsigned long seed)
{
    static piece pieces[MOST_PIECES];
    const size_t voxels = wide_scene_voxels(s);
    uint8_t *const mask = malloc(voxels);
    int64_t foreground = 0;
    wide_scene_cut_in_parts(s, parts, pieces, mask);
    for (size_t i = 0; i < voxels; i++) foreground += expected[i] != 0;
    for (int k = 0; k < parts; k++) {
        const tilecut_report *const r = &pieces[k].report;
        ck_assert_msg(pieces[k].status == TILECUT_OK, "volume %lu, part %d of %d: %s", seed, k, parts,
                      pieces[k].detail);
        ck_assert_msg(r->flow == flow && r->cut == flow && r->foreground == foreground && r->certified == 1,
                      "volume %lu: flow %lld in %d parts", seed, (long long)r->flow, parts);
        ck_assert(r->connectivity == 26 && !strcmp(r->solver, "bk"));
        ck_assert(pieces[k].more.solves >= 1 && (parts == 1 || pieces[k].more.sent > 0));
        ck_assert_int_eq(pieces[k].more.waves, pieces[0].more.waves);
    }
    waves_met += pieces[0].more.waves > 0;
    for (size_t i = 0; i < voxels; i++)
        ck_assert_msg(mask[i] == (expected[i] ? 255 : 0), "volume %lu: another mask in %d parts", seed, parts);
    free(mask);
}

LOOP_TEST(tiny_volumes_have_the_cheapest_labelling_in_parts, 0, 7)
{
    static const int sizes[][3] = {{1, 1, 5}, {2, 2, 3}, {3, 1, 4}, {1, 2, 6}, {2, 1, 7}, {3, 2, 2}, {1, 1, 8}};
    const int *const size = sizes[_i % 7];
    for (uint64_t seed = 1; seed <= 2 + (uint64_t)RANDOM_CASES(18); seed++) {
        wide_scene s;
        uint8_t expected[16];
        unsigned best = 0;
        wide_scene_draw(&s, 1000 * (uint64_t)_i + seed, size[0], size[1], size[2]);
        const int64_t least = wide_scene_try_all(&s, &best);
        for (size_t i = 0; i < wide_scene_voxels(&s); i++) expected[i] = best >> i & 1;
        for (int parts = 1; parts <= size[2]; parts++) check_parts(&s, parts, least, expected, (unsigned long)seed);
        wide_scene_free(&s);
    }
}

/* Compares every second volume with one part, and the others with a network. */
static void check_volume(unsigned long seed)
{
    uint64_t state = seed;
    wide_scene s;
    const int width = random_side(&state), height = width > 9 ? 1 + random_below(&state, 9) : random_side(&state);
    const int depth = 1 + random_below(&state, random_below(&state, 4) ? 12 : 40);
    wide_scene_draw(&s, seed, width, height, depth);
    const size_t voxels = wide_scene_voxels(&s);
    uint8_t *const expected = malloc(voxels + 2);
    tilecut_report report = {0};
    if (seed % 2) report.flow = wide_scene_by_network(&s, expected);
    else ck_assert_int_eq(wide_scene_cut(&s, 1, expected, &report), TILECUT_OK);
    for (size_t i = 0; i < sizeof counts / sizeof *counts && counts[i] <= depth; i++)
        check_parts(&s, counts[i], report.flow, expected, seed);
    wide_scene_free(&s);
    free(expected);
}

TEST(random_volumes_have_one_answer_in_any_number_of_parts)
{
    const unsigned long first = number_from("SLABS_SEED", (uint64_t)time(NULL));
    const unsigned long many = number_from("SLABS_CASES", RANDOM_CASES(24));
    printf("test_slabs_wide: seed %lu\n", first);
    fflush(stdout);
    waves_met = 0;
    for (unsigned long i = 0; i < many; i++) check_volume(first + i);
    ck_assert_msg(waves_met > 0 || many < ENOUGH, "no volume from %lu on had flow over a border", first);
}

/* The sum of a voxel's capacities is too large. Only one part sees this, because a link across the border is part of
 * the sum. The error gives the voxel's position in the whole volume. */
TEST(capacities_that_are_not_exact_are_refused)
{
    wide_scene s;
    static piece pieces[MOST_PIECES];
    uint8_t mask[3 * 3 * 9];
    wide_scene_draw(&s, 5, 3, 3, 9);
    /* this link leads from the last slice of part 1 to the first slice of part 2 */
    s.link[12][6 * 9 - 1] = s.link[2][6 * 9 - 1] = 1 << 22;
    wide_scene_cut_in_parts(&s, 3, pieces, mask);
    for (int i = 0; i < 3; i++) ck_assert_int_ne(pieces[i].status, TILECUT_OK);
    ck_assert_int_eq(pieces[1].status, TILECUT_ERANGE);
    ck_assert_msg(strstr(pieces[1].detail, "capacities at voxel 2,2,5 ") != NULL, "%s", pieces[1].detail);
    ck_assert(pieces[0].status == TILECUT_ECANCELLED && pieces[2].status == TILECUT_ECANCELLED);
    for (size_t i = 0; i < sizeof mask; i++) ck_assert_int_eq(mask[i], 99);
    wide_scene_free(&s);
}

int main(void) { return run_suite((test_suite){.name = "slabs with 26 neighbours", .seconds = 3600}); }
