/* SPDX-License-Identifier: MIT
 *
 * desk_parts.h - helpers of the calls of desk.h. The caller holds the lock.
 */
#pragma once

#include "desk.h"

/* Both set an error as the answer, and return false. desk_failed() is for a failed cut, whose reason the page shows. */
bool desk_refuse(answer *out, int http, int status, const char *text);
bool desk_failed(answer *out);

/* Reads the options of a request; refuses the request if they are wrong. */
bool desk_read_options(const message *m, edit_options *options, answer *out);

/* Records that labels or options have changed, and stops the running cut. */
void desk_stop_cut(desk *d);

/* Allocates labels and a mask, and calls `make` with them. Refuses if memory runs out. */
bool desk_with_copies(desk *d, const message *m, answer *out,
                      bool (*make)(desk *d, const message *m, uint8_t *labels, uint8_t *mask, answer *out));

/* In desk_scan.c: desk_add_scan() adds a scan to the answer of "open", desk_encode_scan() encodes its files for saving,
 * and the others are the calls that only scans have. */
bool desk_add_scan(const desk *d, bytes *to);
int desk_encode_scan(desk *d, failure *why);
bool desk_slice(desk *d, const message *m, answer *out);
bool desk_file(desk *d, const message *m, answer *out);
bool desk_legend_call(desk *d, const message *m, answer *out);

/* The calls in desk_results.c. */
bool desk_cutout(desk *d, const message *m, answer *out);
bool desk_save(desk *d, const message *m, answer *out);
bool desk_finish(desk *d, const message *m, answer *out);
