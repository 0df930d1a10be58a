/* SPDX-License-Identifier: MIT
 *
 * annotation_svg_read.c - reads the shapes of an SVG drawing (SVG 1.1): paths, polygons, rectangles, circles, ellipses
 * and lines, with their transforms. What is filled is an area, what has a stroke alone is a line. Labels are the id,
 * class, data-label or Inkscape label of the shape or of a group around it. Curves become polygons that differ from
 * them by less than a thousandth of a pixel.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotation.h"
#include "svg_path.h"
#include "xml_reader.h"

/* What an element inherits from those around it. */
typedef struct svg_state {
    svg_transform transform;
    bool hidden, wanted;
    bool filled, white, black, stroked, wound;
    shape_role role;
} svg_state;

typedef struct svg {
    const annotation_request *request;
    xml_reader *r;
    shapes *out;
    svg_state state[XML_DEPTH + 1]; /* of each element that is open; [0]: of the whole */
    bool white, black, other;       /* fills that were seen */
} svg;

/* ---- Attributes ---------------------------------------------------------------------------------- */

/* A property from the attribute of its name or from `style`; "" if it is in neither. */
static const char *property(const xml_reader *r, const char *name, char text[64])
{
    const char *style = xml_attribute(r, "style"), *value = xml_attribute(r, name);
    const size_t length = strlen(name);
    snprintf(text, 64, "%.63s", value ? value : "");
    while (style && *style) {
        style += strspn(style, " \t\r\n;");
        if (!strncmp(style, name, length) && style[length + strspn(style + length, " ")] == ':') {
            value = strchr(style, ':') + 1;
            value += strspn(value, " ");
            snprintf(text, 64, "%.*s", (int)fmin((double)strcspn(value, ";"), 63), value);
        }
        style += strcspn(style, ";");
    }
    return text;
}

static double number_or(const xml_reader *r, const char *name, double otherwise)
{
    const char *text = xml_attribute(r, name);
    double value;
    return text && xml_numbers(&text, &value, 1) == 1 && fabs(value) < 1e9 ? value : otherwise;
}

static bool is_one_of(const char *word, const char *const *list)
{
    for (; *list; list++)
        if (!strcmp(word, *list)) return true;
    return false;
}

static void take_fill(const xml_reader *r, svg_state *s)
{
    static const char *const none[] = {"none", "transparent", NULL};
    static const char *const white[] = {"white", "#fff", "#ffffff", "#FFF", "#FFFFFF", "rgb(255,255,255)", NULL};
    static const char *const black[] = {"black", "#000", "#000000", "rgb(0,0,0)", "currentColor", NULL};
    char text[64];
    if (*property(r, "fill", text) && strcmp(text, "inherit")) {
        s->filled = !is_one_of(text, none);
        s->white = is_one_of(text, white);
        s->black = is_one_of(text, black);
    }
    if (*property(r, "stroke", text)) s->stroked = !is_one_of(text, none);
    if (*property(r, "fill-rule", text)) s->wound = strcmp(text, "evenodd") != 0;
    if (!strcmp(property(r, "fill-opacity", text), "0")) s->filled = false;
    if (!strcmp(property(r, "display", text), "none") || !strcmp(property(r, "visibility", text), "hidden"))
        s->hidden = true;
}

static void take_labels(const svg *of, svg_state *s)
{
    static const char *const names[] = {"id", "class", "data-label", "data-name", "inkscape:label"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *const label = xml_attribute(of->r, names[i]);
        shape_role role;
        if (!label) continue;
        s->wanted |= annotation_wants(of->request, label, &role);
        if (role != SHAPE_OBJECT) s->role = role;
    }
}

/* ---- Shapes -------------------------------------------------------------------------------------- */

/* "points" of a polygon or polyline. */
static bool add_points(svg_path *path, const xml_reader *r)
{
    const char *text = xml_attribute(r, "points");
    double at[2];
    for (int i = 0; text && xml_numbers(&text, at, 2) == 2; i++)
        if (!svg_path_to(path, at[0], at[1], i == 0)) return false;
    return true;
}

static bool add_corners(svg_path *path, const double *at, int count)
{
    for (int i = 0; i < count; i++)
        if (!svg_path_to(path, at[2 * i], at[2 * i + 1], i == 0)) return false;
    return true;
}

