/* SPDX-License-Identifier: MIT
 *
 * test_helpers.c - a call starts its helper threads once. The linker replaces pthread_create() by a counter
 * (tools/make/build.mk). If every loop and team of a call started its own threads, teams would begin before most of
 * their threads are there, and one thread would do most of the work.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "run_suite.h"
#include "tilecut_parts.h"
#include "tilecut_volume.h"

enum { SIDE = 80, VOXELS = SIDE * SIDE * SIDE, THREADS = 4 };

static atomic_int started;
static uint8_t voxels[VOXELS], seeds[VOXELS], mask[VOXELS];
static const tilecut_volume volume = {.width = SIDE, .height = SIDE, .depth = SIDE, .voxels = voxels};
static const tilecut_params params = {.threads = THREADS, .solver = "cascade"};

/* The linker's two names of a function: __real_ for the original, __wrap_ for the replacement. */
// NOLINTBEGIN(bugprone-reserved-identifier): the linker has chosen them
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument);
// NOLINTEND(bugprone-reserved-identifier)

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument)
{
    started++;
    return __real_pthread_create(thread, attributes, body, argument);
}

/* Draws noise: a bright middle with a foreground seed, and a dark border. */
static void draw(void)
{
    uint32_t state = 1;
    for (int i = 0; i < VOXELS; i++) {
        const int x = i % SIDE, y = i / SIDE % SIDE, z = i / SIDE / SIDE, last = SIDE - 1;
        const int far = abs(x - SIDE / 2) + abs(y - SIDE / 2) + abs(z - SIDE / 2);
        state = state * 1664525 + 1013904223;
        voxels[i] = (uint8_t)((far < SIDE / 2 ? 120 : 80) + (int)(state >> 26));
        const bool border = !x || !y || !z || x == last || y == last || z == last;
        seeds[i] = far < 9 ? TILECUT_FOREGROUND : border ? TILECUT_BACKGROUND : TILECUT_UNKNOWN;
    }
}

/* Helpers are started when they are first needed. Checks that there are some, and fewer than the call may use. */
static void check_started(const char *call)
{
    ck_assert_msg(started > 0 && started < THREADS, "%s started %d threads", call, started);
    started = 0;
}

TEST(a_call_on_a_volume_starts_its_helpers_once)
{
    int32_t *const cells = malloc(5 * (size_t)VOXELS * sizeof *cells), *const link = cells + 2 * VOXELS;
    tilecut_volume_session *session = NULL;
    draw();
    ck_assert_int_eq(tilecut_volume_segment(&volume, seeds, &params, mask, NULL), TILECUT_OK);
    check_started("segment");
    ck_assert_int_eq(tilecut_volume_capacities(&volume, seeds, &params, cells, cells + VOXELS, link, NULL),
                     TILECUT_OK);
    check_started("capacities");
    const tilecut_volume_arrays arrays = {.width = SIDE, .height = SIDE, .depth = SIDE, .source = cells,
                                          .sink = cells + VOXELS, .to = {link, link + VOXELS, link + 2 * VOXELS}};
    ck_assert_int_eq(tilecut_volume_solve(&arrays, &params, mask, NULL), TILECUT_OK);
    check_started("solve");
    ck_assert_int_eq(tilecut_volume_session_create(&session, &volume), TILECUT_OK);
    ck_assert_int_eq(tilecut_volume_session_solve(session, seeds, &params, mask, NULL), TILECUT_OK);
    check_started("session");
    tilecut_volume_session_destroy(session);
    free(cells);
}

TEST(a_part_of_a_volume_starts_its_helpers_once)
{
    tilecut_exchange *one = NULL;
    draw();
    ck_assert_int_eq(tilecut_exchange_threads(&one, 1), TILECUT_OK);
    const tilecut_part part = {.height = SIDE, .rows = SIDE, .exchange = one};
    ck_assert_int_eq(tilecut_part_volume_segment(&part, &volume, seeds, &params, mask, NULL, NULL), TILECUT_OK);
    check_started("part");
    tilecut_exchange_free(one);
}

TEST(a_call_on_an_image_starts_its_helpers_once)
{
    const tilecut_image image = {.width = SIDE, .height = VOXELS / SIDE, .channels = 1, .depth = 8, .pixels = voxels};
    draw();
    ck_assert_int_eq(tilecut_segment(&image, seeds, &params, mask, NULL), TILECUT_OK);
    check_started("image");
}

int main(void) { return run_suite((test_suite){.name = "helpers", .seconds = 120}); }
