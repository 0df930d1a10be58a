/* SPDX-License-Identifier: MIT
 *
 * sides.c - see sides.h.
 */
#include "sides.h"

/* The part of the last one in a running mean. */
static const double SHARE = 0.125;

static void pass(sides *s, double now)
{
    if (s->there > 0) s->each += (now - s->now) / s->there;
    s->now = now;
}

double sides_enter(sides *s, double now)
{
    pass(s, now);
    s->there++;
    return s->each;
}

double sides_leave(sides *s, double now, double entered)
{
    pass(s, now);
    s->there--;
    return s->each - entered;
}

void sides_learn(pace *side, uint64_t pixels, double ms)
{
    if (!pixels || !(ms > 0)) return;
    const double ns = ms * 1e6 / (double)pixels;
    side->ns = side->measured ? side->ns + SHARE * (ns - side->ns) : ns;
    side->measured = true;
}

bool sides_take_cpu(const sides *s, int threads, int on_cpu, int left)
{
    if (!s->gpu.measured || !s->host.measured) return false;
    const double spare = threads - s->host.ns / s->gpu.ns;
    return on_cpu + 1 <= spare && s->cpu.ns < s->gpu.ns * left;
}
