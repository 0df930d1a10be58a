/* SPDX-License-Identifier: MIT
 *
 * contour.h - whether what stands between the terminals of a grid is a contour, before it is solved.
 */
#ifndef TC_CONTOUR_H
#define TC_CONTOUR_H

#include "grid.h"

/* True if strong links lead from the sources to a fair part of the image, but no farther: then little flow comes to the
 * sinks. In a closed frame search trees find it soon, and between spots room had better be pushed than excess
 * (performance.md). Strong is what has a third of the strongest link's capacity, and a way has to be two pixels
 * wide, as a contour has holes of one. False, too, where memory is short. */
bool tc_contour_holds(const tc_grid *grid);

#endif
