/* SPDX-License-Identifier: MIT
 *
 * claims.h - pixels of a frame that several objects claim: a cut of all these objects together gives each to one of
 * them, as tilecut_labels_solve() does.
 */
#pragma once

#include "objects.h"

/* Gives each pixel that several objects claim one of them in o->map, by what each of them costs there and by the links
 * to all pixels around, which keep their labels. So do seeds, and the inmost of each object in the frame before.
 * Objects that claim a pixel have costs (follow.h). EXIT_RESOURCES, and what the library refuses. */
int claims_settle(objects *o, const uint8_t *painted, failure *why);
