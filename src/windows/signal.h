/* SPDX-License-Identifier: MIT
 *
 * signal.h - declares raise() for those who ask for it (posix.h); elsewhere the word means other things.
 */
#include_next <signal.h>

#if defined WINDOWS_POSIX_READY && !defined WINDOWS_SIGNAL_H
#define WINDOWS_SIGNAL_H
int posix_raise(int number);
#endif
