/* SPDX-License-Identifier: MIT
 *
 * volume_nested.c - see volume.h: strokes in a box, in space. As in a photo (box_and_strokes.h), the box is also cut
 * without its strokes, and each stroke changes that mask only where it is connected to the stroke, and in the stroke's
 * direction (nested.h).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "nested.h"
#include "solve.h"
#include "status.h"
#include "volume.h"

/* Sets *any to true if a voxel of any part's own slices is a stroke. */
static tilecut_status has_strokes(const uint8_t *own, size_t count, tc_comm *comm, bool *any)
{
    *any = memchr(own, TILECUT_FOREGROUND, count) || memchr(own, TILECUT_BACKGROUND, count);
    return tc_comm_any(comm, any);
}

/* Writes the box that was drawn, without its strokes, to `alone`: unknown within it, outside elsewhere. */
static tilecut_status leave_out_strokes(const tilecut_volume *v, const uint8_t *seeds, tc_comm *comm, uint8_t *alone,
                                        bool *found)
{
    const tc_own_rows own = tc_own_rows_of(comm, v->depth);
    const size_t slice = (size_t)v->width * (size_t)v->height;
    const tc_slices l = {v->width, v->height, own.end - own.first};
    tc_block box;
    NEED(tc_box_in_space(seeds + slice * (size_t)own.first, &l, TILECUT_UNKNOWN, comm, true, &box));
    memset(alone, TILECUT_OUTSIDE, slice * (size_t)v->depth);
    *found = box.width > 0;
    for (int z = 0; z < v->depth; z++) {
        const int at = z + tc_comm_above(comm) - box.z;
        for (int y = 0; at >= 0 && at < box.depth && y < box.height; y++) {
            const size_t from = slice * (size_t)z + (size_t)(box.y + y) * (size_t)v->width + (size_t)box.x;
            for (size_t i = from; i < from + (size_t)box.width; i++)
                alone[i] = seeds[i] == TILECUT_OUTSIDE ? TILECUT_OUTSIDE : TILECUT_UNKNOWN;
        }
    }
    return TILECUT_OK;
}

/* Cuts the box alone. Adds its times to *report. *pixels is the number of foreground voxels. */
static tilecut_status cut_alone(const tilecut_volume *voxels, const uint8_t *alone, const tc_setup *setup,
                                uint8_t *mask, tilecut_report *report, int64_t *pixels)
{
    tilecut_status status = TILECUT_OK;
    tilecut_report one = {0};
    tc_volume made = {0};
    TRY(tc_volume_open_window(&made, voxels, alone, setup));
    TRY(tc_volume_cut(&made, NULL, mask, &one));
    tc_report_add_times(report, &one);
    *pixels = one.foreground;
done:
    tc_volume_close(&made);
    return status;
}

/* Finds whether the foreground's strokes are short: their bounding box has a diagonal of less than .7 times the side of
 * a cube with the `pixels` voxels of the box's mask. Colours of so few voxels are weak evidence against that mask, so
 * no more than half of it may go (docs/lab/never-worse.md). */
static tilecut_status are_short(const tilecut_volume *v, const uint8_t *seeds, tc_comm *comm, int64_t pixels,
                                bool *is_short)
{
    const tc_own_rows own = tc_own_rows_of(comm, v->depth);
    const tc_slices l = {v->width, v->height, own.end - own.first};
    tc_block box;
    NEED(tc_box_in_space(seeds + (size_t)own.first * (size_t)v->width * (size_t)v->height, &l, TILECUT_FOREGROUND, comm,
                         true, &box));
    const double w = box.width, h = box.height, d = box.depth;
    *is_short = w > 0 && sqrt(w * w + h * h + d * d) < 0.7 * cbrt((double)pixels);
    return TILECUT_OK;
}

/* Limits the change from the mask of the box alone, which has `pixels` foreground voxels, to `mask`. */
static tilecut_status nest(const tilecut_volume *v, const uint8_t *seeds, const tc_setup *setup, const uint8_t *before,
                           int64_t pixels, uint8_t *mask, int64_t *foreground)
{
    tc_comm rows;
    bool is_short;
    NEED(are_short(v, seeds, setup->comm, pixels, &is_short));
    const tc_nested n = {v->width, v->height * v->depth, setup->connectivity,
                         tc_volume_in_rows(&rows, setup->comm, v->height), seeds, before, mask, true, v->height,
                         is_short ? 2 : TC_VANISHES};
    const tilecut_status status = tc_nest(&n, foreground);
    if (setup->comm) setup->comm->broken = rows.broken;
    return status;
}

/* Cuts the box alone, and limits what the strokes change. */
static tilecut_status hold_to_box(const tilecut_volume *voxels, const uint8_t *seeds, const tc_setup *setup,
                                  uint8_t *mask, tilecut_report *report)
{
    const size_t count = tc_volume_voxels(voxels);
    tilecut_status status = TILECUT_OK;
    int64_t pixels = 0;
    bool found;
    uint8_t *const memory = malloc(2 * count);
    if (!memory) return tc_fail(TILECUT_ENOMEM, "no memory to cut a box of %zu voxels without its strokes", count);
    uint8_t *const before = memory + count;
    TRY(leave_out_strokes(voxels, seeds, setup->comm, memory, &found));
    if (found) TRY(cut_alone(voxels, memory, setup, before, report, &pixels));
    if (found) TRY(nest(voxels, seeds, setup, before, pixels, mask, &report->foreground));
done:
    free(memory);
    return status;
}

tilecut_status tc_volume_follow_strokes(tc_volume *made, const tilecut_volume *voxels, const uint8_t *seeds,
                                        const tc_setup *given, struct tc_kept_flow *kept, uint8_t *mask,
                                        tilecut_report *report)
{
    const size_t slice = (size_t)voxels->width * (size_t)voxels->height;
    const tc_own_rows own = tc_own_rows_of(given->comm, voxels->depth);
    bool any;

    if (!made->less) return tc_volume_click(made, voxels, seeds, given, kept, mask, report);
    if (!tc_volume_may_click(given) || tc_comm_height(given->comm, voxels->depth) == 1) return TILECUT_OK;
    NEED(has_strokes(seeds + slice * (size_t)own.first, slice * (size_t)(own.end - own.first), given->comm, &any));
    if (!any) return TILECUT_OK;
    tc_volume_close(made); /* makes room for the other graph */
    return hold_to_box(voxels, seeds, given, mask, report);
}
