/* SPDX-License-Identifier: MIT */
#include "prior_evidence.h"

#include <stdlib.h>

#include "chamfer.h"
#include "prior.h"
#include "sides.h"
#include "status.h"

enum {
    NATS = 4,    /* the greatest weight of colours, in nats; also the mask's weight for a pixel that is as far from the
                    outline as the outline may be off */
    SOFT = 2,    /* a soft mask counts by its values, up to this many times NATS                                   */
    IN_SPACE = 4 /* in a volume, colours count this many times less (docs/lab/volumes.md)                          */
};

/* Finds the pixels whose side is known before colours are compared. Distances are from pixel to pixel, so they are half
 * a pixel more than the distance to the outline. */
static void find_known(const tc_outline *o, const uint8_t *prior, uint8_t *known)
{
    const int unit = o->lattice.unit;
    for (size_t p = 0; p < (size_t)o->lattice.pixels.width * (size_t)o->lattice.pixels.height; p++) {
        const int off = 2 * o->away[p] - TC_CHAMFER_PIXEL, one = 2 * TC_CHAMFER_PIXEL * unit;
        const int side = prior[p] >= 128 ? TC_SURE_FOREGROUND : TC_SURE_BACKGROUND;
        const bool sure = off >= TC_SIDES_SURE * one && (off < TC_SIDES_FAR * one || o->left[p]);
        known[p] = (uint8_t)((sure ? side : 0) | (off >= TC_SIDES_DEEP * one ? TC_DEEP : 0) |
                             (o->left[p] ? TC_COMPARED : 0));
    }
}

/* Returns the strength of the mask's evidence for a pixel's own side; one nat is TC_A_NAT. */
static int32_t weight_of(const tc_outline *o, size_t p, int value)
{
    const int32_t off = 2 * o->away[p] - TC_CHAMFER_PIXEL, most = off + 2 * o->left[p];
    return o->soft ? SOFT * NATS * TC_A_NAT * abs(2 * value - 255) / 255 : NATS * TC_A_NAT * off / most;
}

static uint8_t level_of(const tc_outline *o, size_t p, int value, int32_t nats, bool silent)
{
    const bool foreground = value >= 128;
    const int32_t most = NATS * TC_A_NAT, weight = weight_of(o, p, value);
    if (!o->left[p] || silent) return foreground ? TC_KEPT_FOREGROUND : TC_KEPT_BACKGROUND;
    const int32_t color = nats < -most ? -most : nats > most ? most : nats;
    return (uint8_t)(TC_FREE - (color + (foreground ? weight : -weight)) * TC_LEVELS_A_NAT / TC_A_NAT);
}

/* Fixes all pixels that are farther than `reach` pixels from every nonzero pixel of `near`. */
static tilecut_status keep_to(const tc_outline *o, const uint8_t *near, double reach)
{
    const size_t pixels = (size_t)o->lattice.pixels.width * (size_t)o->lattice.pixels.height;
    uint16_t *const map = malloc(pixels * sizeof *map);
    if (!map) return tc_fail(TILECUT_ENOMEM, "no memory for distances of %zu pixels", pixels);
    for (size_t p = 0; p < pixels; p++) map[p] = near[p] ? 0 : TC_CHAMFER_NOWHERE;
    tc_nearness_distances(map, &o->lattice.pixels);
    for (size_t p = 0; p < pixels; p++)
        if (map[p] > reach * TC_CHAMFER_PIXEL) o->left[p] = 0;
    free(map);
    return TILECUT_OK;
}

tilecut_status tc_prior_evidence(const tilecut_image *image, const uint8_t *prior, tc_outline *outline,
                                 const uint8_t *near, double reach, uint8_t *level)
{
    const size_t pixels = (size_t)image->width * (size_t)image->height;
    tilecut_status status = TILECUT_OK;
    int32_t *nats = NULL;

    if (near) TRY(keep_to(outline, near, reach));
    if (outline->exact) {
        for (size_t p = 0; p < pixels; p++) level[p] = level_of(outline, p, prior[p], 0, true);
        return TILECUT_OK;
    }
    nats = malloc(pixels * (sizeof *nats + 1));
    if (!nats) return tc_fail(TILECUT_ENOMEM, "no memory for colours along an outline");
    uint8_t *const silent = (uint8_t *)(nats + pixels);
    find_known(outline, prior, level);
    TRY(tc_sides_compare(image, level, &outline->lattice, nats, silent));
    const int part = outline->lattice.pixels.slice_rows ? IN_SPACE : 1;
    for (size_t p = 0; p < pixels; p++) level[p] = level_of(outline, p, prior[p], nats[p] / part, silent[p]);
done:
    free(nats);
    return status;
}
