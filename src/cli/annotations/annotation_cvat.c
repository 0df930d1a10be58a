/* SPDX-License-Identifier: MIT
 *
 * annotation_cvat.c - annotations in XML. "CVAT for images" has a list of <image name width height> with <polygon>,
 * <box>, <ellipse>, <mask>, <polyline> and <points>. "CVAT for video" has tracks, with one of these shapes for each
 * frame; frames have only numbers. Pascal VOC has one picture, with an <object> for each box, or for each polygon as
 * LabelMe on the web and Roboflow write it.
 */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotation.h"
#include "xml_reader.h"

/* The shape of a track on one frame. */
typedef struct tracked {
    bool found;
    double frame;
    xml_reader at; /* a copy of the reader at the shape's tag, with its own attributes */
} tracked;

typedef struct reading {
    const annotation_request *request;
    xml_reader *r;
    shapes *out;
    annotation_pictures pictures;
    bool chosen;
    int tracks;              /* number of tracks; if not 0, the file describes a video */
    double frame, last;      /* the wanted frame, and the last frame of the video; -1: not given */
    char label[256];         /* the track's label */
    tracked before, after;   /* the track's shapes on the wanted frame, or on the nearest ones before and after it */
    double toward, other[4]; /* toward: the fraction of the way to the box `other` that the box has moved */
} reading;

static int no_memory(const reading *of)
{
    return fail(of->r->why, EXIT_RESOURCES, "%s: not enough memory for its shapes", of->request->name);
}

/* ---- Attributes ---------------------------------------------------------------------------------- */

static int number_of(const reading *of, const char *name, double *value)
{
    const char *text = xml_attribute(of->r, name);
    if (!text) return xml_refuse(of->r, "<%s> has no %s", of->r->tag, name);
    if (xml_numbers(&text, value, 1) != 1 || *text || fabs(*value) > 1e7)
        return xml_refuse(of->r, "<%s> has a %s that is no number of pixels", of->r->tag, name);
    return EXIT_DONE;
}

/* Reads the attributes with these names as numbers; an empty name ends the list of names. */
static int numbers_of(const reading *of, const char names[][12], double *value)
{
    for (int i = 0; names[i][0]; i++) STEP(number_of(of, names[i], &value[i]));
    return EXIT_DONE;
}

/* Reads the attribute "rotation" as radians (the file has degrees); 0 if it is missing. */
static int rotation_of(const reading *of, double *angle)
{
    const char *text = xml_attribute(of->r, "rotation");
    *angle = 0;
    if (text && (xml_numbers(&text, angle, 1) != 1 || *text))
        return xml_refuse(of->r, "<%s> has a rotation that is no number", of->r->tag);
    *angle *= 3.14159265358979323846 / 180;
    return EXIT_DONE;
}

/* ---- Shapes of CVAT ------------------------------------------------------------------------------ */

/* Reads points such as "1,2;3,4;5,6". If `apart`, each point becomes a separate dot. */
static int read_points(const reading *of, shape_kind kind, bool apart)
{
    const char *text = xml_attribute(of->r, "points");
    double at[2];
    size_t count = 0;
    if (!text) return xml_refuse(of->r, "<%s> has no points", of->r->tag);
    if (!shapes_begin(of->out, kind)) return no_memory(of);
    for (const char *end = text; *text; count++) {
        end += strcspn(end, ";"); /* where this point ends */
        if (xml_numbers(&text, at, 2) != 2 || fabs(at[0]) > 1e7 || fabs(at[1]) > 1e7 || (*text && text <= end))
            return xml_refuse(of->r, "<%s> has points that are no pairs of x and y", of->r->tag);
        end += *end == ';';
        if ((apart || !count) && !shapes_begin_ring(of->out)) return no_memory(of);
        if (!shapes_add_point(of->out, at[0], at[1])) return no_memory(of);
    }
    if (kind == SHAPE_AREA ? count >= 3 : count > 0) return EXIT_DONE;
    return xml_refuse(of->r, "a %s of %zu point%s", of->r->tag, count, count == 1 ? "" : "s");
}

