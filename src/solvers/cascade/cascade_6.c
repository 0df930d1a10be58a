/* SPDX-License-Identifier: MIT
 *
 * cascade_6.c - cascade for volumes: 6 neighbours.
 */
#define TC_NEIGHBOURS 6
#include "cascade.c" // NOLINT(bugprone-suspicious-include): see neighbourhood.h
#include "drain.c" // NOLINT(bugprone-suspicious-include): see neighbourhood.h
#include "drain_memory.c" // NOLINT(bugprone-suspicious-include): see neighbourhood.h
#include "drain_search.c" // NOLINT(bugprone-suspicious-include): see neighbourhood.h
