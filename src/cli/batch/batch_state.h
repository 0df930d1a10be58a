/* SPDX-License-Identifier: MIT
 *
 * batch_state.h - records from what each result was made. The folder of a batch's results has a file .tilecut-state
 * with one line per result:
 *
 *     KEY KIND SHA-256-OF-THE-FILE NAME
 *
 * KEY is the SHA-256 of the version, that of results (TILECUT_RESULTS), the contents of photo and seeds, and the
 * options of the job; of label maps the word "labels", too. With --resume a result is done if it is exactly the file
 * that was written for the same key. Lines are only added, and the last line of a name counts. Lines of any other form
 * are ignored.
 */
#pragma once

#include "batch_list.h"
#include "options.h"
#include "outputs.h"
#include "sha256.h"

typedef struct batch_state batch_state;

/* `given`, the options of the batch, must outlive the state. `labels`: results are label maps. NULL: no memory. */
batch_state *batch_state_create(const option_log *given, bool labels);
void batch_state_free(batch_state *state);

/* Computes the key of a job; false: it has none, because an input cannot be read twice. */
bool batch_state_key(batch_state *state, const batch_item *item, char key[SHA256_TEXT]);

/* Whether all results of the job are as they would be written now. May be called from any thread. */
bool batch_state_done(batch_state *state, const batch_item *item, const char *key);

/* Adds lines for results that are about to be written. If the machine stops before they are, the files differ from
 * the lines, or are missing, and are made again. If a line cannot be added, that result will be made again, too. May
 * be called from any thread. */
void batch_state_note(const outputs *all, const char *key);
