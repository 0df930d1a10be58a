/* SPDX-License-Identifier: MIT
 *
 * volume_cut.c - the cut of a volume's graph, and the results for a window of the volume.
 */
#include <stdlib.h>
#include <string.h>

#include "fit_box.h"
#include "iterate.h"
#include "segment.h"
#include "status.h"
#include "view.h"
#include "volume.h"

/* Cuts a window, and writes its mask to the window's place in `mask`. */
static tilecut_status cut_window(const tc_volume *v, tc_kept_flow *kept, uint8_t *mask, tilecut_report *report)
{
    const size_t voxels = tc_block_pixels(&v->window);
    uint8_t *const part = malloc(voxels);
    if (!part) return tc_fail(TILECUT_ENOMEM, "no memory for the labels of %zu voxels", voxels);
    const tilecut_status status = tc_graph_segment_again(v->graph, &v->setup, kept, part, report);
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
    else if (v->less) NEED(cut_window(v, kept, mask, report));
    else NEED(tc_graph_segment_again(v->graph, &v->setup, kept, mask, report));
    if (in_parts && v->parts.takes_part) NEED(tc_window_end(&v->parts));
    if (in_parts) NEED(tc_window_share(&v->parts, &v->setup, report));
    report->low = v->low, report->high = v->high;
    return TILECUT_OK;
}

/* ---- On a device -------------------------------------------------------------------------------- */

bool tc_volume_fits_device(const tilecut_volume *voxels, const uint8_t *seeds, const tc_setup *setup)
{
    enum { ROWS = 65535 * 32 }; /* kernels that learn take 65,535 blocks of 32 rows, the most along this axis */
    const bool cuda = setup->solver && !strcmp(setup->solver, "cuda");
    const tc_colors *const model = tc_colors_find(setup->colors);
    const bool once = setup->iterations < 0 || (setup->iterations == 0 && setup->effort == 1);
    const bool plain = !setup->spatial_by_strokes && !(setup->spatial > 0) && once;
    return cuda && model && seeds && plain && !setup->comm && !setup->prior && !setup->guess &&
           setup->connectivity == 6 && voxels->depth > 1 && (int64_t)voxels->height * voxels->depth <= ROWS &&
           (setup->islands || !tc_colors_learn(model)) &&
           !memchr(seeds, TILECUT_OUTSIDE, tc_volume_voxels(voxels));
}

tilecut_status tc_volume_segment_on_device(const tilecut_volume *voxels, const uint8_t *seeds, const tc_setup *setup,
                                           uint8_t *mask, tilecut_report *report)
{
    tilecut_status status = TILECUT_OK;
    tc_setup own = *setup;
    tc_volume made = {0};
    tilecut_image image;
    TRY(tc_volume_grey(&made, voxels, &own, false, &image));
    own.threads = setup->threads, own.iterations = -1, own.device_may_learn = true;
    TRY(tc_segment_whole(&(tc_source){.image = &image, .seeds = seeds}, &own, mask, report));
    report->low = made.low, report->high = made.high;
done:
    tc_volume_close(&made);
    return status;
}
