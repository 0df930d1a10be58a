/* SPDX-License-Identifier: MIT
 *
 * volume_window.c - finds the window of a volume that its box needs. Everything outside of the window is background,
 * because everything outside of the box is; so a minimum cut of the window is a minimum cut of the whole volume.
 */
#include <math.h>
#include <string.h>

#include "coarse.h"
#include "energy.h"
#include "status.h"
#include "volume.h"

/* Finds the bounding box of voxels that may be foreground, over all parts. *box is empty if there are none. *vague is
 * true if it has strokes and leaves out hardly more than the faces of a volume of `depth` slices; then it says nothing
 * about where the object ends. */
static tilecut_status find_box(const tilecut_volume *v, int depth, const uint8_t *seeds, tc_comm *comm, tc_block *box,
                               bool *vague)
{
    const tc_own_rows own = tc_own_rows_of(comm, v->depth);
    const tc_slices l = {v->width, v->height, own.end - own.first};
    const uint8_t *const first = seeds + (size_t)own.first * (size_t)v->width * (size_t)v->height;
    tc_block marked;
    NEED(tc_box_in_space(first, &l, TILECUT_UNKNOWN, comm, true, box));
    NEED(tc_box_in_space(first, &l, TILECUT_FOREGROUND, comm, true, &marked));
    tc_block_join(box, &marked);
    *vague = marked.width && v->width - box->width <= 2 + v->width / 50 &&
             v->height - box->height <= 2 + v->height / 50 && depth - box->depth <= 2 + depth / 50;
    return TILECUT_OK;
}

void tc_volume_grow(const tilecut_volume *v, int depth, double share, int least, tc_block *box)
{
    double distance[3];
    tc_volume_distances(v, distance);
    const double sides = box->width * distance[0] * box->height * distance[1] * box->depth * distance[2];
    const double margin = fmax(floor(share * cbrt(sides)), least);
    tc_widen(&box->x, &box->width, (int)ceil(margin / distance[0]), v->width);
    tc_widen(&box->y, &box->height, (int)ceil(margin / distance[1]), v->height);
    tc_widen(&box->z, &box->depth, (int)ceil(margin / distance[2]), depth);
}

tilecut_status tc_volume_window(const tilecut_volume *v, const uint8_t *seeds, tc_comm *comm, tc_block *window,
                                bool *less)
{
    const int depth = tc_comm_height(comm, v->depth);
    const tc_own_rows own = tc_own_rows_of(comm, v->depth);
    const size_t slice = (size_t)v->width * (size_t)v->height;
    const uint8_t *const first = seeds + slice * (size_t)own.first;
    const size_t here = slice * (size_t)(own.end - own.first);
    /* an image with seeds in its box is cut as a whole, as by tilecut_segment() */
    bool boxed = memchr(first, TILECUT_OUTSIDE, here) && (depth > 1 || !memchr(first, TILECUT_FOREGROUND, here));
    *window = (tc_block){0, 0, 0, v->width, v->height, depth};
    *less = false;
    NEED(tc_comm_any(comm, &boxed));
    if (!boxed) return TILECUT_OK;
    tc_block box;
    bool vague;
    NEED(find_box(v, depth, seeds, comm, &box, &vague));
    if (!box.width || vague) return TILECUT_OK;
    tc_volume_grow(v, depth, TC_BOX_MARGIN, TC_BOX_LEAST, &box);
    *less = true; /* set even if the window is the whole volume: with a box, colours are learnt from this window */
    *window = box;
    return TILECUT_OK;
}

tilecut_volume tc_volume_view(const tilecut_volume *v, const tc_block *block)
{
    const size_t bytes = tc_volume_row_bytes(v) / (size_t)v->width;
    tilecut_volume view = *v;
    view.row_stride = v->row_stride ? v->row_stride : tc_volume_row_bytes(v);
    view.slice_stride = v->slice_stride ? v->slice_stride : view.row_stride * (size_t)v->height;
    view.voxels = (const char *)tc_volume_row(v, block->y, block->z) + (size_t)block->x * bytes;
    view.width = block->width, view.height = block->height, view.depth = block->depth;
    return view;
}

tilecut_status tilecut_volume_window(const tilecut_volume *volume, const uint8_t *seeds, int window[6])
{
    tilecut_volume v;
    tc_block block;
    bool less;
    if (!seeds || !window) return tc_fail(TILECUT_EINVAL, "%s is NULL", seeds ? "window" : "seeds");
    NEED(tc_volume_read(&v, volume));
    NEED(tc_energy_check_labelled(seeds, tc_volume_voxels(&v)));
    NEED(tc_volume_window(&v, seeds, NULL, &block, &less));
    window[0] = block.x, window[1] = block.y, window[2] = block.z;
    window[3] = block.width, window[4] = block.height, window[5] = block.depth;
    return TILECUT_OK;
}
