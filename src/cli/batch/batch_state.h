/* SPDX-License-Identifier: MIT
 *
 * batch_state.h - what was made of what: beside the results of a batch lies .tilecut-state, a line for each result:
 *
 *     KEY KIND SHA-256-OF-THE-FILE NAME
 *
 * KEY is the SHA-256 of the version, the contents of photo and seeds, and the options of the job. With --resume a
 * result counts as done if it is the very file that was written for the same key. Lines are only added, the last of a
 * name counts; what is no such line says nothing.
 */
#ifndef CLI_BATCH_STATE_H
#define CLI_BATCH_STATE_H

#include "batch_list.h"
#include "options.h"
#include "outputs.h"
#include "sha256.h"

typedef struct batch_state batch_state;

/* `given`: the options of the batch, must outlive it. NULL: no memory. */
batch_state *batch_state_create(const option_log *given);
void batch_state_free(batch_state *state);

/* The key of a job; false where there is none: an input is no file that can be read twice. */
bool batch_state_key(const batch_state *state, const batch_item *item, char key[SHA256_TEXT]);

/* Whether all results of the job are what they would become. From any thread. */
bool batch_state_done(batch_state *state, const batch_item *item, const char *key);

/* Adds the lines of what is about to be written. A machine that stops in between has other files than the lines say, or
 * none. What cannot be noted is made again another time. From any thread. */
void batch_state_note(const outputs *all, const char *key);

#endif
