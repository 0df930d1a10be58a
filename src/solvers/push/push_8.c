/* SPDX-License-Identifier: MIT
 *
 * push_8.c - push for 8 neighbours.
 */
#define TC_NEIGHBOURS 8
#include "push.c" // NOLINT(bugprone-suspicious-include): see neighbourhood.h
#include "push_memory.c" // NOLINT(bugprone-suspicious-include): see neighbourhood.h
#include "push_search.c" // NOLINT(bugprone-suspicious-include): see neighbourhood.h
#include "push_sweep.c" // NOLINT(bugprone-suspicious-include): see neighbourhood.h