static int read_box(const reading *of)
{
    static const char names[][12] = {"xtl", "ytl", "xbr", "ybr", ""};
    double b[4], angle;
    STEP(numbers_of(of, names, b));
    STEP(rotation_of(of, &angle));
    const double turn_x = cos(angle), turn_y = sin(angle);
    for (int i = 0; of->toward > 0 && i < 4; i++) b[i] += of->toward * (of->other[i] - b[i]);
    const double x[4] = {b[0], b[2], b[2], b[0]}, y[4] = {b[1], b[1], b[3], b[3]};
    const double mid_x = (b[0] + b[2]) / 2, mid_y = (b[1] + b[3]) / 2;
    const bool turned = fabs(angle) > 0;
    double at[8];
    for (int i = 0; i < 4; i++) {
        const double u = x[i] - mid_x, v = y[i] - mid_y;
        at[2 * i] = turned ? mid_x + u * turn_x - v * turn_y : x[i];
        at[2 * i + 1] = turned ? mid_y + u * turn_y + v * turn_x : y[i];
    }
    return shapes_add_ring(of->out, turned ? SHAPE_AREA : SHAPE_BOX, at, 4) ? EXIT_DONE : no_memory(of);
}

static int read_ellipse(const reading *of)
{
    static const char names[][12] = {"cx", "cy", "rx", "ry", ""};
    double e[4], angle;
    STEP(numbers_of(of, names, e));
    STEP(rotation_of(of, &angle));
    return shapes_add_ellipse(of->out, e, e + 2, angle) ? EXIT_DONE : no_memory(of);
}

/* Reads the mask's run lengths along the rows of its bounding box. The first run is background. */
static int read_runs(const reading *of, uint8_t *pixels, size_t count)
{
    const char *text = xml_attribute(of->r, "rle");
    double run;
    size_t at = 0;
    if (!text) return xml_refuse(of->r, "<mask> has no rle");
    for (uint8_t value = 0; *text; value ^= 1) {
        if (xml_numbers(&text, &run, 1) != 1 || run < 0 || run > (double)(count - at) || run > floor(run))
            return xml_refuse(of->r, "a <mask> whose runs are not those of its width and height");
        memset(pixels + at, value, (size_t)run);
        at += (size_t)run;
    }
    return at == count ? EXIT_DONE : xml_refuse(of->r, "a <mask> whose runs make %zu pixels, not %zu", at, count);
}

static int read_mask(const reading *of)
{
    static const char names[][12] = {"left", "top", "width", "height", ""};
    double w[4];
    STEP(numbers_of(of, names, w));
    if (w[2] < 1 || w[3] < 1 || w[2] > 65536 || w[3] > 65536) return xml_refuse(of->r, "a <mask> of %gx%g", w[2], w[3]);
    const size_t count = (size_t)w[2] * (size_t)w[3];
    uint8_t *const pixels = malloc(count);
    int status = pixels ? read_runs(of, pixels, count) : no_memory(of);
    if (!status && !shapes_add_pixels(of->out, (int)w[0], (int)w[1], (int)w[2], (int)w[3], pixels))
        status = no_memory(of);
    free(pixels);
    return status;
}

static int read_shape(const reading *of)
{
    const char *const tag = of->r->tag;
    if (!strcmp(tag, "polygon")) return read_points(of, SHAPE_AREA, false);
    if (!strcmp(tag, "polyline")) return read_points(of, SHAPE_LINE, false);
    if (!strcmp(tag, "points")) return read_points(of, SHAPE_LINE, true);
    if (!strcmp(tag, "box")) return read_box(of);
    if (!strcmp(tag, "ellipse")) return read_ellipse(of);
    if (!strcmp(tag, "mask")) return read_mask(of);
    return xml_refuse(of->r, "<%s>; polygon, box, ellipse, mask, polyline and points are read", tag);
}

/* Reads a track's shape on the wanted frame. If only earlier and later frames have a shape, a mask stays as it was on
 * the earlier frame, and a box is interpolated linearly, as CVAT does. */
static int read_tracked(const reading *of)
{
    static const char names[][12] = {"xtl", "ytl", "xbr", "ybr", ""};
    reading one = *of, next = *of;
    double turned[2] = {0, 0};
    const char *const tag = of->r->tag, *const then = of->after.at.tag;
    next.r = &next.after.at;
    if (of->before.frame < of->frame && of->after.found && strcmp(tag, "mask") != 0) {
        STEP(rotation_of(of, &turned[0]));
        STEP(rotation_of(&next, &turned[1]));
        if (strcmp(tag, "box") || strcmp(then, "box") || fabs(turned[0]) > 0 || fabs(turned[1]) > 0)
            return xml_refuse(of->r, "a <%s> of frame %.0f and a <%s> of frame %.0f: only upright boxes move in "
                              "between; export all frames", tag, of->before.frame, then, of->after.frame);
        one.toward = (of->frame - of->before.frame) / (of->after.frame - of->before.frame);
        STEP(numbers_of(&next, names, one.other));
    }
    return read_shape(&one);
}

