/* SPDX-License-Identifier: MIT
 *
 * shapes.c - see shapes.h. An area is painted by its edges. In every row whose middle it crosses, an edge adds one to
 * the winding number of all pixels to its right, or subtracts one, depending on its direction. A pixel with an odd
 * number is inside. So the order and the direction of rings do not matter, and an edge that occurs twice has no effect.
 */
#include "shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "outline.h"

void shapes_free(shapes *all)
{
    bytes_free(&all->item);
    bytes_free(&all->ring);
    bytes_free(&all->point);
    bytes_free(&all->run);
    memset(all, 0, sizeof *all);
}

/* ---- Access -------------------------------------------------------------------------------------- */

size_t shapes_count(const shapes *all)
{
    return all->item.size / sizeof(shape);
}

static size_t rings(const shapes *all)
{
    return all->ring.size / sizeof(shape_ring);
}

static size_t runs(const shapes *all)
{
    return all->run.size / sizeof(uint32_t);
}

const shape *shapes_at(const shapes *all, size_t i)
{
    return (const shape *)(const void *)all->item.data + i;
}

const shape_ring *shapes_ring_at(const shapes *all, size_t i)
{
    return (const shape_ring *)(const void *)all->ring.data + i;
}

const double *shapes_point_at(const shapes *all, size_t i)
{
    return (const double *)(const void *)all->point.data + 2 * i;
}

size_t shapes_points(const shapes *all)
{
    return all->point.size / (2 * sizeof(double));
}

void shapes_move_point(shapes *all, size_t i, const double to[2])
{
    memcpy(all->point.data + i * 2 * sizeof *to, to, 2 * sizeof *to);
}

shape *shapes_last(shapes *all)
{
    return (shape *)(void *)all->item.data + shapes_count(all) - 1;
}

/* ---- Building ----------------------------------------------------------------------------------- */

bool shapes_begin(shapes *all, shape_kind kind)
{
    const size_t first = kind == SHAPE_RUNS ? runs(all) : rings(all);
    const shape item = {.kind = kind, .first = first, .ends = first};
    return bytes_append(&all->item, &item, sizeof item);
}

bool shapes_begin_ring(shapes *all)
{
    const size_t first = all->point.size / (2 * sizeof(double));
    const shape_ring ring = {first, first};
    if (!bytes_append(&all->ring, &ring, sizeof ring)) return false;
    shapes_last(all)->ends++;
    return true;
}

bool shapes_add_point(shapes *all, double x, double y)
{
    const double point[2] = {x, y};
    if (!bytes_append(&all->point, point, sizeof point)) return false;
    ((shape_ring *)(void *)all->ring.data + rings(all) - 1)->ends++;
    return true;
}

bool shapes_add_run(shapes *all, uint32_t run)
{
    if (!bytes_append(&all->run, &run, sizeof run)) return false;
    shapes_last(all)->ends++;
    return true;
}

bool shapes_add_ring(shapes *all, shape_kind kind, const double *at, int count)
{
    bool room = shapes_begin(all, kind) && shapes_begin_ring(all);
    for (int i = 0; room && i < count; i++) room = shapes_add_point(all, at[2 * i], at[2 * i + 1]);
    return room;
}

bool shapes_add_ellipse(shapes *all, const double middle[2], const double radius[2], double angle)
{
    enum { LEAST = 32, MOST = 4096 };
    static const double apart = 1e-3, turn = 6.283185307179586;
    const double most = fmax(fabs(radius[0]), fabs(radius[1]));
    const int corners = (int)fmin(LEAST + turn / 2 * sqrt(most / (2 * apart)), MOST);
    if (!shapes_begin(all, SHAPE_AREA) || !shapes_begin_ring(all)) return false;
    for (int i = 0; i < corners; i++) {
        const double u = radius[0] * cos(turn * i / corners), v = radius[1] * sin(turn * i / corners);
        if (!shapes_add_point(all, middle[0] + u * cos(angle) - v * sin(angle),
                              middle[1] + u * sin(angle) + v * cos(angle))) return false;
    }
    return true;
}

