/* SPDX-License-Identifier: MIT
 *
 * corners.c - see corners.h. The outline is followed along the sides of pixels, and cut into pieces that are straight
 * to within a pixel: the longest that a cone from their first point allows (Williams, CGIP 1978). A side of a pixel is
 * a step between two corners of pixels, in one of four directions, with foreground on its right. Each side is followed
 * once. Where two lines touch in a corner, it does not matter which one is followed.
 */
#include "corners.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "alloc_list.h"
#include "chamfer.h"
#include "status.h"

enum { RIGHT, DOWN, LEFT, UP };
static const int dx[4] = {1, 0, -1, 0}, dy[4] = {0, 1, 0, -1};

typedef struct step {
    int x, y;        /* the middle of the side, in halves of a pixel  */
    int ax, ay;      /* the foreground pixel on its right             */
    int bx, by;      /* the pixel on its left, which may be outside the image */
} step;

typedef struct lines {
    const uint8_t *mask;
    int width, height;
    uint8_t *ways;   /* [corners] a bit for each direction in which a side of the outline continues */
    step *step;      /* the line being followed */
    size_t count, room;
    const tc_corner_tolerance *how;
    uint16_t *tolerance;
} lines;

static bool inside(const lines *l, int x, int y)
{
    return x >= 0 && y >= 0 && x < l->width && y < l->height && l->mask[y * (ptrdiff_t)l->width + x] >= 128;
}

static uint8_t *ways_at(const lines *l, int x, int y)
{
    return &l->ways[(size_t)y * ((size_t)l->width + 1) + (size_t)x];
}

static void find_sides(const lines *l)
{
    for (int y = 0; y < l->height; y++)
        for (int x = 0; x < l->width; x++) {
            if (!inside(l, x, y)) continue;
            if (!inside(l, x, y - 1)) *ways_at(l, x, y) |= 1 << RIGHT;
            if (!inside(l, x + 1, y)) *ways_at(l, x + 1, y) |= 1 << DOWN;
            if (!inside(l, x, y + 1)) *ways_at(l, x + 1, y + 1) |= 1 << LEFT;
            if (!inside(l, x - 1, y)) *ways_at(l, x, y + 1) |= 1 << UP;
        }
}

/* Returns the side that begins at corner (x, y) and goes in direction d. */
static step side_of(int x, int y, int d)
{
    static const int right_x[4] = {0, -1, -1, 0}, right_y[4] = {0, 0, -1, -1};
    static const int left_x[4] = {0, 0, -1, -1}, left_y[4] = {-1, 0, 0, -1};
    return (step){2 * x + dx[d], 2 * y + dy[d], x + right_x[d], y + right_y[d], x + left_x[d], y + left_y[d]};
}

/* Follows the line from corner (x, y) to its end. */
static tilecut_status follow(lines *l, int x, int y)
{
    l->count = 0;
    for (uint8_t *ways; *(ways = ways_at(l, x, y));) {
        int d = 0;
        while (!(*ways >> d & 1)) d++;
        *ways &= (uint8_t)~(1 << d);
        step *const more = tc_list_grow(l->step, l->count, &l->room, sizeof *more);
        if (!more) return tc_fail(TILECUT_ENOMEM, "no memory for an outline of %zu sides of pixels", l->count);
        l->step = more;
        l->step[l->count++] = side_of(x, y, d);
        x += dx[d], y += dy[d];
    }
    return TILECUT_OK;
}

/* Returns how many sides, counted from side `first`, lie on a straight line to within a pixel; at most all of them. */
static size_t straight_from(const lines *l, size_t first)
{
    const step *const a = &l->step[first % l->count];
    const double off = 2; /* how far a corner may be from the line, in halves of a pixel */
    double lx = 0, ly = 0, hx = 0, hy = 0; /* the range of directions that are still possible, from l to h */
    bool open = true;
    for (size_t n = 1; n < l->count; n++) {
        const step *const b = &l->step[(first + n) % l->count];
        const double x = b->x - a->x, y = b->y - a->y, far = sqrt(x * x + y * y);
        if (far <= off) continue;
        const double ux = off * -y / far, uy = off * x / far;
        if (!open && (lx * y - ly * x < 0 || x * hy - y * hx < 0)) return n;
        if (open || lx * (y - uy) - ly * (x - ux) > 0) lx = x - ux, ly = y - uy;
        if (open || (x + ux) * hy - (y + uy) * hx > 0) hx = x + ux, hy = y + uy;
        open = false;
    }
    return l->count;
}

static void raise(const lines *l, int x, int y, double pixels)
{
    uint16_t *const at = &l->tolerance[(size_t)y * (size_t)l->width + (size_t)x];
    const uint16_t fifths = (uint16_t)(pixels * TC_CHAMFER_PIXEL);
    if (fifths > *at) *at = fifths;
}

static void mark_piece(const lines *l, size_t first, size_t n)
{
    const step *const a = &l->step[first % l->count], *const b = &l->step[(first + n - 1) % l->count];
    const double x = (b->x - a->x) / 2.0, y = (b->y - a->y) / 2.0;
    const double raw = sqrt(x * x + y * y) / l->how->part - l->how->less;
    const double off = fmin(fmax(raw < 1 ? 0 : raw, l->how->least), l->how->most);
    if (off <= 0) return;
    for (size_t i = 0; i < n; i++) {
        const step *const s = &l->step[(first + i) % l->count];
        if (s->bx < 0 || s->by < 0 || s->bx >= l->width || s->by >= l->height) continue;
        raise(l, s->ax, s->ay, off);
        raise(l, s->bx, s->by, off);
    }
}

/* Cuts a closed line into straight pieces. The first corner is the end of a piece that begins at an arbitrary place. */
static void mark_line(const lines *l)
{
    const size_t corner = straight_from(l, 0), end = corner + l->count;
    for (size_t at = corner, n; at < end; at += n) {
        n = straight_from(l, at);
        if (n > end - at) n = end - at;
        mark_piece(l, at, n);
    }
}

tilecut_status tc_corners_mark(const uint8_t *mask, int width, int height,
                               const tc_corner_tolerance *how, uint16_t *tolerance)
{
    tilecut_status status = TILECUT_OK;
    lines l = {.mask = mask, .width = width, .height = height, .how = how, .tolerance = tolerance};
    l.ways = calloc((size_t)width + 1, (size_t)height + 1);
    if (!l.ways) return tc_fail(TILECUT_ENOMEM, "no memory for the outline of a mask");
    find_sides(&l);
    for (int y = 0; y <= height; y++)
        for (int x = 0; x <= width; x++)
            while (*ways_at(&l, x, y)) {
                TRY(follow(&l, x, y));
                mark_line(&l);
            }
done:
    free(l.step);
    free(l.ways);
    return status;
}