/* Reads a child of <image> or a track's shape. A shape that cannot be read is left out. */
static int try_shape(const reading *of)
{
    const char *const label = of->tracks ? of->label : xml_attribute(of->r, "label");
    const char *layer = xml_attribute(of->r, "z_order");
    const shapes_mark before = shapes_now(of->out);
    const size_t first = shapes_count(of->out);
    double z = 0;
    shape_role role;
    if (!strcmp(of->r->tag, "tag") || !annotation_wants(of->request, label, &role)) return EXIT_DONE;
    const int status = of->tracks ? read_tracked(of) : read_shape(of);
    STEP(annotation_tried(of->request, status, of->out, before, of->r->why));
    shapes_set_role(of->out, first, role);
    if (layer && xml_numbers(&layer, &z, 1) == 1 && fabs(z) < INT_MAX && shapes_count(of->out) > first)
        shapes_last(of->out)->layer = (int)z;
    return EXIT_DONE;
}

/* ---- Tracks through a video ---------------------------------------------------------------------- */

/* Finds which frame of the video the photo is. Frames have no names; CVAT exports them under their number, counted from
 * 0: frame_000012.png. */
static int choose_frame(reading *of, notes *log, failure *why)
{
    const char *const photo = of->request->photo, *const name = of->request->name;
    if (!photo)
        return fail(why, EXIT_SEEDS, "%s: is about the frames of a video, and which of them is meant is not told here",
                    name);
    const char *const base = annotation_base(photo), *const dot = strrchr(base, '.');
    const char *const end = dot && dot != base ? dot : base + strlen(base), *first = end;
    while (first > base && first[-1] >= '0' && first[-1] <= '9') first--;
    if (first == end || end - first > 15)
        return fail(why, EXIT_SEEDS, "%s: is about the frames of a video, which are known by number; %.200s has none "
                    "at the end of its name, as frame_000012.png has", name, photo);
    of->frame = strtod(first, NULL);
    if (of->last >= 0 && of->frame > of->last)
        return fail(why, EXIT_SEEDS, "%s: is about the frames of a video up to number %.0f, and %.200s is none of them",
                    name, of->last, photo);
    note(log, "%s: %s is taken for frame %.0f of its video, counted from 0", name, photo, of->frame);
    return EXIT_DONE;
}

static void drop(tracked *one)
{
    bytes_free(&one->at.attribute);
    *one = (tracked){.found = false};
}

/* Keeps a shape of a track unless a shape on the same side of the wanted frame is nearer to it. */
static int look_at(reading *of)
{
    double frame;
    STEP(number_of(of, "frame", &frame));
    tracked *const to = frame > of->frame ? &of->after : &of->before;
    if (to->found && fabs(frame - of->frame) > fabs(to->frame - of->frame)) return EXIT_DONE;
    drop(to);
    *to = (tracked){.found = true, .frame = frame, .at = *of->r};
    to->at.attribute = to->at.text = (bytes){0};
    return bytes_append(&to->at.attribute, of->r->attribute.data, of->r->attribute.size) ? EXIT_DONE : no_memory(of);
}

/* Adds the track's shape when the track ends. A shape marked "outside" means that the object has left the picture. */
static int finish_track(reading *of)
{
    reading one = *of;
    one.r = &of->before.at;
    const char *const outside = of->before.found ? xml_attribute(one.r, "outside") : "1";
    const int status = outside && !strcmp(outside, "1") ? EXIT_DONE : try_shape(&one);
    drop(&of->before);
    drop(&of->after);
    return status;
}

static int read_track_event(reading *of)
{
    const xml_reader *const r = of->r;
    const char *const label = r->event == XML_OPEN && r->depth == 2 ? xml_attribute(r, "label") : NULL;
    if (r->event == XML_OPEN && r->depth == 2 && !of->chosen) of->tracks++;
    if (r->event == XML_OPEN && r->depth == 2) snprintf(of->label, sizeof of->label, "%s", label ? label : "");
    if (!of->chosen) return EXIT_DONE;
    if (r->event == XML_OPEN && r->depth == 3) return look_at(of);
    return r->event == XML_CLOSE && r->depth == 1 ? finish_track(of) : EXIT_DONE;
}

