/* SPDX-License-Identifier: MIT
 *
 * annotation_labelme.c - LabelMe's JSON: {"shapes": [{"label", "points": [[x, y], ...], "shape_type"}], "imagePath",
 * "imageWidth", "imageHeight"}. A shape of the type "mask" is a picture in base64, which lies at the shape's first
 * point. Polygons have no holes, so the outline of an object with holes becomes a keyhole: one ring that reaches each
 * hole by a cut (keyhole.h).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotation.h"
#include "image.h"
#include "keyhole.h"
#include "pixel.h"

/* ---- Reading ------------------------------------------------------------------------------------ */

static const struct {
    const char *name;
    shape_kind kind;
    size_t least, most; /* the fewest and the most points of this type */
} types[] = {
    {"polygon", SHAPE_AREA, 3, SIZE_MAX}, {"rectangle", SHAPE_BOX, 2, 4}, {"circle", SHAPE_CIRCLE, 2, 2},
    {"line", SHAPE_LINE, 2, 2}, {"linestrip", SHAPE_LINE, 1, SIZE_MAX}, {"point", SHAPE_LINE, 1, 1},
    {"points", SHAPE_LINE, 1, SIZE_MAX}, {"mask", SHAPE_RUNS, 1, 2}, {"oriented_rectangle", SHAPE_AREA, 4, 5},
    {"rotation", SHAPE_AREA, 4, 5}, {"quadrilateral", SHAPE_AREA, 4, 5},
};

enum { TYPES = sizeof types / sizeof *types };

/* One shape, while its members are read. */
typedef struct labelme {
    const annotation_request *request;
    json_reader *r;
    shapes *out;
    char type[48];
    bool wanted;
    shape_role role;
    json_mark mask; /* where the mask's picture begins in the text */
} labelme;

static int read_points(json_reader *r, shapes *out)
{
    STEP(json_enter(r, '['));
    if (!shapes_begin_ring(out)) return annotation_no_memory(r);
    while (json_more(r)) STEP(annotation_read_position(r, out));
    return r->status;
}

/* Gives each point of a shape of the type "points" a ring of its own, because the points are separate dots,
 * not a line. */
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

/* Decodes base64 in place. Returns the number of bytes, or -1 if the text is not base64. */
static ptrdiff_t decode_base64(uint8_t *text)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t bits = 0;
    int count = 0;
    uint8_t *to = text;
    for (const uint8_t *from = text; *from && *from != '='; from++) {
        if (*from == '\n' || *from == '\r') continue;
        const char *const letter = strchr(letters, *from);
        if (!letter) return -1;
        bits = bits << 6 | (uint32_t)(letter - letters);
        count += 6;
        if (count >= 8) *to++ = (uint8_t)(bits >> (count -= 8));
    }
    return to - text;
}

/* Finds the pixels of a mask's picture that are inside: those that are neither black nor transparent. If all pixels
 * that are not transparent are black, the mask is drawn in black, and these are inside. */
static void find_inside(const image *pic, size_t pixels, uint8_t *inside)
{
    bool black = true, clear = false;
    for (size_t p = 0; p < pixels; p++) {
        const uint32_t argb = picture_argb(pic, p);
        inside[p] = !(argb >> 24) ? 0 : argb & 0xffffff ? 2 : 1;
        black = black && inside[p] < 2;
        clear = clear || !inside[p];
    }
    for (size_t p = 0; p < pixels; p++) inside[p] = inside[p] > !(black && clear);
}

