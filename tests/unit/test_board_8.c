/* SPDX-License-Identifier: MIT
 *
 * test_board_8.c - test_board.c for 8 neighbours.
 */
#define TC_NEIGHBOURS 8
#include "test_board.c" // NOLINT(bugprone-suspicious-include): see neighbourhood.h