/* Reads the elements before the tracks: <original_size> with <width> and <height>, and <stop_frame>. */
static void read_about(reading *of)
{
    xml_reader *const r = of->r;
    const char *text = r->text.size ? (const char *)r->text.data : "";
    double value = 0;
    if (r->event == XML_OPEN) r->text.size = 0;
    if (r->event != XML_CLOSE || of->chosen || xml_numbers(&text, &value, 1) != 1 || value < 0 || value > 1e9) return;
    const bool size = r->depth && !strcmp(r->open[r->depth - 1], "original_size") && value >= 1 && value <= 65536;
    if (size && !strcmp(r->tag, "width")) of->out->width = (int)value;
    if (size && !strcmp(r->tag, "height")) of->out->height = (int)value;
    if (!strcmp(r->tag, "stop_frame")) of->last = floor(value);
}

/* ---- The file of CVAT ---------------------------------------------------------------------------- */

static int read_image(reading *of, bool *meant)
{
    const char *const name = xml_attribute(of->r, "name") ? xml_attribute(of->r, "name") : "";
    double size[2] = {0, 0};
    if (!of->chosen) annotation_offer(&of->pictures, name, annotation_rank(of->request, &of->pictures, name));
    *meant = of->chosen && annotation_is_chosen(&of->pictures, name);
    if (*meant) STEP(numbers_of(of, (const char[][12]){"width", "height", ""}, size));
    if (*meant) of->out->width = (int)size[0], of->out->height = (int)size[1];
    return EXIT_DONE;
}

static int read_cvat(reading *of)
{
    xml_reader *const r = of->r;
    bool meant = false;
    while (xml_next(r)) {
        read_about(of);
        if (r->event != XML_TEXT && !strcmp(r->depth > 1 ? r->open[1] : r->tag, "track")) STEP(read_track_event(of));
        if (r->event == XML_OPEN && r->depth == 2) meant = false;
        if (r->event == XML_OPEN && r->depth == 2 && !strcmp(r->tag, "image")) STEP(read_image(of, &meant));
        if (r->event == XML_OPEN && r->depth == 3 && meant && !of->tracks) STEP(try_shape(of));
    }
    return r->status;
}

/* ---- Pascal VOC ---------------------------------------------------------------------------------- */

typedef struct object {
    char label[100], filename[1024];
    double box[4]; /* the first and the last column and row, counted from 1 */
    double x;      /* x of a corner whose y has not been read */
    int sides, corners;
    bool deleted;
    shapes_mark before;
} object;

static int finish_object(const reading *of, const object *o)
{
    shape_role role;
    if (!annotation_wants(of->request, o->label, &role) || o->deleted) return shapes_cut(of->out, o->before), EXIT_DONE;
    if (!o->corners && o->sides != 4)
        return xml_refuse(of->r, "an <object> without a <bndbox> of four sides or a <polygon>");
    if (o->corners && o->corners < 3) return xml_refuse(of->r, "a polygon of %d points", o->corners);
    if (o->corners) return shapes_last(of->out)->role = role, EXIT_DONE;
    const double *const b = o->box; /* some programs write the last corner first */
    const double at[] = {fmin(b[0], b[2]) - 1, fmin(b[1], b[3]) - 1, fmax(b[0], b[2]), fmax(b[1], b[3])};
    if (!shapes_add_ring(of->out, SHAPE_BOX, at, 2)) return no_memory(of);
    shapes_last(of->out)->role = role;
    return EXIT_DONE;
}

/* Reads x or y of a polygon's corner, from <pt><x/><y/></pt> ... or <x1/><y1/><x2/> ... */
static int take_corner(const reading *of, const char *text, object *o)
{
    double value;
    const xml_reader *const r = of->r;
    if (xml_numbers(&text, &value, 1) != 1 || *text || fabs(value) > 1e7)
        return xml_refuse(r, "<%s> is no number of a pixel", r->tag);
    if (*r->tag == 'x') return o->x = value, EXIT_DONE;
    if (!o->corners++ && (!shapes_begin(of->out, SHAPE_AREA) || !shapes_begin_ring(of->out))) return no_memory(of);
    return shapes_add_point(of->out, o->x, value) ? EXIT_DONE : no_memory(of);
}

