/* SPDX-License-Identifier: MIT */
#include "unseen_parts.h"

#include <stdlib.h>
#include <string.h>

#include "alloc_list.h"
#include "lattice.h"
#include "reach.h"
#include "status.h"

/* Strokes are short if the mask has more pixels than SHORT times the squared diagonal of the strokes' bounding box. */
#define SHORT 1.4

/* STEP: the cost of a step in tc_reach_ways(), per channel, in 8-bit levels. A region is added only if it has at
 * least 1 / LEAST of all pixels. */
enum { STEP = 10, LEAST = 500 };

bool tc_strokes_are_short(const tc_extent *strokes, double foreground)
{
    const double w = strokes->x1 - strokes->x0 + 1, h = strokes->y1 - strokes->y0 + 1;
    return strokes->x1 >= strokes->x0 && foreground > SHORT * (w * w + h * h);
}

/* ---- In a small image ------------------------------------------------------------------------- */

typedef struct scene {
    const tilecut_image *image;
    const uint8_t *seeds, *mask;
    size_t pixels;
    uint8_t *reached; /* at first the guess from distances; later the mask learnt from that guess  */
    int32_t *way[2];  /* distances to the foreground's strokes, and to the background and the frame */
} scene;

static bool at_frame(const scene *s, size_t p)
{
    const size_t width = (size_t)s->image->width, x = p % width, y = p / width;
    return x == 0 || y == 0 || x + 1 == width || y + 1 == (size_t)s->image->height;
}

/* Sets s->reached to 255 where the distance to the foreground's strokes is less than that to the background's and to
 * the frame. */
static tilecut_status reach(const scene *s)
{
    uint8_t *const from = s->reached;
    tilecut_status status = TILECUT_OK;
    tc_ways ways;
    TRY(tc_ways_open(&ways, s->image, STEP * s->image->channels));
    for (int k = 0; k < 2; k++) {
        for (size_t p = 0; p < s->pixels; p++) {
            const bool object = s->seeds[p] == TILECUT_FOREGROUND;
            from[p] = k == 0 ? object : !object && (s->seeds[p] == TILECUT_BACKGROUND || at_frame(s, p));
        }
        tc_reach_ways(&ways, from, true, s->way[k]);
    }
    for (size_t p = 0; p < s->pixels; p++) s->reached[p] = s->way[0][p] < s->way[1][p] ? 255 : 0;
done:
    tc_ways_close(&ways);
    return status;
}

/* Appends pixel p to a list if there is such a pixel, reached and not in the mask, and clears `reached` there. Returns
 * the new count. */
static int list_pixel(const scene *s, size_t p, int32_t *list, int count)
{
    if (p == TC_BLOCK_NONE || !s->reached[p] || s->mask[p]) return count;
    s->reached[p] = 0;
    list[count] = (int32_t)p;
    return count + 1;
}

/* Lists the 4-connected region of reached pixels outside the mask that contains `pixel`. Returns its size. Sets
 * *touches to true if it touches the frame. */
static int list_region(const scene *s, size_t pixel, int32_t *list, bool *touches)
{
    const tc_block all = {0, 0, 0, s->image->width, s->image->height, 1};
    int size = list_pixel(s, pixel, list, 0);
    *touches = false;
    for (int i = 0; i < size; i++) {
        *touches |= at_frame(s, (size_t)list[i]);
        for (int d = 0; d < 4; d++) size = list_pixel(s, tc_block_neighbour(&all, (size_t)list[i], 4, d), list, size);
    }
    return size;
}

/* Writes the mask to `guess` and adds all regions that are large enough and do not touch the frame. Returns the number
 * of pixels added. */
static size_t add_regions(const scene *s, uint8_t *guess)
{
    int32_t *const list = s->way[0];
    size_t added = 0;
    memcpy(guess, s->mask, s->pixels);
    for (size_t p = 0; p < s->pixels; p++) {
        bool touches;
        const size_t size = (size_t)list_region(s, p, list, &touches);
        if (touches || size * LEAST < s->pixels) continue;
        for (size_t i = 0; i < size; i++) guess[list[i]] = 255;
        added += size;
    }
    return added;
}

tilecut_status tc_unseen_parts_find(const tilecut_image *image, const uint8_t *seeds, const uint8_t *mask,
                               tc_unseen_parts_cut *cut, void *context, uint8_t *guess, bool *found)
{
    scene s = {image, seeds, mask, .pixels = (size_t)image->width * (size_t)image->height};
    tilecut_status status = TILECUT_OK;
    size_t before = 0;
    tc_alloc_list memory = {0};

    *found = false;
    s.reached = tc_own(&memory, malloc(s.pixels));
    for (int k = 0; k < 2; k++) s.way[k] = tc_own(&memory, malloc(s.pixels * sizeof **s.way));
    if (memory.lacks) TRY(tc_fail(TILECUT_ENOMEM, "no memory for distances of %zu pixels", s.pixels));
    TRY(reach(&s));
    memcpy(guess, s.reached, s.pixels);
    TRY(cut(context, image, seeds, guess, s.reached));
    for (size_t p = 0; p < s.pixels; p++) before += mask[p] != 0;
    const size_t added = add_regions(&s, guess);
    *found = added > 0 && added <= before; /* if more pixels were added than the mask has, that would be a flood */
done:
    tc_alloc_list_free(&memory);
    return status;
}
