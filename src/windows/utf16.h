/* SPDX-License-Identifier: MIT
 *
 * utf16.h - converts between UTF-8 and the UTF-16 of Windows, and errors of Windows to errno.
 */
#ifndef WINDOWS_UTF16_H
#define WINDOWS_UTF16_H

#include <stdbool.h>
#include <wchar.h>

#include "posix.h"

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

/* Converts a path to the form of Windows. Returns false with errno on failure. /C:/photo.png becomes C:/photo.png, and
 * /dev/null becomes NUL. */
bool wide_path(const char *path, wchar_t out[PATH_MAX]);

/* Converts a text to UTF-8, cut off at `room` bytes; in a path, backslashes become '/'. */
char *wide_to_text(const wchar_t *from, bool path, char *out, size_t room);

/* Sets errno from the last error of Windows. Returns -1. */
int wide_failed(void);

/* Returns the handle of a descriptor; INVALID_HANDLE_VALUE with errno if it is not open. */
HANDLE wide_handle(int file);

/* Opens a file only to read its attributes. Returns INVALID_HANDLE_VALUE with errno on failure. */
HANDLE wide_look_at(const char *path, bool link);

#endif
