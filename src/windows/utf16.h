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

/* Writes the path in the form of Windows; false with errno. /C:/photo.png is C:/photo.png, and /dev/null is NUL. */
bool wide_path(const char *path, wchar_t out[PATH_MAX]);

/* Converts a text to UTF-8, cut at `room` bytes; in a path backslashes become '/'. */
char *wide_to_text(const wchar_t *from, bool path, char *out, size_t room);

/* Sets errno to the POSIX name of the last error of Windows. Returns -1. */
int wide_failed(void);

/* INVALID_HANDLE_VALUE with errno if the descriptor is not open. */
HANDLE wide_handle(int file);

/* Opens a file only to ask for its attributes. INVALID_HANDLE_VALUE with errno. */
HANDLE wide_look_at(const char *path, bool link);

#endif
