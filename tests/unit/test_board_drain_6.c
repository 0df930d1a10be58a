/* SPDX-License-Identifier: MIT
 *
 * test_board_drain_6.c - test_board_drain.c for volumes.
 */
#define TC_NEIGHBOURS 6
#include "test_board_drain.c" // NOLINT(bugprone-suspicious-include): see neighbourhood.h
