/* SPDX-License-Identifier: MIT
 *
 * volume_refine.c - refines a prior mask in space: by tc_segment(), in a window around mask and seeds.
 */
#include <stdlib.h>
#include <string.h>

#include "prior_outline.h"
#include "segment.h"
#include "sized.h"
#include "status.h"
#include "view.h"
#include "volume.h"

/* The lambda for refining if the caller gave none. It can be small, because the mask is strong evidence itself. */
#define LAMBDA 10

/* Finds the window: all of the mask's foreground, and the surroundings in which strokes may change it. */
static tilecut_status find_window(const tilecut_volume *v, const uint8_t *seeds, const tc_setup *setup,
                                  const uint8_t *inside, tc_block *window)
{
    enum { LEAST = 24 };
    const tc_slices all = {v->width, v->height, v->depth};
    tc_block strokes;
    NEED(tc_box_in_space(inside, &all, 255, NULL, true, window));
    for (int label = TILECUT_BACKGROUND; label <= TILECUT_FOREGROUND; label++) {
        NEED(tc_box_in_space(seeds, &all, (uint8_t)label, NULL, true, &strokes));
        if (label == TILECUT_FOREGROUND || !window->width) tc_block_join(window, &strokes);
    }
    if (!window->width) *window = (tc_block){0, 0, 0, v->width, v->height, v->depth};
    else tc_volume_grow(v, v->depth, 0.5, LEAST + (int)setup->prior_reach, window);
    return TILECUT_OK;
}

/* memory: [3][window] seeds, prior, mask. */
static tilecut_status refine(const tilecut_volume *voxels, const tc_block *window, const tc_setup *given,
                             uint8_t *memory, tilecut_report *report)
{
    const tilecut_volume view = tc_volume_view(voxels, window);
    const size_t count = tc_block_pixels(window);
    tilecut_status status = TILECUT_OK;
    tc_setup setup = *given;
    tilecut_image image;
    tc_volume grey = {0};

    setup.prior = memory + count;
    if (setup.lambda_by_strokes) setup.lambda = LAMBDA;
    setup.lambda_by_strokes = setup.spatial_by_strokes = false;
    TRY(tc_volume_grey(&grey, &view, &setup, false, &image));
    TRY(tc_segment(&(tc_source){.image = &image, .seeds = memory}, &setup, memory + 2 * count, report));
    report->low = grey.low, report->high = grey.high;
done:
    tc_volume_close(&grey);
    return status;
}

tilecut_status tc_volume_refine(const tilecut_volume *given, const uint8_t *seeds, const tc_setup *setup, uint8_t *mask,
                                tilecut_report *report)
{
    const tc_block whole = {0, 0, 0, given->width, given->height, given->depth};
    const size_t all = tc_block_pixels(&whole);
    tilecut_volume voxels = *given;
    tilecut_status status = TILECUT_OK;
    uint8_t *memory = NULL, *inside;
    tc_block window;

    if (seeds) NEED(tc_energy_check_labelled(seeds, all));
    NEED(tc_volume_fix_range(&voxels, NULL, setup->threads));
    inside = calloc(seeds ? 1 : 2, all); /* without seeds, the last plane stands for them: nothing is marked */
    if (!inside) return tc_fail(TILECUT_ENOMEM, "no memory to refine a mask of %zu voxels", all);
    if (!seeds) seeds = inside + all;
    for (size_t p = 0; p < all; p++) inside[p] = setup->prior[p] >= 128 ? 255 : 0;
    TRY(find_window(&voxels, seeds, setup, inside, &window));
    const size_t count = tc_block_pixels(&window);
    memory = malloc(3 * count);
    if (!memory) TRY(tc_fail(TILECUT_ENOMEM, "no memory to refine a mask of %zu voxels", count));
    tc_block_read(seeds, whole.width, whole.height, &window, memory);
    tc_block_read(setup->prior, whole.width, whole.height, &window, memory + count);
    TRY(refine(&voxels, &window, setup, memory, report));
    memset(mask, 0, all);
    tc_block_write(mask, whole.width, whole.height, &window, memory + 2 * count);
    report->bytes_per_pixel *= (double)count / (double)all;
done:
    free(memory);
    free(inside);
    return status;
}

tilecut_status tilecut_volume_moved(const tilecut_volume *volume, const uint8_t *given, const uint8_t *mask,
                                    tilecut_moved *moved)
{
    tilecut_status status = TILECUT_OK;
    tilecut_moved out = {0};
    tc_setup setup = {.threads = 1};
    tilecut_volume voxels;
    tilecut_image image;
    tc_volume grey = {0};

    if (!given || !mask || !moved)
        return tc_fail(TILECUT_EINVAL, "%s is NULL", !given ? "given" : !mask ? "mask" : "moved");
    NEED(tc_sized_check(moved, "tilecut_moved"));
    NEED(tc_volume_read(&voxels, volume));
    TRY(tc_volume_grey(&grey, &voxels, &setup, false, &image));
    const double *const step = setup.spacing;
    const tc_nearness_lattice lattice = {image.width, image.height, setup.slice_rows, {step[0], step[1], step[2]}};
    TRY(tc_outline_moved(&image, &lattice, given, mask, &out));
    TC_WRITE(moved, &out, moved);
done:
    tc_volume_close(&grey);
    return status;
}
