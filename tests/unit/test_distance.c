/* SPDX-License-Identifier: MIT
 *
 * test_distance.c - finds the pixels within a radius of a set, and compares them with the definition pixel by pixel.
 */
#include <stdlib.h>
#include <string.h>

#include "distance.h"
#include "random_graph.h"
#include "run_suite.h"

TEST(near_is_within_the_radius)
{
    enum { MOST = 40 };
    for (uint64_t seed = 1; seed <= 400; seed++) {
        uint64_t state = seed;
        const int w = 1 + random_below(&state, MOST), h = 1 + random_below(&state, MOST);
        const double radius = random_below(&state, 3) ? random_below(&state, 130) / 10.0 : random_below(&state, 60);
        const int sparse = 1 + random_below(&state, 200);
        uint8_t set[MOST * MOST], near[MOST * MOST];
        for (int p = 0; p < w * h; p++) set[p] = (uint8_t)(random_below(&state, sparse) == 0 ? 255 : 0);
        ck_assert(distance_within(set, w, h, radius, near));
        for (int p = 0; p < w * h; p++) {
            bool expected = false;
            for (int q = 0; q < w * h && !expected; q++) {
                const int dx = p % w - q % w, dy = p / w - q / w;
                expected = set[q] && dx * dx + dy * dy <= radius * radius;
            }
            ck_assert_msg(near[p] == expected, "seed %d: %dx%d, radius %g, pixel %d", (int)seed, w, h, radius, p);
        }
        ck_assert(distance_within(set, w, h, radius, set));
        ck_assert_mem_eq(set, near, (size_t)(w * h));
    }
}

TEST(near_in_space_is_within_the_radius)
{
    enum { MOST = 12, VOXELS = MOST * MOST * MOST };
    static const double steps[4] = {1, 1, 1.5, 3};
    for (uint64_t seed = 1; seed <= 400; seed++) {
        uint64_t state = seed;
        const int flat = random_below(&state, 4) == 0, size[3] = {1 + random_below(&state, MOST),
            1 + random_below(&state, MOST), flat ? 1 : 1 + random_below(&state, MOST)};
        const double radius = random_below(&state, 3) ? random_below(&state, 60) / 10.0 : random_below(&state, 20);
        const int sparse = 1 + random_below(&state, 200), voxels = size[0] * size[1] * size[2];
        double scale[3];
        uint8_t set[VOXELS], near[VOXELS];
        for (int k = 0; k < 3; k++) scale[k] = steps[random_below(&state, 4)];
        for (int p = 0; p < voxels; p++) set[p] = (uint8_t)(random_below(&state, sparse) == 0 ? 255 : 0);
        ck_assert(distance_within_space(set, size, scale, radius, near));
        for (int p = 0; p < voxels; p++) {
            bool expected = false;
            for (int q = 0; q < voxels && !expected; q++) {
                const double dx = (p % size[0] - q % size[0]) * scale[0];
                const double dy = (p / size[0] % size[1] - q / size[0] % size[1]) * scale[1];
                const double dz = (p / size[0] / size[1] - q / size[0] / size[1]) * scale[2];
                expected = set[q] && dx * dx + dy * dy + dz * dz <= radius * radius;
            }
            ck_assert_msg(near[p] == expected, "seed %d: %dx%dx%d, radius %g, voxel %d", (int)seed, size[0], size[1],
                          size[2], radius, p);
        }
        ck_assert(distance_within_space(set, size, scale, radius, set));
        ck_assert_mem_eq(set, near, (size_t)voxels);
    }
}

TEST(extremes_of_the_radius_work)
{
    uint8_t set[300] = {0}, near[300];
    set[299] = 1;
    ck_assert(distance_within(set, 300, 1, 1e300, near));
    ck_assert_int_eq(near[0], 1);
    ck_assert(distance_within(set, 1, 300, -5, near));
    ck_assert_int_eq(near[299] + near[298], 1);
    memset(set, 0, sizeof set);
    ck_assert(distance_within(set, 20, 15, 100, near));
    for (int p = 0; p < 300; p++) ck_assert_int_eq(near[p], 0);
}

int main(void) { return run_suite((test_suite){.name = "distance"}); }
