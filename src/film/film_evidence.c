/* SPDX-License-Identifier: MIT
 *
 * film_evidence.c - where the object may have gone, as levels of a wish: what patches say, and less of it where the
 * last mask was.
 */
#include <string.h>

#include "film_state.h"
#include "status.h"
#include "wish.h"

/* FULL: how much nearer, in squared levels a pixel, a patch has to be to one class for full evidence. Of the level
 * PATCHES parts are the patches', PLACE the last mask's. */
enum { MIDDLE = TC_WISH_LEVELS / 2, FULL = 720, PATCHES = 1, PLACE = 1,
       PATCH_FULL = FULL * TC_SMALL_PATCH * TC_SMALL_PATCH };

/* -MIDDLE .. MIDDLE, above 0 for the object. */
static int patches_say(int32_t object, int32_t ground)
{
    const int64_t nearer = (int64_t)ground - object, part = nearer * MIDDLE / PATCH_FULL;
    return part > MIDDLE ? MIDDLE : part < -MIDDLE ? -MIDDLE : (int)part;
}

static void mix(const tilecut_film *f, uint8_t *level)
{
    const tc_small *const s = &f->small[0];
    for (int y = 0; y < f->shape.height; y++)
        for (int x = 0; x < f->shape.width; x++) {
            const size_t p = (size_t)y * (size_t)f->shape.width + (size_t)x;
            const size_t q = (size_t)(y / s->scale) * (size_t)s->width + (size_t)(x / s->scale);
            if (f->object[q] == TC_MATCH_FAR && f->ground[q] == TC_MATCH_FAR) {
                level[p] = TC_WISH_LEVELS - 1; /* farther away than the object can have come */
                continue;
            }
            const int say = patches_say(f->object[q], f->ground[q]), place = MIDDLE - level[p];
            level[p] = (uint8_t)(MIDDLE - (PATCHES * say + PLACE * place) / (PATCHES + PLACE));
        }
}

tilecut_status tc_film_evidence(tilecut_film *f, int i)
{
    const tilecut_image image = tc_film_image(f, i);
    const size_t width = (size_t)f->shape.width, small = (size_t)f->small[0].width * (size_t)f->small[0].height;
    uint8_t *const level = f->level + (size_t)i * f->pixels;
    tilecut_status status = TILECUT_OK;
    int dx, dy;

    tc_small_frame(&f->small[0], &image);
    for (size_t p = 0; p < small; p++) f->object[p] = f->ground[p] = TC_MATCH_FAR;
    for (int k = 1; k <= f->past; k++)
        TRY(tc_match(&f->small[0], &f->small[k], f->setup.threads, f->object, f->ground));
    tc_small_follow(&f->small[0], &f->small[1], &dx, &dy);
    f->dx += dx, f->dy += dy;
    tc_small_move(&f->painted, f->dx, f->dy, &f->moved);
    TRY(tc_match(&f->small[0], &f->moved, f->setup.threads, f->object, f->ground));
    tc_wish_levels(f->last, width, f->shape.width, f->shape.height, level);
    mix(f, level);
    TRY(tc_wish_doubt(f->last, width, f->seeds + (size_t)i * f->pixels, f->shape.width, f->shape.height, level));
done:
    return status;
}

void tc_film_remember(tilecut_film *f, int i)
{
    const tilecut_image image = tc_film_image(f, i);
    tc_small *const s = f->small;
    const tc_small oldest = s[TC_FILM_PAST];
    memmove(s + 1, s, TC_FILM_PAST * sizeof *s);
    s[0] = oldest;
    f->past += f->past < TC_FILM_PAST;
    tc_small_frame(&s[1], &image);
    tc_film_relabel(f, i);
}

void tc_film_keep(tilecut_film *f, int i)
{
    const tilecut_image image = tc_film_image(f, i);
    tc_small_frame(&f->painted, &image);
    tc_small_label(&f->painted, f->mask + (size_t)i * f->pixels, f->shape.width, f->shape.height);
    f->painted_at = i, f->dx = f->dy = 0;
}

void tc_film_relabel(tilecut_film *f, int last)
{
    for (int k = 0; k < f->past && k <= last; k++)
        tc_small_label(&f->small[1 + k], f->mask + (size_t)(last - k) * f->pixels, f->shape.width, f->shape.height);
    if (f->painted_at >= 0 && f->painted_at <= last)
        tc_small_label(&f->painted, f->mask + (size_t)f->painted_at * f->pixels, f->shape.width, f->shape.height);
    memcpy(f->last, f->mask + (size_t)last * f->pixels, f->pixels);
}
