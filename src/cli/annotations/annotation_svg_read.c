/* SPDX-License-Identifier: MIT
 *
 * annotation_svg_read.c - reads the shapes of an SVG drawing (SVG 1.1): paths, polygons, rectangles, circles, ellipses
 * and lines, with their transforms and styles. A filled shape becomes an area; a shape that has only a stroke becomes a
 * line. The label is the id, class, data-label or Inkscape label of the shape or of a group around it. Curves become
 * polygons that differ from them by less than a thousandth of a pixel.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotation.h"
#include "svg_path.h"
#include "svg_style.h"

/* The style that an element inherits from the elements around it. */
typedef struct svg_state {
    svg_transform transform;
    bool hidden, unseen, wanted; /* unseen: the element is invisible, but a child may be visible */
    svg_paint fill, stroke, color;
    bool current;                /* true: the fill is "currentColor", so it follows `color` */
    double opacity, fill_opacity, stroke_opacity; /* `opacity` includes that of the elements around */
    bool thin, wound;            /* thin: the stroke has no width */
    bool filtered, marked;       /* marked: markers are drawn at its corners */
    bool chosen;                 /* for a <switch>; true: the one child that it shows has been found */
    const char *unread;          /* why the shapes in it cannot be read, such as "cut by a mask"; NULL: they can */
    shape_role role;
} svg_state;

typedef struct svg {
    const annotation_request *request;
    xml_reader *r;
    shapes *out;
    svg_sheet sheet;
    double view[2];                 /* the drawing's width and height, in its own coordinates */
    /* prefixes of SVG's element names, with a colon: the outermost element's, and a declared one */
    char prefix[2][XML_WORD];
    bool unmeasured;                /* true: the latest shape has a length in an unknown unit */
    svg_state state[XML_DEPTH + 1]; /* one for each open element; [0] is the whole drawing's */
    bool white, black, other;       /* the colours of fill seen so far */
    int outlined;                   /* number of filled shapes that also have a stroke          */
    int uneven;                     /* number of filled shapes of which a part may be invisible */
    int marked;                     /* number of shapes with markers                            */
} svg;

/* ---- Attributes ---------------------------------------------------------------------------------- */

/* Returns a length in the drawing's coordinates. A percentage refers to the drawing's width if `along` is 0, to its
 * height if 1, and to their quadratic mean if 2. */
static double length_of(svg *of, const char *name, int along)
{
    char room[SVG_VALUE];
    const char *const text = svg_property(&of->sheet, of->r, name, room);
    const double whole = along < 2 ? of->view[along] : hypot(of->view[0], of->view[1]) / sqrt(2);
    double value = 0;
    if (*text && strcmp(text, "auto") != 0 && !svg_length(text, whole, &value)) of->unmeasured = true;
    return value;
}

static bool is_one_of(const char *word, const char *const *list)
{
    for (; *list; list++)
        if (!strcmp(word, *list)) return true;
    return false;
}

/* True if the element has the property, with a value other than "inherit". */
static bool has_property(const svg *of, const char *name, char text[SVG_VALUE])
{
    return *svg_property(&of->sheet, of->r, name, text) && strcmp(text, "inherit") != 0;
}

static bool take_paint(const svg *of, const char *name, char text[SVG_VALUE], svg_paint *paint)
{
    const bool has = has_property(of, name, text);
    const svg_paint found = has ? svg_paint_of(text) : SVG_INVALID;
    if (found != SVG_INVALID) *paint = found;
    return has;
}

static void take_paints(const svg *of, svg_state *s)
{
    char text[SVG_VALUE];
    take_paint(of, "color", text, &s->color);
    take_paint(of, "stroke", text, &s->stroke);
    if (take_paint(of, "fill", text, &s->fill)) s->current = !strcmp(text, "currentcolor");
    if (s->current) s->fill = s->color;
}

/* True if the element has one of these properties with a value other than "none". */
static bool has_one_of(const svg *of, const char *const *names)
{
    char text[SVG_VALUE];
    for (; *names; names++)
        if (has_property(of, *names, text) && strcmp(text, "none") != 0) return true;
    return false;
}

