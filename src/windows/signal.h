/* SPDX-License-Identifier: MIT
 *
 * signal.h - declares raise() for files that include it (posix.h); in other files the word has other meanings.
 */
#include_next <signal.h>

#if defined WINDOWS_POSIX_READY && !defined WINDOWS_SIGNAL_H
#define WINDOWS_SIGNAL_H
int posix_raise(int number);
#endif
