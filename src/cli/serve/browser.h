/* SPDX-License-Identifier: MIT
 *
 * browser.h - opens the user's browser at an address that holds a secret. All users of a machine can read the arguments
 * of all its programs, so the browser is not given the address: it is given a file that only this user can read and
 * that redirects there.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "file_beside.h"

typedef struct browser {
    beside *file; /* NULL: none */
    int descriptor;
    pid_t child; /* xdg-open; 0: none */
} browser;

/* Starts xdg-open without waiting for it. Returns false, with errno, if the file could not be made or the program did
 * not start. */
bool browser_open(browser *b, const char *address);

/* Removes the file. `b` may be all zeros, if no browser was opened. */
void browser_close(browser *b);
