/* SPDX-License-Identifier: MIT
 *
 * annotation_via.c - JSON of the VGG Image Annotator, versions 1 and 2: {KEY: {"filename", "regions": [{
 * "shape_attributes": {"name": "polygon", "all_points_x", "all_points_y"}, "region_attributes"}]}}, alone or under
 * "_via_img_metadata". Regions may be an object instead of a list. Every text or number in
 * "region_attributes" is a label. Version 3 writes other projects, which are refused by name.
 */
#include <string.h>

#include "annotation.h"

typedef struct via {
    const annotation_request *request;
    json_reader *r;
    shapes *out;
    annotation_pictures pictures;
    bool chosen;
} via;

/* ---- One region ---------------------------------------------------------------------------------- */

enum { X, Y, WIDTH, HEIGHT, CX, CY, R, RX, RY, THETA, MEMBERS };

static const char *const members[MEMBERS] = {"x", "y", "width", "height", "cx", "cy", "r", "rx", "ry", "theta"};

typedef struct attributes {
    char name[16];
    double value[MEMBERS];
    bool given[MEMBERS];
    json_mark xs, ys;
} attributes;

static int read_attributes(json_reader *r, attributes *a)
{
    for (json_enter(r, '{'); json_more(r);) {
        int member = 0;
        while (member < MEMBERS && !json_is_key(r, members[member])) member++;
        if (json_is_key(r, "all_points_x")) a->xs = json_here(r);
        if (json_is_key(r, "all_points_y")) a->ys = json_here(r);
        if (json_has_text(r, "name")) strncpy(a->name, (const char *)r->text.data, sizeof a->name - 1);
        if (member == MEMBERS || json_kind(r) != '0') continue;
        STEP(annotation_coordinate(r, &a->value[member]));
        a->given[member] = true;
    }
    return r->status;
}

/* Reads a list of x and a list of y as one ring. */
static int add_points(via *v, const attributes *a, shape_kind kind)
{
    json_reader *const r = v->r;
    const json_mark here = json_here(r);
    size_t count = 0;
    if (!a->xs.at || !a->ys.at) return json_refuse(r, "a %s without all_points_x and all_points_y", a->name);
    if (!shapes_begin(v->out, kind) || !shapes_begin_ring(v->out)) return annotation_no_memory(r);
    const size_t first = v->out->point.size / sizeof(double);
    for (int y = 0; y < 2; y++) {
        size_t i = 0;
        json_go(r, y ? &a->ys : &a->xs);
        for (json_enter(r, '['); json_more(r); i++) {
            double at;
            STEP(annotation_coordinate(r, &at));
            if (!y && !shapes_add_point(v->out, at, 0)) return annotation_no_memory(r);
            if (y && i < count) ((double *)(void *)v->out->point.data)[first + 2 * i + 1] = at;
        }
        STEP(r->status);
        if (y && i != count) return json_refuse(r, "a %s of %zu x and %zu y", a->name, count, i);
        count = i;
    }
    json_go(r, &here);
    const size_t least = kind == SHAPE_AREA ? 3 : 1;
    return count < least ? json_refuse(r, "a %s of %zu point%s", a->name, count, count == 1 ? "" : "s") : EXIT_DONE;
}

static int add_ring(via *v, shape_kind kind, const double *at, int count)
{
    return shapes_add_ring(v->out, kind, at, count) ? EXIT_DONE : annotation_no_memory(v->r);
}

static int add_shape(via *v, const attributes *a)
{
    static const struct { const char *name; int first, count; } needs[] = {
        {"rect", X, 4}, {"circle", CX, 3}, {"ellipse", RX, 2}, {"point", CX, 2}};
    const double *const n = a->value;
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
        for (int k = 0; !strcmp(a->name, needs[i].name) && k < needs[i].count; k++)
            if (!a->given[needs[i].first + k])
                return json_refuse(v->r, "a %s without %s", a->name, members[needs[i].first + k]);
    if (!strcmp(a->name, "polygon")) return add_points(v, a, SHAPE_AREA);
    if (!strcmp(a->name, "polyline")) return add_points(v, a, SHAPE_LINE);
    if (!strcmp(a->name, "rect"))
        return add_ring(v, SHAPE_BOX, (double[]){n[X], n[Y], n[X] + n[WIDTH], n[Y] + n[HEIGHT]}, 2);
    if (!strcmp(a->name, "circle")) return add_ring(v, SHAPE_CIRCLE, (double[]){n[CX], n[CY], n[CX] + n[R], n[CY]}, 2);
    if (!strcmp(a->name, "point")) return add_ring(v, SHAPE_LINE, &n[CX], 1);
    if (!strcmp(a->name, "ellipse")) /* theta is in radians */
        return shapes_add_ellipse(v->out, &n[CX], &n[RX], n[THETA]) ? EXIT_DONE : annotation_no_memory(v->r);
    return json_refuse(v->r, "a region of the shape '%s'", a->name);
}

