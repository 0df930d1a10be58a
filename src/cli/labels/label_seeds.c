/* SPDX-License-Identifier: MIT
 *
 * label_seeds.c - see label_seeds.h. In a label map 0 is unknown and, as most programs write it, so is the greatest
 * number of its kind, 255 or 65535.
 */
#include "label_seeds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "label_map.h"
#include "seeds_parts.h"

static size_t pixels_of(const label_seeds *s)
{
    return (size_t)s->width * (size_t)s->height * (size_t)s->depth;
}

static int refuse_number(const char *name, double number, size_t x, size_t y, failure *why)
{
    return fail(why, EXIT_SEEDS, "%s: holds %g at %zu,%zu; labels are whole numbers from 1 to 254, and 0 and 255 are "
                "unknown", name, number, x, y);
}

/* ---- A label map -------------------------------------------------------------------------------- */

static int read_picture(const label_request *request, const char *photo, label_seeds *out, notes *log, failure *why)
{
    const char *const name = file_input_name(request->map);
    image map;
    int status = image_read(request->map, request->limits, &map, log, why);
    if (status) return status;
    const size_t width = (size_t)map.width;
    if (map.width != out->width || map.height != out->height)
        status = fail(why, EXIT_SEEDS, "%s: is %dx%d but %s is %dx%d; a label map has the photo's size", name,
                      map.width, map.height, photo, out->width, out->height);
    else if (map.lossy)
        status = fail(why, EXIT_SEEDS, "%s: is a JPEG, which cannot hold the exact numbers of labels; save it as PNG",
                      name);
    else if (!label_map_numbers(&map))
        status = fail(why, EXIT_SEEDS,
                      "%s: is in colour; a label map is grey or has a palette, and its numbers are the "
                      "labels",
                      name);
    for (size_t p = 0; !status && p < pixels_of(out); p++) {
        const int number = label_map_number(&map, p);
        if (number == 255 || (map.depth == 16 && number == 65535)) continue;
        if (number > 255) status = refuse_number(name, number, p % width, p / width, why);
        else out->value[p] = (uint8_t)number;
    }
    image_free(&map);
    return status;
}

/* A map that lies otherwise, or has other voxels, is placed by both files' axes. */
static int read_volume(const label_request *request, const scan *of, const char *volume, label_seeds *out, notes *log,
                       failure *why)
{
    const char *const name = file_input_name(request->map);
    const scan_reading reading = {.limits = request->limits};
    const scan_extent to = scan_extent_of(of);
    scan map;
    scan_map lies;
    double apart;
    int status = scan_read(request->map, &reading, &map, log, why);
    if (status) return status;
    const scan_extent from = scan_extent_of(&map);
    if (!scan_find_map(&from, &to, &lies, &apart))
        status = fail(why, EXIT_SEEDS,
                      "%s: does not lie on the voxels of %s (%dx%dx%d on %dx%dx%d); resample it to the "
                      "scan's axes",
                      name, volume, map.width, map.height, map.depth, of->width, of->height, of->depth);
    for (size_t i = 0; !status && i < scan_count(&map); i++) {
        const int64_t at = (int64_t)i,
                      v[3] = {at % map.width, at / map.width % map.height, at / map.width / map.height};
        const double number = scan_value(&map, i);
        int64_t p[3];
        if (number == 0 || number == 255 || number == 65535) continue;
        if (!(number > 0 && number < 255) || floor(number) != number) {
            status = refuse_number(name, number, (size_t)v[0], (size_t)v[1], why);
            break;
        }
        scan_map_voxel(&lies, v, p);
        if (p[0] < 0 || p[0] >= of->width || p[1] < 0 || p[1] >= of->height || p[2] < 0 || p[2] >= of->depth) continue;
        out->value[(p[2] * of->height + p[1]) * of->width + p[0]] = (uint8_t)number;
    }
    scan_free(&map);
    return status;
}

/* ---- Strokes ----------------------------------------------------------------------------------- */

/* The number of a label's name: itself, or that of the name. 0: it is no label. */
static int number_of(label_seeds *out, const bool taken[256], const char *name)
{
    char *end;
    const long number = strtol(name, &end, 10);
    if (end != name && !*end) return number >= 1 && number <= 254 ? (int)number : 0;
    for (int i = 1; i < 255; i++)
        if (out->name[i] && !strcmp(out->name[i], name)) return i;
    for (int i = 1; i < 255; i++)
        if (!out->name[i] && !taken[i]) return out->name[i] = name, i;
    return 0;
}

typedef struct painting {
    label_seeds *seeds;
    int label;
    size_t clash; /* the first pixel that two labels claim, plus 1; 0: none */
    bool *mine;   /* [pixels] painted by strokes, which must not contradict each other */
} painting;

static void put(void *context, size_t first, size_t count)
{
    painting *const p = context;
    for (size_t i = first; i < first + count; i++) {
        if (p->mine[i] && p->seeds->value[i] != p->label && !p->clash) p->clash = i + 1;
        p->mine[i] = true;
        p->seeds->value[i] = (uint8_t)p->label;
    }
}

