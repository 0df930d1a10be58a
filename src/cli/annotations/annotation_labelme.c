/* SPDX-License-Identifier: MIT
 *
 * annotation_labelme.c - LabelMe's JSON: {"shapes": [{"label", "points": [[x, y], ...], "shape_type"}], "imagePath",
 * "imageWidth", "imageHeight"}. Its polygons have no holes, so an object with holes becomes a keyhole (keyhole.h).
 */
#include <string.h>

#include "annotation.h"
#include "keyhole.h"

/* ---- Reading ------------------------------------------------------------------------------------ */

static const struct {
    const char *name;
    shape_kind kind;
    size_t least, most; /* points */
} types[] = {
    {"polygon", SHAPE_AREA, 3, SIZE_MAX}, {"rectangle", SHAPE_BOX, 2, 4}, {"circle", SHAPE_CIRCLE, 2, 2},
    {"line", SHAPE_LINE, 2, 2}, {"linestrip", SHAPE_LINE, 1, SIZE_MAX}, {"point", SHAPE_LINE, 1, 1},
    {"points", SHAPE_LINE, 1, SIZE_MAX},
};

static int read_points(json_reader *r, shapes *out)
{
    STEP(json_enter(r, '['));
    if (!shapes_begin_ring(out)) return annotation_no_memory(r);
    while (json_more(r)) STEP(annotation_read_position(r, out));
    return r->status;
}

/* The points of a shape of type "points" are separate dots, not a line, so each becomes a ring. */
static int part_points(json_reader *r, shapes *out)
{
    const shape *const s = shapes_last(out);
    const shape_ring all = *shapes_ring_at(out, s->first);
    for (size_t i = all.first + 1; i < all.ends; i++) {
        const shape_ring ring = {i, i + 1};
        if (!bytes_append(&out->ring, &ring, sizeof ring)) return annotation_no_memory(r);
        shapes_last(out)->ends++;
    }
    if (all.first < all.ends) ((shape_ring *)(void *)out->ring.data)[shapes_last(out)->first].ends = all.first + 1;
    return EXIT_DONE;
}

/* Makes the shape, when all its members are read. */
static int finish_shape(json_reader *r, const char *type, bool wanted, bool background, shapes *out)
{
    shape *const s = shapes_last(out);
    size_t row = 0, count = 0;
    while (row < sizeof types / sizeof *types && strcmp(types[row].name, type)) row++;
    if (row == sizeof types / sizeof *types)
        return json_refuse(r, "a shape of the type '%.40s'; polygon, rectangle, circle, line, linestrip, point and "
                           "points are read", type);
    if (s->first == s->ends) return json_refuse(r, "a shape without \"points\"");
    const shape_ring *const ring = shapes_ring_at(out, s->first);
    count = ring->ends - ring->first;
    if (count < types[row].least || count > types[row].most)
        return json_refuse(r, "a %s of %zu points", types[row].name, count);
    s->kind = types[row].kind;
    s->background = background;
    if (!wanted) shapes_drop_last(out);
    else if (!strcmp(type, "points")) return part_points(r, out);
    return EXIT_DONE;
}

static int read_shape(const annotation_request *request, json_reader *r, shapes *out)
{
    char type[48] = "polygon";
    bool background = false, wanted = annotation_wants(request, NULL, &background);
    STEP(json_enter(r, '{'));
    if (!shapes_begin(out, SHAPE_AREA)) return annotation_no_memory(r);
    while (json_more(r)) {
        if (json_is_key(r, "label") && json_kind(r) == '"') {
            STEP(json_string(r));
            wanted = annotation_wants(request, (const char *)r->text.data, &background);
        } else if (json_is_key(r, "shape_type") && json_kind(r) == '"') {
            STEP(json_string(r));
            strncpy(type, (const char *)r->text.data, sizeof type - 1);
        } else if (json_is_key(r, "points") && shapes_last(out)->first == shapes_last(out)->ends) {
            STEP(read_points(r, out));
        } else {
            STEP(json_skip(r));
        }
    }
    STEP(r->status);
    return finish_shape(r, type, wanted, background, out);
}

static int read(const annotation_request *request, json_reader *r, shapes *out, notes *log)
{
    (void)log;
    STEP(json_enter(r, '{'));
    while (json_more(r)) {
        if (json_is_key(r, "imageWidth")) {
            STEP(annotation_side(r, &out->width));
        } else if (json_is_key(r, "imageHeight")) {
            STEP(annotation_side(r, &out->height));
        } else if (json_is_key(r, "shapes")) {
            STEP(json_enter(r, '['));
            while (json_more(r)) STEP(read_shape(request, r, out));
            STEP(r->status);
        } else {
            STEP(json_skip(r));
        }
    }
    return r->status;
}

/* ---- Writing ------------------------------------------------------------------------------------ */

typedef struct writing {
    json j;
    const char *label;
} writing;

static void put_shape(void *to, const int32_t *corner, size_t count)
{
    writing *const w = to;
    json *const j = &w->j;
    json_open(j, NULL, '{');
    json_text(j, "label", w->label);
    json_open(j, "points", '[');
    for (size_t i = 0; i < count; i += 2) json_integers(j, NULL, corner + i, 2);
    json_close(j, ']');
    json_null(j, "group_id");
    json_text(j, "shape_type", "polygon");
    json_open(j, "flags", '{');
    json_close(j, '}');
    json_close(j, '}');
}

static int write(const annotation_about *about, const uint8_t *mask, bytes *sink, failure *why)
{
    writing w = {{.out = *sink}, about->label};
    json *const j = &w.j;
    json_open(j, NULL, '{');
    json_text(j, "version", "5.1.1"); /* the version of LabelMe with this format */
    json_open(j, "flags", '{');
    json_close(j, '}');
    json_open(j, "shapes", '[');
    const bool room = keyholes(mask, about->width, about->height, put_shape, &w);
    json_close(j, ']');
    json_text(j, "imagePath", about->photo);
    json_null(j, "imageData");
    json_integer(j, "imageHeight", about->height);
    json_integer(j, "imageWidth", about->width);
    return annotation_write_end(j, sink, room, why);
}

const annotation_format annotation_labelme = {
    .name = "labelme",
    .line = "LabelMe  read, write  polygons, rectangles, circles, lines, points",
    .extensions = " .labelme.json ",
    .keys = " shapes ",
    .read = read,
    .write = write,
};
