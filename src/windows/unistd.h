/* SPDX-License-Identifier: MIT
 *
 * unistd.h - declares read() and write() for files that include it (posix.h); in other files the words have other
 * meanings.
 */
#include_next <unistd.h>

#if defined WINDOWS_POSIX_READY && !defined WINDOWS_UNISTD_H
#define WINDOWS_UNISTD_H
ssize_t posix_read(int file, void *to, size_t size);
ssize_t posix_write(int file, const void *from, size_t size);
#endif
