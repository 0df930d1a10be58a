/* SPDX-License-Identifier: MIT
 *
 * sides.h - compares the colours on the two sides of an outline, around each place of it. A model of the whole image
 * has one mixture of colours per class; locally, colours can be distinguished that occur in both classes elsewhere.
 */
#pragma once

#include "nearness.h"

/* The known facts about a pixel: its class is certain; it also lies deeper inside; it is to be compared. */
enum { TC_SURE_BACKGROUND = 1, TC_SURE_FOREGROUND = 2, TC_DEEP = 4, TC_COMPARED = 8 };

enum { TC_A_NAT = 256, TC_SIDES_SURE = 2, TC_SIDES_DEEP = 4, TC_SIDES_FAR = 60 };

/* Sums over a set of pixels: their number; red, green, blue; the products rr, rg, rb, gg, gb, bb. */
enum { TC_COLOR_SUMS = 10 };
typedef struct tc_color_sums {
    int64_t of[TC_COLOR_SUMS];
} tc_color_sums;

/* The pixels of an image or a volume, and the unit of prior_outline.h. */
typedef struct tc_sides_lattice {
    tc_nearness_lattice pixels;
    int unit;
} tc_sides_lattice;

/* Compares the colour of each pixel with the colours of foreground and background around it. For each class it uses two
 * Gaussians, one of the sure pixels and one of the deep ones. Pixels are sure from TC_SIDES_SURE units on, and deep
 * from TC_SIDES_DEEP on; pixels farther than TC_SIDES_FAR are not used. All arrays have one entry per pixel.
 *   nats    out: log ratio of the colour's likelihood in the foreground to that in the background, TC_A_NAT to a nat;
 *           the mean over sure and deep pixels, smoothed in slices
 *   silent  out: 1 where a class has too few pixels around to compare with
 * The result has the same bits on every machine. */
tilecut_status tc_sides_compare(const tilecut_image *image, const uint8_t *known, const tc_sides_lattice *lattice,
                                int32_t *nats, uint8_t *silent);

/* Adds the colours on both sides of a link that the outline of `mask` cuts, from pixel `p` to the right (0) or down
 * (1): of up to `reach` pixels in line with the link, as long as they have the label of its end. side[0] is for
 * background, side[1] for foreground, which is 128 and more. */
void tc_sides_add(const tilecut_image *image, const uint8_t *mask, size_t p, int down, int reach,
                  tc_color_sums side[2]);

/* Returns how far apart the mean colours of two sets are: their squared distance, measured by the mean of the two
 * covariances, so about 1 if the means differ by a standard deviation. 0 if either set is empty. */
double tc_sides_apart(const tc_color_sums side[2]);

/* Replaces each value by a mean over a square of 2 radius + 1 pixels, applied twice. Pixels beyond the border are taken
 * to be like those at the border. room: width * (height + 1). */
void tc_sides_smooth(int32_t *plane, int width, int height, int radius, int32_t *room);
