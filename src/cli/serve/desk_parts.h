/* SPDX-License-Identifier: MIT
 *
 * desk_parts.h - what the calls of desk.h have in common. The caller holds the lock, but of desk_with_copies().
 */
#ifndef CLI_DESK_PARTS_H
#define CLI_DESK_PARTS_H

#include "desk.h"

/* Both answer a call with an error, and return false. desk_failed(): after a failed cut; the page shows the reason. */
bool desk_refuse(answer *out, int http, int status, const char *text);
bool desk_failed(answer *out);
void desk_no_memory(answer *out);

/* Whether photo or scan belong to the tab that asks, and the program is not ending; else refuses. */
bool desk_has_photo(const desk *d, const message *m, answer *out);

/* Reads the options of a request, or refuses it. */
bool desk_read_options(const message *m, edit_options *options, answer *out);

/* Says that labels or options have changed, and stops the running cut. */
void desk_stop_cut(desk *d);

/* Calls `make` under the lock, with room for labels and a mask (NULL: no memory). */
void desk_with_copies(desk *d, const message *m, answer *out,
                      bool (*make)(desk *d, const message *m, uint8_t *labels, uint8_t *mask, answer *out));

/* Calls of desk_scan.c, and its part of opening, saving: the fields and the body of an answer; the files, encoded. */
bool desk_add_scan(const desk *d, bytes *to);
int desk_encode_scan(desk *d, failure *why);
void desk_slice(desk *d, const message *m, answer *out);
void desk_file(desk *d, const message *m, answer *out);

/* Calls of desk_results.c. */
void desk_cutout(desk *d, const message *m, answer *out);
void desk_save(desk *d, const message *m, answer *out);
void desk_finish(desk *d, const message *m, answer *out);

#endif
