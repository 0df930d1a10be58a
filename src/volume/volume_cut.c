/* SPDX-License-Identifier: MIT
 *
 * volume_cut.c - the cut of a volume's graph, and the results for a window of the volume.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "fit_box.h"
#include "iterate.h"
#include "segment.h"
#include "status.h"
#include "view.h"
#include "volume.h"

/* Cuts the graph, or what a device makes a graph of. */
static tilecut_status cut_window(const tc_volume *v, tc_kept_flow *kept, uint8_t *mask, tilecut_report *report)
{
    if (v->graph) return tc_graph_segment_again(v->graph, &v->setup, kept, mask, report);
    return tc_segment_whole(&(tc_source){.image = &v->image, .seeds = v->seeds}, &v->setup, mask, report);
}

/* Cuts a window, and writes its mask to the window's place in `mask`. */
static tilecut_status cut_part(const tc_volume *v, tc_kept_flow *kept, uint8_t *mask, tilecut_report *report)
{
    const size_t voxels = tc_block_pixels(&v->window);
    uint8_t *const part = malloc(voxels);
    if (!part) return tc_fail(TILECUT_ENOMEM, "no memory for the labels of %zu voxels", voxels);
    const tilecut_status status = cut_window(v, kept, part, report);
    if (status == TILECUT_OK) tc_block_write(mask, v->whole.width, v->whole.height, &v->window, part);
    report->bytes_per_pixel *= (double)voxels / (double)tc_block_pixels(&v->whole);
    free(part);
    return status;
}

tilecut_status tc_volume_cut(tc_volume *v, struct tc_kept_flow *kept, uint8_t *mask, tilecut_report *report)
{
    const bool in_parts = v->less && v->parts.all;
    if (v->less) memset(mask, 0, tc_block_pixels(&v->whole));
    if (in_parts && !v->parts.takes_part) NEED(tc_window_stand_by(&v->parts));
    else if (v->less) NEED(cut_part(v, kept, mask, report));
    else NEED(cut_window(v, kept, mask, report));
    if (in_parts && v->parts.takes_part) NEED(tc_window_end(&v->parts));
    if (in_parts) NEED(tc_window_share(&v->parts, &v->setup, report));
    report->low = v->low, report->high = v->high;
    return TILECUT_OK;
}

/* ---- On a device -------------------------------------------------------------------------------- */

/* True if all foreground seeds lie within the size of a click. Stops reading where they do not. */
static bool may_be_click(const tilecut_volume *v, const uint8_t *seeds)
{
    const size_t voxels = tc_volume_voxels(v), width = (size_t)v->width, height = (size_t)v->height;
    int least[3] = {INT_MAX, INT_MAX, INT_MAX}, most[3] = {-1, -1, -1};
    const uint8_t *next = seeds;
    while ((next = memchr(next, TILECUT_FOREGROUND, voxels - (size_t)(next - seeds)))) {
        const size_t i = (size_t)(next++ - seeds);
        const int at[3] = {(int)(i % width), (int)(i / width % height), (int)(i / width / height)};
        for (int k = 0; k < 3; k++) {
            least[k] = tc_least(least[k], at[k]), most[k] = tc_most(most[k], at[k]);
            if (most[k] - least[k] >= TC_CLICK_ACROSS) return false;
        }
    }
    return most[0] >= 0;
}

bool tc_volume_fits_device(const tilecut_volume *voxels, const uint8_t *seeds, const tc_setup *setup)
{
    /* kernels that learn take 65,535 blocks of 32 rows, the most along this axis, and as many slices */
    enum { BLOCKS = 65535 };
    const bool cuda = setup->solver && !strcmp(setup->solver, "cuda");
    return cuda && tc_colors_find(setup->colors) && seeds && !setup->comm && !setup->prior && !setup->guess &&
           setup->connectivity == 6 && voxels->depth > 1 && voxels->depth <= BLOCKS &&
           (int64_t)voxels->height * voxels->depth <= BLOCKS * 32 &&
           !(tc_volume_may_click(setup) && may_be_click(voxels, seeds));
}
