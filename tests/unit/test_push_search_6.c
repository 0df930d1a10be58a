/* SPDX-License-Identifier: MIT
 * Threads: run under the thread sanitizer, too.
 *
 * test_push_search_6.c - test_push_search.c for volumes.
 */
#define TC_NEIGHBOURS 6
#include "test_push_search.c" // NOLINT(bugprone-suspicious-include): see neighbourhood.h
