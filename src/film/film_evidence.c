/* SPDX-License-Identifier: MIT
 *
 * film_evidence.c - evidence of where the object may have gone, as levels of a prior mask. It comes from the similarity
 * of patches, from the place of the last mask, and from motion.
 */
#include <string.h>

#include "film_state.h"
#include "status.h"
#include "prior.h"

/* FULL is how much nearer a patch must be to one class than to the other for full evidence, in squared levels per
 * pixel. The evidence is the sum of that of patches, that of the last mask's place, and MOTION times that of motion,
 * divided by DIVISOR. Motion that indicates background counts for only 1 / DOUBT of that, because feet stand still
 * while the object moves on. */
enum { MIDDLE = TC_PRIOR_LEVELS / 2, FULL = 720, MOTION = 3, DOUBT = 4, DIVISOR = 2,
       PATCH_FULL = FULL * TC_SMALL_PATCH * TC_SMALL_PATCH };

static int limit(int64_t part)
{
    return part > MIDDLE ? MIDDLE : part < -MIDDLE ? -MIDDLE : (int)part;
}

/* Returns -MIDDLE .. MIDDLE; above 0 is evidence for the object. */
static int nearer(int32_t object, int32_t ground)
{
    return limit(((int64_t)ground - object) * MIDDLE / PATCH_FULL);
}

static int evidence_of_moves(int32_t along, int32_t apart)
{
    if (along == TC_MATCH_FAR || apart == TC_MATCH_FAR) return 0; /* the two motions cannot be distinguished */
    const int say = MOTION * nearer(along, apart);
    return say < 0 ? say / DOUBT : say;
}

/* Returns the evidence of the two motion maps at a pixel. It is for the object only if no pixel around has evidence for
 * background, because a patch that contains a part of the object moves with it. */
static int32_t agreed(const int32_t *say, int width, int height, int x, int y)
{
    int32_t least = say[y * width + x];
    for (int v = y - 1; v <= y + 1; v++)
        for (int u = x - 1; u <= x + 1; u++) {
            if (u < 0 || v < 0 || u >= width || v >= height) continue;
            const int32_t other = say[v * width + u] > 0 ? say[v * width + u] : 0;
            if (other < least) least = other;
        }
    return least;
}

/* Turns both motion maps into one map of evidence, which replaces the second map; the first is overwritten. */
static void take_evidence_of_moves(tilecut_film *f, const tc_small *s)
{
    for (int q = 0; q < s->width * s->height; q++) f->along[q] = evidence_of_moves(f->along[q], f->apart[q]);
    for (int y = 0; y < s->height; y++)
        for (int x = 0; x < s->width; x++) f->apart[y * s->width + x] = agreed(f->along, s->width, s->height, x, y);
}

static void mix(const tilecut_film *f, const tc_track *t, uint8_t *level)
{
    const tc_small *const s = &t->small[0];
    for (int y = 0; y < f->shape.height; y++)
        for (int x = 0; x < f->shape.width; x++) {
            const size_t p = (size_t)y * (size_t)f->shape.width + (size_t)x;
            const size_t q = (size_t)(y / s->scale) * (size_t)s->width + (size_t)(x / s->scale);
            if (f->object[q] == TC_MATCH_FAR && f->ground[q] == TC_MATCH_FAR) {
                level[p] = TC_PRIOR_LEVELS - 1; /* the object cannot have come so far, so this is background */
                continue;
            }
            const int patches = nearer(f->object[q], f->ground[q]), place = MIDDLE - level[p];
            level[p] = (uint8_t)(MIDDLE - limit((patches + place + f->apart[q]) / DIVISOR));
        }
}

/* Compares with the frame before, and with the next frame if it is there. (x, y) is how the object has moved since the
 * frame before. */
static tilecut_status find_motion(tilecut_film *f, tc_track *t, int i, int x, int y)
{
    const tc_small *const before = &t->small[1];
    tc_moving as = {before, x, y, -x, -y};
    const int next = i + t->step;
    NEED(tc_motion(&t->small[0], before, &as, f->setup.threads, f->along, f->apart));
    if (next < 0 || next >= f->count) return TILECUT_OK;
    const tilecut_image image = tc_film_image(f, next);
    tc_small_frame(&f->next, &image);
    tc_small_follow(&f->next, before, &as.to_x, &as.to_y);
    as.to_x -= x, as.to_y -= y;
    return tc_motion(&t->small[0], &f->next, &as, f->setup.threads, f->along, f->apart);
}

tilecut_status tc_film_evidence(tilecut_film *f, tc_track *t, int i, uint8_t *level)
{
    const tilecut_image image = tc_film_image(f, i);
    const size_t small = (size_t)t->small[0].width * (size_t)t->small[0].height;
    int dx, dy;

    tc_small_frame(&t->small[0], &image);
    for (size_t p = 0; p < small; p++) f->object[p] = f->ground[p] = f->along[p] = f->apart[p] = TC_MATCH_FAR;
    for (int k = 1; k <= t->past; k++)
        NEED(tc_match(&t->small[0], &t->small[k], f->setup.threads, f->object, f->ground));
    tc_small_follow(&t->small[0], &t->small[1], &dx, &dy);
    t->dx += dx, t->dy += dy;
    tc_small_move(&t->painted, t->dx, t->dy, &t->moved);
    NEED(tc_match(&t->small[0], &t->moved, f->setup.threads, f->object, f->ground));
    NEED(find_motion(f, t, i, dx, dy));
    tc_prior_levels(t->last, f->shape.width, f->shape.height, level);
    take_evidence_of_moves(f, &t->small[0]);
    mix(f, t, level);
    return tc_prior_confidence(t->last, f->seeds + (size_t)i * f->pixels, f->shape.width,
                               f->shape.height, level);
}

void tc_film_remember(tilecut_film *f, tc_track *t, int i)
{
    const tilecut_image image = tc_film_image(f, i);
    tc_small *const s = t->small;
    const tc_small oldest = s[TC_FILM_PAST];
    memmove(s + 1, s, TC_FILM_PAST * sizeof *s);
    s[0] = oldest;
    t->past += t->past < TC_FILM_PAST;
    tc_small_frame(&s[1], &image);
    tc_film_relabel(f, t, i);
}

void tc_film_keep(tilecut_film *f, tc_track *t, int i)
{
    const tilecut_image image = tc_film_image(f, i);
    tc_small_frame(&t->painted, &image);
    tc_small_label(&t->painted, f->mask + (size_t)i * f->pixels, f->shape.width, f->shape.height);
    t->painted_at = i, t->dx = t->dy = 0;
}

void tc_film_relabel(tilecut_film *f, tc_track *t, int last)
{
    for (int k = 0; k < t->past; k++) {
        const int i = last - k * t->step;
        if (i < 0 || i >= f->count) break;
        tc_small_label(&t->small[1 + k], f->mask + (size_t)i * f->pixels, f->shape.width, f->shape.height);
    }
    if (t->step > 0 && t->painted_at >= 0 && t->painted_at <= last)
        tc_small_label(&t->painted, f->mask + (size_t)t->painted_at * f->pixels, f->shape.width, f->shape.height);
    memcpy(t->last, f->mask + (size_t)last * f->pixels, f->pixels);
}
