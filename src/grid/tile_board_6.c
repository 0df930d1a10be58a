/* SPDX-License-Identifier: MIT
 *
 * tile_board_6.c - the bitboard kernels for volumes: 6 neighbours.
 */
#define TC_NEIGHBOURS 6
#include "tile_board.c" // NOLINT(bugprone-suspicious-include): see neighbourhood.h
