/* SPDX-License-Identifier: MIT
 *
 * engine.h - from the options --threads, --device and --solver to what the library wants, and from its
 * statuses to exit statuses. For every verb that solves something.
 */
#ifndef CLI_ENGINE_H
#define CLI_ENGINE_H

#include "failure.h"
#include "options.h"
#include "tilecut.h"

/* Sets solver, threads and cancel (signals_caught) of `params`; the rest is left alone. EXIT_RESOURCES
 * when a device was asked for by name that is not there. */
int engine_choose(const common *asked, tilecut_params *params, notes *log, failure *why);

/* Turns a failed call of the library into an exit status and a sentence; `subject` is the file or whatever
 * it was about, or NULL. EINVAL becomes EXIT_USAGE. */
int engine_failure(tilecut_status status, const char *subject, failure *why);

#endif
