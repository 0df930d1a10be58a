/* SPDX-License-Identifier: MIT
 *
 * prior_evidence.h - the evidence of a prior mask, and of the colours along its outline, for each pixel. Within the
 * distance by which the outline may be off, both count; elsewhere a pixel keeps its side.
 */
#pragma once

#include "prior_outline.h"

/* Writes levels in the form of tc_energy_hold(). `prior` is packed rows. `outline` is its measured outline, whose
 * distances may be reduced. `near` is NULL, or has one byte per pixel: then all pixels farther than `reach` pixels from
 * its nonzero pixels keep their side. */
tilecut_status tc_prior_evidence(const tilecut_image *image, const uint8_t *prior, tc_outline *outline,
                                 const uint8_t *near, double reach, uint8_t *level);