bool shapes_add_pixels(shapes *all, int x, int y, int width, int height, const uint8_t *pixels)
{
    if (!shapes_begin(all, SHAPE_RUNS) || !outline_runs(pixels, width, height, &all->run)) return false;
    shape *const s = shapes_last(all);
    s->ends = runs(all);
    s->x = x, s->y = y, s->width = width, s->height = height;
    return true;
}

shapes_mark shapes_now(const shapes *all)
{
    return (shapes_mark){all->item.size, all->ring.size, all->point.size, all->run.size};
}

void shapes_cut(shapes *all, shapes_mark to)
{
    all->item.size = to.item;
    all->ring.size = to.ring;
    all->point.size = to.point;
    all->run.size = to.run;
}

/* Sorts the shapes by layer with a bottom-up merge sort, which keeps the order within a layer. */
bool shapes_sort(shapes *all)
{
    const size_t count = shapes_count(all);
    shape *from = (shape *)(void *)all->item.data, *to = malloc(count * sizeof *to + 1), *const room = to;
    if (!to) return false;
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t first = 0, k = 0; first < count; first += 2 * width) {
            const size_t middle = first + width < count ? first + width : count;
            const size_t end = middle + width < count ? middle + width : count;
            for (size_t i = first, j = middle; k < end;)
                to[k++] = i < middle && (j == end || from[i].layer <= from[j].layer) ? from[i++] : from[j++];
        }
        shape *const swap = from;
        from = to, to = swap;
    }
    if (from == room && count) memcpy(all->item.data, room, count * sizeof *room);
    free(room);
    return true;
}

void shapes_set_role(shapes *all, size_t from, shape_role role)
{
    if (from < shapes_count(all)) all->objects++;
    for (size_t i = from; i < shapes_count(all); i++) {
        shape *const s = (shape *)(void *)all->item.data + i;
        s->role = role;
        s->object = all->objects;
    }
}

void shapes_number(shapes *all)
{
    int last = 0;
    all->objects = 0;
    for (size_t i = 0; i < shapes_count(all); i++) {
        shape *const s = (shape *)(void *)all->item.data + i;
        const bool again = s->object && s->object == last;
        last = s->object;
        if (s->kind != SHAPE_LINE && s->role == SHAPE_OBJECT && !again) all->objects++;
        s->object = s->role == SHAPE_OBJECT && (again || s->kind != SHAPE_LINE) ? all->objects : 0;
    }
}

void shapes_keep_object(shapes *all, int object)
{
    shape *const item = (shape *)(void *)all->item.data;
    size_t kept = 0;
    for (size_t i = 0; i < shapes_count(all); i++)
        if (item[i].role != SHAPE_OBJECT || item[i].object == object) item[kept++] = item[i];
    all->item.size = kept * sizeof *item;
}

/* ---- Boxes -------------------------------------------------------------------------------------- */

typedef struct bounds {
    double left, top, right, bottom;
} bounds;

