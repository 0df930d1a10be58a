/* SPDX-License-Identifier: MIT
 *
 * label_refine.c - refines a label map: every label but the background is refined as a mask, and then each pixel gets
 * one label.
 */
#include <stdlib.h>
#include <string.h>

#include "door.h"
#include "label_strokes.h"
#include "large.h"
#include "lattice.h"
#include "segment.h"
#include "status.h"
#include "tilecut_labels.h"

/* The input of refining, and its results. */
typedef struct refining {
    const tc_visit *from;  /* the image or the volume                                 */
    int background;
    size_t pixels;
    const uint8_t *before; /* [pixels] the labels before refining                     */
    uint8_t *claim;        /* [pixels] the label that takes the pixel, where `claimed` is set */
    uint8_t *claimed;      /* [pixels]                                                */
    uint8_t *prior, *mask, *seeds; /* [pixels] prior, mask and seeds of the label that is being refined */
} refining;

/* A refined label is dropped if its overlap with the former mask (intersection over union) is less than this: a
 * network's mask is right by and large. */
#define TC_IN_COMMON (2.0 / 3)

/* True if the refined mask overlaps the label's former mask enough. */
static bool is_like_before(const refining *r)
{
    size_t both = 0, either = 0;
    for (size_t p = 0; p < r->pixels; p++) both += r->mask[p] && r->prior[p], either += r->mask[p] || r->prior[p];
    return (double)both >= TC_IN_COMMON * (double)either;
}

/* Removes pixels of other objects from the mask: it may have spread into an object of the same colours that it
 * touches. */
static void leave_other_objects(const refining *r, int label)
{
    for (size_t p = 0; p < r->pixels; p++)
        if (r->before[p] != label && r->before[p] != r->background) r->mask[p] = 0;
}

static tilecut_status refine_label(const refining *r, const tc_setup *given, int label)
{
    tc_setup setup = *given;
    tilecut_report report = {0};
    for (size_t p = 0; p < r->pixels; p++) r->prior[p] = r->before[p] == label ? 255 : 0;
    setup.prior = r->prior;
    NEED(r->from->volume ? tc_volume_refine(&r->from->voxels, r->seeds, &setup, r->mask, &report)
                         : tc_segment(&(tc_source){.image = &r->from->image, .seeds = r->seeds}, &setup, r->mask,
                                      &report));
    if (!is_like_before(r)) {
        leave_other_objects(r, label);
        if (!is_like_before(r)) memcpy(r->mask, r->prior, r->pixels);
    }
    for (size_t p = 0; p < r->pixels; p++) { /* if two labels claim a pixel: its own label if that is one of them, else
                                                the smaller */
        if (!r->mask[p] || (r->claimed[p] && r->before[p] != label)) continue;
        r->claim[p] = (uint8_t)label, r->claimed[p] = 1;
    }
    return TILECUT_OK;
}

/* Settles pixels that no label claims. They become background if they are connected to it. Otherwise they keep their
 * label, so that no gap opens between two objects that touch. */
static tilecut_status settle(const refining *r)
{
    const tilecut_volume *const size = &r->from->voxels;
    const tc_block all = {0, 0, 0, size->width, size->height, size->depth};
    size_t waiting = 0, *const stack = tc_large_alloc(r->pixels * sizeof *stack);
    if (!stack) return tc_fail(TILECUT_ENOMEM, "no memory to settle %zu labels", r->pixels);
    for (size_t p = 0; p < r->pixels; p++) {
        if (r->claimed[p]) continue;
        r->claim[p] = r->before[p];
        if (r->before[p] == r->background) stack[waiting++] = p, r->claimed[p] = 1;
    }
    while (waiting) {
        const size_t p = stack[--waiting];
        for (int d = 0; d < 6; d++) {
            const size_t q = tc_block_neighbour(&all, p, 6, d);
            if (q == TC_BLOCK_NONE || r->claimed[q]) continue;
            r->claim[q] = (uint8_t)r->background, r->claimed[q] = 1;
            stack[waiting++] = q;
        }
    }
    free(stack);
    return TILECUT_OK;
}

/* Refines the packed `labels`, which are written only on success. */
static tilecut_status refine(refining *r, const tc_setup *setup, uint8_t *labels, int64_t *changed)
{
    tilecut_status status = TILECUT_OK;
    bool found[256] = {false};
    r->before = labels;
    for (size_t p = 0; p < r->pixels; p++) found[labels[p]] = true;
    for (int least = r->background; !least && !found[r->background];) r->background++;
    uint8_t *const memory = r->claim = calloc(5, r->pixels);
    if (!memory) return tc_fail(TILECUT_ENOMEM, "no memory to refine %zu labels", r->pixels);
    r->claimed = memory + r->pixels, r->prior = r->claimed + r->pixels;
    r->mask = r->prior + r->pixels, r->seeds = r->mask + r->pixels;
    for (int label = 0; label < 256; label++)
        if (found[label] && label != r->background) TRY(refine_label(r, setup, label));
    TRY(settle(r));
    for (size_t p = 0; p < r->pixels; p++) *changed += r->claim[p] != labels[p];
    memcpy(labels, r->claim, r->pixels);
done:
    free(memory);
    return status;
}

/* The common part of the public calls, after entering with an image or a volume. */
static tilecut_status call(tc_visit *v, tilecut_status entered, int background, uint8_t *labels, int64_t *changed)
{
    tilecut_status status = TILECUT_OK;
    const int width = v->image.width, rows = v->image.height;
    refining r = {.from = v, .background = background, .pixels = (size_t)width * (size_t)rows};
    int64_t count = 0;

    TRY(entered);
    if (background < 0 || background > TILECUT_MAX_LABELS)
        TRY(tc_fail(TILECUT_EINVAL, "background is %d; 0 to %d are possible", background, TILECUT_MAX_LABELS));
    TRY(tc_labels_check(&v->setup, width, rows));
    TRY(tc_bytes_open(&v->before, "labels", labels, v->setup.mask_stride, width, rows));
    memcpy(v->mask.to, v->before.from, r.pixels);
    TRY(refine(&r, &v->setup, v->mask.to, &count));
    if (changed) *changed = count;
done:
    return tc_leave(v, status);
}

tilecut_status tilecut_labels_refine(const tilecut_image *image, const tilecut_params *params, int background,
                                     uint8_t *labels, int64_t *changed)
{
    tc_visit v = {.map = true};
    return call(&v, tc_enter_image(&v, image, params, labels, true, NULL), background, labels, changed);
}

tilecut_status tilecut_volume_labels_refine(const tilecut_volume *volume, const tilecut_params *params, int background,
                                            uint8_t *labels, int64_t *changed)
{
    tc_visit v = {.map = true};
    return call(&v, tc_enter_volume(&v, volume, params, labels, true, NULL), background, labels, changed);
}
