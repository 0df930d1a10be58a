/* SPDX-License-Identifier: MIT
 *
 * click_game.h - a scene with a known true mask, and simulated clicks on it. Each click lies in the middle of the
 * largest wrong region and has the correct label.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "tilecut_correct.h"

enum { W = 80, H = 60, N = W * H, BRUSH = 3, CLICKS = 8 };

typedef struct game {
    uint8_t pixels[3 * N], truth[N], seeds[N], mask[N], before[N], painted[N];
    tilecut_image image;
    tilecut_params params;
    bool foreground; /* class of the last click */
    tilecut_report report;
} game;

/* Draws an object of three parts with different colours, on a background of four colours. One colour of the background
 * is close to one of the object. */
void game_init(game *g, uint64_t *state);

/* Sets number[] to i for all pixels of `set` that are connected to p. Returns how many there are. */
int flood(const uint8_t *set, int *number, int p, int i);

/* rim_of() lists the pixels around region i. depth() returns the Euclidean distance from p to the nearest of them, or
 * to the outside of the image if that is nearer. */
int rim_of(const int *number, int i, int *border);
double depth(const int *border, int count, int p);

/* Returns the depth of the deepest pixel of region i, and writes its index to *where. */
double deepest(const int *number, int i, int *where);

/* Returns the middle of the largest wrong region, or -1 if the mask is correct. */
int largest_fault(const game *g);

/* Paints a disc around pixel `at`, restricted to pixels with the same true label. */
void click(game *g, int at);

/* Cuts after a single click in the middle of the object, without any previous mask. */
void begin(game *g);

/* Plays a game until its last click contradicts the mask. */
void begin_wrong(game *g, uint64_t seed);
