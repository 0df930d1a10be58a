/* SPDX-License-Identifier: MIT
 *
 * edge.h - the plain soft edge of a mask.
 */
#pragma once

#include "tilecut.h"

/* tilecut_edge(). */
tilecut_status tc_edge(const tilecut_image *image, const uint8_t *mask, int threads, uint16_t *alpha, void *colors);
