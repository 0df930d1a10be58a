/* SPDX-License-Identifier: MIT
 *
 * box_scene.h - scenes with a known true mask, and boxes around their objects that may or may not fit.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "box_fit.h"

enum { W = 128, H = 96, N = W * H };

typedef struct scene {
    uint8_t pixels[3 * N], seeds[N], truth[N];
    uint16_t deep[3 * N]; /* the picture of `pixels` with 16-bit samples */
    tilecut_image image;
    tc_window tight, box;
} scene;

bool in_window(const tc_window *w, int x, int y);

/* Makes `box` the seeds: inside is unknown, and everything else gets the label `outside`. */
void set_box(scene *s, tc_window box, uint8_t outside);

/* Draws an ellipse on a background, both with a chessboard pattern and noise, and its tight box. */
void draw(scene *s, uint64_t *state, int depth);

/* Returns the tight box, shifted by a tenth to a seventh of its sides. */
tc_window shifted(const scene *s, uint64_t *state);

/* Draws an ellipse on a background, both with a chessboard pattern. Water behind the ellipse fills half the box, and a
 * brook leads from the water through the right side of the box. Hardly any water is visible outside of the box, so most
 * of it is taken for the object. */
void draw_leak(scene *s, uint64_t *state);