/* Computes the bounds of all points of a shape's rings. */
static bounds points_bounds(const shapes *all, const shape *s)
{
    bounds b = {HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (size_t i = s->first; i < s->ends; i++) {
        const shape_ring *const ring = shapes_ring_at(all, i);
        for (size_t k = ring->first; k < ring->ends; k++) {
            const double *const p = shapes_point_at(all, k);
            b = (bounds){fmin(b.left, p[0]), fmin(b.top, p[1]), fmax(b.right, p[0]), fmax(b.bottom, p[1])};
        }
    }
    return b;
}

static const uint32_t *runs_of(const shapes *all, const shape *s)
{
    return (const uint32_t *)(const void *)all->run.data + s->first;
}

static bounds runs_bounds(const shapes *all, const shape *s)
{
    bounds b = {HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    const uint32_t *const run = runs_of(all, s);
    const uint64_t height = (uint64_t)s->height;
    uint64_t at = 0;
    for (size_t i = 0; i < s->ends - s->first; at += run[i++]) {
        if (i % 2 == 0 || !run[i]) continue;
        const uint64_t last = at + run[i] - 1;
        const bool same = at / height == last / height; /* the whole run is in one column */
        b.left = fmin(b.left, s->x + (double)(at / height));
        b.right = fmax(b.right, s->x + (double)(last / height) + 1);
        b.top = fmin(b.top, s->y + (same ? (double)(at % height) : 0));
        b.bottom = fmax(b.bottom, s->y + (same ? (double)(last % height) + 1 : (double)height));
    }
    return b;
}

static bounds circle_bounds(const shapes *all, const shape *s)
{
    const double *const p = shapes_point_at(all, shapes_ring_at(all, s->first)->first);
    const double r = hypot(p[2] - p[0], p[3] - p[1]);
    return (bounds){p[0] - r, p[1] - r, p[0] + r, p[1] + r};
}

static bounds bounds_of(const shapes *all, const shape *s)
{
    switch (s->kind) {
    case SHAPE_RUNS: return runs_bounds(all, s);
    case SHAPE_CIRCLE: return circle_bounds(all, s);
    default: return points_bounds(all, s);
    }
}

bool shapes_box(const shapes *all, size_t i, double box[4])
{
    const bounds b = bounds_of(all, shapes_at(all, i));
    if (!(b.left < b.right && b.top < b.bottom)) return false;
    box[0] = b.left;
    box[1] = b.top;
    box[2] = b.right - b.left;
    box[3] = b.bottom - b.top;
    return true;
}

/* ---- Painting ----------------------------------------------------------------------------------- */

/* Returns the first pixel whose middle is at `x` or right of it, limited to 0 .. most. */
static int first_pixel(double x, int most)
{
    return (int)fmin(fmax(ceil(x - 0.5), 0), most);
}

/* A rectangle of pixels whose middles lie within bounds, cut to the given rows. y counts rows of the whole picture. */
typedef struct window {
    int x, y, width, height;
} window;

static window window_of(bounds b, shape_rows rows)
{
    if (!(b.left < b.right && b.top < b.bottom)) return (window){0, 0, 0, 0};
    const int end = rows.above + rows.height, top = first_pixel(b.top, end);
    const int x = first_pixel(b.left, rows.width), y = top > rows.above ? top : rows.above;
    return (window){x, y, first_pixel(b.right, rows.width) - x, first_pixel(b.bottom, end) - y};
}

/* Returns where row y of the window begins in `out`, which holds the rows that are painted. */
static uint8_t *row_of(const window *in, int y, shape_rows rows, uint8_t *out)
{
    return out + (size_t)(y - rows.above) * (size_t)rows.width + in->x;
}

static void paint_bytes(uint8_t *row, int count, shape_paint paint)
{
    for (int x = 0; x < count; x++) row[x] = (uint8_t)((row[x] & ~paint.clear) | paint.set);
}

/* Adds one edge to `turns`. A value in `turns` counts for the winding number of its own pixel and of all pixels to the
 * right. */
static void add_edge(const double *a, const double *b, const window *in, int16_t *turns)
{
    const bool down = a[1] <= b[1];
    const double *const upper = down ? a : b, *const lower = down ? b : a;
    const double height = lower[1] - upper[1];
    const int from = first_pixel(upper[1], in->y + in->height), to = first_pixel(lower[1], in->y + in->height);
    for (int y = from < in->y ? in->y : from; y < to; y++) {
        const double x = upper[0] + (y + 0.5 - upper[1]) / height * (lower[0] - upper[0]);
        const int at = first_pixel(x, in->x + in->width);
        if (at >= in->x + in->width) continue;
        int16_t *const turn = turns + (size_t)(y - in->y) * (size_t)in->width + (size_t)(at > in->x ? at - in->x : 0);
        *turn = (int16_t)(*turn + (down ? 1 : -1));
    }
}

static bool paint_area(const shapes *all, const shape *s, shape_rows rows, shape_paint paint, uint8_t *out)
{
    const window in = window_of(points_bounds(all, s), rows);
    if (in.width < 1 || in.height < 1) return true;
    int16_t *const turns = calloc((size_t)in.width * (size_t)in.height, sizeof *turns);
    if (!turns) return false;
    for (size_t i = s->first; i < s->ends; i++) {
        const shape_ring *const ring = shapes_ring_at(all, i);
        for (size_t k = ring->first; k < ring->ends; k++)
            add_edge(shapes_point_at(all, k), shapes_point_at(all, k + 1 < ring->ends ? k + 1 : ring->first), &in,
                     turns);
    }
    for (int y = 0; y < in.height; y++) {
        uint8_t *const row = row_of(&in, in.y + y, rows, out);
        int winding = 0;
        for (int x = 0; x < in.width; x++) {
            winding += turns[(size_t)y * (size_t)in.width + (size_t)x];
            if (s->wound ? winding : winding & 1) paint_bytes(row + x, 1, paint);
        }
    }
    free(turns);
    return true;
}

static void paint_circle(const shapes *all, const shape *s, shape_rows rows, shape_paint paint, uint8_t *out)
{
    const double *const p = shapes_point_at(all, shapes_ring_at(all, s->first)->first);
    const double dx = p[2] - p[0], dy = p[3] - p[1], square = dx * dx + dy * dy;
    const window in = window_of(circle_bounds(all, s), rows);
    for (int y = in.y; y < in.y + in.height; y++)
        for (int x = in.x; x < in.x + in.width; x++) {
            const double u = x + 0.5 - p[0], v = y + 0.5 - p[1];
            if (u * u + v * v <= square) paint_bytes(row_of(&in, y, rows, out) + x - in.x, 1, paint);
        }
}

static void paint_box(const shapes *all, const shape *s, shape_rows rows, shape_paint paint, uint8_t *out)
{
    const window in = window_of(points_bounds(all, s), rows);
    for (int y = in.y; y < in.y + in.height && in.width > 0; y++)
        paint_bytes(row_of(&in, y, rows, out), in.width, paint);
}

/* Paints pixels `from` to `to` - 1 of a column, as far as they lie in the given rows. */
static void paint_column(int64_t column, int64_t from, int64_t to, shape_rows rows, shape_paint paint, uint8_t *out)
{
    const int64_t first = from > rows.above ? from - rows.above : 0;
    const int64_t end = to - rows.above < rows.height ? to - rows.above : rows.height;
    if (column < 0 || column >= rows.width) return;
    for (int64_t y = first; y < end; y++)
        paint_bytes(out + (size_t)y * (size_t)rows.width + (size_t)column, 1, paint);
}

static void paint_runs(const shapes *all, const shape *s, shape_rows rows, shape_paint paint, uint8_t *out)
{
    const uint32_t *const run = runs_of(all, s);
    const uint64_t h = (uint64_t)s->height, pixels = h * (uint64_t)s->width;
    uint64_t at = 0;
    for (size_t i = 0; i < s->ends - s->first; i++) {
        const uint64_t end = at + run[i] < pixels ? at + run[i] : pixels;
        while (i % 2 && at < end) {
            const uint64_t column = at / h, next = (column + 1) * h < end ? (column + 1) * h : end;
            paint_column(s->x + (int64_t)column, s->y + (int64_t)(at - column * h),
                         s->y + (int64_t)(next - column * h), rows, paint, out);
            at = next;
        }
        at = end;
    }
}

bool shapes_paint(const shapes *all, size_t i, shape_rows rows, shape_paint paint, uint8_t *out)
{
    const shape *const s = shapes_at(all, i);
    switch (s->kind) {
    case SHAPE_AREA: return paint_area(all, s, rows, paint, out);
    case SHAPE_RUNS: paint_runs(all, s, rows, paint, out); return true;
    case SHAPE_CIRCLE: paint_circle(all, s, rows, paint, out); return true;
    case SHAPE_BOX: paint_box(all, s, rows, paint, out); return true;
    case SHAPE_LINE: return true;
    }
    return true;
}
