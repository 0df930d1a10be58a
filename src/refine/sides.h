/* SPDX-License-Identifier: MIT
 *
 * sides.h - the colours on both sides of an outline, around each place of it. A model of the whole image knows one
 * mixture of colours a class; near by, two colours are distinguished that occur in both classes elsewhere.
 */
#pragma once

#include "nearness.h"

/* What is known of a pixel: its class, for sure; that it also lies deeper inside; that it is to be compared. */
enum { TC_SURE_BACKGROUND = 1, TC_SURE_FOREGROUND = 2, TC_DEEP = 4, TC_COMPARED = 8 };

enum { TC_A_NAT = 256, TC_SIDES_SURE = 2, TC_SIDES_DEEP = 4, TC_SIDES_FAR = 60 };

/* The pixels of an image or a volume, and the unit of prior_outline.h. */
typedef struct tc_sides_lattice {
    tc_nearness_lattice pixels;
    int unit;
} tc_sides_lattice;

/* Compares the colour of each pixel with those of foreground and background around it. For each class it takes two
 * Gaussians, one of the sure pixels and one of the deep ones. Pixels are sure from TC_SIDES_SURE units on, deep from
 * TC_SIDES_DEEP; none farther than TC_SIDES_FAR matters. All arrays have one entry a pixel.
 *   nats    out: log of how much likelier the colour is in the foreground, TC_A_NAT to a nat; the mean over sure and
 *           deep pixels, smoothed in slices
 *   silent  out: 1 where a class has too few pixels around to compare with
 * The same bits on every machine. */
tilecut_status tc_sides_compare(const tilecut_image *image, const uint8_t *known, const tc_sides_lattice *lattice,
                                int32_t *nats, uint8_t *silent);

/* Means of means over squares of 2 radius + 1 pixels, in place. Beyond the border, pixels are as at the border.
 * room: width * (height + 1). */
void tc_sides_smooth(int32_t *plane, int width, int height, int radius, int32_t *room);