/* Rounded corners of rectangles are arcs. */
static bool add_rectangle(svg_path *path, const xml_reader *r)
{
    const double x = number_or(r, "x", 0), y = number_or(r, "y", 0), w = number_or(r, "width", 0),
                 h = number_or(r, "height", 0);
    double a = number_or(r, "rx", -1), b = number_or(r, "ry", -1);
    if (a < 0) a = b;
    if (b < 0) b = a;
    a = fmin(fmax(a, 0), w / 2), b = fmin(fmax(b, 0), h / 2);
    if (!(w > 0 && h > 0)) return true;
    if (!(a > 0 && b > 0)) return add_corners(path, (double[]){x, y, x + w, y, x + w, y + h, x, y + h}, 4);
    return svg_path_to(path, x + a, y, true) && svg_path_to(path, x + w - a, y, false) &&
           svg_path_arc(path, (double[]){a, b, 0}, false, true, x + w, y + b) &&
           svg_path_to(path, x + w, y + h - b, false) &&
           svg_path_arc(path, (double[]){a, b, 0}, false, true, x + w - a, y + h) &&
           svg_path_to(path, x + a, y + h, false) &&
           svg_path_arc(path, (double[]){a, b, 0}, false, true, x, y + h - b) &&
           svg_path_to(path, x, y + b, false) && svg_path_arc(path, (double[]){a, b, 0}, false, true, x + a, y);
}

static bool add_ellipse(svg_path *path, double x, double y, double a, double b)
{
    if (!(a > 0 && b > 0)) return true;
    return svg_path_to(path, x - a, y, true) && svg_path_arc(path, (double[]){a, b, 0}, false, true, x + a, y) &&
           svg_path_arc(path, (double[]){a, b, 0}, false, true, x - a, y);
}

static int read_element(svg *of, const svg_state *s)
{
    const xml_reader *const r = of->r;
    const char *const tag = r->tag;
    svg_path path = {.out = of->out, .transform = s->transform};
    bool room = true, fine = true;
    if (!shapes_begin(of->out, s->filled ? SHAPE_AREA : SHAPE_LINE)) return EXIT_RESOURCES;
    shapes_last(of->out)->wound = s->wound;
    if (!strcmp(tag, "path")) room = svg_path_read(&path, xml_attribute(r, "d"), &fine);
    else if (!strcmp(tag, "polygon") || !strcmp(tag, "polyline")) room = add_points(&path, r);
    else if (!strcmp(tag, "rect")) room = add_rectangle(&path, r);
    else if (!strcmp(tag, "circle"))
        room = add_ellipse(&path, number_or(r, "cx", 0), number_or(r, "cy", 0), number_or(r, "r", 0),
                           number_or(r, "r", 0));
    else if (!strcmp(tag, "ellipse"))
        room = add_ellipse(&path, number_or(r, "cx", 0), number_or(r, "cy", 0), number_or(r, "rx", 0),
                           number_or(r, "ry", 0));
    else
        room = add_corners(&path, (double[]){number_or(r, "x1", 0), number_or(r, "y1", 0), number_or(r, "x2", 0),
                                             number_or(r, "y2", 0)}, 2);
    if (!room) return EXIT_RESOURCES;
    if (!fine) return xml_refuse(r, "a path that is none of SVG");
    if (path.beyond) return xml_refuse(r, "a <%s> beyond any picture", tag);
    const shape *const last = shapes_last(of->out);
    return last->first < last->ends ? EXIT_DONE : xml_refuse(r, "a <%s> without points", tag);
}

