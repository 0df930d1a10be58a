/* SPDX-License-Identifier: MIT
 *
 * volume_range.c - finds the values of a volume that become black and white.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "parallel.h"
#include "status.h"
#include "volume.h"
#include "volume_math.h"

/* The least and greatest values of some slices, each slice in one step of a parallel loop. */
typedef struct ranging {
    const tilecut_volume *volume;
    int first; /* slice */
    struct {
        double low, high;
        int x, y; /* the position of the first voxel that is not a finite number; x is -1 if all are finite */
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
        for (int x = 0; x < v->width * v->channels; x++) {
            const double value = tc_voxel_value(row, v->type, (size_t)x);
            if (!isfinite(value) && r->slice[i].x < 0) r->slice[i].x = x / v->channels, r->slice[i].y = y;
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

/* ---- Black and white --------------------------------------------------------------------------- */

enum { SAMPLE_MOST = 1 << 20 };

/* Writes all channels of every step-th voxel of the whole volume to `sample`, two numbers to a 64-bit word. `taken`
 * is the number of these voxels. A part writes its own and leaves 0 for the others; the sum over all parts is then the
 * whole sample. */
static tilecut_status take_sample(const tilecut_volume *v, tc_comm *comm, size_t step, float *sample, size_t taken)
{
    const tc_own_rows own = tc_own_rows_of(comm, v->depth);
    const size_t width = (size_t)v->width, slice = width * (size_t)v->height, channels = (size_t)v->channels;
    const size_t above = (size_t)tc_comm_above(comm) * slice;
    const size_t from = above + (size_t)own.first * slice, end = above + (size_t)own.end * slice;
    for (size_t i = (from + step - 1) / step; i < taken && i * step < end; i++) {
        const size_t at = i * step - above, line = at / width;
        const void *const row = tc_volume_row(v, (int)(line % (size_t)v->height), (int)(at / slice));
        for (size_t c = 0; c < channels; c++)
            sample[i * channels + c] = (float)tc_voxel_value(row, v->type, at % width * channels + c);
    }
    return tc_comm_allreduce(comm, (int64_t *)(void *)sample, (taken * channels + 1) / 2);
}

static int ascending(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Removes NaN, which cannot be sorted. Returns how many numbers are left, at least one: if there are none, a single
 * 0. */
static size_t drop_missing(float *sample, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (!isnan(sample[i])) sample[kept++] = sample[i];
    if (!kept) sample[kept++] = 0;
    return kept;
}

tilecut_status tc_volume_usual_range(const tilecut_volume *v, tc_comm *comm, double range[2])
{
    const size_t count = (size_t)v->width * (size_t)v->height * (size_t)tc_comm_height(comm, v->depth);
    const size_t step = count * (size_t)v->channels / SAMPLE_MOST + 1, voxels = (count + step - 1) / step;
    const size_t all = voxels * (size_t)v->channels;
    tilecut_status status = TILECUT_OK;
    float *sample = NULL;
    range[0] = 0, range[1] = 255;
    if (v->type == TILECUT_VOXEL_U8) return TILECUT_OK;
    sample = calloc((all + 1) / 2, 2 * sizeof *sample);
    if (!sample) return tc_fail(TILECUT_ENOMEM, "no memory to order %zu voxels", voxels);
    TRY(take_sample(v, comm, step, sample, voxels));
    const size_t taken = drop_missing(sample, all);
    qsort(sample, taken, sizeof *sample, ascending);
    range[0] = (double)sample[taken / 1000], range[1] = (double)sample[taken - 1 - taken / 1000];
done:
    free(sample);
    return status;
}

tilecut_status tc_volume_range(const tilecut_volume *v, tc_comm *comm, int threads, double *low, double *high)
{
    const bool given = v->low != 0 || v->high != 0;
    double range[2] = {v->low, v->high}, all[2];
    if (!given) NEED(tc_volume_usual_range(v, comm, range));
    if (v->type == TILECUT_VOXEL_F32 || (!given && !(range[0] < range[1]))) {
        NEED(tc_volume_own_range(v, comm, threads, all));
        NEED(tc_comm_range(comm, all));
        if (!given && !(range[0] < range[1])) memcpy(range, all, sizeof range);
    }
    *low = range[0], *high = range[1];
    return TILECUT_OK;
}

tilecut_status tc_volume_fix_range(tilecut_volume *v, tc_comm *comm, int threads)
{
    NEED(tc_volume_range(v, comm, threads, &v->low, &v->high));
    if (!(v->low < v->high)) v->low = v->high = 0;
    return TILECUT_OK;
}

tilecut_status tilecut_volume_range(const tilecut_volume *volume, double range[2])
{
    tilecut_volume v;
    if (!range) return tc_fail(TILECUT_EINVAL, "range is NULL");
    NEED(tc_volume_read(&v, volume));
    return tc_volume_usual_range(&v, NULL, range);
}
