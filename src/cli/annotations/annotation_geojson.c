/* SPDX-License-Identifier: MIT
 *
 * annotation_geojson.c - GeoJSON (RFC 7946). If the picture has no place on earth, coordinates are in pixels, x to the
 * right and y down. Otherwise they are in the picture's own coordinate system, which the member "crs" names, as GDAL
 * and QGIS read and write it. The label is "label", "name" or "class" in the properties of a feature.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotation.h"
#include "json.h"
#include "outline.h"

enum { DEGREES = 4326 }; /* the EPSG number of WGS 84, longitude and latitude in degrees */

/* ---- Reading ------------------------------------------------------------------------------------ */

/* The kinds of geometry: the nesting depth of their positions, and the shape that each becomes. */
static const struct {
    const char *name;
    shape_kind kind;
    int depth; /* number of arrays around a position */
} types[] = {
    {"Point", SHAPE_LINE, 0}, {"MultiPoint", SHAPE_LINE, 1}, {"LineString", SHAPE_LINE, 1},
    {"MultiLineString", SHAPE_LINE, 2}, {"Polygon", SHAPE_AREA, 2}, {"MultiPolygon", SHAPE_AREA, 3},
};

enum { TYPES = sizeof types / sizeof *types };

/* Reads a ring, a line or a single point. */
static int read_ring(json_reader *r, bool single, shapes *out)
{
    if (!shapes_begin_ring(out)) return annotation_no_memory(r);
    if (single) return annotation_read_position(r, out);
    for (json_enter(r, '['); json_more(r);) STEP(annotation_read_position(r, out));
    return r->status;
}

/* Reads the rings of one shape, nested in `depth` arrays. */
static int read_rings(json_reader *r, int depth, bool single, shapes *out)
{
    if (!depth) return read_ring(r, single, out);
    for (json_enter(r, '['); json_more(r);) STEP(read_rings(r, depth - 1, single, out));
    return r->status;
}

static int read_shape(json_reader *r, int type, shapes *out)
{
    const bool area = types[type].kind == SHAPE_AREA, single = strstr(types[type].name, "Point") != NULL;
    if (!shapes_begin(out, types[type].kind)) return annotation_no_memory(r);
    STEP(read_rings(r, area ? 1 : types[type].depth - !single, single, out));
    const shape *const s = shapes_last(out);
    for (size_t i = s->first; area && i < s->ends; i++) {
        const size_t count = shapes_ring_at(out, i)->ends - shapes_ring_at(out, i)->first;
        if (count < 3) return json_refuse(r, "a polygon of %zu point%s", count, count == 1 ? "" : "s");
    }
    return EXIT_DONE;
}

static int read_coordinates(json_reader *r, int type, shapes *out)
{
    if (types[type].depth < 3) return read_shape(r, type, out);
    for (json_enter(r, '['); json_more(r);) STEP(read_shape(r, type, out));
    return r->status;
}

static int read_geometry(json_reader *r, shapes *out);

static int read_geometries(json_reader *r, shapes *out)
{
    for (json_enter(r, '['); json_more(r);) STEP(read_geometry(r, out));
    return r->status;
}

/* The members found in an object. Coordinates and geometries are read later from their places in the text, because the
 * type may stand behind them. */
typedef struct parts {
    char type[32];
    json_mark coordinates, geometries, geometry, features;
} parts;

static int finish_geometry(json_reader *r, const parts *found, shapes *out)
{
    int type = 0;
    while (type < TYPES && strcmp(types[type].name, found->type)) type++;
    const bool collection = !strcmp(found->type, "GeometryCollection");
    if (type == TYPES && !collection) return json_refuse(r, "'%.40s' is no geometry of GeoJSON", found->type);
    const json_mark *const at = collection ? &found->geometries : &found->coordinates, here = json_here(r);
    if (!at->at) return json_refuse(r, "a %s without \"%s\"", found->type, collection ? "geometries" : "coordinates");
    json_go(r, at);
    STEP(collection ? read_geometries(r, out) : read_coordinates(r, type, out));
    json_go(r, &here);
    return EXIT_DONE;
}

static int read_parts(json_reader *r, parts *found)
{
    for (json_enter(r, '{'); json_more(r);) {
        if (json_is_key(r, "coordinates")) found->coordinates = json_here(r);
        if (json_is_key(r, "geometries")) found->geometries = json_here(r);
        if (json_is_key(r, "features")) found->features = json_here(r);
        if (json_has_text(r, "type")) strncpy(found->type, (const char *)r->text.data, sizeof found->type - 1);
    }
    return r->status;
}

static int read_geometry(json_reader *r, shapes *out)
{
    parts found = {.type = ""};
    if (json_kind(r) == 'n') return json_skip(r);
    STEP(read_parts(r, &found));
    return finish_geometry(r, &found, out);
}

