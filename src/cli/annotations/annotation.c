/* SPDX-License-Identifier: MIT
 *
 * annotation.c - the table of annotation formats: finds the format of a file, and the format that a name stands for.
 */
#include "annotation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "xml_reader.h"

static const annotation_format *const formats[] = {
#define ANNOTATION(variable) &annotation_##variable,
#include "annotations.def"
#undef ANNOTATION
};

enum { FORMATS = sizeof formats / sizeof *formats };

const char *annotation_format_line(int index)
{
    for (int i = 0; i < FORMATS; i++)
        if (formats[i]->line && index-- == 0) return formats[i]->line;
    return NULL;
}

const char *annotation_name(int index)
{
    for (int i = 0; i < FORMATS; i++)
        if (formats[i]->write && index-- == 0) return formats[i]->name;
    return NULL;
}

/* ---- Reading ------------------------------------------------------------------------------------ */

static bool lists(const char *words, const char *key)
{
    char word[40];
    return words && snprintf(word, sizeof word, " %s ", key) < (int)sizeof word && strstr(words, word);
}

/* Reads the rest of a JSON object. *format becomes the first format of the table that has one of the object's keys. */
static int recognise_keys(json_reader *r, bool items, const annotation_format **format)
{
    int best = FORMATS;
    for (json_enter(r, '{'); json_more(r);) {
        for (int i = 0; i < best; i++)
            if (lists(items ? formats[i]->items : formats[i]->keys, (const char *)r->key.data)) best = i;
        if (items && json_is_key(r, "bbox")) *format = &annotation_coco; /* GeoJSON features may have "bbox" too */
    }
    if (best < FORMATS) *format = formats[best];
    return r->status;
}

/* Reads the whole file once, so a file that is not valid JSON is refused here. */
static int recognise(json_reader *r, const annotation_format **format)
{
    const json_mark start = json_here(r);
    if (json_kind(r) == '[') {
        STEP(json_enter(r, '['));
        if (!json_more(r)) *format = &annotation_coco; /* an empty list of COCO results */
        else if (json_kind(r) == '{') STEP(recognise_keys(r, true, format));
        json_go(r, &start);
        STEP(json_skip(r));
        return json_end(r);
    }
    STEP(recognise_keys(r, false, format));
    while (*format == &annotation_geojson && json_kind(r) == '{') STEP(json_skip(r)); /* one feature per line */
    STEP(json_end(r));
    for (int i = 0; !*format && i < FORMATS; i++) {
        json_go(r, &start);
        if (formats[i]->fits && formats[i]->fits(r)) *format = formats[i];
    }
    return EXIT_DONE;
}

static int check_named(const annotation_request *request, const annotation_format *format, failure *why)
{
    if (!request->by_name || format->named) return EXIT_DONE;
    return fail(why, EXIT_INPUT, "%s: does not name its picture, so which of several it is about is not known",
                request->name);
}

static int read_json(const annotation_request *request, const uint8_t *data, size_t size, shapes *out, notes *log,
                     failure *why)
{
    const annotation_format *format = request->memo ? request->memo->format : NULL;
    json_reader r;
    json_reader_init(&r, request->name, data, size, why);
    r.each_once = true;
    int status = format ? EXIT_DONE : recognise(&r, &format);
    json_reader_free(&r);
    if (!status && request->memo) request->memo->format = format;
    if (!status && !format)
        status = fail(why, EXIT_INPUT, "%s: is JSON, but neither LabelMe's (\"shapes\"), COCO's (\"annotations\"), "
                      "GeoJSON (\"type\"), Label Studio's (\"data\") nor VIA's (\"regions\")", request->name);
    json_reader_init(&r, request->name, data, size, why);
    if (!status && format) status = check_named(request, format, why);
    if (!status && format) status = format->read(request, &r, out, log);
    json_reader_free(&r);
    return status;
}

static int read_xml(const annotation_request *request, const uint8_t *data, size_t size, shapes *out, notes *log,
                    failure *why)
{
    char root[40] = "";
    STEP(xml_root(request->name, data, size, root, sizeof root, why));
    for (int i = 0; i < FORMATS; i++)
        if (lists(formats[i]->roots, root)) {
            STEP(check_named(request, formats[i], why));
            return formats[i]->read_text(request, data, size, out, log, why);
        }
    return fail(why, EXIT_INPUT, "%s: is XML of the root <%.40s>, but neither CVAT's or Pascal VOC's annotations nor "
                "SVG", request->name, root);
}

