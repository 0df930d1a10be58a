/* SPDX-License-Identifier: MIT
 *
 * volume_range.c - where rows of voxels lie, and the least and the greatest value of a volume.
 */
#include <math.h>
#include <stdlib.h>

#include "parallel.h"
#include "status.h"
#include "volume.h"
#include "volume_math.h"

static const size_t voxel_bytes[] = {[TILECUT_VOXEL_U8] = 1, [TILECUT_VOXEL_U16] = 2, [TILECUT_VOXEL_I16] = 2,
                                     [TILECUT_VOXEL_F32] = 4};

size_t tc_volume_row_bytes(const tilecut_volume *v)
{
    return (size_t)v->width * voxel_bytes[v->type];
}

const void *tc_volume_row(const tilecut_volume *v, int y, int z)
{
    const size_t row = v->row_stride ? v->row_stride : tc_volume_row_bytes(v);
    const size_t slice = v->slice_stride ? v->slice_stride : row * (size_t)v->height;
    return (const char *)v->voxels + (size_t)z * slice + (size_t)y * row;
}

/* What is looked for in slices, each a turn of a loop. */
typedef struct ranging {
    const tilecut_volume *volume;
    int first; /* slice */
    struct {
        double low, high;
        int x, y; /* of the first voxel that is no finite number; x -1: all are */
    } *slice;
} ranging;

static void range_of_slice(void *context, int i)
{
    const ranging *const r = context;
    const tilecut_volume *const v = r->volume;
    double low = INFINITY, high = -INFINITY;
    r->slice[i].x = -1;
    for (int y = 0; y < v->height; y++) {
        const void *const row = tc_volume_row(v, y, r->first + i);
        for (int x = 0; x < v->width; x++) {
            const double value = tc_voxel_value(row, v->type, (size_t)x);
            if (!isfinite(value) && r->slice[i].x < 0) r->slice[i].x = x, r->slice[i].y = y;
            low = value < low ? value : low;
            high = value > high ? value : high;
        }
    }
    r->slice[i].low = low, r->slice[i].high = high;
}

tilecut_status tc_volume_own_range(const tilecut_volume *v, const tc_comm *comm, int threads, double range[2])
{
    const tc_own_rows own = tc_own_rows_of(comm, v->depth);
    const int slices = own.end - own.first;
    ranging r = {v, own.first, calloc((size_t)slices, sizeof *r.slice)};
    tilecut_status status = TILECUT_OK;
    range[0] = INFINITY, range[1] = -INFINITY;
    if (!r.slice) return tc_fail(TILECUT_ENOMEM, "no memory for the range of %d slices", slices);
    tc_parallel(threads, slices, range_of_slice, &r);
    for (int i = 0; i < slices; i++) {
        if (r.slice[i].x >= 0)
            TRY(tc_fail(TILECUT_EINVAL, "voxel %d,%d,%d is not a finite number", r.slice[i].x, r.slice[i].y,
                        tc_comm_above(comm) + own.first + i));
        range[0] = r.slice[i].low < range[0] ? r.slice[i].low : range[0];
        range[1] = r.slice[i].high > range[1] ? r.slice[i].high : range[1];
    }
done:
    free(r.slice);
    return status;
}

tilecut_status tc_volume_range(const tilecut_volume *v, tc_comm *comm, int threads, double *low, double *high)
{
    double range[2];
    NEED(tc_volume_own_range(v, comm, threads, range));
    NEED(tc_comm_range(comm, range));
    *low = range[0], *high = range[1];
    if (v->type == TILECUT_VOXEL_U8) *low = 0, *high = 255;
    if (v->low != 0 || v->high != 0) *low = v->low, *high = v->high;
    return TILECUT_OK;
}