/* Stores the text of an element that has just ended, if the element belongs to an object or names the picture. */
static int take_text(const reading *of, const char *text, object *o)
{
    static const char *const sides[] = {"xmin", "ymin", "xmax", "ymax"};
    const xml_reader *const r = of->r;
    double value = 0;
    if (r->depth == 2 && !strcmp(r->tag, "name")) snprintf(o->label, sizeof o->label, "%.99s", text);
    if (r->depth == 1 && !strcmp(r->tag, "filename")) snprintf(o->filename, sizeof o->filename, "%.1023s", text);
    if (r->depth == 2 && !strcmp(r->tag, "deleted")) o->deleted = !strcmp(text, "1");
    if (r->depth > 2 && !strcmp(r->open[2], "polygon") && strchr("xy", *r->tag) &&
        !r->tag[1 + strspn(r->tag + 1, "0123456789")])
        return take_corner(of, text, o);
    const bool wide = !strcmp(r->tag, "width") || !strcmp(r->tag, "ncols");
    if (r->depth == 2 && (wide || !strcmp(r->tag, "height") || !strcmp(r->tag, "nrows")) &&
        xml_numbers(&text, &value, 1) == 1 && value >= 1 && value <= 65536)
        *(wide ? &of->out->width : &of->out->height) = (int)value;
    for (int i = 0; r->depth == 3 && !strcmp(r->open[2], "bndbox") && i < 4; i++)
        if (!strcmp(r->tag, sides[i])) {
            if (xml_numbers(&text, &o->box[i], 1) != 1 || *text || fabs(o->box[i]) > 1e7)
                return xml_refuse(r, "<%s> is no number of a pixel", r->tag);
            o->sides++;
        }
    return EXIT_DONE;
}

static int read_voc(reading *of, notes *log)
{
    xml_reader *const r = of->r;
    object o = {.sides = 0};
    while (xml_next(r)) {
        const char *const text = r->text.size ? (const char *)r->text.data : "";
        if (r->event == XML_OPEN) r->text.size = 0;
        if (r->event == XML_OPEN && r->depth == 2 && !strcmp(r->tag, "object"))
            o.sides = o.corners = 0, o.label[0] = '\0', o.deleted = false, o.before = shapes_now(of->out);
        if (r->event != XML_CLOSE) continue;
        int status = take_text(of, text, &o);
        if (!status && r->depth == 1 && !strcmp(r->tag, "object")) status = finish_object(of, &o);
        STEP(annotation_tried(of->request, status, of->out, o.before, r->why));
        r->text.size = 0;
    }
    STEP(r->status);
    annotation_offer(&of->pictures, o.filename, annotation_rank(of->request, &of->pictures, o.filename));
    return annotation_decide(of->request, &of->pictures, log, r->why);
}

/* ---- Both ---------------------------------------------------------------------------------------- */

static int read(const annotation_request *request, const uint8_t *data, size_t size, shapes *out, notes *log,
                failure *why)
{
    xml_reader r;
    reading of = {.request = request, .r = &r, .out = out, .last = -1};
    char root[XML_WORD] = "";
    int status = xml_root(request->name, data, size, root, sizeof root, why);
    xml_reader_init(&r, request->name, data, size, why);
    if (!status && !strcmp(root, "annotation")) {
        status = read_voc(&of, log);
    } else {
        if (!status) status = read_cvat(&of);
        if (!status)
            status = of.tracks ? choose_frame(&of, log, why) : annotation_decide(request, &of.pictures, log, why);
        if (!of.tracks) out->width = out->height = 0;
        of.chosen = true;
        xml_reader_free(&r);
        xml_reader_init(&r, request->name, data, size, why);
        if (!status) status = read_cvat(&of);
    }
    xml_reader_free(&r);
    drop(&of.before);
    drop(&of.after);
    annotation_pictures_free(&of.pictures);
    return status || shapes_sort(out) ? status : no_memory(&of);
}

const annotation_format annotation_cvat = {
    .name = "cvat",
    .line = "CVAT     read         XML of CVAT for images and for video, Pascal VOC, LabelMe on the web",
    .named = true,
    .extensions = "",
    .roots = " annotations annotation ",
    .read_text = read,
};
