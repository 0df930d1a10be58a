/* SPDX-License-Identifier: MIT
 *
 * volume_correct.c - corrections of a volume's mask. All learning and cutting is done in a window around the object. If
 * a change reaches the window's edge, the correction begins again in a larger window.
 */
#include <stdlib.h>
#include <string.h>

#include "correction.h"
#include "door.h"
#include "solve.h"
#include "status.h"
#include "view.h"
#include "volume.h"

/* A correction: the caller's volume, with low and high set, and the results. */
typedef struct correcting {
    tilecut_volume voxels;
    const uint8_t *seeds;
    int how;
    tc_setup setup;
    uint8_t *before; /* [voxels] 255 where the mask to correct is nonzero; owned */
    tilecut_corrected out;
    tilecut_report report;
} correcting;

/* Finds the first window: the object and its strokes, with a margin that is wide enough to learn the surroundings,
 * too. */
static tilecut_status first_window(const correcting *c, tc_block *window)
{
    enum { LEAST = 24 };
    const tilecut_volume *const v = &c->voxels;
    const tc_slices all = {v->width, v->height, v->depth};
    tc_block strokes;
    NEED(tc_box_in_space(c->before, &all, 255, NULL, true, window));
    NEED(tc_box_in_space(c->seeds, &all, TILECUT_FOREGROUND, NULL, true, &strokes));
    tc_block_join(window, &strokes);
    if (!window->width || v->depth == 1) *window = (tc_block){0, 0, 0, v->width, v->height, v->depth};
    else tc_volume_grow(v, v->depth, 0.25, LEAST, window);
    return TILECUT_OK;
}

static bool has_background(const uint8_t *seeds, size_t count)
{
    return memchr(seeds, TILECUT_BACKGROUND, count) || memchr(seeds, TILECUT_OUTSIDE, count);
}

/* True if a voxel at the window's edge has changed, where that edge is not at the volume's border. */
static bool reaches_border(const correcting *c, const tc_block *w, const uint8_t *before, const uint8_t *after)
{
    const tilecut_volume *const v = &c->voxels;
    const int at[3] = {w->x, w->y, w->z}, size[3] = {w->width, w->height, w->depth};
    const int most[3] = {v->width, v->height, v->depth};
    for (int z = 0; z < w->depth; z++)
        for (int y = 0; y < w->height; y++)
            for (int x = 0; x < w->width; x++, before++, after++) {
                const int here[3] = {x, y, z};
                for (int k = 0; *before != *after && k < 3; k++)
                    if ((here[k] == 0 && at[k] > 0) || (here[k] == size[k] - 1 && at[k] + size[k] < most[k]))
                        return true;
            }
    return false;
}

/* Corrects the mask within the window. labels: [3][window] seeds, the mask before, and the mask after. */
static tilecut_status correct_window(correcting *c, const tc_block *window, uint8_t *labels)
{
    const tilecut_volume view = tc_volume_view(&c->voxels, window), *const v = &c->voxels;
    uint8_t *const before = labels + tc_block_pixels(window), *const after = before + tc_block_pixels(window);
    tilecut_status status = TILECUT_OK;
    tc_setup setup = c->setup;
    tilecut_image image;
    tc_volume grey = {0};

    tc_block_read(c->before, v->width, v->height, window, before);
    c->out = (tilecut_corrected){0}, c->report = (tilecut_report){0};
    TRY(tc_volume_grey(&grey, &view, &setup, false, &image));
    TRY(tc_volume_choose(&setup, &image, labels));
    TRY(tc_correct_mask(&(tc_correction_task){&image, labels, c->how, before}, &setup, after, &c->out, &c->report));
    c->report.low = grey.low, c->report.high = grey.high;
    tc_volume_close(&grey);
    if (c->how == TILECUT_BY_LEARNING && view.depth > 1) {
        TRY(tc_volume_take_far(&view, labels, &c->setup, before, after, &c->report));
        tc_corrected_count(before, after, tc_block_pixels(window), &c->out);
    }
done:
    tc_volume_close(&grey);
    return status;
}

/* Writes the seeds of the window to *labels, in place of what was there: [copies][window], owned by the caller. The
 * window grows until it has background seeds, if the volume has any, because lambda is learnt from both classes. */
static tilecut_status read_window(const correcting *c, tc_block *window, size_t copies, uint8_t **labels)
{
    const tilecut_volume *const v = &c->voxels;
    const bool background = has_background(c->seeds, tc_volume_voxels(v));
    for (;; tc_volume_grow(v, v->depth, 0.5, 1, window)) {
        const size_t count = tc_block_pixels(window);
        free(*labels);
        *labels = malloc(copies * count);
        if (!*labels) return tc_fail(TILECUT_ENOMEM, "no memory to correct a mask of %zu voxels", count);
        tc_block_read(c->seeds, v->width, v->height, window, *labels);
        if (!background || has_background(*labels, count)) return TILECUT_OK;
    }
}

