/* SPDX-License-Identifier: MIT
 *
 * contour.h - guesses, before a grid is solved, whether a contour separates its terminals.
 */
#pragma once

#include "grid.h"

/* True if strong links lead from the sources to a fair part of the image but no farther. Then little flow reaches the
 * sinks, and if terminals are spots, it is faster to solve the reverse graph (performance.md). A link is strong if it
 * has a third of the strongest link's capacity. Paths must be two pixels wide, because contours have holes of one
 * pixel. Also returns false if there is not enough memory. */
bool tc_contour_holds(const tc_grid *grid);
