/* SPDX-License-Identifier: MIT
 *
 * seeds_shapes.c - reads seeds from the shapes of an annotation file. Areas are filled, lines and points become strokes
 * of the brush, and pixels outside of all boxes are background. A shape is background or ignored if its label says so,
 * else foreground. Ignored pixels become unknown, whatever shapes covered them before.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "annotated.h"
#include "seeds_parts.h"

int seeds_open_shapes(const seeds_reading *r, picture *pic)
{
    const int width = r->photo->width, height = r->photo->height, slice = r->rows->slice;
    const annotation_request about = {.name = pic->name, .photo = r->photo_name, .label = r->request->label,
                                      .width = width, .height = height, .place = &r->photo->place,
                                      .rules = r->request->limits.rules};
    if (slice && height > slice)
        return fail(r->why, EXIT_SEEDS, "%s: is an annotation file, whose shapes lie in one picture, but %s has %d "
                    "slices; give a volume or a picture of seeds, strokes with --fg and --bg, or a box with --box "
                    "X,Y,Z,W,H,D", pic->name, r->photo_name, height / slice);
    if (pic->format == SEEDS_MASK) return annotated_mask(&about, &pic->image, r->log, r->why);
    if (pic->format != SEEDS_AUTO && pic->format != SEEDS_BOX)
        return fail(r->why, EXIT_SEEDS, "%s: is an annotation file, no picture, so there is no reading it as %s; name "
                    "box or mask, or leave the format out", pic->name, seeds_kinds[pic->format].name);
    int status = annotation_read(&about, pic->image.text.data, pic->image.text.size, &pic->shapes, r->log, r->why);
    bytes_free(&pic->image.text);
    if (!status) status = annotation_fit(&about, &pic->shapes, width, height, r->why);
    if (status) shapes_free(&pic->shapes);
    pic->drawn = !status;
    return status;
}

/* ---- Shapes in their order ----------------------------------------------------------------------- */

/* How the shapes of a file mark a pixel: its classes, and the classes that it had at any time. */
enum { FOREGROUND = 1, BACKGROUND = 2, WAS_FOREGROUND = 4, WAS_BACKGROUND = 8, IGNORED = 16, BOXED = 32 };

typedef struct drawing {
    const picture *pic;
    claims *all;
    uint8_t *plane; /* the marks, one byte a pixel; owned */
    bool last;      /* the last shape on a pixel decides its class */
    shape_paint paint;
} drawing;

/* The rows of the photo, or of a part of it. */
static shape_rows rows_of(const claims *all)
{
    return (shape_rows){all->width, (int)all->above, (int)all->height};
}

static bool is_box(const picture *pic, const shape *s)
{
    return s->role == SHAPE_OBJECT && (s->kind == SHAPE_BOX || pic->format == SEEDS_BOX);
}

static shape_paint paint_of(const drawing *d, shape_role role)
{
    if (role == SHAPE_IGNORED) return (shape_paint){FOREGROUND | BACKGROUND, IGNORED};
    const bool dark = role == SHAPE_BACKGROUND;
    const uint8_t set = dark ? BACKGROUND | WAS_BACKGROUND : FOREGROUND | WAS_FOREGROUND;
    return (shape_paint){(uint8_t)(IGNORED | (d->last ? FOREGROUND | BACKGROUND : 0)), set};
}

static void put_span(void *context, size_t first, size_t count)
{
    const drawing *const d = context;
    for (size_t p = first; p < first + count; p++)
        d->plane[p] = (uint8_t)((d->plane[p] & ~d->paint.clear) | d->paint.set);
}

/* Paints a line. Integers are pixel centres in strokes, but pixel corners in shapes, so half a pixel is subtracted. */
bool seeds_paint_line(const shapes *all, size_t number, const claims *rows, double radius, int *outside, seeds_put *put,
                      void *context)
{
    const shape *const s = shapes_at(all, number);
    for (size_t i = s->first; i < s->ends; i++) {
        const shape_ring *const ring = shapes_ring_at(all, i);
        const size_t numbers = (ring->ends - ring->first) * 2;
        const size_t axes = rows->slice ? 3 : 2; /* shapes lie in the first slice */
        double *const points = calloc(numbers / 2 * axes + 1, sizeof *points);
        if (!points) return false;
        for (size_t k = 0; k < numbers; k++)
            points[k / 2 * axes + k % 2] = shapes_point_at(all, ring->first)[k] - 0.5;
        const seeds_stroke stroke = {.points = points, .count = (int)(numbers / 2)};
        (void)seeds_paint_stroke(rows, &stroke, radius, outside, put, context);
        free(points);
    }
    return true;
}

