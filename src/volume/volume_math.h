/* SPDX-License-Identifier: MIT
 *
 * volume_math.h - the conversion from voxels to grey values, and of each channel of colours.
 */
#pragma once

#include <math.h>
#include <stdint.h>

#include "tilecut_volume.h"

/* The conversion from voxels to grey values. */
typedef struct tc_grey_scale {
    int depth;         /* 8 or 16 bits                                                                   */
    double low, scale; /* the voxel value that becomes black; grey levels per unit of a voxel value */
} tc_grey_scale;

/* Voxels of 8 bits stay as they are if their range is that of all 8-bit values; all others become 16 bits. */
static inline tc_grey_scale tc_grey_scale_of(int type, double low, double high)
{
    const int depth = type == TILECUT_VOXEL_U8 && low == 0 && high == 255 ? 8 : 16;
    const tc_grey_scale scale = {depth, low, high > low ? (depth == 8 ? 255 : 65535) / (high - low) : 0};
    return scale;
}

static inline double tc_voxel_value(const void *row, int type, size_t x)
{
    switch (type) {
    case TILECUT_VOXEL_U8: return ((const uint8_t *)row)[x];
    case TILECUT_VOXEL_U16: return ((const uint16_t *)row)[x];
    case TILECUT_VOXEL_I16: return ((const int16_t *)row)[x];
    default: return (double)((const float *)row)[x];
    }
}

/* The grey level of a voxel value; values beyond black and white are clipped. */
static inline double tc_grey_of(const tc_grey_scale *s, double value)
{
    const double wanted = (value - s->low) * s->scale, most = s->depth == 8 ? 255 : 65535;
    return wanted < 0 ? 0 : wanted > most ? most : floor(wanted + 0.5);
}
