/* SPDX-License-Identifier: MIT
 *
 * outline.c - see outline.h. Each boundary is walked with the foreground on the right. The walk starts at the left
 * edge of a pixel, upwards. If two foreground pixels meet only in a corner, the walk stays with the pixel it comes
 * from. It may pass that corner again later; then the part between becomes a separate ring.
 */
#include "outline.h"

#include <stdlib.h>
#include <string.h>

typedef struct tracer {
    const uint8_t *mask;
    int width, height;
    int32_t *object;  /* [pixel] 1 and up; 0: background */
    int32_t *at;      /* [corner] its position in the walk, 1 and up; 0: not in the walk */
    uint8_t *walked;  /* [pixel] its left edge is done */
    bytes walk;       /* int32_t[2] corners */
    outline *out;
} tracer;

void outline_free(outline *o)
{
    bytes_free(&o->corner);
    bytes_free(&o->ring);
    memset(o, 0, sizeof *o);
}

size_t outline_rings(const outline *o)
{
    return o->ring.size / sizeof(outline_ring);
}

const outline_ring *outline_ring_at(const outline *o, size_t i)
{
    return (const outline_ring *)(const void *)o->ring.data + i;
}

const int32_t *outline_corner_at(const outline *o, size_t i)
{
    return (const int32_t *)(const void *)o->corner.data + 2 * i;
}

/* ---- Objects ------------------------------------------------------------------------------------ */

static size_t pixel(const tracer *t, int x, int y)
{
    return (size_t)y * (size_t)t->width + (size_t)x;
}

static bool is_foreground(const tracer *t, int x, int y)
{
    return x >= 0 && y >= 0 && x < t->width && y < t->height && t->mask[pixel(t, x, y)];
}

/* Gives all pixels that are connected with `from` a number; `stack` holds pixels to visit. */
static bool flood(tracer *t, size_t from, int32_t number, bytes *stack)
{
    const size_t w = (size_t)t->width;
    t->object[from] = number;
    if (!bytes_append(stack, &from, sizeof from)) return false;
    while (stack->size) {
        size_t p;
        stack->size -= sizeof p;
        memcpy(&p, stack->data + stack->size, sizeof p);
        const int x = (int)(p % w), y = (int)(p / w);
        const size_t next[4] = {p - 1, p + 1, p - w, p + w};
        const bool there[4] = {x > 0, x + 1 < t->width, y > 0, y + 1 < t->height};
        for (int i = 0; i < 4; i++) {
            if (!there[i] || !t->mask[next[i]] || t->object[next[i]]) continue;
            t->object[next[i]] = number;
            if (!bytes_append(stack, &next[i], sizeof next[i])) return false;
        }
    }
    return true;
}

static bool number_objects(tracer *t)
{
    bytes stack = {0};
    int32_t count = 0;
    bool room = true;
    for (size_t p = 0; room && p < (size_t)t->width * (size_t)t->height; p++)
        if (t->mask[p] && !t->object[p]) room = flood(t, p, ++count, &stack);
    bytes_free(&stack);
    return room;
}

/* ---- Walks -------------------------------------------------------------------------------------- */

typedef struct corner {
    int32_t x, y;
} corner;

/* Twice the area of corners, with its sign. */
static int64_t area_of(const corner *c, size_t count)
{
    int64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        const corner a = c[i], b = c[i + 1 < count ? i + 1 : 0];
        sum += (int64_t)a.x * b.y - (int64_t)b.x * a.y;
    }
    return sum;
}

/* Makes a ring of the last `count` corners of the walk. */
static bool take_ring(tracer *t, size_t count, int32_t object)
{
    const size_t all = t->walk.size / sizeof(corner);
    corner *const c = (corner *)(void *)t->walk.data + (all - count);
    const outline_ring ring = {.first = t->out->corner.size / sizeof(corner), .count = count, .object = object - 1,
                               .hole = area_of(c, count) < 0};
    if (!bytes_append(&t->out->corner, c, count * sizeof *c) || !bytes_append(&t->out->ring, &ring, sizeof ring))
        return false;
    for (size_t i = 0; i < count; i++) t->at[(size_t)c[i].y * ((size_t)t->width + 1) + (size_t)c[i].x] = 0;
    t->walk.size -= count * sizeof *c;
    return true;
}