/* Corrects c->before, in a window that grows as long as it is too small. */
static tilecut_status correct_in_windows(correcting *c)
{
    const tilecut_volume *const v = &c->voxels;
    tilecut_status status = TILECUT_OK;
    uint8_t *labels = NULL;
    tc_block window;
    NEED(first_window(c, &window));
    for (bool more = true; more;) {
        TRY(read_window(c, &window, 3, &labels));
        const size_t count = tc_block_pixels(&window);
        TRY(correct_window(c, &window, labels));
        more = reaches_border(c, &window, labels + count, labels + 2 * count);
        if (!more) tc_block_write(c->before, v->width, v->height, &window, labels + 2 * count);
        else tc_volume_grow(v, v->depth, 0.5, 1, &window);
    }
    c->report.foreground = 0;
    for (size_t p = 0; p < tc_volume_voxels(v); p++) c->report.foreground += c->before[p] != 0;
    c->report.bytes_per_pixel *= (double)tc_block_pixels(&window) / (double)tc_volume_voxels(v);
done:
    free(labels);
    return status;
}

tilecut_status tc_volume_correct(tilecut_volume *voxels, const uint8_t *seeds, const tilecut_params *params, int how,
                                 uint8_t *mask, tilecut_corrected *corrected, tilecut_report *report)
{
    tilecut_status status = TILECUT_OK;
    tc_visit v = {.volume = true};
    correcting c = {.seeds = seeds, .how = how};
    const size_t count = tc_volume_voxels(voxels);
    const tc_solver *solver;

    TRY(tc_sized_check(corrected, "tilecut_corrected"));
    TRY(tc_enter(&v, params, voxels->width, voxels->height * voxels->depth, mask, true, report));
    if (how != TILECUT_BY_STROKES && how != TILECUT_BY_LEARNING)
        TRY(tc_fail(TILECUT_EINVAL, "how is %d; 0 and 1 are possible", how));
    if (!seeds) TRY(tc_fail(TILECUT_EINVAL, "seeds is NULL"));
    TRY(tc_energy_check_labelled(seeds, count));
    TRY(tc_run_solver(&v.setup, v.setup.connectivity, voxels->width, voxels->height, &solver));
    TRY(tc_volume_fix_range(voxels, NULL, v.setup.threads));
    c.voxels = *voxels;
    c.setup = v.setup;
    c.setup.prior = NULL;
    c.before = malloc(count);
    if (!c.before) TRY(tc_fail(TILECUT_ENOMEM, "no memory for the labels of %zu voxels", count));
    for (size_t p = 0; p < count; p++) c.before[p] = mask[p] ? 255 : 0;
    TRY(correct_in_windows(&c));
    memcpy(v.mask.to, c.before, count);
    v.result = c.report;
    TC_WRITE(corrected, &c.out, corrected);
done:
    free(c.before);
    return tc_leave(&v, status);
}

tilecut_status tc_volume_open_corrected(tc_volume *out, const tilecut_volume *voxels, const uint8_t *seeds,
                                        const tc_setup *given)
{
    const size_t all = tc_volume_voxels(voxels);
    correcting c = {.voxels = *voxels, .seeds = seeds};
    tilecut_status status = TILECUT_OK;
    tc_setup setup = *given;
    tilecut_image image;
    uint8_t *labels = NULL;

    *out = (tc_volume){.whole = {0, 0, 0, voxels->width, voxels->height, voxels->depth}};
    if (!seeds) return tc_fail(TILECUT_EINVAL, "seeds is NULL");
    NEED(tc_volume_check_voxels(voxels));
    NEED(tc_energy_check_labelled(seeds, all));
    NEED(tc_volume_fix_range(&c.voxels, NULL, given->threads));
    c.before = malloc(all);
    if (!c.before) return tc_fail(TILECUT_ENOMEM, "no memory for the labels of %zu voxels", all);
    for (size_t p = 0; p < all; p++) c.before[p] = given->prior[p] >= 128 ? 255 : 0;
    TRY(first_window(&c, &out->window));
    TRY(read_window(&c, &out->window, 2, &labels));
    out->labels = labels;
    out->less = tc_block_pixels(&out->window) < all;
    uint8_t *const prior = labels + tc_block_pixels(&out->window);
    tc_block_read(c.before, voxels->width, voxels->height, &out->window, prior);
    const tilecut_volume view = tc_volume_view(&c.voxels, &out->window);
    TRY(tc_volume_grey(out, &view, &setup, false, &image));
    TRY(tc_volume_choose(&setup, &image, labels));
    for (size_t p = 0; p < tc_block_pixels(&out->window); p++)
        if (labels[p] == TILECUT_OUTSIDE) labels[p] = prior[p] ? TILECUT_UNKNOWN : TILECUT_BACKGROUND;
    setup.prior = prior, setup.prior_weight = 0, setup.spatial = 0;
    TRY(tc_graph_from_image(&out->graph, &image, labels, &setup));
done:
    free(c.before);
    return status;
}

tilecut_status tilecut_volume_correct(const tilecut_volume *volume, const uint8_t *seeds, const tilecut_params *params,
                                      int how, uint8_t *mask, tilecut_corrected *corrected, tilecut_report *report)
{
    tilecut_volume voxels;
    NEED(tc_volume_read(&voxels, volume));
    return tc_volume_correct(&voxels, seeds, params, how, mask, corrected, report);
}
