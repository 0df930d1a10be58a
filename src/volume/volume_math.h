/* SPDX-License-Identifier: MIT
 *
 * volume_math.h - the formulas of volume_energy.c. Code that evaluates them elsewhere, on a GPU, gets the same bits.
 */
#ifndef TC_VOLUME_MATH_H
#define TC_VOLUME_MATH_H

#include "energy_math.h"
#include "tilecut_volume.h"

/* How grey values are made from voxels. */
typedef struct tc_grey_scale {
    int depth;         /* 8 or 16 bits                           */
    double low, scale; /* of black; grey levels to a voxel's one */
} tc_grey_scale;

/* Voxels of 8 bits whose range is that of all their values stay as they are; others become 16 bits. */
static inline tc_grey_scale tc_grey_scale_of(int type, double low, double high)
{
    const int depth = type == TILECUT_VOXEL_U8 && low == 0 && high == 255 ? 8 : 16;
    const tc_grey_scale scale = {depth, low, high > low ? (depth == 8 ? 255 : 65535) / (high - low) : 0};
    return scale;
}

static TC_BOTH inline double tc_voxel_value(const void *row, int type, size_t x)
{
    switch (type) {
    case TILECUT_VOXEL_U8: return ((const uint8_t *)row)[x];
    case TILECUT_VOXEL_U16: return ((const uint16_t *)row)[x];
    case TILECUT_VOXEL_I16: return ((const int16_t *)row)[x];
    default: return (double)((const float *)row)[x];
    }
}

/* The grey level of a voxel; what lies beyond black and white is clipped. */
static TC_BOTH inline double tc_grey_of(const tc_grey_scale *s, double value)
{
    const double wanted = (value - s->low) * s->scale, most = s->depth == 8 ? 255 : 65535;
    return wanted < 0 ? 0 : wanted > most ? most : floor(wanted + 0.5);
}

/* The sigma that stands for a contrast scale found automatically; 0 for a volume of a single value. */
static TC_BOTH inline double tc_volume_sigma(double beta)
{
    return beta > 0 ? sqrt(1 / (2 * beta)) : 0;
}

/* The capacity of a link whose ends are `distance` apart, where neighbours at the least spacing are 1 apart. */
static TC_BOTH inline int32_t tc_volume_link(double lambda, double quantum, double distance, double beta,
                                             double contrast)
{
    return (int32_t)tc_round(tc_link_weight(lambda / quantum / distance, beta, contrast));
}

/* The largest capacity of a terminal: more than all links of a voxel can carry, which are twice `links`. */
static TC_BOTH inline int32_t tc_volume_seed_capacity(int32_t links, double quantum)
{
    const double one = floor(1 / quantum);
    return 2 * links + (int32_t)(one > 1 ? one : 1);
}

#endif
