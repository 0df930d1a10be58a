/* SPDX-License-Identifier: MIT
 *
 * label_shapes.c - see label_seeds.h: reads labels from the shapes of an annotation file. Their labels or categories
 * become the labels.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "annotation.h"
#include "file.h"
#include "label_seeds.h"
#include "seeds_parts.h"

typedef struct drawing {
    label_seeds *seeds;
    shapes all;
    double radius;
    uint8_t value;
    int outside; /* number of points outside of the photo */
} drawing;

static void put(void *context, size_t first, size_t count)
{
    const drawing *const d = context;
    memset(d->seeds->value + first, d->value, count);
}

/* Draws shape i. Returns false if memory runs out. */
static bool draw(drawing *d, size_t i)
{
    const label_seeds *const s = d->seeds;
    const claims rows = {.width = s->width, .height = s->height, .whole_height = s->height, .scale = {1, 1, 1}};
    if (shapes_at(&d->all, i)->kind == SHAPE_LINE)
        return seeds_paint_line(&d->all, i, &rows, fmax(d->radius, 0.5), &d->outside, put, d);
    return shapes_paint(&d->all, i, (shape_rows){s->width, 0, s->height}, (shape_paint){255, d->value}, s->value);
}

/* Draws the shapes of one label and adds their number to *drawn. `label` NULL: draws the shapes to be ignored, which
 * make everything below them unknown. */
static int draw_label(const annotation_request *file, const bytes *text, const char *label, drawing *d, int64_t *drawn,
                      failure *why)
{
    annotation_request request = *file;
    failure none = {0};
    request.label = label, request.labels = NULL;
    const int status = annotation_read(&request, text->data, text->size, &d->all, NULL, &none);
    if (status == EXIT_SEEDS) return EXIT_DONE; /* the file has a category without shapes */
    if (status) return *why = none, status;
    bool room = true;
    for (size_t i = 0; room && i < shapes_count(&d->all); i++) {
        if (shapes_at(&d->all, i)->role != (label ? SHAPE_OBJECT : SHAPE_IGNORED)) continue;
        room = draw(d, i), ++*drawn;
    }
    shapes_free(&d->all);
    return room ? EXIT_DONE : fail(why, EXIT_RESOURCES, "%s: not enough memory to paint its shapes", file->name);
}

/* Refuses boxes, because a box does not show which pixels belong to its object. Adds the number of shapes of objects
 * and background to *count. */
static int check_shapes(const annotation_request *file, const bytes *text, const label_seeds *of, int64_t *count,
                        notes *log, failure *why)
{
    shapes all;
    int status = annotation_read(file, text->data, text->size, &all, log, why), boxes = 0;
    if (status) return status;
    status = annotation_fit(file, &all, of->width, of->height, why);
    for (size_t i = 0; i < shapes_count(&all); i++) {
        boxes += shapes_at(&all, i)->kind == SHAPE_BOX;
        *count += shapes_at(&all, i)->role != SHAPE_IGNORED;
    }
    shapes_free(&all);
    if (!status && boxes)
        status = fail(why, EXIT_SEEDS, "%s: %d of its shapes are boxes, which are no strokes; draw areas, lines "
                      "or points", file->name, boxes);
    return status;
}

int label_shapes_read(const label_request *request, const bytes *text, const char *photo, label_seeds *out, notes *log,
                      failure *why)
{
    annotation_labels labels = {.lacks = false};
    const annotation_request file = {.name = file_input_name(request->map), .photo = photo, .width = out->width,
                                     .height = out->height, .place = request->place,
                                     .rules = request->limits->rules, .labels = &labels};
    drawing d = {.seeds = out, .radius = request->radius};
    int64_t count = 0, drawn = 0, ignored = 0;
    int status = check_shapes(&file, text, out, &count, log, why);
    if (!status && labels.lacks)
        status = fail(why, EXIT_RESOURCES, "%s: not enough memory for its labels", file.name);
    for (size_t at = 0; !status && at < labels.names.size; at += strlen((char *)labels.names.data + at) + 1) {
        const char *const name = (const char *)labels.names.data + at;
        shape_role role;
        (void)annotation_wants(&(annotation_request){.label = NULL}, name, &role);
        if (role == SHAPE_IGNORED) continue;
        status = label_number(out, file.name, name, &d.value, why);
        if (!status) status = draw_label(&file, text, name, &d, &drawn, why);
    }
    d.value = 0;
    if (!status) status = draw_label(&file, text, NULL, &d, &ignored, why);
    if (!status && drawn < count)
        status = fail(why, EXIT_SEEDS, "%s: %lld of its shapes have no label, so which object they are is not told",
                      file.name, (long long)(count - drawn));
    if (!status && d.outside) note(log, "%s: %d of its points lie outside the photo", file.name, d.outside);
    bytes_free(&labels.names);
    return status;
}
