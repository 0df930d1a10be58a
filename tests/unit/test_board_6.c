/* SPDX-License-Identifier: MIT
 *
 * test_board_6.c - test_board.c for volumes.
 */
#define TC_NEIGHBOURS 6
#include "test_board.c" // NOLINT(bugprone-suspicious-include): see neighbourhood.h
