/* SPDX-License-Identifier: MIT
 *
 * utf16.h - between UTF-8 and what Windows takes, and its errors as numbers of POSIX.
 */
#ifndef WINDOWS_UTF16_H
#define WINDOWS_UTF16_H

#include <stdbool.h>
#include <wchar.h>

#include "posix.h"

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

/* The path as Windows takes it; false with errno. /C:/photo.png is C:/photo.png, and /dev/null is NUL. */
bool wide_path(const char *path, wchar_t out[PATH_MAX]);

/* UTF-8 of it, cut at `room` bytes, with '/' for backslashes if it is a path. */
char *wide_to_text(const wchar_t *from, bool path, char *out, size_t room);

/* Sets errno to what the last error of Windows is called in POSIX. Returns -1. */
int wide_failed(void);

/* INVALID_HANDLE_VALUE with errno if the descriptor is not open. */
HANDLE wide_handle(int file);

/* Opens for nothing but looking. INVALID_HANDLE_VALUE with errno. */
HANDLE wide_look_at(const char *path, bool link);

#endif
