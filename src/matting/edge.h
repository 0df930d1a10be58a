/* SPDX-License-Identifier: MIT
 *
 * edge.h - the plain soft edge of a mask.
 */
#ifndef TC_EDGE_H
#define TC_EDGE_H

#include "tilecut.h"

/* tilecut_edge(). */
tilecut_status tc_edge(const tilecut_image *image, const uint8_t *mask, int threads, uint16_t *alpha, void *colors);

#endif
