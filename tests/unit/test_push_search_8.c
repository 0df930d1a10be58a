/* SPDX-License-Identifier: MIT
 * Threads: run under the thread sanitizer, too.
 *
 * test_push_search_8.c - test_push_search.c for 8 neighbours.
 */
#define TC_NEIGHBOURS 8
#include "test_push_search.c" // NOLINT(bugprone-suspicious-include): see neighbourhood.h
