/* SPDX-License-Identifier: MIT
 *
 * bk_wide.c - bk for volumes with 26 neighbours.
 */
#define TC_BK_WIDE
#include "bk.c" // NOLINT(bugprone-suspicious-include): see bk.c
