/* SPDX-License-Identifier: MIT
 *
 * cascade_8.c - cascade for 8 neighbours.
 */
#define TC_NEIGHBOURS 8
#include "cascade.c" // NOLINT(bugprone-suspicious-include): see neighbourhood.h
#include "drain.c" // NOLINT(bugprone-suspicious-include): see neighbourhood.h
#include "drain_memory.c" // NOLINT(bugprone-suspicious-include): see neighbourhood.h
#include "drain_search.c" // NOLINT(bugprone-suspicious-include): see neighbourhood.h
