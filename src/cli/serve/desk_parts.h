/* SPDX-License-Identifier: MIT
 *
 * desk_parts.h - what the calls of desk.h have in common. The caller holds the lock.
 */
#pragma once

#include "desk.h"

/* Both set an error as the answer, and return false. desk_failed() is for a failed cut, whose reason the page shows. */
bool desk_refuse(answer *out, int http, int status, const char *text);
bool desk_failed(answer *out);

/* Reads the options of a request, or refuses it. */
bool desk_read_options(const message *m, edit_options *options, answer *out);

/* Says that labels or options have changed, and stops the running cut. */
void desk_stop_cut(desk *d);

/* Calls `make` with room for labels and a mask, if there is memory for them. */
bool desk_with_copies(desk *d, const message *m, answer *out,
                      bool (*make)(desk *d, const message *m, uint8_t *labels, uint8_t *mask, answer *out));

/* In desk_scan.c: adds a scan to the answer of "open"; encodes its files for saving; and the calls that only scans
 * have. */
bool desk_add_scan(const desk *d, bytes *to);
int desk_encode_scan(desk *d, failure *why);
bool desk_slice(desk *d, const message *m, answer *out);
bool desk_file(desk *d, const message *m, answer *out);
bool desk_legend_call(desk *d, const message *m, answer *out);

/* The calls in desk_results.c. */
bool desk_cutout(desk *d, const message *m, answer *out);
bool desk_save(desk *d, const message *m, answer *out);
bool desk_finish(desk *d, const message *m, answer *out);
