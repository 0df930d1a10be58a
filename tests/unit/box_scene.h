/* SPDX-License-Identifier: MIT
 *
 * box_scene.h - scenes whose truth is known, and boxes of their objects that may not fit.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "box_fit.h"

enum { W = 128, H = 96, N = W * H };

typedef struct scene {
    uint8_t pixels[3 * N], seeds[N], truth[N];
    uint16_t deep[3 * N]; /* the same pixels with 16 bits */
    tilecut_image image;
    tc_window tight, box;
} scene;

bool in_window(const tc_window *w, int x, int y);

/* Makes a box the seeds, and all outside of it `outside`. */
void set_box(scene *s, tc_window box, uint8_t outside);

/* A checked ellipse on checked ground, both grainy, and its tight box. */
void draw(scene *s, uint64_t *state, int depth);

/* The tight box, shifted by a tenth to a seventh of its sides. */
tc_window shifted(const scene *s, uint64_t *state);

/* A checked ellipse on checked ground, and behind it water that fills half the box, of which a brook leaves through
 * the right side. Next to no water is seen outside, so most of it is taken for the object. */
void draw_leak(scene *s, uint64_t *state);