/* Returns the words for a way of moving shapes that is not supported: anything but the attribute `transform` on an
 * inner element. NULL: the element uses none. */
static const char *mover(const svg *of)
{
    static const char *const names[] = {"translate", "rotate", "scale", "transform", NULL};
    const bool moved = xml_attribute(of->r, "transform");
    char text[SVG_VALUE];
    if (moved && of->r->depth == 1) return "in a drawing that is moved as a whole";
    if (moved && has_property(of, "transform-origin", text) && strcmp(text, "0 0") != 0)
        return "with a transform-origin";
    return !moved && has_one_of(of, names) ? "moved by a transform in its style" : NULL;
}

/* True if the element is shown only by programs with a certain language or extension. */
static bool is_conditional(const xml_reader *r)
{
    return xml_attribute(r, "systemLanguage") || xml_attribute(r, "requiredExtensions");
}

static void take_style(const svg *of, svg_state *s)
{
    static const char *const markers[] = {"marker", "marker-start", "marker-mid", "marker-end", NULL};
    char text[SVG_VALUE];
    take_paints(of, s);
    s->marked |= has_one_of(of, markers);
    if (has_property(of, "stroke-width", text)) s->thin = svg_share(text) == 0;
    if (has_property(of, "fill-rule", text)) s->wound = strcmp(text, "evenodd") != 0;
    if (has_property(of, "fill-opacity", text)) s->fill_opacity = svg_share(text);
    if (has_property(of, "stroke-opacity", text)) s->stroke_opacity = svg_share(text);
    if (has_property(of, "filter", text)) s->filtered |= strcmp(text, "none") != 0;
    if (has_property(of, "visibility", text)) s->unseen = strcmp(text, "visible") != 0;
    if (has_property(of, "display", text)) s->hidden |= !strcmp(text, "none");
    if (has_property(of, "opacity", text)) s->opacity *= svg_share(text);
    s->hidden |= !(s->opacity > 0);
    if (has_property(of, "clip-path", text) && strcmp(text, "none") != 0) s->unread = "cut by a clip-path";
    if (has_property(of, "mask", text) && strcmp(text, "none") != 0) s->unread = "cut by a mask";
    if (is_conditional(of->r)) s->unread = "that only some programs show";
    const char *const moved = mover(of);
    if (moved) s->unread = moved;
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

/* Reads the attribute "points" of a polygon or polyline. */
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

/* Returns a radius of a rectangle's rounded corners; -1 if it is missing, so the other radius holds. */
static double radius_of(svg *of, const char *name, int along)
{
    char text[SVG_VALUE];
    return has_property(of, name, text) && strcmp(text, "auto") != 0 ? length_of(of, name, along) : -1;
}

/* Adds a rectangle. Its corners may be rounded. */
static bool add_rectangle(svg *of, svg_path *path)
{
    const double x = length_of(of, "x", 0), y = length_of(of, "y", 1), w = length_of(of, "width", 0),
                 h = length_of(of, "height", 1);
    double a = radius_of(of, "rx", 0), b = radius_of(of, "ry", 1);
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

static bool is_filled(const svg_state *s) { return s->fill != SVG_NONE && s->opacity * s->fill_opacity > 0; }

static bool is_stroked(const svg_state *s)
{
    return s->stroke != SVG_NONE && !s->thin && s->opacity * s->stroke_opacity > 0;
}

/* True if a part of a filled shape may be invisible: it has a gradient or a filter, or is less than half opaque. */
static bool is_uneven(const svg_state *s)
{
    return s->filtered || s->fill == SVG_SERVER || s->fill == SVG_FAINT || s->opacity * s->fill_opacity < 0.5;
}

/* True if the newest shape can enclose an area: one of its rings has three points or more. */
static bool has_area(const shapes *all)
{
    const shape *const last = shapes_at(all, shapes_count(all) - 1);
    for (size_t i = last->first; i < last->ends; i++)
        if (shapes_ring_at(all, i)->ends - shapes_ring_at(all, i)->first > 2) return true;
    return false;
}

static int read_element(svg *of, const svg_state *s)
{
    const xml_reader *const r = of->r;
    const char *const tag = r->tag;
    svg_path path = {.out = of->out, .transform = s->transform};
    bool room = true, fine = true;
    of->unmeasured = false;
    if (!shapes_begin(of->out, is_filled(s) ? SHAPE_AREA : SHAPE_LINE)) return EXIT_RESOURCES;
    shapes_last(of->out)->wound = s->wound;
    if (!strcmp(tag, "path")) room = svg_path_read(&path, xml_attribute(r, "d"), &fine);
    else if (!strcmp(tag, "polygon") || !strcmp(tag, "polyline")) room = add_points(&path, r);
    else if (!strcmp(tag, "rect")) room = add_rectangle(of, &path);
    else if (!strcmp(tag, "circle"))
        room = add_ellipse(&path, length_of(of, "cx", 0), length_of(of, "cy", 1), length_of(of, "r", 2),
                           length_of(of, "r", 2));
    else if (!strcmp(tag, "ellipse"))
        room = add_ellipse(&path, length_of(of, "cx", 0), length_of(of, "cy", 1), length_of(of, "rx", 0),
                           length_of(of, "ry", 1));
    else
        room = add_corners(&path, (double[]){length_of(of, "x1", 0), length_of(of, "y1", 1), length_of(of, "x2", 0),
                                             length_of(of, "y2", 1)}, 2);
    if (!room) return EXIT_RESOURCES;
    if (s->unread) return xml_refuse(r, "a <%s> %s, which is not read", tag, s->unread);
    if (of->unmeasured)
        return xml_refuse(r, "a <%s> with a length that is no number of px, mm, cm, in, pt, pc or %%", tag);
    if (!fine) return xml_refuse(r, "a path that is none of SVG");
    if (path.beyond) return xml_refuse(r, "a <%s> beyond any picture", tag);
    const shape *const last = shapes_last(of->out);
    return last->first < last->ends ? EXIT_DONE : xml_refuse(r, "a <%s> without points", tag);
}

static int try_element(svg *of, const svg_state *s)
{
    static const char *const drawn[] = {"path", "polygon", "polyline", "rect", "circle", "ellipse", "line", NULL};
    static const char *const not_drawn[] = {"use", "text", "image", "foreignObject", NULL};
    const shapes_mark before = shapes_now(of->out);
    const size_t first = shapes_count(of->out);
    int status = EXIT_DONE;
    if (!strcmp(of->r->tag, "foreignObject") && is_conditional(of->r)) return EXIT_DONE;
    if (is_one_of(of->r->tag, not_drawn))
        return annotation_tried(of->request, xml_refuse(of->r, "<%s> says no shape", of->r->tag), of->out, before,
                                of->r->why);
    if (!is_one_of(of->r->tag, drawn) || !(is_filled(s) || is_stroked(s))) return EXIT_DONE;
    status = read_element(of, s);
    if (status == EXIT_RESOURCES) return fail(of->r->why, status, "%s: not enough memory for its shapes", of->r->name);
    STEP(annotation_tried(of->request, status, of->out, before, of->r->why));
    if (shapes_count(of->out) == first) return EXIT_DONE;
    of->marked += s->marked && (strstr("path polyline polygon", of->r->tag) || !strcmp(of->r->tag, "line"));
    const bool white = s->fill == SVG_WHITE && !is_uneven(s);
    shapes_set_role(of->out, first, s->role == SHAPE_OBJECT && white ? SHAPE_BACKGROUND : s->role);
    if (is_filled(s) && is_stroked(s) && !has_area(of->out)) shapes_last(of->out)->kind = SHAPE_LINE;
    else of->outlined += is_filled(s) && is_stroked(s), of->uneven += is_filled(s) && is_uneven(s);
    if (s->role == SHAPE_OBJECT && is_filled(s))
        *(white ? &of->white : s->fill == SVG_BLACK ? &of->black : &of->other) = true;
    return EXIT_DONE;
}

/* ---- The whole ----------------------------------------------------------------------------------- */

/* Returns the drawing's width or height in pixels; 0 if it is missing, a percentage or out of range. */
static double side_of(const xml_reader *r, const char *name)
{
    const char *const text = xml_attribute(r, name);
    double value = 0;
    return text && !strchr(text, '%') && svg_length(text, 0, &value) && value >= 1 && value <= 65536 ? value : 0;
}

/* Scales the drawing's own coordinates to the picture. The picture's size is the drawing's width and height in pixels
 * if they are given, else the photo's size. */
static int take_view(svg *of, svg_state *s)
{
    const xml_reader *const r = of->r;
    const char *text = xml_attribute(r, "viewBox"), *const fit = xml_attribute(r, "preserveAspectRatio");
    const double side[2] = {side_of(r, "width"), side_of(r, "height")};
    double view[4] = {0, 0, 0, 0};
    const bool viewed = text && xml_numbers(&text, view, 4) == 4 && view[2] > 0 && view[3] > 0;
    const bool whole = !(side[0] > floor(side[0])) && !(side[1] > floor(side[1]));
    if (side[0] > 0 && side[1] > 0 && (whole || !viewed))
        of->out->width = (int)lround(side[0]), of->out->height = (int)lround(side[1]);
    const double w = of->out->width ? of->out->width : of->request->width ? of->request->width : view[2];
    const double h = of->out->width ? of->out->height : of->request->height ? of->request->height : view[3];
    of->view[0] = viewed ? view[2] : w, of->view[1] = viewed ? view[3] : h;
    if (!viewed && ((side[0] > 0 && fabs(side[0] - w) >= 1) || (side[1] > 0 && fabs(side[1] - h) >= 1)))
        return xml_refuse(r, "one side of the drawing, and another one than that of the picture, %gx%g", w, h);
    if (!viewed) return EXIT_DONE;
    const double across = w / view[2], down = h / view[3], most = fmax(w, h);
    const bool stretched = fit && !strncmp(fit, "none", 4);
    if (!of->out->width && side[0] > 0 && side[1] > 0 && !stretched &&
        fabs(side[0] / view[2] * view[3] / side[1] - 1) * most > 1.5)
        return xml_refuse(r, "a viewBox of %gx%g, whose proportions are not those of its width and height", view[2],
                          view[3]);
    if (!of->request->names && fabs(across / down - 1) * most > 1.5 && !stretched)
        return xml_refuse(r, "a viewBox of %gx%g, whose proportions are not those of the picture, %gx%g", view[2],
                          view[3], w, h);
    s->transform = (svg_transform){{across, 0, 0, down, -view[0] * across, -view[1] * down}};
    return EXIT_DONE;
}

static const char *without_prefix(const char *word)
{
    const char *const colon = strchr(word, ':');
    return colon ? colon + 1 : word;
}

/* Finds out from the outermost element which prefixes of names are SVG's. */
static void take_prefixes(svg *of)
{
    const char *const first = (const char *)of->r->attribute.data; /* the first attribute; NULL if there is none */
    const char *const end = first ? first + of->r->attribute.size : NULL, *const root = of->r->open[0];
    snprintf(of->prefix[0], XML_WORD, "%.*s", (int)(without_prefix(root) - root), root);
    for (const char *name = first, *value; name < end; name = value + strlen(value) + 1) {
        value = name + strlen(name) + 1;
        if (!strncmp(name, "xmlns:", 6) && !strcmp(value, "http://www.w3.org/2000/svg"))
            snprintf(of->prefix[1], XML_WORD, "%s:", name + 6);
    }
}

/* True if the latest opening tag is not one of SVG's. */
static bool is_foreign(const svg *of)
{
    const char *const word = of->r->open[of->r->depth - 1], *const space = xml_attribute(of->r, "xmlns");
    const size_t size = (size_t)(without_prefix(word) - word);
    if (!size) return space && of->r->depth > 1 && strcmp(space, "http://www.w3.org/2000/svg") != 0;
    for (int i = 0; i < 2; i++)
        if (strlen(of->prefix[i]) == size && !strncmp(of->prefix[i], word, size)) return false;
    return true;
}

/* True if the element is a direct child of a <switch> that already shows an earlier child. */
static bool is_passed_over(svg *of, svg_state *around)
{
    const xml_reader *const r = of->r;
    if (r->depth < 2 || strcmp(without_prefix(r->open[r->depth - 2]), "switch") != 0) return false;
    const bool passed = around->chosen;
    around->chosen |= !is_conditional(r);
    return passed;
}

static int open_element(svg *of)
{
    static const char *const around[] = {"svg", "g", "a", "switch", NULL}; /* elements whose children are drawn */
    xml_reader *const r = of->r;
    svg_state *const s = &of->state[r->depth];
    *s = s[-1];
    s->chosen = false;
    if (r->depth == 1) take_prefixes(of);
    s->hidden |= r->depth > 1 && !is_one_of(without_prefix(r->open[r->depth - 2]), around);
    s->hidden |= is_foreign(of) || is_passed_over(of, s - 1);
    if (s->hidden) return EXIT_DONE;
    if (r->depth == 1) STEP(take_view(of, s));
    take_style(of, s);
    if (r->depth == 1) return EXIT_DONE;
    if (!strcmp(r->tag, "svg")) s->unread = "in an <svg> of its own";
    take_labels(of, s);
    if (xml_attribute(r, "transform") && !svg_transform_read(xml_attribute(r, "transform"), &s->transform))
        return xml_refuse(r, "a transform that is none of SVG");
    return s->hidden || s->unseen || !s->wanted ? EXIT_DONE : try_element(of, s);
}

/* True if the <style> element that was just opened is not for screens. */
static bool is_elsewhere(const xml_reader *r)
{
    const char *const media = xml_attribute(r, "media");
    return media && *media && !strstr(media, "screen") && !strstr(media, "all");
}

/* Reads the drawing twice: first the rules in all <style> elements, which hold for the whole drawing, then
 * the shapes. */
static int read_drawing(svg *of, const uint8_t *data, size_t size, failure *why)
{
    int status = EXIT_DONE;
    for (int turn = 0; !status && turn < 2; turn++) {
        xml_reader *const r = of->r;
        xml_reader_init(r, of->request->name, data, size, why);
        while (!status && xml_next(r)) {
            if (turn && r->event == XML_OPEN) status = open_element(of);
            if (!turn && r->event == XML_TEXT && !strcmp(without_prefix(r->open[r->depth - 1]), "style") &&
                !is_elsewhere(r))
                status = svg_sheet_add(&of->sheet, r, (const char *)r->text.data);
        }
        if (!status) status = r->status;
        xml_reader_free(r);
    }
    return status;
}

int svg_read(const annotation_request *request, const uint8_t *data, size_t size, shapes *out, notes *log, failure *why)
{
    svg *const of = calloc(1, sizeof *of);
    xml_reader reader;
    if (!of) return fail(why, EXIT_RESOURCES, "%s: not enough memory to read it", request->name);
    of->request = request, of->out = out, of->r = &reader;
    of->state[0] = (svg_state){.transform = {{1, 0, 0, 1, 0, 0}}, .wanted = !request->label, .fill = SVG_BLACK,
                               .color = SVG_BLACK, .opacity = 1, .fill_opacity = 1, .stroke_opacity = 1, .wound = true};
    int status = read_drawing(of, data, size, why);
    bytes_free(&of->sheet);
    if (!status && of->white && of->black && !request->label)
        status = fail(why, EXIT_SEEDS, "%s: is drawn in black and white, and which of them is the object is not told; "
                      "give the shapes an id or class, and name it with --label", request->name);
    /* If all shapes are white, they are the object. Next to shapes of another colour, white is the background. */
    for (size_t i = 0; of->white && !of->black && !of->other && i < shapes_count(out); i++)
        if (shapes_at(out, i)->role == SHAPE_BACKGROUND) ((shape *)(void *)out->item.data)[i].role = SHAPE_OBJECT;
    if (!status && of->outlined)
        note(log, "%s: the outlines drawn around %d of its filled shapes do not count; a shape ends where its fill "
             "does", request->name, of->outlined);
    if (!status && of->uneven)
        note(log, "%s: %d of its filled shapes are faint, or have a gradient, a pattern or a filter; each counts as a "
             "whole", request->name, of->uneven);
    if (!status && memmem(data, size, "<?xml-stylesheet", 16))
        note(log, "%s: the rules of style in another file, which it names, do not count", request->name);
    if (!status && of->marked)
        note(log, "%s: the markers on %d of its shapes do not count", request->name, of->marked);
    free(of);
    return status;
}
