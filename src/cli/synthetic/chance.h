/* SPDX-License-Identifier: MIT
 *
 * chance.h - random numbers that are the same on every machine, because they are drawn and used as integers.
 */
#pragma once

#include <stdint.h>

typedef struct chance {
    uint64_t state;
} chance;

chance chance_of(uint64_t seed, uint64_t stream); /* starts a random sequence; different streams of a seed are
                                                     independent */
uint64_t chance_draw(chance *dice);             /* 64 random bits (splitmix64)              */
int chance_below(chance *dice, int n);          /* a number from 0 to n - 1 */
int chance_between(chance *dice, int a, int b); /* a .. b                                   */
int chance_bell(chance *dice, int sigma);       /* a whole number that is roughly normally distributed, with mean 0 */
