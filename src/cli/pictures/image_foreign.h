/* SPDX-License-Identifier: MIT
 *
 * image_foreign.h - says what kind of file an unreadable picture is.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "failure.h"

/* Always returns EXIT_INPUT. The sentence says what kind of file `bytes` are, if that is known, and what to do.
 * `readable` lists the formats that can be read. */
int image_fail_foreign(const char *name, const uint8_t *bytes, size_t size, const char *readable, failure *why);
