/* SPDX-License-Identifier: MIT
 *
 * backend_scene.h - for tests of the host and device backends: draws a picture, cuts it on the host, and checks that a
 * device simulated in software gives the same answer.
 */
#pragma once

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "random_graph.h"
#include "software_device.h"
#include "solve.h"

enum { LARGEST = 350 * 360 };

typedef struct scene {
    tilecut_image image;
    uint8_t pixels[3 * LARGEST], seeds[LARGEST];
    tilecut_params params;
} scene;

static scene s;
static uint8_t host_mask[LARGEST], mask[LARGEST];
static tilecut_report host, on_device;

static inline size_t count(void)
{
    return (size_t)s.image.width * (size_t)s.image.height;
}

/* Draws a disc of two colours on noise. The seeds are strokes on disc and background or, with `box`, a box around the
 * disc. */
static inline void draw(int width, int height, bool box, uint64_t *state)
{
    const int noise = 20 + random_below(state, 60), radius = (width + height) / 7;
    s.image = (tilecut_image){0, width, height, 3, 8, 0, s.pixels};
    s.params = tilecut_params_default();
    for (int y = 0, p = 0; y < height; y++)
        for (int x = 0; x < width; x++, p++) {
            const int dx = x - width / 2, dy = y - height / 2;
            const bool inside = dx * dx + dy * dy < radius * radius;
            const bool framed = 8 * x < width || 8 * x > 7 * width || 8 * y < height || 8 * y > 7 * height;
            for (int c = 0; c < 3; c++)
                s.pixels[3 * p + c] = (uint8_t)((inside ? 90 + 30 * c : 120 - 20 * c) + (x / 8 & 1) * 15 +
                                                random_below(state, noise));
            s.seeds[p] = box && framed ? TILECUT_OUTSIDE : TILECUT_UNKNOWN;
            if (!box && dx * dx + dy * dy < 4) s.seeds[p] = TILECUT_FOREGROUND;
            if (!box && y == 1) s.seeds[p] = TILECUT_BACKGROUND;
        }
}

static inline void draw_params(uint64_t *state)
{
    static const char *const colors[] = {"gmm", "hist", "none"};
    s.params.colors = colors[random_below(state, 3)];
    s.params.lambda = 1 + random_below(state, 100);
    s.params.spatial = random_below(state, 3);
    s.params.soft_seeds = random_below(state, 6) == 0;
    s.params.iterations = random_below(state, 2) ? 0 : 1 + random_below(state, 4);
}

/* Resets the simulated device and its counters. */
static inline void begin_device(void)
{
    ck_assert_int_eq(device.open, 0);
    memory_give();
    memset(&device, 0, sizeof device);
}

/* Resets the simulated device and cuts the scene on the host. */
static inline void begin_with_host(void)
{
    begin_device();
    s.params.solver = "bk";
    ck_assert_msg(tilecut_segment(&s.image, s.seeds, &s.params, host_mask, &host) == TILECUT_OK, "%s",
                  tilecut_error_detail());
    ck_assert(device.learnt + device.created == 0);
    s.params.solver = "cuda";
    memset(mask, 7, sizeof mask);
}

static inline void check_same(const char *what)
{
    ck_assert_msg(memcmp(mask, host_mask, count()) == 0, "%s: another mask", what);
    ck_assert_msg(on_device.flow == host.flow && on_device.cut == host.cut &&
                      on_device.foreground == host.foreground,
                  "%s", what);
    ck_assert_msg(on_device.certified && on_device.iterations == host.iterations, "%s: %d iterations, not %d", what,
                  on_device.iterations, host.iterations);
    ck_assert_msg(memcmp(on_device.iteration_energy, host.iteration_energy, sizeof host.iteration_energy) == 0,
                  "%s", what);
    ck_assert_msg(on_device.energy == host.energy && on_device.beta == host.beta &&
                      on_device.quantum == host.quantum,
                  "%s", what);
    ck_assert_msg(on_device.lambda == host.lambda && on_device.threads == host.threads, "%s", what);
    ck_assert_str_eq(on_device.colors, host.colors);
    ck_assert_str_eq(on_device.solver, s.params.solver);
    ck_assert_str_eq(on_device.device, "cuda");
    ck_assert_int_eq(on_device.connectivity, s.params.connectivity == 8 ? 8 : 4);
    ck_assert_int_eq(device.open, 0);
}

static inline void segment(const char *what)
{
    ck_assert_msg(tilecut_segment(&s.image, s.seeds, &s.params, mask, &on_device) == TILECUT_OK, "%s: %s", what,
                  tilecut_error_detail());
    check_same(what);
}

static inline void segment_there(tilecut_status expected)
{
    const size_t n = count();
    tilecut_image image = s.image;
    uint8_t *const memory = memory_take(5 * n);
    image.pixels = memory;
    (void)tc_cuda_copy(memory, s.pixels, 3 * n, NULL);
    (void)tc_cuda_copy(memory + 3 * n, s.seeds, n, NULL);
    tilecut_params params = s.params;
    params.where = TILECUT_DEVICE;
    ck_assert_int_eq(tilecut_segment(&image, memory + 3 * n, &params, memory + 4 * n, &on_device), expected);
    (void)tc_cuda_copy(mask, memory + 4 * n, n, NULL);
    memory_give();
}
