/* SPDX-License-Identifier: MIT
 *
 * version.h - the version as a string.
 */
#pragma once

#include "tilecut.h"

#define TC_STRING(x) #x
#define TC_DOTTED(a, b, c) TC_STRING(a) "." TC_STRING(b) "." TC_STRING(c)
#define TC_VERSION TC_DOTTED(TILECUT_VERSION_MAJOR, TILECUT_VERSION_MINOR, TILECUT_VERSION_PATCH) TILECUT_VERSION_PRE
