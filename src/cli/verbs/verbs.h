/* SPDX-License-Identifier: MIT
 *
 * verbs.h - the interface of the program's verbs. To add one, write its file with one function, and its row in
 * verbs.def. docs/man/VERB.roff may have examples for its man page.
 */
#pragma once

#include "failure.h"

/* Runs a verb. argv[0] .. argv[argc - 1] are the words after the verb; they may be reordered. Returns the exit
 * status. A failure is described in `why`, and main() prints it; if the verb has already printed everything, it
 * leaves why->text empty. */
typedef int verb_function(int argc, char **argv, failure *why);

#define VERB(name, synopsis, summary) verb_function verb_##name;
#define CHAPTER(text)
#include "verbs.def"
#undef CHAPTER
#undef VERB
