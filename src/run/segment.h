/* SPDX-License-Identifier: MIT
 *
 * segment.h - whole jobs, from pixels and seeds to a mask. Behind the door: structs are complete, and rows of seeds and
 * mask follow each other.
 */
#ifndef TC_SEGMENT_H
#define TC_SEGMENT_H

#include "backend.h"

/* *report comes in as {0}. */
tilecut_status tc_segment(const tc_source *source, const tc_setup *setup, uint8_t *mask, tilecut_report *report);

/* With a source in device memory, where the mask is, too; rows of both are as far apart as `setup` says. The device is
 * the one that has the image. */
tilecut_status tc_segment_there(const tc_source *source, const tc_setup *setup, uint8_t *mask, tilecut_report *report);

tilecut_status tc_graph_segment(tilecut_graph *graph, const tc_setup *setup, uint8_t *mask, tilecut_report *report);

#endif
