/* SPDX-License-Identifier: MIT
 *
 * verbs.h - what a verb of the program is. To add one: write its file with one function, and its row in verbs.def;
 * docs/man/VERB.roff may have examples for its man page.
 */
#ifndef CLI_VERBS_H
#define CLI_VERBS_H

#include "failure.h"

/* Runs a verb on the words after it: argv[0] is the first of them, `argc` counts them. Returns the exit
 * status. A failure is described in `why` and printed by main(); when the verb has said all there is
 * to say by itself, it leaves why->text empty. argv may be reordered. */
typedef int verb_function(int argc, char **argv, failure *why);

#define VERB(name, synopsis, summary) verb_function verb_##name;
#include "verbs.def"
#undef VERB

#endif
