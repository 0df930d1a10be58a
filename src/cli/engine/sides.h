/* SPDX-License-Identifier: MIT
 *
 * sides.h - the two sides that cut the images of a batch: a GPU, where several are cut side by side, and single threads
 * of the CPU, which take over where the GPU has no room. What each side takes is measured while the batch runs.
 */
#ifndef CLI_SIDES_H
#define CLI_SIDES_H

#include <stdbool.h>
#include <stdint.h>

/* Nanoseconds a pixel, as a running mean. May begin with a guess, which is forgotten with the first measurement. */
typedef struct pace {
    double ns;
    bool measured;
} pace;

/* Times are milliseconds of any clock. Zero-initialise, and guess cpu.ns. */
typedef struct sides {
    pace cpu;    /* of a cut on one thread                                                             */
    pace gpu;    /* of a cut on the whole GPU, whose time is shared equally by those that are there     */
    pace host;   /* processor's time for an image that the GPU cuts: reading, writing, giving orders    */
    int there;   /* cuts on the GPU                                                                    */
    double each; /* time that a cut would have had to itself if it had been there from the start on    */
    double now;  /* of the last arrival or departure                                                   */
} sides;

/* A cut begins on the GPU. Returns what sides_leave() wants to know. */
double sides_enter(sides *s, double now);

/* It ends. Returns its share of the GPU's time: with n cuts there, an nth of the time that passes. So shares add up to
 * the time in which the GPU had any. */
double sides_leave(sides *s, double now, double entered);

/* An image of `pixels` pixels took `ms`. */
void sides_learn(pace *side, uint64_t pixels, double ms);

/* Where the GPU has no room: whether one of `threads` should cut an image itself while `on_cpu` do so. Two things are
 * asked for. The other threads can read and write as fast as the GPU cuts: else it would have nothing to do before that
 * cut ends. And the cut ends before the GPU alone would have ended all `left` images that are not on the CPU, this one
 * and those on the GPU among them, if they are of one size: else the batch would end with waiting for that thread. */
bool sides_take_cpu(const sides *s, int threads, int on_cpu, int left);

#endif