static bool draw(drawing *d, double radius, int *outside)
{
    const shapes *const all = &d->pic->shapes;
    for (size_t i = 0; i < shapes_count(all); i++) {
        const shape *const s = shapes_at(all, i);
        if (is_box(d->pic, s)) continue;
        d->paint = paint_of(d, s->role);
        if (s->kind == SHAPE_LINE ? !seeds_paint_line(all, i, d->all, radius, outside, put_span, d)
                                  : !shapes_paint(all, i, rows_of(d->all), d->paint, d->plane)) return false;
    }
    return true;
}

static void claim_drawing(const drawing *d)
{
    const size_t pixels = (size_t)d->all->width * (size_t)d->all->height;
    seeds_part *const part = &d->all->part[d->all->current];
    const uint8_t *const plane = d->plane;
    for (size_t p = seeds_next_marked(plane, 0, pixels); p < pixels; p = seeds_next_marked(plane, p + 1, pixels)) {
        const uint8_t bits = plane[p];
        if (bits & FOREGROUND) claim(d->all, p, CLAIM_FOREGROUND);
        if (bits & BACKGROUND) claim(d->all, p, CLAIM_BACKGROUND);
        if (!claims_own(d->all, p)) continue;
        part->ignored += (bits & IGNORED) != 0;
        d->all->overruled += d->last && bits & WAS_FOREGROUND && bits & WAS_BACKGROUND;
    }
}

/* ---- Boxes --------------------------------------------------------------------------------------- */

static bool draw_boxes(drawing *d, bool *boxed)
{
    const shapes *const from = &d->pic->shapes;
    shapes boxes = {0};
    bool room = true;
    for (size_t i = 0; room && i < shapes_count(from); i++) {
        double box[4];
        if (!is_box(d->pic, shapes_at(from, i)) || !shapes_box(from, i, box)) continue;
        const double at[] = {box[0], box[1], box[0] + box[2], box[1] + box[3]};
        room = shapes_add_ring(&boxes, SHAPE_BOX, at, 2) &&
               shapes_paint(&boxes, shapes_count(&boxes) - 1, rows_of(d->all), (shape_paint){0, BOXED},
                                    d->plane);
    }
    *boxed = shapes_count(&boxes) > 0;
    shapes_free(&boxes);
    return room;
}

/* Claims as background the pixels outside of all boxes that no other shape of the file covers. All other claims
 * overrule these. */
static void claim_outside(drawing *d)
{
    claims *const all = d->all;
    const size_t pixels = (size_t)all->width * (size_t)all->height;
    const uint16_t source = all->source;
    all->boxed = true;
    all->source = 0;
    for (size_t p = 0; p < pixels; p++)
        if (!d->plane[p]) claim(all, p, CLAIM_OUTSIDE);
    all->source = source;
}

/* ---- The whole ----------------------------------------------------------------------------------- */

int seeds_read_shapes(const seeds_request *request, const picture *pic, claims *all, notes *log, failure *why)
{
    int outside = 0;
    bool boxed = false;
    drawing d = {.pic = pic, .all = all, .last = request->conflict == CONFLICT_LAST,
                 .plane = calloc((size_t)all->width * (size_t)all->height, 1)};
    claims_begin(all, pic->name, pic->format == SEEDS_BOX ? "box" : "annotation");
    const bool room = d.plane && draw_boxes(&d, &boxed) && draw(&d, fmax(request->brush, 0.5), &outside);
    if (room && boxed) claim_outside(&d);
    if (room) claim_drawing(&d);
    free(d.plane);
    if (!room) return fail(why, EXIT_RESOURCES, "%s: not enough memory for its shapes", pic->name);
    if (pic->shapes.left_out) snprintf(all->found, sizeof all->found, "%.150s", pic->shapes.reason);
    if (pic->format == SEEDS_BOX && !all->boxed)
        return fail(why, EXIT_SEEDS, "%s: has no shape around which there could be a box", pic->name);
    if (outside) note(log, "%s: %d of its points lie outside the photo", pic->name, outside);
    return EXIT_DONE;
}