/* Reads labels. Every text and every number is a label, and so is every key whose value is true: that is a
 * ticked checkbox. */
static int read_labels(const annotation_request *request, json_reader *r, bool *wanted, shape_role *role)
{
    for (json_enter(r, '{'); json_more(r);) {
        shape_role said = SHAPE_OBJECT;
        if (json_kind(r) == '"' || json_kind(r) == '0') {
            STEP(json_word(r));
            *wanted |= annotation_wants(request, (const char *)r->text.data, &said);
        } else if (json_kind(r) == '{') {
            STEP(read_labels(request, r, wanted, role));
        } else if (json_kind(r) == 't' && *r->at == 't') {
            *wanted |= annotation_wants(request, (const char *)r->key.data, &said);
        }
        if (said != SHAPE_OBJECT) *role = said;
    }
    return r->status;
}

static int read_region(void *context)
{
    via *const v = context;
    json_reader *const r = v->r;
    const size_t first = shapes_count(v->out);
    attributes a = {.name = ""};
    bool wanted = !v->request->label;
    shape_role role = SHAPE_OBJECT;
    for (json_enter(r, '{'); json_more(r);) {
        if (json_is_key(r, "shape_attributes")) STEP(read_attributes(r, &a));
        else if (json_is_key(r, "region_attributes") && json_kind(r) == '{')
            STEP(read_labels(v->request, r, &wanted, &role));
    }
    STEP(r->status);
    if (wanted) STEP(add_shape(v, &a));
    shapes_set_role(v->out, first, role);
    return EXIT_DONE;
}

/* ---- Pictures ------------------------------------------------------------------------------------ */

/* Reads the regions, which are a list or an object. */
static int read_regions(via *v)
{
    json_reader *const r = v->r;
    STEP(json_enter(r, json_kind(r) == '{' ? '{' : '['));
    while (json_more(r)) STEP(annotation_try(v->request, r, v->out, read_region, v));
    return r->status;
}

static int read_picture(via *v)
{
    json_reader *const r = v->r;
    json_mark regions = {NULL, 0, 0};
    char name[1024] = "";
    if (json_kind(r) != '{') return json_skip(r);
    for (json_enter(r, '{'); json_more(r);) {
        if (json_is_key(r, "vid_list"))
            return json_refuse(r, "a project of VIA 3, which is not read; export it as COCO");
        if (json_is_key(r, "regions")) regions = json_here(r);
        if (json_has_text(r, "filename")) strncpy(name, (const char *)r->text.data, sizeof name - 1);
    }
    STEP(r->status);
    if (!v->chosen && regions.at)
        annotation_offer(&v->pictures, name, annotation_rank(v->request, &v->pictures, name));
    if (!v->chosen || !regions.at || !annotation_is_chosen(&v->pictures, name)) return EXIT_DONE;
    const json_mark here = json_here(r);
    json_go(r, &regions);
    STEP(read_regions(v));
    json_go(r, &here);
    return EXIT_DONE;
}

static int read_pictures(via *v)
{
    json_reader *const r = v->r;
    for (json_enter(r, '{'); json_more(r);) {
        if (json_is_key(r, "_via_img_metadata")) STEP(read_pictures(v));
        else STEP(read_picture(v));
    }
    return r->status;
}

static int read_via(const annotation_request *request, json_reader *r, shapes *out, notes *log)
{
    via v = {.request = request, .r = r, .out = out};
    const json_mark start = json_here(r);
    int status = read_pictures(&v);
    if (!status) status = annotation_decide(request, &v.pictures, log, r->why);
    v.chosen = true;
    json_go(r, &start);
    if (!status) status = read_pictures(&v);
    annotation_pictures_free(&v.pictures);
    return status;
}

/* True if a member of the outermost object is a picture with regions, or says what a project of version 3 shows. */
static bool fits(json_reader *r)
{
    bool found = false;
    if (json_kind(r) != '{') return false;
    for (json_enter(r, '{'); json_more(r);)
        if (json_kind(r) == '{')
            for (json_enter(r, '{'); json_more(r);) found |= json_is_key(r, "regions") || json_is_key(r, "vid_list");
    return found;
}

const annotation_format annotation_via = {
    .name = "via",
    .line = "VIA      read         JSON of the VGG Image Annotator",
    .named = true,
    .extensions = "",
    .keys = " _via_img_metadata ",
    .fits = fits,
    .read = read_via,
};
