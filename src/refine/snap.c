/* SPDX-License-Identifier: MIT
 *
 * snap.c - moves the outline of a mask by a few pixels: tilecut_snap(). The cut uses one mixture of colours per class
 * for the whole photo, and the contrast between neighbours. Here each pixel near the outline is compared with the
 * colours inside and outside around it, see sides.h; docs/lab/quality.md has the measurements. For each pixel near the
 * outline it computes the sum of
 *
 *   how much more likely its colour is inside than outside, in nats, smoothed and limited to +- MOST
 *   + MOST * (2 s - 1), s: the share of the mask around it, smoothed
 *
 * The sign of the sum becomes the label. Where s is 0 or 1, or where one class has too few pixels around, the label
 * stays. Both terms are whole numbers. An outline that lies on edges already loses by it, so masks that are thin, and
 * places that refining has not changed, stay (docs/lab/never-worse.md).
 */
#include <stdlib.h>

#include "alloc_list.h"
#include "graph.h"
#include "prior_outline.h"
#include "sides.h"
#include "sized.h"
#include "status.h"
#include "tilecut_correct.h"

enum { ONE = 65536, MOST = 4 }; /* a share of 1, as a whole number; MOST is in nats */
enum { THIN = 7 };              /* pixels of a class for each link of the outline, in units of prior_outline.h */

typedef struct outline {
    const tilecut_image *photo;
    const uint8_t *seeds, *given;
    uint8_t *mask;
    size_t pixels;
    int unit;
    int32_t *share; /* the smoothed share of foreground in the mask around each pixel */
    int32_t *nats;  /* evidence of the colours; scratch memory before that */
    uint8_t *known; /* the known labels, in the form that tc_sides_compare() takes */
    uint8_t *silent;
} outline;

/* True if foreground or background has few pixels for the length of the outline between them. */
static bool is_thin(const outline *o)
{
    const size_t width = (size_t)o->photo->width;
    int64_t inside = 0, cut = 0;
    for (size_t p = 0; p < o->pixels; p++) {
        inside += o->mask[p] != 0;
        if ((p + 1) % width) cut += (o->mask[p] != 0) != (o->mask[p + 1] != 0);
        if (p + width < o->pixels) cut += (o->mask[p] != 0) != (o->mask[p + width] != 0);
    }
    const int64_t outside = (int64_t)o->pixels - inside;
    return (inside < outside ? inside : outside) < THIN * o->unit * cut;
}

/* Finds the share of foreground around each pixel. If `changed`, it is the share of pixels that differ from `given`. */
static void find_share(const outline *o, int radius, bool changed)
{
    for (size_t p = 0; p < o->pixels; p++)
        o->share[p] = (o->mask[p] != 0) != (changed && o->given[p] >= 128) ? ONE : 0;
    tc_sides_smooth(o->share, o->photo->width, o->photo->height, radius, o->nats);
}

/* Pixels outside of a band along the outline are sure; those outside of a band twice as wide are deep. The others are
 * compared, if they are near pixels that differ from `given`. */
static void find_known(const outline *o)
{
    find_share(o, o->unit, false);
    for (size_t p = 0; p < o->pixels; p++)
        o->known[p] = o->share[p] == 0 ? TC_SURE_BACKGROUND : o->share[p] == ONE ? TC_SURE_FOREGROUND : 0;
    if (o->given) find_share(o, 2 * o->unit, true);
    for (size_t p = 0; p < o->pixels; p++) o->known[p] |= !o->given || o->share[p] ? TC_COMPARED : 0;
    find_share(o, 2 * o->unit, false);
    for (size_t p = 0; p < o->pixels; p++)
        if (o->share[p] == 0 || o->share[p] == ONE) o->known[p] = (uint8_t)((o->known[p] & ~TC_COMPARED) | TC_DEEP);
}

static tilecut_corrected move_outline(const outline *o)
{
    const int32_t most = MOST * TC_A_NAT;
    tilecut_corrected done = {0};
    for (size_t p = 0; p < o->pixels; p++) {
        if (o->silent[p] || (o->seeds && o->seeds[p] != TILECUT_UNKNOWN)) continue;
        const int32_t color = o->nats[p] < -most ? -most : o->nats[p] > most ? most : o->nats[p];
        const int32_t favour = color + (int32_t)((2 * o->share[p] - ONE) * (int64_t)most / ONE);
        if (!favour || (favour > 0) == (o->mask[p] != 0)) continue;
        *(favour > 0 ? &done.added : &done.removed) += 1;
        o->mask[p] = favour > 0 ? 255 : 0;
    }
    return done;
}

/* On failure the mask is unchanged. */
static tilecut_status snap(outline *o, tilecut_corrected *done)
{
    const tc_sides_lattice lattice = {tc_flat_lattice(o->photo->width, o->photo->height), o->unit};
    tc_alloc_list held = {.count = 0};
    tilecut_status status = TILECUT_OK;
    o->share = tc_own(&held, malloc(o->pixels * sizeof *o->share));
    o->nats = tc_own(&held, malloc((o->pixels + (size_t)o->photo->width) * sizeof *o->nats));
    o->known = tc_own(&held, malloc(o->pixels));
    o->silent = tc_own(&held, malloc(o->pixels));
    if (held.lacks) TRY(tc_fail(TILECUT_ENOMEM, "no memory to move an outline"));
    find_known(o);
    TRY(tc_sides_compare(o->photo, o->known, &lattice, o->nats, o->silent));
    *done = move_outline(o);
done:
    tc_alloc_list_free(&held);
    return status;
}

tilecut_status tilecut_snap(const tilecut_image *image, const uint8_t *seeds, const uint8_t *given, uint8_t *mask,
                            tilecut_corrected *corrected)
{
    tilecut_corrected out = {0};
    tilecut_image photo;
    if (!mask) return tc_fail(TILECUT_EINVAL, "mask is NULL");
    NEED(tc_sized_check(corrected, "tilecut_corrected"));
    NEED(tc_image_read(&photo, image));
    outline o = {.photo = &photo, .seeds = seeds, .given = given, .mask = mask,
                 .pixels = (size_t)photo.width * (size_t)photo.height,
                 .unit = tc_outline_unit(photo.width, photo.height)};
    if (!is_thin(&o)) NEED(snap(&o, &out));
    TC_WRITE(corrected, &out, corrected);
    return TILECUT_OK;
}
