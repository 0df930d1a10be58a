/* SPDX-License-Identifier: MIT
 *
 * test_board_drain_8.c - test_board_drain.c for 8 neighbours.
 */
#define TC_NEIGHBOURS 8
#include "test_board_drain.c" // NOLINT(bugprone-suspicious-include): see neighbourhood.h