/* Adds a corner to the walk. If it is in the walk already, the corners since then, with this one, become a ring. */
static bool pass(tracer *t, int x, int y, int32_t object)
{
    int32_t *const at = &t->at[(size_t)y * ((size_t)t->width + 1) + (size_t)x];
    const corner here = {x, y};
    if (*at && !take_ring(t, t->walk.size / sizeof here - (size_t)*at + 1, object)) return false;
    if (!bytes_append(&t->walk, &here, sizeof here)) return false;
    *at = (int32_t)(t->walk.size / sizeof here);
    return true;
}

/* Walks the boundary that begins at the left edge of pixel x, y. Directions: 0 up, 1 right, 2 down, 3 left. */
static bool walk(tracer *t, int x, int y)
{
    static const int dx[4] = {0, 1, 0, -1}, dy[4] = {-1, 0, 1, 0};
    const int32_t object = t->object[pixel(t, x, y)];
    const int start_x = x, start_y = y + 1;
    int cx = start_x, cy = start_y, direction = 0;
    t->walk.size = 0;
    do {
        if (direction == 0) t->walked[pixel(t, cx, cy - 1)] = 1;
        cx += dx[direction];
        cy += dy[direction];
        /* The pixels ahead on the right (a) and on the left (b). */
        const int ax = cx + (direction == 1 || direction == 0 ? 0 : -1),
                  ay = cy + (direction == 2 || direction == 1 ? 0 : -1);
        const int bx = cx + (direction == 1 || direction == 2 ? 0 : -1),
                  by = cy + (direction == 2 || direction == 3 ? 0 : -1);
        int turn = 0;
        if (!is_foreground(t, ax, ay)) turn = 1;
        else if (is_foreground(t, bx, by)) turn = 3;
        if (turn && !pass(t, cx, cy, object)) return false;
        direction = (direction + turn) % 4;
    } while (cx != start_x || cy != start_y || direction != 0);
    return t->walk.size == 0 || take_ring(t, t->walk.size / sizeof(corner), object);
}

/* ---- The whole ---------------------------------------------------------------------------------- */

static int by_object(const void *a, const void *b)
{
    const outline_ring *const one = a, *const other = b;
    if (one->object != other->object) return one->object < other->object ? -1 : 1;
    if (one->hole != other->hole) return one->hole ? 1 : -1;
    return one->first < other->first ? -1 : one->first > other->first;
}

bool outline_trace(const uint8_t *mask, int width, int height, outline *out)
{
    const size_t pixels = (size_t)width * (size_t)height, corners = ((size_t)width + 1) * ((size_t)height + 1);
    tracer t = {.mask = mask, .width = width, .height = height, .out = out};
    memset(out, 0, sizeof *out);
    t.object = calloc(pixels, sizeof *t.object);
    t.at = calloc(corners, sizeof *t.at);
    t.walked = calloc(pixels, 1);
    bool room = t.object && t.at && t.walked && number_objects(&t);
    for (int y = 0; room && y < height; y++)
        for (int x = 0; room && x < width; x++)
            if (mask[pixel(&t, x, y)] && !is_foreground(&t, x - 1, y) && !t.walked[pixel(&t, x, y)])
                room = walk(&t, x, y);
    if (room && outline_rings(out)) qsort(out->ring.data, outline_rings(out), sizeof(outline_ring), by_object);
    bytes_free(&t.walk);
    free(t.object);
    free(t.at);
    free(t.walked);
    if (!room) outline_free(out);
    return room;
}

bool outline_runs(const uint8_t *mask, int width, int height, bytes *runs)
{
    uint32_t length = 0;
    bool foreground = false;
    for (int x = 0; x < width; x++)
        for (int y = 0; y < height; y++) {
            if ((mask[(size_t)y * (size_t)width + (size_t)x] != 0) != foreground) {
                if (!bytes_append(runs, &length, sizeof length)) return false;
                foreground = !foreground;
                length = 0;
            }
            length++;
        }
    return bytes_append(runs, &length, sizeof length);
}
