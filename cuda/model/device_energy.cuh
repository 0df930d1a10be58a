/* SPDX-License-Identifier: MIT
 *
 * device_energy.cuh - an image, its seeds and the tables of src/energy/energy.h on the device. Capacities are looked up
 * in these tables whenever they are needed. They are the same whole numbers as on the CPU.
 */
#pragma once

#include "grid_view.cuh"

extern "C" {
#include "energy.h"
}

/* Passed to kernels by value; all pointers are device memory. */
typedef struct device_energy {
    int width, height, channels, depth;
    size_t stride;                 /* bytes from row to row                                                  */
    const uint8_t *pixels;
    const uint8_t *seeds;          /* [pixels]                                                           */
    const int32_t *straight;       /* [last + 1] capacity by contrast key                                */
    const int32_t *slanted;        /* [last + 1] the same table for diagonal links; NULL: there are none */
    int32_t last;                  /* the last key, which stands for all higher ones                     */
    int color_bits;                /* 0: no colour terms                                                 */
    const int32_t *source_cost, *sink_cost; /* [bins] costs of the terminals by colour                       */
    const uint8_t *nearness;       /* [pixels] levels of nearness; NULL: no spatial term                     */
    const int32_t *near_cost;      /* [level][source, sink]                                                  */
    const int32_t *seed_capacity;  /* a single number                                                        */
    bool soft_seeds;
} device_energy;

/* Returns the sum over a warp; valid in its first lane. */
template <class Number>
static __device__ inline Number warp_sum(Number value)
{
    for (int d = 16; d; d >>= 1) value += __shfl_down_sync(0xffffffffu, value, d);
    return value;
}

typedef struct terminals {
    int32_t source, sink;
} terminals;

static __device__ inline const uint16_t *row16(const device_energy &e, int y)
{
    return (const uint16_t *)(e.pixels + (size_t)y * e.stride);
}

/* Does the same as tc_contrast_key() of energy.h. */
static __device__ inline int32_t contrast_key(unsigned long long squared)
{
    if (squared < 1u << 11) return (int32_t)squared;
    const int exponent = 63 - __clzll((long long)squared) - 10;
    return (int32_t)((exponent << 10) + (int)(squared >> exponent));
}

/* Looks up in `table` the capacity of the link between the neighbours (x, y) and (x2, y2). */
static __device__ inline int32_t capacity_in(const int32_t *table, const device_energy &e, int x, int y, int x2, int y2)
{
    const int c = e.channels;
    int32_t key = 0;
    if (e.depth == 8) {
        const uint8_t *a = e.pixels + (size_t)y * e.stride + x * c, *b = e.pixels + (size_t)y2 * e.stride + x2 * c;
        for (int i = 0; i < c; i++) {
            const int32_t d = a[i] - b[i];
            key += d * d;
        }
    } else {
        const uint16_t *a = row16(e, y) + x * c, *b = row16(e, y2) + x2 * c;
        unsigned long long squared = 0;
        for (int i = 0; i < c; i++) {
            const long long d = (long long)a[i] - b[i];
            squared += (unsigned long long)(d * d);
        }
        key = contrast_key(squared);
    }
    return table[min(key, e.last)];
}

/* Does the same as tc_color_bins() of colors.h, for a single pixel. */
static __device__ inline uint32_t color_bin(const device_energy &e, int bits, int x, int y)
{
    const int drop = e.depth - bits;
    uint32_t bin = 0;
    for (int i = 0; i < e.channels; i++) {
        const int at = x * e.channels + i;
        const uint32_t s = e.depth == 8 ? e.pixels[(size_t)y * e.stride + at] : row16(e, y)[at];
        bin = bin << bits | s >> drop;
    }
    return bin;
}

/* The terminal links of pixel (x, y) if its label is `seed`. */
static __device__ inline terminals terminals_of(const device_energy &e, int x, int y, uint8_t seed)
{
    terminals t = {0, 0};
    if (seed != TILECUT_UNKNOWN && !e.soft_seeds) {
        if (seed == TILECUT_FOREGROUND) t.source = *e.seed_capacity;
        else t.sink = *e.seed_capacity;
        return t;
    }
    if (e.color_bits) {
        const uint32_t bin = color_bin(e, e.color_bits, x, y);
        t.source = e.source_cost[bin], t.sink = e.sink_cost[bin];
    }
    if (e.nearness) {
        const int level = e.nearness[(size_t)y * e.width + x];
        t.source += e.near_cost[2 * level], t.sink += e.near_cost[2 * level + 1];
    }
    return t;
}