static int read_numbers(const annotation_request *request, const uint8_t *data, size_t size, shapes *out, notes *log,
                        failure *why)
{
    STEP(check_named(request, &annotation_yolo, why));
    return annotation_yolo.read_text(request, data, size, out, log, why);
}

static void note_left_out(const annotation_request *request, const shapes *all, notes *log)
{
    if (all->left_out == 1) note(log, "%s: %s; this shape was left out", request->name, all->reason);
    if (all->left_out > 1)
        note(log, "%s: %s; this and %d other shapes were left out", request->name, all->reason, all->left_out - 1);
}

/* Returns the first character after the byte order mark and the white space; 0 if there is none. */
static char first_of(const uint8_t *data, size_t size)
{
    size_t i = utf8_mark(data, size);
    while (i < size && data[i] && strchr(" \t\r\n\x1e", data[i])) i++;
    return i < size ? (char)data[i] : '\0';
}

/* Says that the file has no wanted shape for the photo; it may have some for others. */
static int fail_without_shapes(const annotation_request *request, failure *why)
{
    const char *const photo = request->photo, *const on = photo ? " for " : "";
    return request->label ? fail(why, EXIT_SEEDS, "%s: has no shape of the label '%.80s'%s%.200s", request->name,
                                 request->label, on, photo ? photo : "")
                          : fail(why, EXIT_SEEDS, "%s: has no shapes%s%.200s", request->name, on, photo ? photo : "");
}

int annotation_read(const annotation_request *request, const uint8_t *data, size_t size, shapes *out, notes *log,
                    failure *why)
{
    const char first = first_of(data, size);
    memset(out, 0, sizeof *out);
    int status = first == '<' ? read_xml(request, data, size, out, log, why)
                 : first == '{' || first == '[' || !first ? read_json(request, data, size, out, log, why)
                                                : read_numbers(request, data, size, out, log, why);
    if (!status) note_left_out(request, out, log);
    if (!status) shapes_number(out);
    if (!status && request->object > out->objects)
        status = fail(why, EXIT_SEEDS, "%s: has %d objects for this photo, and no number %d", request->name,
                      out->objects, request->object);
    if (!status && request->object) shapes_keep_object(out, request->object);
    if (!status && !shapes_count(out) && !out->left_out && !request->by_name)
        status = fail_without_shapes(request, why);
    if (status) shapes_free(out);
    return status;
}

int annotation_names(const char *name, shape_rules rules, const uint8_t *data, size_t size, bytes *names, failure *why)
{
    const annotation_request all = {.name = name, .names = names, .rules = rules, .width = 1, .height = 1};
    shapes unused;
    const int status = annotation_read(&all, data, size, &unused, NULL, why);
    shapes_free(&unused);
    /* this call does not choose a picture, so not finding one is no error */
    if (status == EXIT_SEEDS) *why = (failure){0};
    return status == EXIT_SEEDS ? EXIT_DONE : status;
}

void annotation_memo_free(annotation_memo *memo)
{
    bytes_free(&memo->places);
    bytes_free(&memo->ids);
    *memo = (annotation_memo){0};
}

int annotation_objects(const annotation_request *request, const uint8_t *data, size_t size)
{
    shapes all;
    failure why = {0};
    const int count = annotation_read(request, data, size, &all, NULL, &why) ? 0 : all.objects;
    shapes_free(&all);
    return count;
}

static int find_places(const annotation_request *request, shapes *all, int status, failure *why)
{
    const georeference *const where = request->place;
    const char *const photo = request->photo ? request->photo : "the other";
    if (!where || !where->placed)
        return fail(why, status, "%s: has coordinates on earth, and %s does not say where it lies; give shapes in "
                    "pixels, or the GeoTIFF itself", request->name, photo);
    if (all->epsg && where->epsg && all->epsg != where->epsg)
        return fail(why, status, "%s: has coordinates of EPSG:%d%s, and %s those of EPSG:%d; convert them (ogr2ogr "
                    "-t_srs EPSG:%d)", request->name, all->epsg, all->named ? "" : ", as it names no system", photo,
                    where->epsg, where->epsg);
    for (size_t i = 0; i < shapes_points(all); i++) {
        double place[2];
        if (!georeference_to_place(where, shapes_point_at(all, i), place) || fmax(fabs(place[0]), fabs(place[1])) > 1e7)
            return fail(why, status, "%s: %.9g, %.9g lies far from where %s does", request->name,
                        shapes_point_at(all, i)[0], shapes_point_at(all, i)[1], photo);
        shapes_move_point(all, i, place);
    }
    return EXIT_DONE;
}

