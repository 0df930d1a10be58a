/* SPDX-License-Identifier: MIT
 *
 * prior_evidence.h - what a mask to begin from and the colours along its outline say of each pixel. Near the
 * outline, as far as it may be off, both count; elsewhere a pixel keeps its side.
 */
#pragma once

#include "prior_outline.h"

/* Writes levels as tc_energy_hold() takes them. `prior`: packed rows; `outline`: what was measured of it, and may
 * become less. `near`: NULL, or one byte a pixel: all that is not within `reach` pixels of what is not 0 keeps its
 * side. */
tilecut_status tc_prior_evidence(const tilecut_image *image, const uint8_t *prior, tc_outline *outline,
                                 const uint8_t *near, double reach, uint8_t *level);