int annotation_read_picture(json_reader *r, const json_mark *text, const int at[4], shapes *out)
{
    const json_mark here = json_here(r);
    const image_limits limits = {.max_pixels = 0};
    image pic = {0};
    failure why = {0};
    json_go(r, text);
    STEP(json_string(r));
    const bool address = !strncmp((const char *)r->text.data, "data:image/", 11);
    const char *const comma = address ? strchr((const char *)r->text.data, ',') : NULL;
    if (comma) memmove(r->text.data, comma + 1, strlen(comma));
    const ptrdiff_t size = decode_base64(r->text.data);
    if (size < 0) return json_refuse(r, "a mask that is no base64");
    const int status = image_decode(r->name, r->text.data, (size_t)size, &limits, &pic, NULL, &why);
    if (status == EXIT_RESOURCES) return *r->why = why, status;
    if (status) return json_refuse(r, "a mask that is no picture");
    if (at[2] && (abs(pic.width - at[2]) > 1 || abs(pic.height - at[3]) > 1)) {
        const int is[2] = {pic.width, pic.height};
        image_free(&pic);
        return json_refuse(r, "a mask of %dx%d pixels between points of %dx%d", is[0], is[1], at[2], at[3]);
    }
    const size_t pixels = (size_t)pic.width * (size_t)pic.height;
    uint8_t *const inside = malloc(pixels);
    if (inside) find_inside(&pic, pixels, inside);
    const bool room = inside && shapes_add_pixels(out, at[0], at[1], pic.width, pic.height, inside);
    free(inside);
    image_free(&pic);
    json_go(r, &here);
    return room ? EXIT_DONE : annotation_no_memory(r);
}

/* Replaces the shape by the pixels of its picture. The picture's upper left pixel is at the first point; the second
 * point, if there is one, is its last pixel. */
static int take_mask(labelme *l)
{
    const shape_ring *const ring = shapes_ring_at(l->out, shapes_last(l->out)->first);
    const bool both = ring->ends - ring->first == 2;
    int at[4] = {0};
    for (int k = 0; k < 2; k++) {
        const double first = shapes_point_at(l->out, ring->first)[k];
        const double last = both ? shapes_point_at(l->out, ring->first + 1)[k] : first;
        at[k] = (int)floor(fmin(first, last));
        if (both) at[2 + k] = (int)floor(fabs(last - first)) + 1;
    }
    if (!l->mask.at) return json_refuse(l->r, "a mask without \"mask\"");
    l->out->item.size -= sizeof(shape); /* the shape's points stay in memory, unused */
    return annotation_read_picture(l->r, &l->mask, at, l->out);
}

/* A rectangle has two opposite corners, or all four. If its sides are aslant, it is an area. */
static shape_kind kind_of_rectangle(const shapes *all, const shape_ring *ring)
{
    for (size_t i = ring->first; ring->ends - ring->first == 4 && i < ring->ends; i++) {
        const double *const a = shapes_point_at(all, i), *const b = shapes_point_at(all, i + 1 < ring->ends ? i + 1
                                                                                                    : ring->first);
        if (fabs(a[0] - b[0]) > .01 && fabs(a[1] - b[1]) > .01) return SHAPE_AREA;
    }
    return SHAPE_BOX;
}

/* Completes the shape after all its members have been read. */
static int finish_shape(labelme *l)
{
    json_reader *const r = l->r;
    shape *const s = shapes_last(l->out);
    size_t row = 0, count = 0;
    while (row < TYPES && strcmp(types[row].name, l->type)) row++;
    if (row == TYPES)
        return json_refuse(r, "a shape of the type '%.40s'; polygon, rectangle, circle, line, linestrip, point, points "
                           "and mask are read", l->type);
    if (s->first == s->ends) return json_refuse(r, "a shape without \"points\"");
    const shape_ring *const ring = shapes_ring_at(l->out, s->first);
    count = ring->ends - ring->first;
    if (count < types[row].least || count > types[row].most)
        return json_refuse(r, "a %s of %zu point%s", types[row].name, count, count == 1 ? "" : "s");
    if (types[row].kind == SHAPE_RUNS) {
        STEP(take_mask(l));
    } else {
        s->kind = types[row].kind == SHAPE_BOX ? kind_of_rectangle(l->out, ring) : types[row].kind;
        if (!strcmp(l->type, "points")) STEP(part_points(r, l->out));
    }
    shapes_last(l->out)->role = l->role;
    return EXIT_DONE;
}

