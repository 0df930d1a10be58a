/* SPDX-License-Identifier: MIT
 *
 * push_6.c - push for volumes: 6 neighbours.
 */
#define TC_NEIGHBOURS 6
#include "push.c" // NOLINT(bugprone-suspicious-include): see neighbourhood.h
#include "push_memory.c" // NOLINT(bugprone-suspicious-include): see neighbourhood.h
#include "push_search.c" // NOLINT(bugprone-suspicious-include): see neighbourhood.h
#include "push_sweep.c" // NOLINT(bugprone-suspicious-include): see neighbourhood.h
