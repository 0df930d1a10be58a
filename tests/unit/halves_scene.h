/* SPDX-License-Identifier: MIT
 *
 * halves_scene.h - a picture with a dark and a bright half, noise, and a few seeds in each half; and a check of error
 * messages.
 */
#pragma once

#include <check.h>
#include <string.h>

#include "random_graph.h"
#include "tilecut.h"

enum { W = 37, H = 21, N = W * H };

typedef struct scene {
    uint8_t grey[N], seeds[N];
    tilecut_image image;
} scene;

static inline void scene_init(scene *s, uint64_t seed)
{
    uint64_t state = seed;
    memset(s, 0, sizeof *s);
    for (int p = 0; p < N; p++) s->grey[p] = (uint8_t)((p % W < W / 2 ? 60 : 150) + random_below(&state, 50));
    for (int i = 0; i < 6; i++) {
        s->seeds[random_below(&state, H) * W + random_below(&state, W / 3)] = TILECUT_BACKGROUND;
        s->seeds[random_below(&state, H) * W + W - 1 - random_below(&state, W / 3)] = TILECUT_FOREGROUND;
    }
    s->image = (tilecut_image){.width = W, .height = H, .channels = 1, .depth = 8, .pixels = s->grey};
}

static inline void says(const char *fragment)
{
    ck_assert_msg(strstr(tilecut_error_detail(), fragment), "'%s' in '%s'", fragment, tilecut_error_detail());
}