/* Reads the label: a text under "label", "name" or "class", directly in the properties or in their "classification". */
static int read_properties(const annotation_request *request, json_reader *r, bool *wanted, shape_role *role)
{
    if (json_kind(r) != '{') return json_skip(r);
    for (json_enter(r, '{'); json_more(r);) {
        if (json_has_text(r, "label") || json_has_text(r, "name") || json_has_text(r, "class")) {
            shape_role said;
            if (annotation_wants(request, (const char *)r->text.data, &said)) *wanted = true;
            if (said != SHAPE_OBJECT) *role = said;
        } else if (json_is_key(r, "classification")) {
            STEP(read_properties(request, r, wanted, role));
        }
    }
    return r->status;
}

typedef struct reading {
    const annotation_request *request;
    json_reader *r;
    shapes *out;
} reading;

/* Reads a feature, or a geometry that stands in place of a feature. */
static int read_feature(void *context)
{
    const reading *const of = context;
    json_reader *const r = of->r;
    const shapes_mark before = shapes_now(of->out);
    const size_t first = shapes_count(of->out);
    const json_mark start = json_here(r);
    shape_role role = SHAPE_OBJECT;
    bool wanted = !of->request->label, feature = false;
    for (json_enter(r, '{'); json_more(r);) {
        feature |= json_is_key(r, "geometry");
        if (json_is_key(r, "geometry")) STEP(read_geometry(r, of->out));
        else if (json_is_key(r, "properties")) STEP(read_properties(of->request, r, &wanted, &role));
    }
    STEP(r->status);
    if (!feature && wanted) {
        json_go(r, &start);
        return read_geometry(r, of->out);
    }
    if (!wanted) shapes_cut(of->out, before);
    shapes_set_role(of->out, first, role);
    return EXIT_DONE;
}

/* Reads the picture's size, which only files written by tilecut contain. */
static int read_image(json_reader *r, shapes *out)
{
    if (json_kind(r) != '{') return json_skip(r);
    for (json_enter(r, '{'); json_more(r);) {
        if (json_is_key(r, "width")) STEP(annotation_side(r, &out->width));
        if (json_is_key(r, "height")) STEP(annotation_side(r, &out->height));
    }
    return r->status;
}

/* Reads the name of a coordinate system: "urn:ogc:def:crs:EPSG::32633", "EPSG:32633", or "...:CRS84" for degrees. */
static void take_system(const char *name, shapes *out)
{
    const char *const number = strrchr(name, ':');
    out->on_earth = out->named = true;
    out->epsg = strstr(name, "EPSG") && number ? (int)strtol(number + 1, NULL, 10) : 0;
    if (strstr(name, "CRS84")) out->epsg = DEGREES;
}

static int read_system(json_reader *r, shapes *out)
{
    if (json_kind(r) != '{') return json_skip(r);
    for (json_enter(r, '{'); json_more(r);) {
        if (json_is_key(r, "properties")) STEP(read_system(r, out));
        else if (json_has_text(r, "name")) take_system((const char *)r->text.data, out);
    }
    return r->status;
}

/* Reads the members that hold for the whole file. Coordinates are in pixels unless the file names a coordinate
 * system. But if the photo has a place on earth and the file was not written by tilecut, they are degrees, as RFC
 * 7946 demands. */
static int read_facts(const annotation_request *request, json_reader *r, shapes *out)
{
    bool about_picture = false;
    for (json_enter(r, '{'); json_more(r);) {
        about_picture |= json_is_key(r, "image");
        if (json_is_key(r, "image")) STEP(read_image(r, out));
        else if (json_is_key(r, "crs")) STEP(read_system(r, out));
    }
    STEP(r->status);
    if (!out->named && !about_picture && request->place && request->place->placed)
        out->on_earth = true, out->epsg = DEGREES;
    return EXIT_DONE;
}

static int read_features(reading *of)
{
    for (json_enter(of->r, '['); json_more(of->r);) STEP(annotation_try(of->request, of->r, of->out, read_feature, of));
    return of->r->status;
}

/* *more becomes true if another object follows the one that begins here: one feature per line, as in RFC
 * 8142 and GDAL. */
static int is_sequence(json_reader *r, bool *more)
{
    const json_mark start = json_here(r);
    STEP(json_skip(r));
    *more = json_kind(r) == '{';
    json_go(r, &start);
    return EXIT_DONE;
}

/* Reads a collection, a feature or a geometry, or a list of features as QuPath writes it. The object's member "type"
 * says which; it may stand anywhere in the object. */
