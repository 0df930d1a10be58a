/* SPDX-License-Identifier: MIT
 *
 * outline.c - see outline.h. Each boundary is walked with the foreground on the right, starting upwards at the left
 * edge of a pixel. If two foreground pixels meet only in a corner, the walk stays with the pixel where it is. If it
 * passes the same corner again later, the part between becomes a ring of its own. In a smooth outline, each pixel edge
 * that is walked becomes one point.
 */
#include "outline.h"

#include <stdlib.h>
#include <string.h>

enum { FINE = 100, NEAREST = 10 }; /* parts of a pixel; smallest distance from the middle of a pixel, in these parts */

typedef struct tracer {
    const uint8_t *mask;
    const uint16_t *alpha; /* NULL: corners of pixels */
    int width, height;
    int32_t *object;  /* [pixel] number of its object, starting at 1; 0: background */
    int32_t *at;      /* [corner] position in the walk, starting at 1; 0: not in the walk */
    uint8_t *walked;  /* [pixel] nonzero if its left edge has been walked */
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

/* Gives `number` to all pixels that are connected with `from`; `stack` holds pixels still to visit. */
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

/* Returns twice the signed area of the polygon. */
static int64_t area_of(const corner *c, size_t count)
{
    int64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        const corner a = c[i], b = c[i + 1 < count ? i + 1 : 0];
        sum += (int64_t)a.x * b.y - (int64_t)b.x * a.y;
    }
    return sum;
}

static bool in_line(corner a, corner b, corner c)
{
    return (int64_t)(b.x - a.x) * (c.y - b.y) == (int64_t)(b.y - a.y) * (c.x - b.x);
}

/* Removes corners that lie on the line between their two neighbours. The ring is closed. */
static void straighten(bytes *points)
{
    corner *const c = (corner *)(void *)points->data;
    const size_t count = points->size / sizeof *c;
    const corner first = count ? c[0] : (corner){0, 0};
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        const corner before = kept ? c[kept - 1] : c[count - 1], next = i + 1 < count ? c[i + 1] : first;
        if (!in_line(before, c[i], next)) c[kept++] = c[i];
    }
    points->size = kept * sizeof *c;
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
    for (size_t i = 0; i < count && !t->alpha; i++) t->at[(size_t)c[i].y * ((size_t)t->width + 1) + (size_t)c[i].x] = 0;
    t->walk.size -= count * sizeof *c;
    return true;
}

/* Adds a corner to the walk. If the walk has been at this corner before, the part since then becomes a ring. */
static bool pass(tracer *t, int x, int y, int32_t object)
{
    int32_t *const at = &t->at[(size_t)y * ((size_t)t->width + 1) + (size_t)x];
    const corner here = {x, y};
    if (*at && !take_ring(t, t->walk.size / sizeof here - (size_t)*at + 1, object)) return false;
    if (!bytes_append(&t->walk, &here, sizeof here)) return false;
    *at = (int32_t)(t->walk.size / sizeof here);
    return true;
}

/* Computes the point of a smooth outline for one edge of a pixel. The edge is walked in `direction` and ends at cx, cy.
 * Sets *border if the point is on the border of the picture. */
static corner point_of(const tracer *t, int cx, int cy, int direction, bool *border)
{
    static const int in[4][2] = {{0, 0}, {-1, 0}, {-1, -1}, {0, -1}}, out[4][2] = {{-1, 0}, {-1, -1}, {0, -1}, {0, 0}};
    const int x = cx + in[direction][0], y = cy + in[direction][1];
    const int u = cx + out[direction][0], v = cy + out[direction][1];
    int32_t part = FINE / 2; /* the point's position between the middles of the two pixels */
    *border = u < 0 || v < 0 || u >= t->width || v >= t->height;
    if (!*border) {
        const int32_t inside = t->alpha[pixel(t, x, y)], outside = t->alpha[pixel(t, u, v)];
        const int32_t high = inside < 32768 ? 32768 : inside, low = outside > 32767 ? 32767 : outside;
        part = (2 * high - 65535) * FINE / (2 * (high - low));
        part = part < NEAREST ? NEAREST : part > FINE - NEAREST ? FINE - NEAREST : part;
    }
    return (corner){FINE * x + FINE / 2 + part * (u - x), FINE * y + FINE / 2 + part * (v - y)};
}

typedef struct smooth {
    corner point; /* of the edge before */
    int direction;
    bool border, begun;
} smooth;

/* Adds the point of an edge to the walk. Where the outline reaches the border of the picture, or goes around its
 * corner, another point on the border is added between the last point and this one. */
static bool pass_smooth(tracer *t, smooth *before, int cx, int cy, int direction)
{
    static const int dx[4] = {0, 1, 0, -1}, dy[4] = {-1, 0, 1, 0};
    smooth now = {.direction = direction, .begun = true};
    corner between = {FINE * (cx - dx[direction]), FINE * (cy - dy[direction])};
    bool room = true;
    now.point = point_of(t, cx, cy, direction, &now.border);
    if (before->begun && (before->border || now.border) && before->direction != direction) {
        /* this point or the last one: the one that is not on the border */
        const corner free = before->border ? now.point : before->point;
        const int along = before->border ? before->direction : direction;
        if (before->border != now.border && along % 2 == 0) between.y = free.y;
        if (before->border != now.border && along % 2 == 1) between.x = free.x;
        room = bytes_append(&t->walk, &between, sizeof between);
    }
    *before = now;
    return room && bytes_append(&t->walk, &now.point, sizeof now.point);
}

/* Walks the boundary that begins at the left edge of pixel x, y. Directions: 0 up, 1 right, 2 down, 3 left. */
static bool walk(tracer *t, int x, int y)
{
    static const int dx[4] = {0, 1, 0, -1}, dy[4] = {-1, 0, 1, 0};
    const int32_t object = t->object[pixel(t, x, y)];
    const int start_x = x, start_y = y + 1;
    int cx = start_x, cy = start_y, direction = 0;
    smooth before = {.begun = false};
    t->walk.size = 0;
    do {
        if (direction == 0) t->walked[pixel(t, cx, cy - 1)] = 1;
        cx += dx[direction];
        cy += dy[direction];
        if (t->alpha && !pass_smooth(t, &before, cx, cy, direction)) return false;
        /* the pixels ahead on the right (a) and on the left (b) */
        const int ax = cx + (direction == 1 || direction == 0 ? 0 : -1),
                  ay = cy + (direction == 2 || direction == 1 ? 0 : -1);
        const int bx = cx + (direction == 1 || direction == 2 ? 0 : -1),
                  by = cy + (direction == 2 || direction == 3 ? 0 : -1);
        int turn = 0;
        if (!is_foreground(t, ax, ay)) turn = 1;
        else if (is_foreground(t, bx, by)) turn = 3;
        if (turn && !t->alpha && !pass(t, cx, cy, object)) return false;
        direction = (direction + turn) % 4;
    } while (cx != start_x || cy != start_y || direction != 0);
    if (t->alpha) { /* walks the first edge again, which may add a point between the last edge and the first */
        if (!pass_smooth(t, &before, x, y, 0)) return false;
        t->walk.size -= sizeof(corner);
        straighten(&t->walk);
    }
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

bool outline_trace(const uint8_t *mask, const uint16_t *alpha, int width, int height, outline *out)
{
    const size_t pixels = (size_t)width * (size_t)height, corners = ((size_t)width + 1) * ((size_t)height + 1);
    tracer t = {.mask = mask, .alpha = alpha, .width = width, .height = height, .out = out};
    *out = (outline){.unit = alpha ? FINE : 1};
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
