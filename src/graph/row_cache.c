/* SPDX-License-Identifier: MIT */
#include "row_cache.h"

#include <stdlib.h>
#include <string.h>

#include "shared_array.h"
#include "parallel.h"
#include "status.h"

/* With fewer pixels than this, the memory saved is not worth the time. */
enum { WORTH = 1 << 22 };

static bool is_packed(const tilecut_image *image)
{
    return image->depth == 8 && tc_image_stride(image) == tc_image_row_bytes(image);
}

static void release(tc_row_cache *rest)
{
    tc_row_pack_free(&rest->pixels);
    tc_row_pack_free(&rest->seeds);
    tc_row_pack_free(&rest->levels);
    free(rest->desk);
    free(rest);
}

/* Prepares one array of rows for compressing. The array is written even though the energy only reads it, see
 * tc_row_cache_init(). */
static bool init_rows(tc_row_cache *rest, tc_row_pack *s, const void *data, size_t row, int channels)
{
    if (!tc_row_pack_init(s, (void *)(uintptr_t)data, row, rest->energy->image.height, channels)) return false;
    if (tc_row_pack_room(s) > rest->work) rest->work = tc_row_pack_room(s);
    rest->copies += (TC_BAND + 2) * row;
    return true;
}

tilecut_status tc_row_cache_init(tc_row_cache **out, const tc_energy *energy, bool given, int threads)
{
    const tilecut_image *const image = &energy->image;
    const size_t width = (size_t)image->width;
    const bool pixels = given && is_packed(image), levels = energy->nearness && !tc_shared_is_shared(energy->nearness);
    bool done = true;

    *out = NULL;
    if ((int64_t)image->width * image->height < WORTH || (!given && !levels)) return TILECUT_OK;
    tc_row_cache *const rest = calloc(1, sizeof *rest);
    if (!rest) return tc_fail(TILECUT_ENOMEM, "no memory to let pixels rest");
    rest->energy = energy;
    rest->threads = threads;
    if (pixels) done = init_rows(rest, &rest->pixels, image->pixels, tc_image_row_bytes(image), image->channels);
    if (given) done = done && init_rows(rest, &rest->seeds, energy->seeds, width, 1);
    if (levels) done = done && init_rows(rest, &rest->levels, energy->nearness, width, 1);
    /* allocated now, so that restoring the seeds cannot fail later */
    rest->desk = malloc((size_t)threads * rest->work);
    if (done && rest->desk) {
        *out = rest;
        return TILECUT_OK;
    }
    release(rest);
    return tc_fail(TILECUT_ENOMEM, "no memory to let %d rows rest", image->height);
}

void tc_row_cache_band(tc_row_cache *rest, int band, uint8_t *room)
{
    if (rest->pixels.data) tc_row_pack_band(&rest->pixels, band, room);
    if (rest->seeds.data) tc_row_pack_band(&rest->seeds, band, room);
    if (rest->levels.data) tc_row_pack_band(&rest->levels, band, room);
}

/* Copies a band to *room: its rows, the first of which is row `first`, and one row on either side. Advances *room past
 * the copy. */
static uint8_t *copy_rows(const tc_row_pack *s, int band, int first, uint8_t *work, uint8_t **room)
{
    const int start = band * TC_BAND, end = start + TC_BAND;
    uint8_t *const copy = *room, *const below = copy + (size_t)(end - first) * s->row;
    if (first < start) memcpy(copy, s->data + (size_t)first * s->row, s->row);
    tc_row_pack_read(s, band, work, copy + (size_t)(start - first) * s->row);
    if (end < s->height) memcpy(below, s->data + (size_t)end * s->row, s->row);
    *room += (TC_BAND + 2) * s->row;
    return copy;
}

void tc_row_cache_read(const tc_row_cache *rest, int band, uint8_t *room, tc_energy *view, int *first)
{
    const tilecut_image *const image = &rest->energy->image;
    uint8_t *at = room + rest->work;
    *first = band ? band * TC_BAND - 1 : 0;
    const size_t before = (size_t)*first * (size_t)image->width;
    *view = *rest->energy;
    view->image.height -= *first;
    if (rest->pixels.data) view->image.pixels = copy_rows(&rest->pixels, band, *first, room, &at);
    else view->image.pixels = tc_image_row(image, *first);
    if (rest->seeds.data) view->seeds = copy_rows(&rest->seeds, band, *first, room, &at);
    else view->seeds += before;
    if (rest->levels.data) view->nearness = copy_rows(&rest->levels, band, *first, room, &at);
    else if (view->nearness) view->nearness += before;
}

size_t tc_row_cache_room(const tc_row_cache *rest)
{
    return rest->work + rest->copies;
}

static void wake(void *context, int band, int worker)
{
    tc_row_cache *const rest = context;
    uint8_t *const room = rest->desk + (size_t)worker * rest->work;
    tc_row_pack_open(&rest->seeds, band, room);
    if (rest->pixels.data) tc_row_pack_open(&rest->pixels, band, room);
}

void tc_row_cache_end(tc_row_cache *rest, bool pixels)
{
    if (!rest) return;
    if (!pixels) rest->pixels.data = NULL;
    if (rest->seeds.data && rest->compressed)
        tc_parallel_workers(rest->threads, tc_row_pack_bands(&rest->seeds), wake, rest);
    release(rest);
}
