/* SPDX-License-Identifier: MIT
 *
 * label_correct.c - corrections of labels by strokes: each label that a stroke gives a pixel of another one is
 * corrected as a mask of its own, and keeps what it gains.
 */
#include <stdlib.h>
#include <string.h>

#include "correction.h"
#include "door.h"
#include "solve.h"
#include "status.h"
#include "tilecut_labels.h"
#include "volume.h"

typedef struct correcting {
    tilecut_image image;      /* of a volume its slices one below the other                    */
    const uint8_t *seeds;
    tc_setup setup;
    size_t pixels;
    uint8_t *labels;          /* [pixels] the labels so far                                    */
    uint8_t *two, *mask, *prior, *held; /* [pixels] one label against all others; see tc_correction */
} correcting;

/* The label's strokes against all others. What a stroke of another label will take from it is that stroke's: it is held
 * meanwhile, and teaches nothing. */
static void make_two(const correcting *c, int label)
{
    for (size_t p = 0; p < c->pixels; p++) {
        const int seed = c->seeds[p];
        const bool inside = c->labels[p] == label;
        c->mask[p] = c->prior[p] = inside ? 255 : 0;
        c->held[p] = seed && seed != label;
        c->two[p] = !seed || (c->held[p] && inside) ? TILECUT_UNKNOWN
                    : seed == label               ? TILECUT_FOREGROUND
                                                  : TILECUT_BACKGROUND;
    }
}

static tilecut_status correct_label(correcting *c, int label, int64_t *changed)
{
    tilecut_report report = {0};
    tc_setup setup = c->setup;
    make_two(c, label);
    setup.prior = c->prior, setup.prior_stride = 0;
    if (setup.slice_rows) NEED(tc_volume_choose(&setup, &c->image, c->two));
    NEED(tc_correct(&(tc_correction){&c->image, c->two, &setup, c->mask, c->held}, &report));
    for (size_t p = 0; p < c->pixels; p++) {
        if (!c->mask[p] || c->labels[p] == label) continue;
        c->labels[p] = (uint8_t)label;
        ++*changed;
    }
    return TILECUT_OK;
}

/* Corrects `labels`, packed; they are written only if all goes well. */
static tilecut_status correct(correcting *c, uint8_t *labels, int64_t *changed)
{
    tilecut_status status = TILECUT_OK;
    bool wanted[256] = {false};
    c->pixels = (size_t)c->image.width * (size_t)c->image.height;
    uint8_t *const memory = c->labels = malloc(5 * c->pixels);
    if (!memory) return tc_fail(TILECUT_ENOMEM, "no memory to correct labels of %zu pixels", c->pixels);
    c->two = memory + c->pixels, c->mask = c->two + c->pixels;
    c->prior = c->mask + c->pixels, c->held = c->prior + c->pixels;
    memcpy(c->labels, labels, c->pixels);
    for (size_t p = 0; p < c->pixels; p++) wanted[c->seeds[p]] |= c->seeds[p] != labels[p];
    for (int label = 1; label < 256; label++)
        if (wanted[label]) TRY(correct_label(c, label, changed));
    memcpy(labels, c->labels, c->pixels);
done:
    free(memory);
    return status;
}

static tilecut_status check(correcting *c, int width, int height)
{
    const tc_solver *solver;
    if (c->setup.prior) return tc_fail(TILECUT_EINVAL, "a prior mask; several labels have none");
    if (c->setup.soft_seeds) return tc_fail(TILECUT_EINVAL, "soft_seeds is set; seeds of several labels are hard");
    NEED(tc_energy_check_params(&c->setup));
    return tc_run_solver(&c->setup, c->setup.connectivity, width, height, &solver); /* even if nothing is cut */
}

tilecut_status tilecut_labels_correct(const tilecut_image *image, const uint8_t *seeds, const tilecut_params *params,
                                      uint8_t *labels, int64_t *changed)
{
    tilecut_status status = TILECUT_OK;
    tc_seeds strokes = {0}, before = {0};
    tc_visit v = {0};
    int64_t count = 0;
    correcting c = {.seeds = NULL};

    TRY(tc_image_read(&c.image, image));
    TRY(tc_enter(&v, params, c.image.width, c.image.height, labels, true, NULL));
    c.setup = v.setup;
    TRY(check(&c, c.image.width, c.image.height));
    TRY(tc_seeds_open(&strokes, seeds, v.setup.seeds_stride, c.image.width, c.image.height));
    TRY(tc_seeds_open(&before, labels, v.setup.mask_stride, c.image.width, c.image.height));
    c.seeds = strokes.label;
    memcpy(v.mask.pixel, before.label, (size_t)c.image.width * (size_t)c.image.height);
    TRY(correct(&c, v.mask.pixel, &count));
    if (changed) *changed = count;
done:
    tc_seeds_close(&strokes);
    tc_seeds_close(&before);
    return tc_leave(&v, status);
}

tilecut_status tilecut_volume_labels_correct(const tilecut_volume *volume, const uint8_t *seeds,
                                             const tilecut_params *params, uint8_t *labels, int64_t *changed)
{
    tilecut_status status = TILECUT_OK;
    tc_visit v = {.volume = true};
    tilecut_volume voxels;
    tc_volume grey = {0};
    int64_t count = 0;
    correcting c = {.seeds = seeds};

    TRY(tc_volume_read(&voxels, volume));
    TRY(tc_enter(&v, params, voxels.width, voxels.height * voxels.depth, labels, true, NULL));
    if (!seeds) TRY(tc_fail(TILECUT_EINVAL, "seeds is NULL"));
    c.setup = v.setup;
    TRY(check(&c, voxels.width, voxels.height));
    TRY(tc_volume_grey(&grey, &voxels, &c.setup, &c.image));
    TRY(correct(&c, v.mask.pixel, &count));
    if (changed) *changed = count;
done:
    tc_volume_close(&grey);
    return tc_leave(&v, status);
}
