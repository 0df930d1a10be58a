/* SPDX-License-Identifier: MIT
 *
 * seeds_shapes.c - seeds drawn as shapes in an annotation file. Areas are filled, lines and points are strokes of the
 * brush, and the outside of all boxes is background. Shapes with the label background are background; all others are
 * foreground.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "annotated.h"
#include "seeds_parts.h"

int seeds_open_shapes(const seeds_request *request, const image *photo, const char *photo_name, picture *pic,
                      notes *log, failure *why)
{
    const annotation_request about = {pic->name, photo_name, request->label};
    if (pic->format == SEEDS_MASK) return annotated_mask(&about, photo->width, photo->height, &pic->image, log, why);
    if (pic->format != SEEDS_AUTO && pic->format != SEEDS_BOX)
        return fail(why, EXIT_SEEDS, "%s: is an annotation file, no picture, so there is no reading it as %s; name box "
                    "or mask, or leave the format out", pic->name, seeds_format_name(pic->format));
    int status = annotation_read(&about, pic->image.text.data, pic->image.text.size, &pic->shapes, log, why);
    bytes_free(&pic->image.text);
    if (!status) status = annotation_check_size(&about, &pic->shapes, photo->width, photo->height, why);
    if (status) shapes_free(&pic->shapes);
    return status;
}

/* ---- Areas and boxes ----------------------------------------------------------------------------- */

/* All rows of the photo, or those of a part of it. */
static shape_rows rows_of(const claims *all)
{
    return (shape_rows){all->width, all->above, all->height};
}

/* Fills the pixels of a box. */
static bool paint_box(const double box[4], shape_rows rows, uint8_t *out)
{
    shapes one = {0};
    const bool room =
        shapes_begin(&one, SHAPE_BOX) && shapes_begin_ring(&one) && shapes_add_point(&one, box[0], box[1]) &&
        shapes_add_point(&one, box[0] + box[2], box[1] + box[3]) && shapes_paint(&one, 0, rows, out);
    shapes_free(&one);
    return room;
}

static bool is_box(const picture *pic, const shape *s)
{
    return !s->background && (s->kind == SHAPE_BOX || pic->format == SEEDS_BOX);
}

/* Claims as background what is outside all boxes; `plane` has room for one byte per pixel. */
static bool claim_outside(const picture *pic, claims *all, uint8_t *plane)
{
    const size_t pixels = (size_t)all->width * (size_t)all->height;
    memset(plane, 0, pixels);
    for (size_t i = 0; i < shapes_count(&pic->shapes); i++) {
        double box[4];
        if (!is_box(pic, shapes_at(&pic->shapes, i)) || !shapes_box(&pic->shapes, i, box)) continue;
        if (!paint_box(box, rows_of(all), plane)) return false;
        all->boxed = true;
    }
    for (size_t p = 0; all->boxed && p < pixels; p++)
        if (!plane[p]) claim(all, p, CLAIM_OUTSIDE);
    return true;
}

static bool claim_areas(const picture *pic, bool background, claims *all, uint8_t *plane)
{
    const size_t pixels = (size_t)all->width * (size_t)all->height;
    memset(plane, 0, pixels);
    for (size_t i = 0; i < shapes_count(&pic->shapes); i++) {
        const shape *const s = shapes_at(&pic->shapes, i);
        if (s->background != background || is_box(pic, s)) continue;
        if (!shapes_paint(&pic->shapes, i, rows_of(all), plane)) return false;
    }
    for (size_t p = 0; p < pixels; p++)
        if (plane[p]) claim(all, p, background ? CLAIM_BACKGROUND : CLAIM_FOREGROUND);
    return true;
}

/* ---- Lines --------------------------------------------------------------------------------------- */

/* Coordinates of strokes mean the middle of pixels, so they are half a pixel less than here. */
static bool claim_line(const picture *pic, const shape *s, double radius, claims *all, int *outside)
{
    for (size_t i = s->first; i < s->ends; i++) {
        const shape_ring *const ring = shapes_ring_at(&pic->shapes, i);
        seeds_stroke stroke = {.foreground = !s->background, .count = (int)(ring->ends - ring->first)};
        stroke.points = malloc((ring->ends - ring->first) * 2 * sizeof *stroke.points + 1);
        if (!stroke.points) return false;
        for (size_t k = 0; k < 2 * (ring->ends - ring->first); k++)
            stroke.points[k] = shapes_point_at(&pic->shapes, ring->first)[k] - 0.5;
        (void)seeds_paint_stroke(all, &stroke, radius, outside);
        free(stroke.points);
    }
    return true;
}

static bool claim_lines(const picture *pic, double brush, claims *all, int *outside)
{
    bool room = true;
    for (size_t i = 0; room && i < shapes_count(&pic->shapes); i++) {
        const shape *const s = shapes_at(&pic->shapes, i);
        if (s->kind == SHAPE_LINE && !is_box(pic, s)) room = claim_line(pic, s, fmax(brush, 0.5), all, outside);
    }
    return room;
}

/* ---- The whole ----------------------------------------------------------------------------------- */

int seeds_read_shapes(const seeds_request *request, const picture *pic, claims *all, notes *log, failure *why)
{
    int outside = 0;
    uint8_t *const plane = malloc((size_t)all->width * (size_t)all->height);
    claims_begin(all, pic->name, pic->format == SEEDS_BOX ? "box" : "annotation");
    const bool room = plane && claim_outside(pic, all, plane) && claim_areas(pic, false, all, plane) &&
                      claim_areas(pic, true, all, plane) &&
                      claim_lines(pic, request->brush, all, &outside);
    free(plane);
    if (!room) return fail(why, EXIT_RESOURCES, "%s: not enough memory for its shapes", pic->name);
    if (pic->format == SEEDS_BOX && !all->boxed)
        return fail(why, EXIT_SEEDS, "%s: has no shape around which there could be a box", pic->name);
    if (outside) note(log, "%s: %d of its points lie outside the photo", pic->name, outside);
    return EXIT_DONE;
}