int annotation_fit(const annotation_request *request, shapes *all, int width, int height, failure *why)
{
    const bool wide = all->width && all->width != width, high = all->height && all->height != height;
    const int status = request->by_name ? EXIT_INPUT : EXIT_SEEDS;
    if (all->on_earth) STEP(find_places(request, all, status, why));
    if (!wide && !high) return EXIT_DONE;
    const bool turned = all->width == height && all->height == width;
    return fail(why, status, "%s: is about a picture of %dx%d but %s is %dx%d%s", request->name, all->width,
                all->height, request->photo ? request->photo : "the other", width, height,
                turned ? "; it is turned by a quarter (see --exif)" : "; shapes must be those of this picture");
}

int annotation_paint(const annotation_request *request, const shapes *all, int width, int height, uint8_t *out,
                     notes *log, failure *why)
{
    static const shape_paint roles[] = {[SHAPE_OBJECT] = {255, 255}, [SHAPE_BACKGROUND] = {255, 0},
                                        [SHAPE_IGNORED] = {255, 128}};
    int lines = 0, areas = 0;
    memset(out, 0, (size_t)width * (size_t)height);
    for (size_t i = 0; i < shapes_count(all); i++) {
        const shape *const s = shapes_at(all, i);
        lines += s->kind == SHAPE_LINE;
        areas += s->kind != SHAPE_LINE && s->role == SHAPE_OBJECT;
        if (!shapes_paint(all, i, (shape_rows){width, 0, height}, roles[s->role], out))
            return fail(why, EXIT_RESOURCES, "%s: not enough memory to paint its shapes", request->name);
    }
    if (!areas && all->left_out)
        return fail(why, EXIT_INPUT, "%s: %s; no shape is left", request->name, all->reason);
    if (!areas && !request->by_name)
        return fail(why, EXIT_SEEDS, "%s: has %s, which are no mask; as seeds, they go to -s", request->name,
                    lines ? "lines and points alone" : "shapes of background alone");
    if (lines) note(log, "%s: %d lines and points say nothing as a mask and were left out", request->name, lines);
    if (areas && !memchr(out, 255, (size_t)width * (size_t)height))
        note(log, "%s: its shapes cover no pixel of the picture", request->name);
    return EXIT_DONE;
}

/* ---- Writing ------------------------------------------------------------------------------------ */

/* True if `path` ends with one of the format's extensions, in upper or lower case. */
static bool ends_as(const char *path, const annotation_format *format)
{
    const size_t length = strlen(path);
    for (const char *word = format->extensions; *word; word += strcspn(word, " ")) {
        word += strspn(word, " ");
        const size_t size = strcspn(word, " ");
        if (size && length > size && !strncasecmp(path + length - size, word, size)) return true;
    }
    return false;
}

int annotation_choose(const char *path, const char *as, const annotation_format **format, failure *why)
{
    const size_t length = strlen(path);
    *format = NULL;
    for (int i = 0; i < FORMATS; i++)
        if (as && formats[i]->write && !strcmp(as, formats[i]->name)) *format = formats[i];
    for (int i = 0; i < FORMATS && !*format; i++)
        if (ends_as(path, formats[i])) *format = formats[i];
    if (*format || length < 5 || strcasecmp(path + length - 5, ".json") != 0) return EXIT_DONE;
    return fail(why, EXIT_USAGE, "%s: which kind of JSON is not told by its name; add --format labelme, coco, "
                "coco-rle, geojson or label-studio", path);
}

bool annotation_has_outlines(const annotation_format *format) { return format && !format->without_outlines; }

bool annotation_holds_many(const annotation_format *format)
{
    return format->many;
}

int annotation_encode(const annotation_format *format, const annotation_about *about, const uint8_t *mask, bytes *sink,
                      failure *why)
{
    annotation_about all = *about;
    if (!about->objects) return format->write(about, mask, sink, why);
    all.room = malloc((size_t)about->width * (size_t)about->height);
    if (!all.room) return fail(why, EXIT_RESOURCES, "not enough memory for masks of %d objects", about->objects);
    const int status = format->write(&all, mask, sink, why);
    free(all.room);
    return status;
}