static int try_element(svg *of, const svg_state *s)
{
    static const char *const drawn[] = {"path", "polygon", "polyline", "rect", "circle", "ellipse", "line", NULL};
    static const char *const not_drawn[] = {"use", "text", "image", NULL};
    const shapes_mark before = shapes_now(of->out);
    const size_t first = shapes_count(of->out);
    int status = EXIT_DONE;
    if (is_one_of(of->r->tag, not_drawn))
        return annotation_tried(of->request, xml_refuse(of->r, "<%s> says no shape", of->r->tag), of->out, before,
                                of->r->why);
    if (!is_one_of(of->r->tag, drawn) || !(s->filled || s->stroked)) return EXIT_DONE;
    status = read_element(of, s);
    if (status == EXIT_RESOURCES) return fail(of->r->why, status, "%s: not enough memory for its shapes", of->r->name);
    STEP(annotation_tried(of->request, status, of->out, before, of->r->why));
    if (shapes_count(of->out) == first) return EXIT_DONE;
    shapes_set_role(of->out, first, s->role != SHAPE_OBJECT ? s->role : s->white ? SHAPE_BACKGROUND : SHAPE_OBJECT);
    if (s->role == SHAPE_OBJECT && s->filled)
        *(s->white ? &of->white : s->black ? &of->black : &of->other) = true;
    return EXIT_DONE;
}

/* ---- The whole ----------------------------------------------------------------------------------- */

/* A length in pixels; 0: it is not given in them. */
static double pixels_of(const xml_reader *r, const char *name)
{
    const char *text = xml_attribute(r, name);
    double value;
    if (!text || xml_numbers(&text, &value, 1) != 1 || (*text && strcmp(text, "px"))) return 0;
    return value >= 1 && value <= 65536 ? value : 0;
}

/* The drawing's own coordinates fill the picture: that of its width and height, or the photo. */
static void take_view(svg *of, svg_state *s)
{
    const char *text = xml_attribute(of->r, "viewBox");
    const double width = pixels_of(of->r, "width"), height = pixels_of(of->r, "height");
    double view[4];
    const bool sized = width > 0 && height > 0 && !(width > floor(width)) && !(height > floor(height));
    if (sized) of->out->width = (int)width, of->out->height = (int)height;
    if (!text || xml_numbers(&text, view, 4) != 4 || !(view[2] > 0 && view[3] > 0)) return;
    const double w = sized ? width : of->request->width ? of->request->width : view[2];
    const double h = sized ? height : of->request->height ? of->request->height : view[3];
    s->transform = (svg_transform){{w / view[2], 0, 0, h / view[3], -view[0] * w / view[2], -view[1] * h / view[3]}};
}

static int open_element(svg *of)
{
    static const char *const never[] = {"defs", "clipPath", "mask", "symbol", "pattern", "marker", "metadata", NULL};
    xml_reader *const r = of->r;
    svg_state *const s = &of->state[r->depth];
    *s = s[-1];
    s->hidden |= is_one_of(r->tag, never);
    if (r->depth == 1) {
        take_view(of, s);
        return EXIT_DONE;
    }
    if (s->hidden) return EXIT_DONE;
    take_fill(r, s);
    take_labels(of, s);
    if (xml_attribute(r, "transform") && !svg_transform_read(xml_attribute(r, "transform"), &s->transform))
        return xml_refuse(r, "a transform that is none of SVG");
    return s->hidden || !s->wanted ? EXIT_DONE : try_element(of, s);
}

int svg_read(const annotation_request *request, const uint8_t *data, size_t size, shapes *out, notes *log, failure *why)
{
    xml_reader r;
    svg *const of = calloc(1, sizeof *of);
    (void)log;
    if (!of) return fail(why, EXIT_RESOURCES, "%s: not enough memory to read it", request->name);
    of->request = request, of->r = &r, of->out = out;
    of->state[0] = (svg_state){.transform = {{1, 0, 0, 1, 0, 0}}, .wanted = !request->label, .filled = true,
                               .black = true, .wound = true};
    xml_reader_init(&r, request->name, data, size, why);
    int status = EXIT_DONE;
    while (!status && xml_next(&r))
        if (r.event == XML_OPEN) status = open_element(of);
    if (!status) status = r.status;
    xml_reader_free(&r);
    if (!status && of->white && of->black && !request->label)
        status = fail(why, EXIT_SEEDS, "%s: is drawn in black and white, and which of them is the object is not told; "
                      "give the shapes an id or class, and name it with --label", request->name);
    /* White on nothing is the object; beside another colour it is what that was painted on. */
    for (size_t i = 0; of->white && !of->black && !of->other && i < shapes_count(out); i++)
        if (shapes_at(out, i)->role == SHAPE_BACKGROUND) ((shape *)(void *)out->item.data)[i].role = SHAPE_OBJECT;
    free(of);
    return status;
}
