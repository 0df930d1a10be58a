/* SPDX-License-Identifier: MIT
 *
 * signals.h - what SIGINT and SIGTERM do. Ordinarily temporary files are removed and the program ends at once with
 * status 130 or 143. A verb that can stop in good order, for example to keep finished rows, holds the signals. Then
 * the first one only raises the flag, which also serves as tilecut_params.cancel; a second one ends the program. All
 * other signals that can be caught and end a program still do so, after temporary files are removed.
 */
#pragma once

#include <stdbool.h>

#include "tilecut.h"

void signals_install(void);     /* also turns SIGPIPE and SIGXFSZ into errors of write() */
void signals_hold(bool hold);

/* Raised by a signal that arrives while signals are held. Passed to calls of the library, to stop them. */
extern tilecut_flag signals_flag;

/* The number of the signal that was caught, or 0. */
extern volatile int signals_caught;
int signals_number(void); /* signals_caught, for threads other than the one that caught it */

/* The exit status for the caught signal: 130 for SIGINT, 143 for SIGTERM. */
int signals_status(void);
