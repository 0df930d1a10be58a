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
