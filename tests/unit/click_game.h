/* SPDX-License-Identifier: MIT
 *
 * click_game.h - a scene whose truth is known, and clicks on it: each in the middle of the largest fault, each right.
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
    bool foreground; /* the last click */
    tilecut_report report;
} game;

/* An object of three parts with colours of their own, before a ground of four; one of the ground's colours is near to
 * one of the object's. */
void game_init(game *g, uint64_t *state);

/* Gives all pixels of `set` that are connected to p the number i. Returns how many. */
int flood(const uint8_t *set, int *number, int p, int i);

/* The pixels around region i, and the Euclidean distance of p to the nearest of them, or beyond the image. */
int rim_of(const int *number, int i, int *rim);
double depth(const int *rim, int count, int p);

/* How deep the deepest pixel of region i lies, and which that is. */
double deepest(const int *number, int i, int *where);

/* The middle of the largest wrong region; -1: nothing is wrong. */
int largest_fault(const game *g);

/* A disc around pixel `at`, as far as it has that pixel's truth. */
void click(game *g, int at);

/* One click in the middle of the object, as if nothing else were known. */
void begin(game *g);

/* A game whose last click contradicts the mask. */
void begin_wrong(game *g, uint64_t seed);
