/* SPDX-License-Identifier: MIT
 *
 * verbs.h - what a verb of the program is. To add one: write its file with one function, declare that
 * function here, give it a row in the table of main.c, and its man page examples in docs/man/VERB.roff.
 */
#ifndef CLI_VERBS_H
#define CLI_VERBS_H

#include "failure.h"

/* Runs a verb on the words after it: argv[0] is the first of them, `argc` counts them. Returns the exit
 * status. A failure is described in `why` and printed by main(); when the verb has said all there is
 * to say by itself, it leaves why->text empty. argv may be reordered. */
typedef int verb_function(int argc, char **argv, failure *why);

verb_function verb_segment;
verb_function verb_check;
verb_function verb_batch;
verb_function verb_score;
verb_function verb_maxflow;
verb_function verb_make;
verb_function verb_bench;
verb_function verb_info;

#endif
