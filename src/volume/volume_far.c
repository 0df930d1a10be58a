/* SPDX-License-Identifier: MIT
 *
 * volume_far.c - see volume.h: a stroke of a correction that lies deep in the wrong label, but changes hardly more than
 * its own voxels. The cause is that colours were learnt from the mask: if the mask contains only one end of an object,
 * the rest of the object counts as background there. So the volume is cut anew from the seeds, as if there were no
 * mask, and the stroke gets the voxels that are connected to it in that cut. Foreground strokes still only add to the
 * mask, and background strokes only remove from it. The result is a minimum cut with all other voxels fixed, for the
 * same reason as in correction_learning.c.
 */
#include <stdlib.h>
#include <string.h>

#include "chamfer.h"
#include "correction.h"
#include "islands.h"
#include "solve.h"
#include "status.h"
#include "volume.h"

/* A stroke has changed too little if its own voxels are more than 1 / LITTLE of all that change. A stroke lies deep if
 * its distance from the voxels with its label is at least DEEP times the object's greatest depth: for a foreground
 * stroke the distance of its nearest voxel, because a new part lies apart from the mask; for a background stroke that
 * of its farthest voxel. See docs/lab/volumes.md. */
enum { LITTLE = 2 };
#define DEEP 0.4

typedef struct looking {
    const tilecut_volume *voxels;
    const uint8_t *seeds, *before;
    uint8_t *after;
    size_t count;
    double spacing[3];
    /* painted: foreground at the seeds of one class that contradict the mask, unknown elsewhere; learnt: the mask of
       the new cut, valid if `cut` is set */
    uint8_t *painted, *learnt;
    uint16_t *distance;        /* scratch memory                                                              */
    bool cut;                  /* true: the volume was cut anew                                               */
} looking;

static bool lies_deep(const looking *l, bool foreground)
{
    const tilecut_volume *const v = l->voxels;
    int nearest = TC_CHAMFER_NOWHERE;
    tc_chamfer_within(l->distance, l->before, v->width, v->height, v->depth, l->spacing);
    const int thick = tc_chamfer_deepest(l->distance, l->before, l->count);
    if (!foreground) return tc_chamfer_deepest(l->distance, l->painted, l->count) >= DEEP * thick;
    for (size_t p = 0; p < l->count; p++) l->distance[p] = l->before[p] ? 0 : TC_CHAMFER_NOWHERE;
    tc_chamfer_space(l->distance, v->width, v->height, v->depth, l->spacing);
    for (size_t p = 0; p < l->count; p++)
        if (l->painted[p] && l->distance[p] < nearest) nearest = l->distance[p];
    return nearest >= DEEP * thick;
}

/* Finds the seeds of a class that contradict the mask. Returns true if the volume has to be cut anew for them. */
static bool asks_for_more(const looking *l, bool foreground)
{
    int64_t painted = 0, changed = 0;
    for (size_t p = 0; p < l->count; p++) {
        const bool against = tc_contradicts(l->seeds, l->before, p, foreground);
        l->painted[p] = against ? TILECUT_FOREGROUND : TILECUT_UNKNOWN;
        painted += against;
        changed += (l->before[p] != 0) != foreground && (l->after[p] != 0) == foreground;
    }
    return painted && changed < LITTLE * painted && lies_deep(l, foreground);
}

static tilecut_status cut_anew(looking *l, const tc_setup *given, tilecut_report *report)
{
    tilecut_report result = {0};
    tc_volume made = {0};
    tc_setup setup = *given;
    setup.prior = NULL;
    tilecut_status status = tc_volume_open(&made, l->voxels, l->seeds, &setup);
    if (status == TILECUT_OK) status = tc_volume_cut(&made, NULL, l->learnt, &result);
    tc_volume_close(&made);
    if (status == TILECUT_OK) tc_report_add_times(report, &result);
    l->cut = status == TILECUT_OK;
    return status;
}

/* Changes l->after: the voxels that the new cut connects to the seeds of a class in l->painted get their label. */
static tilecut_status take(const looking *l, bool foreground, int connectivity)
{
    const tilecut_volume *const v = l->voxels;
    uint8_t *const part = malloc(l->count);
    int64_t ignored;
    if (!part) return tc_fail(TILECUT_ENOMEM, "no memory for what a stroke changes in %zu voxels", l->count);
    for (size_t p = 0; p < l->count; p++) {
        const bool free = l->seeds[p] == TILECUT_UNKNOWN || (l->seeds[p] == TILECUT_OUTSIDE && !foreground);
        const bool turns = free && (l->before[p] != 0) != foreground && (l->learnt[p] != 0) == foreground;
        part[p] = turns || l->painted[p] ? 255 : 0;
    }
    const tilecut_status status = tc_drop_islands(
        NULL, l->painted, tc_islands_of(part, v->width, v->height, v->depth, connectivity), &ignored);
    for (size_t p = 0; status == TILECUT_OK && p < l->count; p++)
        if (part[p]) l->after[p] = foreground ? 255 : 0;
    free(part);
    return status;
}

tilecut_status tc_volume_take_far(const tilecut_volume *voxels, const uint8_t *seeds, const tc_setup *setup,
                                  const uint8_t *before, uint8_t *after, tilecut_report *report)
{
    looking l = {.voxels = voxels, .seeds = seeds, .before = before, .after = after, .count = tc_volume_voxels(voxels)};
    tilecut_status status = TILECUT_OK;
    const bool background = memchr(seeds, TILECUT_BACKGROUND, l.count) || memchr(seeds, TILECUT_OUTSIDE, l.count);
    if (!background || !memchr(seeds, TILECUT_FOREGROUND, l.count)) return TILECUT_OK;
    tc_volume_distances(voxels, l.spacing);
    l.distance = malloc(l.count * (sizeof *l.distance + 2));
    if (!l.distance) return tc_fail(TILECUT_ENOMEM, "no memory to look for parts in %zu voxels", l.count);
    l.painted = (uint8_t *)(l.distance + l.count), l.learnt = l.painted + l.count;
    for (int foreground = 1; foreground >= 0; foreground--) {
        if (!asks_for_more(&l, foreground)) continue;
        if (!l.cut) TRY(cut_anew(&l, setup, report));
        TRY(take(&l, foreground, setup->connectivity));
    }
done:
    free(l.distance);
    return status;
}
