/* SPDX-License-Identifier: MIT
 *
 * volume_voxels.c - checks a caller's volume, and finds where its rows lie.
 */
#include <math.h>

#include "rows.h"
#include "sized.h"
#include "status.h"
#include "volume.h"

static const size_t sample_bytes[] = {[TILECUT_VOXEL_U8] = 1, [TILECUT_VOXEL_U16] = 2, [TILECUT_VOXEL_I16] = 2,
                                      [TILECUT_VOXEL_F32] = 4};

size_t tc_volume_row_bytes(const tilecut_volume *v)
{
    return (size_t)v->width * (size_t)v->channels * sample_bytes[v->type];
}

const void *tc_volume_row(const tilecut_volume *v, int y, int z)
{
    const size_t row = v->row_stride ? v->row_stride : tc_volume_row_bytes(v);
    const size_t slice = v->slice_stride ? v->slice_stride : row * (size_t)v->height;
    return (const char *)v->voxels + (size_t)z * slice + (size_t)y * row;
}

tilecut_status tc_volume_check_voxels(const tilecut_volume *v)
{
    NEED(tc_volume_check_size(v->width, v->height, v->depth));
    if (!v->voxels) return tc_fail(TILECUT_EINVAL, "the volume has no voxels");
    if (v->type < TILECUT_VOXEL_U8 || v->type > TILECUT_VOXEL_F32)
        return tc_fail(TILECUT_EINVAL, "voxels of type %d; 0 to 3 are understood", v->type);
    if ((v->channels != 1 && v->channels != 3) || v->reserved)
        return tc_fail(TILECUT_EINVAL, "a volume of %d channels%s; 1 or 3 are understood", v->channels,
                       v->reserved ? " whose last field is not 0" : "");
    if (v->channels == 3 && v->type != TILECUT_VOXEL_U8 && v->type != TILECUT_VOXEL_U16)
        return tc_fail(TILECUT_EINVAL, "colours of type %d; a volume in colour has samples of 8 or 16 bits without a "
                       "sign", v->type);
    const size_t packed = tc_volume_row_bytes(v), bytes = sample_bytes[v->type];
    const size_t row = v->row_stride ? v->row_stride : packed;
    NEED(tc_samples_check(v->voxels, v->row_stride, bytes, packed, v->height, "a slice"));
    NEED(tc_samples_check(v->voxels, v->slice_stride, bytes, row * (size_t)v->height, v->depth, "the volume"));
    const double *const s = v->spacing;
    const bool given = s[0] != 0 || s[1] != 0 || s[2] != 0;
    for (int k = 0; given && k < 3; k++)
        if (!(s[k] > 0) || !isfinite(s[k]) || s[k] > 1e6 * fmin(s[0], fmin(s[1], s[2])))
            return tc_fail(TILECUT_EINVAL, "a spacing of %g x %g x %g; each has to be above 0, none 10^6 times another",
                           s[0], s[1], s[2]);
    if (!isfinite(v->low) || !isfinite(v->high) || ((v->low != 0 || v->high != 0) && !(v->low < v->high)))
        return tc_fail(TILECUT_EINVAL, "low is %g and high %g; low has to be below high", v->low, v->high);
    return TILECUT_OK;
}

tilecut_status tc_volume_read(tilecut_volume *volume, const tilecut_volume *given)
{
    if (!given) return tc_fail(TILECUT_EINVAL, "volume is NULL");
    NEED(TC_READ(volume, given, volume));
    if (!volume->channels) volume->channels = 1;
    return tc_volume_check_voxels(volume);
}

tilecut_status tc_enter_volume(tc_visit *v, const tilecut_volume *volume, const tilecut_params *params, uint8_t *mask,
                               bool needed, tilecut_report *report)
{
    v->volume = true;
    NEED(tc_volume_read(&v->voxels, volume));
    v->image.width = v->voxels.width, v->image.height = v->voxels.height * v->voxels.depth;
    return tc_enter(v, params, v->image.width, v->image.height, mask, needed, report);
}

void tc_volume_distances(const tilecut_volume *v, double distance[3])
{
    const double *const s = v->spacing;
    const bool given = s[0] != 0 || s[1] != 0 || s[2] != 0;
    const double least = fmin(s[0], fmin(s[1], s[2]));
    for (int k = 0; k < 3; k++) distance[k] = given ? s[k] / least : 1;
}
