/* SPDX-License-Identifier: MIT */
#include "chance.h"

/* splitmix64 (Steele, Lea & Flood 2014). */
uint64_t chance_draw(chance *dice)
{
    uint64_t z = dice->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

chance chance_of(uint64_t seed, uint64_t stream)
{
    chance mixer = {seed};
    chance out = {chance_draw(&mixer) ^ stream * 0xd1342543de82ef95u};
    out.state = chance_draw(&out);
    return out;
}

int chance_below(chance *dice, int n)
{
    return (int)((chance_draw(dice) >> 32) * (uint64_t)n >> 32);
}

int chance_between(chance *dice, int a, int b)
{
    return a + chance_below(dice, b - a + 1);
}

/* Returns the sum of twelve uniform random numbers of 16 bits, scaled to `sigma`, which is close to a normal
 * distribution. */
int chance_bell(chance *dice, int sigma)
{
    int64_t sum = 0;
    for (int i = 0; i < 3; i++) {
        const uint64_t bits = chance_draw(dice);
        sum += (int64_t)((bits & 0xffff) + (bits >> 16 & 0xffff) + (bits >> 32 & 0xffff) + (bits >> 48));
    }
    const int64_t scaled = (sum - 6 * 65535) * sigma;
    return (int)((scaled + (scaled < 0 ? -32768 : 32768)) / 65536);
}
