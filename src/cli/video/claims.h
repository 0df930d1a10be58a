/* SPDX-License-Identifier: MIT
 *
 * claims.h - settles the pixels of a frame that several objects claim: a joint cut of these objects gives each pixel to
 * one of them, as tilecut_labels_solve() does.
 */
#pragma once

#include "objects.h"

/* Gives each pixel that several objects claim to one of them, in o->map. The energy has the costs of each object there,
 * and links to all pixels around. Other pixels keep their labels, and so do seeds and the core of each object in the
 * previous frame. Objects that claim a pixel must have costs (follow.h). EXIT_RESOURCES, and errors of the library. */
int claims_settle(objects *o, const uint8_t *painted, failure *why);
