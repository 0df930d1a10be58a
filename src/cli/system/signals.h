/* SPDX-License-Identifier: MIT
 *
 * signals.h - what SIGINT and SIGTERM do. Ordinarily: temporary files go, the program ends with status
 * 130 or 143 at once. A verb that can stop in good order (keep finished rows, say) holds them: then the
 * first signal only raises the flag, which is also what tilecut_params.cancel wants; a second one ends. All others that
 * can be caught and end a program do so still, without leaving temporary files.
 */
#ifndef CLI_SIGNALS_H
#define CLI_SIGNALS_H

#include <stdbool.h>

#include "tilecut.h"

void signals_install(void);     /* also has SIGPIPE and SIGXFSZ turn into errors of write() */
void signals_hold(bool hold);

/* Raised when a signal was caught while held: for calls of the library. */
extern tilecut_flag signals_flag;

/* That signal, or 0. */
extern volatile int signals_caught;
int signals_number(void); /* the same, for threads: the signal may come in another */

/* Exit status for it: 130 for SIGINT, 143 for SIGTERM. */
int signals_status(void);

#endif
