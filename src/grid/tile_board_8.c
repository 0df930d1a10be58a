/* SPDX-License-Identifier: MIT
 *
 * tile_board_8.c - the bitboard kernels for 8 neighbours.
 */
#define TC_NEIGHBOURS 8
#include "tile_board.c" // NOLINT(bugprone-suspicious-include): see neighbourhood.h
