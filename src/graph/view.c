/* SPDX-License-Identifier: MIT
 *
 * view.c - see view.h.
 */
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
    free(p->pixels);
}

void tc_window_read(const uint8_t *rows, int width, const tc_window *w, uint8_t *to)
{
    for (int y = 0; y < w->height; y++)
        memcpy(to + (size_t)y * (size_t)w->width, rows + (size_t)(w->y + y) * (size_t)width + (size_t)w->x,
               (size_t)w->width);
}

void tc_window_write(uint8_t *rows, int width, const tc_window *w, const uint8_t *from)
{
    for (int y = 0; y < w->height; y++)
        memcpy(rows + (size_t)(w->y + y) * (size_t)width + (size_t)w->x, from + (size_t)y * (size_t)w->width,
               (size_t)w->width);
}

/* Slice z of a block, in rows that are counted through all slices. */
static tc_window slice_of(const tc_block *b, int slice_rows, int z)
{
    return (tc_window){b->x, (b->z + z) * slice_rows + b->y, b->width, b->height};
}

void tc_block_read(const uint8_t *rows, int width, int slice_rows, const tc_block *b, uint8_t *to)
{
    const size_t slice = (size_t)b->width * (size_t)b->height;
    for (int z = 0; z < b->depth; z++) {
        const tc_window w = slice_of(b, slice_rows, z);
        tc_window_read(rows, width, &w, to + (size_t)z * slice);
    }
}

void tc_block_write(uint8_t *rows, int width, int slice_rows, const tc_block *b, const uint8_t *from)
{
    const size_t slice = (size_t)b->width * (size_t)b->height;
    for (int z = 0; z < b->depth; z++) {
        const tc_window w = slice_of(b, slice_rows, z);
        tc_window_write(rows, width, &w, from + (size_t)z * slice);
    }
}

/* Copies the pixels of a block, as slices one below the other. */
static void copy_pixels(const tilecut_image *image, int slice_rows, const tc_block *b, tilecut_image *to,
                        uint8_t *pixel)
{
    const size_t bytes = (size_t)(image->channels * image->depth / 8), row = (size_t)b->width * bytes;
    to->pixels = pixel;
    to->stride = row;
    for (int z = b->z; z < b->z + b->depth; z++)
        for (int y = b->y; y < b->y + b->height; y++, pixel += row)
            memcpy(pixel, (const uint8_t *)tc_image_row(image, z * slice_rows + y) + (size_t)b->x * bytes, row);
}

tilecut_status tc_view_of_block(tc_view *p, const tilecut_image *image, const uint8_t *seeds, int slice_rows,
                                const tc_block *b)
{
    const tc_window rows = slice_of(b, slice_rows, 0), all = {0, 0, b->width, b->height * b->depth};
    const size_t pixels = tc_block_pixels(b), bytes = (size_t)(image->channels * image->depth / 8);
    if (b->depth == 1) return tc_view_init(p, image, seeds, &rows);
    *p = (tc_view){.image = *image, .seeds = tc_large_alloc(pixels), .mask = tc_large_alloc(pixels),
                   .pixels = tc_large_alloc(pixels * bytes)};
    if (!p->seeds || !p->mask || !p->pixels) {
        tc_view_free(p);
        return tc_fail(TILECUT_ENOMEM, "no memory for %dx%dx%d voxels", b->width, b->height, b->depth);
    }
    p->image.width = all.width, p->image.height = all.height;
    copy_pixels(image, slice_rows, b, &p->image, p->pixels);
    tc_block_read(seeds, image->width, slice_rows, b, p->seeds);
    return TILECUT_OK;
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
    p->image.pixels = (const uint8_t *)tc_image_row(image, w->y) + (size_t)w->x * bytes;
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
