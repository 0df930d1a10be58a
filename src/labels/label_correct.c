/* SPDX-License-Identifier: MIT
 *
 * label_correct.c - corrects labels by strokes. Each label that a stroke paints over another one is corrected as a mask
 * of its own, and takes the pixels that its mask gains.
 */
#include <stdlib.h>
#include <string.h>

#include "door.h"
#include "label_strokes.h"
#include "status.h"
#include "tilecut_labels.h"

/* Pixels that a stroke of another label is about to take keep their label for the time being. No colours are learnt
 * from them. */
tc_correction tc_label_strokes_of(const tc_label_strokes *c, int label, const tc_setup *setup)
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
    return (tc_correction){&c->image, c->two, setup, c->mask, c->held};
}

int64_t tc_label_strokes_take(const tc_label_strokes *c, int label)
{
    int64_t changed = 0;
    for (size_t p = 0; p < c->pixels; p++) {
        if (!c->mask[p] || c->labels[p] == label) continue;
        c->labels[p] = (uint8_t)label;
        changed++;
    }
    return changed;
}

static tilecut_status correct_label(tc_label_strokes *c, int label, int64_t *changed)
{
    tilecut_report report = {0};
    tc_setup setup = c->setup;
    const tc_correction one = tc_label_strokes_of(c, label, &setup);
    setup.prior = c->prior;
    if (setup.slice_rows) NEED(tc_volume_choose(&setup, &c->image, c->two));
    NEED(tc_correct(&one, &report));
    *changed += tc_label_strokes_take(c, label);
    return TILECUT_OK;
}

/* Corrects the packed `labels`, which are written only on success. */
static tilecut_status correct(tc_label_strokes *c, uint8_t *labels, int64_t *changed)
{
    tilecut_status status = TILECUT_OK;
    bool wanted[256] = {false};
    TRY(tc_label_strokes_open(c, labels));
    for (size_t p = 0; p < c->pixels; p++) wanted[c->seeds[p]] |= c->seeds[p] != labels[p];
    for (int label = 1; label < 256; label++)
        if (wanted[label]) TRY(correct_label(c, label, changed));
    memcpy(labels, c->labels, c->pixels);
done:
    tc_label_strokes_close(c);
    return status;
}

tilecut_status tc_label_strokes_open(tc_label_strokes *c, const uint8_t *labels)
{
    c->pixels = (size_t)c->image.width * (size_t)c->image.height;
    c->labels = malloc(5 * c->pixels);
    if (!c->labels) return tc_fail(TILECUT_ENOMEM, "no memory to correct labels of %zu pixels", c->pixels);
    c->two = c->labels + c->pixels, c->mask = c->two + c->pixels;
    c->prior = c->mask + c->pixels, c->held = c->prior + c->pixels;
    memcpy(c->labels, labels, c->pixels);
    return TILECUT_OK;
}

void tc_label_strokes_close(tc_label_strokes *c)
{
    free(c->labels);
    c->labels = NULL;
}

tilecut_status tc_labels_check(const tc_setup *setup, int width, int height)
{
    const tc_solver *solver;
    if (setup->prior) return tc_fail(TILECUT_EINVAL, "a prior mask; several labels have none");
    if (setup->soft_seeds) return tc_fail(TILECUT_EINVAL, "soft_seeds is set; seeds of several labels are hard");
    NEED(tc_energy_check_params(setup));
    return tc_run_solver(setup, setup->connectivity, width, height, &solver); /* checked even if nothing is cut */
}

/* The common part of the public calls, after entering with an image or a volume. */
static tilecut_status call(tc_visit *v, tilecut_status entered, const uint8_t *seeds, uint8_t *labels,
                           int64_t *changed)
{
    const int width = v->image.width, rows = v->image.height;
    tilecut_status status = TILECUT_OK;
    tc_volume grey = {0};
    int64_t count = 0;

    TRY(entered);
    tc_label_strokes c = {.image = v->image, .setup = v->setup};
    TRY(tc_labels_check(&c.setup, width, rows));
    TRY(tc_bytes_open(&v->seeds, "seeds", seeds, v->setup.seeds_stride, width, rows));
    TRY(tc_bytes_open(&v->before, "labels", labels, v->setup.mask_stride, width, rows));
    if (v->volume) TRY(tc_volume_grey(&grey, &v->voxels, &c.setup, false, &c.image));
    c.seeds = v->seeds.from;
    memcpy(v->mask.to, v->before.from, (size_t)width * (size_t)rows);
    TRY(correct(&c, v->mask.to, &count));
    if (changed) *changed = count;
done:
    tc_volume_close(&grey);
    return tc_leave(v, status);
}

tilecut_status tilecut_labels_correct(const tilecut_image *image, const uint8_t *seeds, const tilecut_params *params,
                                      uint8_t *labels, int64_t *changed)
{
    tc_visit v = {0};
    return call(&v, tc_enter_image(&v, image, params, labels, true, NULL), seeds, labels, changed);
}

tilecut_status tilecut_volume_labels_correct(const tilecut_volume *volume, const uint8_t *seeds,
                                             const tilecut_params *params, uint8_t *labels, int64_t *changed)
{
    tc_visit v = {0};
    return call(&v, tc_enter_volume(&v, volume, params, labels, true, NULL), seeds, labels, changed);
}