/* Numbers that the map or the command line uses as such. */
static void find_taken(const label_request *request, const label_seeds *out, bool taken[256])
{
    for (size_t p = 0; p < pixels_of(out); p++) taken[out->value[p]] = true;
    for (int i = 0; i < request->given->count; i++) {
        const struct option_given *const g = &request->given->items[i];
        const long number = !strcmp(g->row->name, "label") ? strtol(g->value, NULL, 10) : 0;
        if (number > 0 && number < 255) taken[number] = true;
    }
}

static int paint_stroke(const label_request *request, const char *text, const char *name, painting *p, failure *why)
{
    label_seeds *const s = p->seeds;
    claims rows = {.width = s->width, .height = (int64_t)s->height * s->depth, .slice = s->depth > 1 ? s->height : 0,
                   .scale = {s->scale[0], s->scale[1], s->scale[2]}};
    const int axes = s->depth > 1 ? 3 : 2;
    seeds_stroke stroke;
    int outside = 0;
    rows.whole_height = rows.height;
    if (!seeds_stroke_parse(text, true, &stroke))
        return fail(why, EXIT_USAGE, "--stroke: '%s' is not a list of points X,Y", text);
    if (stroke.spatial != (axes == 3)) {
        free(stroke.points);
        return fail(why, EXIT_USAGE, "--stroke: '%s' has points of %d numbers; %s has %d axes", text,
                    stroke.spatial ? 3 : 2, name, axes);
    }
    const int64_t painted = seeds_paint_stroke(&rows, &stroke, request->radius, &outside, put, p);
    free(stroke.points);
    if (painted) return EXIT_DONE;
    return fail(why, EXIT_SEEDS, "--stroke: '%s' lies outside of %s", text, name);
}

static int paint(const label_request *request, const char *name, label_seeds *out, failure *why)
{
    bool taken[256] = {false};
    painting p = {.seeds = out, .mine = calloc(pixels_of(out), sizeof *p.mine)};
    int status = p.mine ? EXIT_DONE : fail(why, EXIT_RESOURCES, "%s: not enough memory for its strokes", name);
    if (!status) find_taken(request, out, taken);
    for (int i = 0; !status && i < request->given->count; i++) {
        const struct option_given *const g = &request->given->items[i];
        if (!strcmp(g->row->name, "label")) {
            p.label = number_of(out, taken, g->value);
            if (!p.label)
                status = fail(why, EXIT_USAGE, "--label: '%s' is no label; a label is a name or a number from 1 to 254",
                              g->value);
        }
        if (strcmp(g->row->name, "stroke")) continue;
        if (!p.label)
            status = fail(why, EXIT_USAGE, "--stroke: '%s' has no label; put --label NAME in front of it", g->value);
        if (!status) status = paint_stroke(request, g->value, name, &p, why);
    }
    if (!status && p.clash) {
        const size_t at = p.clash - 1, width = (size_t)out->width, height = (size_t)out->height;
        status =
            fail(why, EXIT_SEEDS, "%s: strokes of two labels meet at %zu,%zu in slice %zu; erase one of them",
                 name, at % width, at / width % height, at / width / height);
    }
    free(p.mine);
    return status;
}

/* ---- All together ------------------------------------------------------------------------------ */

int label_seeds_read(const label_request *request, const image *photo, const scan *volume, const char *name,
                     label_seeds *out, notes *log, failure *why)
{
    const double *spacing = NULL;
    double least = 0;
    *out = (label_seeds){.depth = 1};
    if (photo) {
        out->width = photo->width, out->height = photo->height;
    } else if (volume) {
        out->width = volume->width, out->height = volume->height, out->depth = volume->depth;
        spacing = volume->spacing;
        least = fmin(spacing[0], fmin(spacing[1], spacing[2]));
    }
    for (int k = 0; k < 3; k++) out->scale[k] = spacing && least > 0 ? spacing[k] / least : 1;
    out->value = calloc(pixels_of(out), 1);
    int status = EXIT_DONE;
    if (!out->value) return fail(why, EXIT_RESOURCES, "%s: not enough memory for its seeds", name);
    if (request->map)
        status = volume ? read_volume(request, volume, name, out, log, why)
                        : read_picture(request, name, out, log, why);
    if (!status) status = paint(request, name, out, why);
    int labels = 0, only = 0;
    label_seeds_count(out);
    for (int i = 1; i < 256; i++)
        if (out->count[i]) labels++, only = i;
    if (!status && !labels)
        status = fail(why, EXIT_SEEDS, "%s: no pixel has a label; give a label map by -s, or --label NAME --stroke "
                      "\"X,Y X,Y\"", name);
    else if (!status && labels == 1)
        status = fail(why, EXIT_SEEDS, "%s: %d is the only label; give at least two, one of them the background", name,
                      only);
    if (status) label_seeds_free(out);
    return status;
}

void label_seeds_count(label_seeds *s)
{
    memset(s->count, 0, sizeof s->count);
    for (size_t p = 0; p < pixels_of(s); p++) s->count[s->value[p]]++;
}

void label_seeds_free(label_seeds *s)
{
    free(s->value);
    s->value = NULL;
}
