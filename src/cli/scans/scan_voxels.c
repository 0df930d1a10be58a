/* SPDX-License-Identifier: MIT
 *
 * scan_voxels.c - the voxels of a scan in memory, see scan.h.
 */
#include <stdlib.h>

#include "scan.h"
#include "tilecut_volume.h"

void scan_free(scan *s)
{
    if (s->spill) spill_drop(s->spill, s->voxels);
    else free(s->voxels);
    bytes_free(&s->head);
    free(s->names);
    *s = (scan){0};
}

size_t scan_voxel_bytes(int type)
{
    return type == TILECUT_VOXEL_U8 ? 1 : type == TILECUT_VOXEL_F32 ? 4 : 2;
}

double scan_stored(const void *voxels, int type, size_t i)
{
    switch (type) {
    case TILECUT_VOXEL_U8: return ((const uint8_t *)voxels)[i];
    case TILECUT_VOXEL_U16: return ((const uint16_t *)voxels)[i];
    case TILECUT_VOXEL_I16: return ((const int16_t *)voxels)[i];
    default: return (double)((const float *)voxels)[i];
    }
}

double scan_value(const scan *s, size_t i)
{
    return s->slope * scan_stored(s->voxels, s->type, i) + s->offset;
}