static int read_geojson(const annotation_request *request, json_reader *r, shapes *out, notes *log)
{
    reading of = {request, r, out};
    parts found = {.type = ""};
    const json_mark start = json_here(r);
    bool sequence = false;
    (void)log;
    if (json_kind(r) == '[') return read_features(&of);
    STEP(is_sequence(r, &sequence));
    STEP(read_facts(request, r, out));
    json_go(r, &start);
    while (sequence && json_kind(r) == '{') STEP(annotation_try(request, r, out, read_feature, &of));
    if (sequence) return EXIT_DONE;
    STEP(read_parts(r, &found));
    if (strcmp(found.type, "FeatureCollection") == 0) {
        if (!found.features.at) return json_refuse(r, "a FeatureCollection without \"features\"");
        json_go(r, &found.features);
        return read_features(&of);
    }
    json_go(r, &start);
    return strcmp(found.type, "Feature") == 0 ? read_feature(&of) : read_geometry(r, out);
}

/* ---- Writing ------------------------------------------------------------------------------------ */

/* Writes a position on earth to the millimetre, or to a hundred-millionth of a degree. */
static void put_position(json *j, const georeference *where, const int32_t *corner, int unit)
{
    const double place[2] = {(double)corner[0] / unit, (double)corner[1] / unit};
    const bool degrees = where->across[0] * where->across[0] + where->down[0] * where->down[0] < 1e-4;
    double map[2];
    char text[40];
    georeference_to_map(where, place, map);
    json_open(j, NULL, '[');
    for (int i = 0; i < 2; i++) {
        snprintf(text, sizeof text, "%.*f", degrees ? 8 : 3, map[i]);
        json_digits(j, NULL, text);
    }
    json_close(j, ']');
}

/* Writes a ring, and repeats its first position at the end. */
static void put_ring(json *j, const outline *o, const outline_ring *ring, const georeference *where)
{
    json_open(j, NULL, '[');
    for (size_t i = 0; i <= ring->count; i++) {
        const int32_t *const corner = outline_corner_at(o, ring->first + i % ring->count);
        if (where) put_position(j, where, corner, o->unit);
        else json_fixed(j, NULL, corner, 2, o->unit);
    }
    json_close(j, ']');
}

static void put_polygons(json *j, const outline *o, const georeference *where)
{
    json_open(j, "coordinates", '[');
    for (size_t i = 0; i < outline_rings(o);) {
        json_open(j, NULL, '[');
        do put_ring(j, o, outline_ring_at(o, i), where);
        while (++i < outline_rings(o) && outline_ring_at(o, i)->hole);
        json_close(j, ']');
    }
    json_close(j, ']');
}

static bool put_feature(json *j, const annotation_about *about, const char *label, const uint8_t *mask)
{
    outline o;
    const bool room = outline_trace(mask, about->alpha, about->width, about->height, &o);
    json_open(j, NULL, '{');
    json_text(j, "type", "Feature");
    json_open(j, "properties", '{');
    json_text(j, "label", label);
    json_close(j, '}');
    json_open(j, "geometry", '{');
    json_text(j, "type", "MultiPolygon");
    if (room) put_polygons(j, &o, about->place);
    for (int i = 0; i < 2; i++) json_close(j, '}');
    outline_free(&o);
    return room;
}

/* Writes the coordinate system as GDAL does. A system without an EPSG number is called "unknown". */
static void put_system(json *j, int epsg)
{
    char name[40] = "unknown";
    if (epsg == DEGREES) strcpy(name, "urn:ogc:def:crs:OGC:1.3:CRS84");
    else if (epsg) snprintf(name, sizeof name, "urn:ogc:def:crs:EPSG::%d", epsg);
    json_open(j, "crs", '{');
    json_text(j, "type", "name");
    json_open(j, "properties", '{');
    json_text(j, "name", name);
    for (int i = 0; i < 2; i++) json_close(j, '}');
}

static int write(const annotation_about *about, const uint8_t *mask, bytes *sink, failure *why)
{
    json j = {.out = *sink};
    const char *label;
    const uint8_t *one;
    bool room = true;
    json_open(&j, NULL, '{');
    json_text(&j, "type", "FeatureCollection");
    if (about->place) put_system(&j, about->place->epsg);
    json_open(&j, "image", '{');
    json_text(&j, "file_name", about->photo);
    json_integer(&j, "width", about->width);
    json_integer(&j, "height", about->height);
    json_close(&j, '}');
    json_open(&j, "features", '[');
    for (int i = 0; room && annotation_take(about, mask, i, &label, &one); i++)
        room = put_feature(&j, about, label, one);
    json_close(&j, ']');
    return annotation_write_end(&j, sink, room, why);
}

const annotation_format annotation_geojson = {
    .name = "geojson",
    .line = "GeoJSON  read, write  polygons, lines, points, in pixels or map units",
    .extensions = " .geojson .geo.json ",
    .keys = " type ",
    .items = " geometry coordinates geometries ",
    .read = read_geojson,
    .many = true,
    .write = write,
};
