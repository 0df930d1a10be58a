/* SPDX-License-Identifier: MIT
 *
 * batch_state.h - records what each result was made from. The folder of a batch's results has a file .tilecut-state
 * with one line per result:
 *
 *     KEY KIND SHA-256-OF-THE-FILE NAME
 *
 * KEY is a SHA-256 over the program's version, the version of results (TILECUT_RESULTS), the contents of photo and
 * seeds, and the job's options; for label maps also the word "labels". With --resume a result counts as done if its
 * file is exactly the one that was written for the same key. Lines are only appended, and the last line of a name
 * counts. Lines of any other form are ignored.
 */
#pragma once

#include "batch_list.h"
#include "options.h"
#include "outputs.h"
#include "sha256.h"

typedef struct batch_state batch_state;

/* Creates the record of a batch. The batch's options `given` must outlive it. `labels`: the results are label maps.
 * NULL: no memory. */
batch_state *batch_state_create(const option_log *given, bool labels);
void batch_state_free(batch_state *state);

/* Computes the key of a job. Returns false if the job has none, because one of its inputs cannot be read twice. */
bool batch_state_key(batch_state *state, const batch_item *item, char key[SHA256_TEXT]);

/* True if all results of the job exist and are what the job would write again. Any thread may call this. */
bool batch_state_done(batch_state *state, const batch_item *item, const char *key);

/* Adds lines for results that are about to be written. If the machine stops before the results are written, the files
 * are missing or do not match their lines, so a later run makes them again. It also makes a result again if its line
 * could not be added. Any thread may call this. */
void batch_state_note(const outputs *all, const char *key);
