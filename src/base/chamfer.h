/* SPDX-License-Identifier: MIT
 *
 * chamfer.h - distances in a rectangle of pixels, in whole numbers: chamfer distances of weights 5 and 7 (Borgefors
 * 1986), in fifths of a pixel. They differ from straight ones by 8 % at most.
 */
#ifndef TC_CHAMFER_H
#define TC_CHAMFER_H

#include <stdint.h>

/* The units of a pixel, and a distance that is farther than all others, 12000 pixels. */
enum { TC_CHAMFER_PIXEL = 5, TC_CHAMFER_NOWHERE = 60000 };

/* Computes distances to the pixels that are 0 in `map`. All others are TC_CHAMFER_NOWHERE on entry, and so are those
 * that are farther than that on return. map: width * height. */
void tc_chamfer(uint16_t *map, int width, int height);

#endif
