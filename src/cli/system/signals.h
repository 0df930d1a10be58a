/* SPDX-License-Identifier: MIT
 *
 * signals.h - what SIGINT and SIGTERM do. Ordinarily temporary files are removed and the program ends at once with
 * status 130 or 143. A verb that can stop in good order, for example to keep finished rows, holds the signals. Then
 * the first one only raises the flag, which also serves as tilecut_params.cancel; a second one ends the program. All
 * other signals that can be caught and end a program still do so, after temporary files are removed.
 */
#ifndef CLI_SIGNALS_H
#define CLI_SIGNALS_H

#include <stdbool.h>

#include "tilecut.h"

void signals_install(void);     /* also makes SIGPIPE and SIGXFSZ errors of write() */
void signals_hold(bool hold);

/* Raised when a signal was caught while signals were held; passed to calls of the library. */
extern tilecut_flag signals_flag;

/* The number of that signal, or 0. */
extern volatile int signals_caught;
int signals_number(void); /* the same for other threads than the one that caught it */

/* The exit status for that signal: 130 for SIGINT, 143 for SIGTERM. */
int signals_status(void);

#endif
