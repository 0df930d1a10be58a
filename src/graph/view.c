/* SPDX-License-Identifier: MIT */
#include "view.h"

#include <stdlib.h>
#include <string.h>

#include "colors.h"
#include "large.h"
#include "status.h"

void tc_view_free(tc_view *p)
{
    free(p->seeds);
    free(p->mask);
}

static size_t row_in(const tc_block *b, int width, int height, int z, int y)
{
    return ((size_t)(b->z + z) * (size_t)height + (size_t)(b->y + y)) * (size_t)width + (size_t)b->x;
}

void tc_block_crop(void *cells, size_t size, const tc_block *from, const tc_block *to)
{
    uint8_t *at = cells;
    for (int z = to->z; z < to->z + to->depth; z++)
        for (int y = to->y; y < to->y + to->height; y++, at += (size_t)to->width * size)
            memmove(at, (uint8_t *)cells + tc_block_at(from, to->x, y, z) * size, (size_t)to->width * size);
}

/* Widens a range by `by` on both sides, within `count` from `first` on. */
static void widen(int *from, int *size, int by, int first, int count)
{
    const int end = tc_least(*from + *size + by, first + count);
    *from = tc_most(*from - by, first);
    *size = end - *from;
}

tc_block tc_block_around(const tc_block *block, int by, const tc_block *within)
{
    tc_block to = *block;
    widen(&to.x, &to.width, by, within->x, within->width);
    widen(&to.y, &to.height, by, within->y, within->height);
    widen(&to.z, &to.depth, by, within->z, within->depth);
    return to;
}

void tc_block_read(const uint8_t *lattice, int width, int height, const tc_block *b, uint8_t *to)
{
    for (int z = 0; z < b->depth; z++)
        for (int y = 0; y < b->height; y++, to += b->width)
            memcpy(to, lattice + row_in(b, width, height, z, y), (size_t)b->width);
}

void tc_block_write(uint8_t *lattice, int width, int height, const tc_block *b, const uint8_t *from)
{
    for (int z = 0; z < b->depth; z++)
        for (int y = 0; y < b->height; y++, from += b->width)
            memcpy(lattice + row_in(b, width, height, z, y), from, (size_t)b->width);
}

static tc_block block_of(const tc_window *w)
{
    return (tc_block){w->x, w->y, 0, w->width, w->height, 1};
}

void tc_window_read(const uint8_t *rows, int width, const tc_window *w, uint8_t *to)
{
    const tc_block block = block_of(w);
    tc_block_read(rows, width, 0, &block, to);
}

void tc_window_write(uint8_t *rows, int width, const tc_window *w, const uint8_t *from)
{
    const tc_block block = block_of(w);
    tc_block_write(rows, width, 0, &block, from);
}

tilecut_status tc_view_init(tc_view *p, const tilecut_image *image, const uint8_t *seeds, const tc_window *w)
{
    const size_t pixels = (size_t)w->width * (size_t)w->height, bytes = (size_t)(image->channels * image->depth / 8);
    *p = (tc_view){.image = *image, .seeds = tc_large_alloc(pixels), .mask = tc_large_alloc(pixels)};
    if (!p->seeds || !p->mask) {
        tc_view_free(p);
        return tc_fail(TILECUT_ENOMEM, "no memory for %dx%d pixels of an image", w->width, w->height);
    }
    p->image.width = w->width;
    p->image.height = w->height;
    p->image.stride = tc_image_stride(image);
    if (image->pixels) p->image.pixels = (const uint8_t *)tc_image_row(image, w->y) + (size_t)w->x * bytes;
    tc_window_read(seeds, image->width, w, p->seeds);
    return TILECUT_OK;
}

tilecut_status tc_window_take(const uint8_t *from, int width, const tc_window *w, uint8_t **to)
{
    if (!from) return TILECUT_OK;
    *to = tc_large_alloc((size_t)w->width * (size_t)w->height + 1);
    if (!*to) return tc_fail(TILECUT_ENOMEM, "no memory for %dx%d pixels of a mask", w->width, w->height);
    tc_window_read(from, width, w, *to);
    return TILECUT_OK;
}