static int read_shape(void *context)
{
    labelme *const l = context;
    json_reader *const r = l->r;
    const shapes_mark before = shapes_now(l->out);
    strcpy(l->type, "polygon");
    l->wanted = annotation_wants(l->request, NULL, &l->role);
    l->mask = (json_mark){NULL, 0, 0};
    STEP(json_enter(r, '{'));
    if (!shapes_begin(l->out, SHAPE_AREA)) return annotation_no_memory(r);
    while (json_more(r)) {
        if (json_is_key(r, "mask") && json_kind(r) == '"') l->mask = json_here(r);
        if (json_has_text(r, "label"))
            l->wanted = annotation_wants(l->request, (const char *)r->text.data, &l->role);
        else if (json_has_text(r, "shape_type"))
            snprintf(l->type, sizeof l->type, "%s", (const char *)r->text.data);
        else if (json_is_key(r, "points") && shapes_last(l->out)->first == shapes_last(l->out)->ends)
            STEP(read_points(r, l->out));
    }
    STEP(r->status);
    if (l->wanted) return finish_shape(l);
    shapes_cut(l->out, before);
    return EXIT_DONE;
}

static int read_path(labelme *l, notes *log)
{
    annotation_pictures only = {0};
    const char *const name = (const char *)l->r->text.data;
    annotation_offer(&only, name, annotation_rank(l->request, &only, name));
    const int status = annotation_decide(l->request, &only, log, l->r->why);
    annotation_pictures_free(&only);
    return status;
}

static int read_labelme(const annotation_request *request, json_reader *r, shapes *out, notes *log)
{
    labelme l = {.request = request, .r = r, .out = out};
    for (json_enter(r, '{'); json_more(r);) {
        if (json_is_key(r, "imageWidth")) STEP(annotation_side(r, &out->width));
        if (json_is_key(r, "imageHeight")) STEP(annotation_side(r, &out->height));
        if (json_has_text(r, "imagePath")) STEP(read_path(&l, log));
        if (!json_is_key(r, "shapes")) continue;
        for (json_enter(r, '['); json_more(r);) STEP(annotation_try(request, r, out, read_shape, &l));
        STEP(r->status);
    }
    return r->status;
}

/* ---- Writing ------------------------------------------------------------------------------------ */

typedef struct writing {
    json j;
    const char *label;
} writing;

static void put_shape(void *to, const int32_t *corner, size_t count, int unit)
{
    writing *const w = to;
    json *const j = &w->j;
    json_open(j, NULL, '{');
    json_text(j, "label", w->label);
    json_open(j, "points", '[');
    for (size_t i = 0; i < count; i += 2) json_fixed(j, NULL, corner + i, 2, unit);
    json_close(j, ']');
    json_null(j, "group_id");
    json_text(j, "shape_type", "polygon");
    json_open(j, "flags", '{');
    json_close(j, '}');
    json_close(j, '}');
}

static int write(const annotation_about *about, const uint8_t *mask, bytes *sink, failure *why)
{
    writing w = {.j = {.out = *sink}};
    json *const j = &w.j;
    const uint8_t *one;
    bool room = true;
    json_open(j, NULL, '{');
    json_text(j, "version", "5.1.1"); /* the version of LabelMe that writes this format */
    json_open(j, "flags", '{');
    json_close(j, '}');
    json_open(j, "shapes", '[');
    for (int i = 0; room && annotation_take(about, mask, i, &w.label, &one); i++)
        room = keyholes(one, about->alpha, about->width, about->height, put_shape, &w);
    json_close(j, ']');
    json_text(j, "imagePath", about->photo);
    json_null(j, "imageData");
    json_integer(j, "imageHeight", about->height);
    json_integer(j, "imageWidth", about->width);
    return annotation_write_end(j, sink, room, why);
}

const annotation_format annotation_labelme = {
    .name = "labelme",
    .line = "LabelMe  read, write  polygons, rectangles, circles, lines, points, masks",
    .named = true,
    .extensions = " .labelme.json ",
    .keys = " shapes ",
    .read = read_labelme,
    .many = true,
    .write = write,
};
