/* SPDX-License-Identifier: MIT
 *
 * signals.h - handles SIGINT and SIGTERM. Normally the temporary files are removed and the program ends at once with
 * status 130 or 143. A verb that can stop in good order, for example to keep finished rows, holds the signals. Then the
 * first signal only sets the flag, which also serves as tilecut_params.cancel; a second one ends the program. All other
 * signals that end a program and can be caught still end it, after the temporary files are removed.
 */
#pragma once

#include <stdbool.h>

#include "tilecut.h"

void signals_install(void);     /* installs the handlers, and makes write() return errors in place of SIGPIPE and
                                   SIGXFSZ */
void signals_hold(bool hold);

/* Set by a signal that arrives while signals are held. It is passed to calls of the library, to stop them. */
extern tilecut_flag signals_flag;

/* The number of the signal that was caught, or 0. */
extern volatile int signals_caught;
int signals_number(void); /* signals_caught, for threads other than the one that received the signal */

/* Returns the exit status for the caught signal: 130 for SIGINT, 143 for SIGTERM. */
int signals_status(void);
