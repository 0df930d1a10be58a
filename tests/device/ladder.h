/* SPDX-License-Identifier: MIT
 *
 * ladder.h - parts of the program `ladder` (ladder.c).
 */
#ifndef LADDER_H
#define LADDER_H

/* `hybrid` made to go to and fro between the devices, on `count` graphs. Returns how many went wrong. */
int hybrid_to_and_fro(int count);

/* Times of `cuda`, of the CPU's solvers on one thread and of `hybrid`, with its decisions: all families without
 * photos, up to `largest` a side. Returns how many answers differed. */
int hybrid_times(int largest);

#endif
