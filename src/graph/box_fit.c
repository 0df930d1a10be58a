/* SPDX-License-Identifier: MIT
 *
 * box_fit.c - see box_fit.h.
 */
#include "box_fit.h"

#include <math.h>
#include <string.h>

#include "colors.h"
#include "energy_math.h"

/* How much wider a box becomes on a side, as a part of its width or height. */
#define WIDER 0.15

/* The contact on a side, as a part of the root of the mask's area, from which on the object goes on there. */
#define CONTACT 0.05

/* What lies beyond a box is painted where a link to it is more than this part of one between like colours, and this
 * deep, as a part of the root of the box's area. */
#define ALIKE 0.3
#define DEEP 0.025

bool tc_box_alone(const uint8_t *seeds, int width, int height, tc_window *box)
{
    const size_t pixels = (size_t)width * (size_t)height;
    if (memchr(seeds, TILECUT_FOREGROUND, pixels) || memchr(seeds, TILECUT_BACKGROUND, pixels)) return false;
    if (!tc_box_rectangle(seeds, width, height, box)) return false;
    for (int y = box->y; y < box->y + box->height; y++) {
        const uint8_t *const row = seeds + (size_t)y * (size_t)width + (size_t)box->x;
        if (memchr(row, TILECUT_OUTSIDE, (size_t)box->width)) return false;
    }
    return true;
}

/* A link between two pixels, as a part of one between like colours. */
static double link_between(const tilecut_image *image, double beta, int x, int y, int dx, int dy)
{
    const void *const here = tc_image_row(image, y), *const there = tc_image_row(image, y + dy);
    double squared = 0;
    for (int c = 0; c < image->channels; c++) {
        const int i = x * image->channels + c, k = (x + dx) * image->channels + c;
        const double d = image->depth == 8 ? ((const uint8_t *)here)[i] - ((const uint8_t *)there)[k]
                                           : (((const uint16_t *)here)[i] - ((const uint16_t *)there)[k]) / 257.0;
        squared += d * d;
    }
    return tc_link_weight(1, beta, squared);
}

/* The contact of a side: `count` pixels from (x, y) on, along the side; what lies outside is (dx, dy) away. */
static double contact(const tilecut_image *image, const uint8_t *mask, double beta, int x, int y, int dx, int dy,
                      int count)
{
    double sum = 0;
    if (x + dx < 0 || x + dx >= image->width || y + dy < 0 || y + dy >= image->height) return 0;
    for (int i = 0; i < count; i++, x += dy != 0, y += dx != 0)
        if (mask[(size_t)y * (size_t)image->width + (size_t)x]) sum += link_between(image, beta, x, y, dx, dy);
    return sum;
}

/* The contact of each side, left, up, right, down, as a part of the root of the mask's area. */
static void contacts(const tilecut_image *image, const uint8_t *mask, int64_t foreground, double beta,
                     const tc_window *box, double side[4])
{
    const double root = sqrt((double)(foreground > 1 ? foreground : 1));
    const int x0 = box->x, y0 = box->y, x1 = x0 + box->width - 1, y1 = y0 + box->height - 1;
    side[0] = contact(image, mask, beta, x0, y0, -1, 0, box->height) / root;
    side[1] = contact(image, mask, beta, x0, y0, 0, -1, box->width) / root;
    side[2] = contact(image, mask, beta, x1, y0, 1, 0, box->height) / root;
    side[3] = contact(image, mask, beta, x0, y1, 0, 1, box->width) / root;
}

bool tc_box_no_longer_leaks(double before, double after)
{
    return after <= CONTACT || after <= 0.3 * before;
}

double tc_box_contact(const tilecut_image *image, const uint8_t *mask, int64_t foreground, double beta,
                      const tc_window *box)
{
    double side[4], most = 0;
    contacts(image, mask, foreground, beta, box, side);
    for (int i = 0; i < 4; i++) most = side[i] > most ? side[i] : most;
    return most;
}

tc_window tc_box_widened(const tilecut_image *image, const uint8_t *mask, int64_t foreground, double beta,
                         const tc_window *box)
{
    const int by_x = (int)(WIDER * box->width), by_y = (int)(WIDER * box->height);
    int x0 = box->x, y0 = box->y, x1 = x0 + box->width, y1 = y0 + box->height;
    double side[4];
    contacts(image, mask, foreground, beta, box, side);
    if (side[0] > CONTACT) x0 = x0 > by_x ? x0 - by_x : 0;
    if (side[1] > CONTACT) y0 = y0 > by_y ? y0 - by_y : 0;
    if (side[2] > CONTACT) x1 = x1 < image->width - by_x ? x1 + by_x : image->width;
    if (side[3] > CONTACT) y1 = y1 < image->height - by_y ? y1 + by_y : image->height;
    return (tc_window){x0, y0, x1 - x0, y1 - y0};
}

/* Paints along a side: `count` pixels from (x, y) on; what lies outside is (dx, dy) away, and painted `deep` pixels
 * deep. */
static void paint_side(const tilecut_image *image, const uint8_t *mask, double beta, int x, int y, int dx, int dy,
                       int count, int deep, uint8_t *seeds)
{
    for (int i = 0; i < count; i++, x += dy != 0, y += dx != 0) {
        if (!mask[(size_t)y * (size_t)image->width + (size_t)x]) continue;
        if (!(link_between(image, beta, x, y, dx, dy) > ALIKE)) continue;
        for (int k = 1; k <= deep; k++) {
            const int u = x + k * dx, v = y + k * dy;
            if (u < 0 || u >= image->width || v < 0 || v >= image->height) break;
            seeds[(size_t)v * (size_t)image->width + (size_t)u] = TILECUT_BACKGROUND;
        }
    }
}

void tc_box_paint_beyond(const tilecut_image *image, const uint8_t *mask, int64_t foreground, double beta,
                         const tc_window *box, uint8_t *seeds)
{
    const int deep = (int)ceil(sqrt((double)box->width * box->height) * DEEP);
    const int x1 = box->x + box->width - 1, y1 = box->y + box->height - 1;
    double side[4];
    contacts(image, mask, foreground, beta, box, side);
    if (side[0] > CONTACT) paint_side(image, mask, beta, box->x, box->y, -1, 0, box->height, deep, seeds);
    if (side[1] > CONTACT) paint_side(image, mask, beta, box->x, box->y, 0, -1, box->width, deep, seeds);
    if (side[2] > CONTACT) paint_side(image, mask, beta, x1, box->y, 1, 0, box->height, deep, seeds);
    if (side[3] > CONTACT) paint_side(image, mask, beta, box->x, y1, 0, 1, box->width, deep, seeds);
}

bool tc_box_goes_on(const uint8_t *before, const uint8_t *after, int width, int height, const tc_window *box)
{
    int64_t was = 0, all = 0, both = 0, either = 0;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const size_t p = (size_t)y * (size_t)width + (size_t)x;
            const bool in = x >= box->x && x < box->x + box->width && y >= box->y && y < box->y + box->height;
            was += before[p] != 0;
            all += after[p] != 0;
            both += in && before[p] && after[p];
            either += in && (before[p] || after[p]);
        }
    return 100 * both >= 96 * either && 100 * all >= 103 * was && 100 * all <= 130 * was;
}
