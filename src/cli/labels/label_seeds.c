/* SPDX-License-Identifier: MIT
 *
 * label_seeds.c - see label_seeds.h. Files are opened, placed and painted by the readers of seeds of two classes; this
 * file knows what is different with many labels: names, numbers, the colours of a legend, and which labels may meet.
 */
#include "label_seeds.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotation.h"
#include "file.h"
#include "scan_seeds.h"
#include "seeds_parts.h"

/* Returns the label of pixel p; refuses a number without meaning. `size` is that of the file. */
static int label_of(const char *name, double number, size_t p, const claims *size, failure *why)
{
    const int label = seeds_label_number(number);
    char place[SEEDS_PLACE];
    if (label < 0)
        (void)fail(why, EXIT_SEEDS, "%s: holds %g at %s; labels are whole numbers from 1 to 254, and 0 and 255 are "
                   "unknown", name, number, seeds_place(size, (int64_t)p, place));
    return label;
}

/* ---- A label map -------------------------------------------------------------------------------- */

/* A label map in the plane, which is read row by row. */
typedef struct plane_map {
    row_picture from;
    label_seeds *out;
    bool tinted; /* it has a palette in colour */
    bool colors; /* its colours are those of a legend; else its values are numbers */
} plane_map;

/* Returns the label of the number at pixel x of a row, which is pixel p of the map. Labels keep the palette's colours
 * unless the legend lists them. */
static int label_of_number(const plane_map *m, const image *row, size_t x, size_t p, failure *why)
{
    const claims size = {.width = row->width};
    const int number = (int)sample_at(row, x * (size_t)row->channels);
    const int label = label_of(m->from.name, number, p, &size, why);
    label_legend *const legend = &m->out->legend;
    if (label == number && m->tinted && !legend->listed[label])
        memcpy(legend->of.color[label], m->from.kind.palette->entry[label], sizeof legend->of.color[label]);
    return label;
}

/* Returns the label of a colour of the legend. Transparent pixels are unknown, and so are black ones if no label is
 * black. */
static int label_of_color(const plane_map *m, const image *row, size_t x, size_t p, failure *why)
{
    const size_t width = (size_t)row->width;
    const uint32_t argb = picture_argb(row, x);
    const uint8_t color[3] = {(uint8_t)(argb >> 16), (uint8_t)(argb >> 8), (uint8_t)argb};
    const int label = label_legend_find(&m->out->legend, color, 0);
    const bool clear = row->channels == 4 && !sample_at(row, 4 * x + 3);
    if (clear || (label < 0 && !(argb & 0xffffff))) return 0;
    const int other = label < 0 ? 0 : label_legend_find(&m->out->legend, color, label + 1);
    if (label >= 0 && other <= 0) return label;
    if (label < 0)
        (void)fail(why, EXIT_SEEDS, "%s: has the colour #%06x at %zu,%zu, which is no label's in the legend",
                   m->from.name, argb & 0xffffff, p % width, p / width);
    else
        (void)fail(why, EXIT_SEEDS, "%s: has the colour #%06x at %zu,%zu, which in the legend is that of both %d and "
                   "%d", m->from.name, argb & 0xffffff, p % width, p / width, label, other);
    return -1;
}

static int take_row(void *map, const image *row, int64_t y, failure *why)
{
    const plane_map *const m = map;
    const size_t width = (size_t)row->width, first = (size_t)y * width;
    for (size_t x = 0, alike; x < width; x += alike) {
        const int label = (m->colors ? label_of_color : label_of_number)(m, row, x, first + x, why);
        if (label < 0) return why->status;
        memset(m->out->value + first + x, label, alike = pixels_alike(row, x));
    }
    return EXIT_DONE;
}

/* Checks an open label map, and reads its rows. */
static int take_plane(const label_request *request, const image *photo, const char *path, plane_map *m, failure *why)
{
    const region_shape *const kind = &m->from.kind;
    const image stored = {.width = (int)kind->width, .height = (int)kind->height, .orientation = kind->orientation};
    const seeds_reading r = {.rows = &(seeds_rows){.slice = 0}, .photo = photo, .photo_name = file_input_name(path),
                             .map = true, .why = why};
    STEP(seeds_check_size(&r, m->from.name, &stored));
    if (kind->lossy)
        return fail(why, EXIT_SEEDS, "%s: is %s, which may not hold the exact numbers of labels; save it as PNG",
                    m->from.name, kind->format);
    m->colors = !shape_has_numbers(kind), m->tinted = kind->palette && image_palette_channels(kind->palette) > 2;
    if (m->colors && !request->legend)
        return fail(why, EXIT_SEEDS, "%s: is in colour; a label map is grey, or a PNG or TIFF with a palette, and its "
                    "numbers are the labels; what colours mean --legend says", m->from.name);
    return seeds_take_rows(&m->from, 0, kind->height, take_row, m, why);
}

static int read_plane(const label_request *request, const image *photo, const char *path, label_seeds *out, notes *log,
                      failure *why)
{
    plane_map m = {.out = out};
    bytes text = {0};
    int status = seeds_open_rows(request->map, request->limits, &m.from, &text, log, why);
    out->shapes = !status && text.data;
    if (!status)
        status = text.data ? label_shapes_read(request, &text, path, out, log, why)
                           : take_plane(request, photo, path, &m, why);
    seeds_close_rows(&m.from, status ? NULL : log);
    bytes_free(&text);
    return status;
}

/* Takes the names and colours in a volume of labels, unless the legend has named them. */
static void take_names(void *names, const scan *map)
{
    scan_names *const to = names;
    for (int i = 1; map->names && i < 255; i++) {
        if (!*map->names->name[i] || *to->name[i]) continue;
        memcpy(to->name[i], map->names->name[i], sizeof to->name[i]);
        if (map->names->colored[i]) memcpy(to->color[i], map->names->color[i], sizeof to->color[i]);
    }
}

static int label_byte(void *names, const char *name, const scan *map, size_t i, failure *why)
{
    const claims size = {.width = map->width, .slice = map->depth > 1 ? map->height : 0};
    (void)names;
    return label_of(name, scan_value(map, i), i, &size, why);
}

/* ---- Strokes ----------------------------------------------------------------------------------- */

int label_number(label_seeds *of, const char *file, const char *name, uint8_t *number, failure *why)
{
    const char *const where = file ? file : "--label";
    const int code = file ? EXIT_SEEDS : EXIT_USAGE;
    char *end;
    const long given = strtol(name, &end, 10);
    bool plain = *name && strlen(name) < sizeof of->legend.of.name[0];
    for (const char *c = name; *c; c++) plain &= !iscntrl((unsigned char)*c);
    int found = end != name && !*end ? (given >= 1 && given <= 254 ? (int)given : 255) : 0;
    plain &= !found;
    for (int i = 1; plain && i < 255; i++) {
        if (strcmp(of->legend.of.name[i], name) != 0) continue;
        if (found)
            return fail(why, code, "%s: '%s' is the name of both %d and %d; give the number", where, name, found, i);
        found = i;
    }
    for (int i = 1; !found && plain && i < 255; i++)
        if (!*of->legend.of.name[i] && !of->taken[i]) strcpy(of->legend.of.name[found = i], name);
    if (plain && !found) return fail(why, code, "%s: no number is left for '%s'; there are 254 labels", where, name);
    if (!found || found == 255)
        return fail(why, code, "%s: '%.80s' is no label; a label is a number from 1 to 254, or a name of up to 63 "
                    "bytes in one line", where, name);
    of->taken[found] = true;
    *number = (uint8_t)found;
    return EXIT_DONE;
}

typedef struct painting {
    label_seeds *seeds;
    uint8_t label;
    size_t clash; /* the first pixel that two labels claim, plus 1; 0: none */
    bool *mine;   /* for each pixel: a stroke has painted it; strokes must not contradict each other */
    bool volume;  /* true: the seeds are those of a volume, not of a photo */
} painting;

static void put(void *context, size_t first, size_t count)
{
    painting *const p = context;
    for (size_t i = first; i < first + count; i++) {
        if (p->mine[i] && p->seeds->value[i] != p->label && !p->clash) p->clash = i + 1;
        p->mine[i] = true;
        p->seeds->value[i] = p->label;
    }
}

/* Marks as taken the label numbers that the command line uses. */
static void take_given(const label_request *request, label_seeds *out)
{
    for (int i = 0; i < request->given->count; i++) {
        const struct option_given *const g = &request->given->items[i];
        const long number = !strcmp(g->row->name, "label") ? strtol(g->value, NULL, 10) : 0;
        if (number > 0 && number < 255) out->taken[number] = true;
    }
}

/* Paints a stroke, which is given as `text`. */
static int paint_stroke(const label_request *request, const char *text, const char *name, painting *p, failure *why)
{
    const label_seeds *const s = p->seeds;
    claims rows = {.width = s->width, .height = (int64_t)s->height * s->depth, .slice = p->volume ? s->height : 0,
                   .scale = {s->scale[0], s->scale[1], s->scale[2]}};
    seeds_stroke stroke;
    seeds_request one = {.strokes = &stroke, .stroke_count = 1};
    int outside = 0, status = EXIT_DONE;
    rows.whole_height = rows.height;
    if (!seeds_stroke_parse(text, true, &stroke))
        return fail(why, EXIT_USAGE, "--stroke: '%s' is not a list of points X,Y", text);
    if (p->volume && s->depth == 1 && !seeds_lift(&one))
        status = fail(why, EXIT_RESOURCES, "%s: not enough memory for its strokes", name);
    else if (one.strokes->spatial != p->volume)
        status = fail(why, EXIT_USAGE, "--stroke: '%s' has points of %d numbers; %s has %d axes", text,
                      p->volume ? 2 : 3, name, p->volume ? 3 : 2);
    else if (!seeds_paint_stroke(&rows, one.strokes, request->radius, &outside, put, p))
        status = fail(why, EXIT_SEEDS, "--stroke: '%s' lies outside of %s", text, name);
    free(stroke.points);
    if (one.strokes != &stroke) free(one.strokes);
    return status;
}

static int paint(const label_request *request, bool volume, const char *name, label_seeds *out, failure *why)
{
    painting p = {.seeds = out, .volume = volume, .mine = calloc(label_seeds_pixels(out), sizeof *p.mine)};
    int status = p.mine ? EXIT_DONE : fail(why, EXIT_RESOURCES, "%s: not enough memory for its strokes", name);
    const claims size = {.width = out->width, .slice = out->depth > 1 ? out->height : 0};
    char place[SEEDS_PLACE];
    const char *unused = NULL; /* the latest label, until it has a stroke */
    for (int i = 0; !status && i < request->given->count; i++) {
        const struct option_given *const g = &request->given->items[i];
        const bool label = !strcmp(g->row->name, "label");
        if (label && unused) break;
        if (label) status = label_number(out, NULL, unused = g->value, &p.label, why);
        if (strcmp(g->row->name, "stroke") != 0) continue;
        unused = NULL;
        if (!p.label)
            status = fail(why, EXIT_USAGE, "--stroke: '%s' has no label; put --label NAME in front of it", g->value);
        else status = paint_stroke(request, g->value, name, &p, why);
    }
    if (!status && unused)
        status = fail(why, EXIT_USAGE, "--label: '%.80s' has no stroke; put --stroke POINTS behind it", unused);
    if (!status && p.clash)
        status = fail(why, EXIT_SEEDS, "%s: strokes of two labels meet at %s; leave one of them out there", name,
                      seeds_place(&size, (int64_t)p.clash - 1, place));
    free(p.mine);
    return status;
}

/* ---- All together ------------------------------------------------------------------------------ */

/* Sets the size, no seeds, and the names of the legend. */
static int begin(const label_request *request, const image *photo, const scan *volume, const char *name,
                 label_seeds *out, failure *why)
{
    *out = (label_seeds){.depth = 1, .scale = {1, 1, 1}};
    if (photo) out->width = photo->width, out->height = photo->height;
    else if (volume) out->width = volume->width, out->height = volume->height, out->depth = volume->depth;
    if (volume) scan_scale(volume, out->scale);
    out->value = calloc(label_seeds_pixels(out), 1);
    if (!out->value) return fail(why, EXIT_RESOURCES, "%s: not enough memory for its seeds", name);
    label_legend_init(&out->legend);
    if (request->known) out->legend = *request->known;
    take_given(request, out);
    const bool unread = request->legend && !request->known;
    const int status = unread ? label_legend_read(request->legend, &out->legend, why) : EXIT_DONE;
    for (int i = 0; i < 256; i++) out->taken[i] |= out->legend.listed[i];
    return status;
}

/* Refuses seeds without labels, or with a single label. */
static int check_labels(const label_request *request, const label_seeds *s, const char *name, failure *why)
{
    int labels = 0, only = 0;
    for (int i = 1; i < 256; i++)
        if (s->count[i]) labels++, only = i;
    if (!labels && (s->before || request->map))
        return fail(why, EXIT_SEEDS, "%s: no pixel has a label; there is nothing to %s",
                    file_input_name(s->before ? request->before : request->map), s->before ? "refine" : "start from");
    if (!labels)
        return fail(why, EXIT_SEEDS, "%s: no pixel has a label; give a label map by -s, or --label NAME --stroke "
                    "\"X,Y X,Y\"", name);
    if (labels > 1 || s->before) return EXIT_DONE;
    return fail(why, EXIT_SEEDS, "%s: %d is the only label; give at least two, one of them the background", name, only);
}

/* Adds the labels of the file request->map; does nothing if that is NULL. */
static int read_map(const label_request *request, const image *photo, const scan *volume, const char *path,
                    label_seeds *out, notes *log, failure *why)
{
    const scan_reading reading = {.limits = request->limits, .shape = request->shape};
    const scan_bytes numbers = {"a label map", out->value, &out->legend.of, take_names, label_byte};
    const char *const name = file_input_name(path);
    if (!request->map) return EXIT_DONE;
    const int status = volume ? scan_bytes_read(&reading, request->map, volume, name, &numbers, log, why)
                              : read_plane(request, photo, path, out, log, why);
    for (size_t i = 0; !status && i < label_seeds_pixels(out); i++) out->taken[out->value[i]] = true;
    return status;
}

int label_seeds_read(const label_request *request, const image *photo, const scan *volume, const char *path,
                     label_seeds *out, notes *log, failure *why)
{
    const char *const name = file_input_name(path);
    label_request before = *request;
    before.map = request->before;
    int status = begin(request, photo, volume, name, out, why);
    if (!status) status = read_map(&before, photo, volume, path, out, log, why);
    if (!status && request->before) {
        out->before = out->value;
        out->value = calloc(label_seeds_pixels(out), 1);
        if (!out->value) status = fail(why, EXIT_RESOURCES, "%s: not enough memory for its seeds", name);
    }
    if (!status) status = read_map(request, photo, volume, path, out, log, why);
    if (!status) status = paint(request, volume, name, out, why);
    if (!status) label_seeds_count(out);
    if (!status) status = check_labels(request, out, name, why);
    if (status) label_seeds_free(out);
    return status;
}

void label_seeds_count(label_seeds *s)
{
    memset(s->count, 0, sizeof s->count);
    for (size_t p = 0; p < label_seeds_pixels(s); p++) s->count[s->value[p]]++;
    for (size_t p = 0; s->before && p < label_seeds_pixels(s); p++) s->count[s->before[p]]++;
}

static bool is_called_background(const label_seeds *s, int label)
{
    shape_role role;
    (void)annotation_wants(&(annotation_request){.label = NULL}, s->legend.of.name[label], &role);
    return role == SHAPE_BACKGROUND;
}

int label_seeds_background(const label_seeds *s)
{
    int least = 0;
    if (s->before && memchr(s->before, 0, label_seeds_pixels(s))) return 0;
    for (int i = 254; i > 0; i--) least = s->count[i] ? i : least;
    for (int i = 1; i < 255; i++)
        if (s->count[i] && is_called_background(s, i)) return i;
    return least;
}

void label_seeds_note_background(const label_seeds *s, const char *name, notes *log)
{
    const int label = label_seeds_background(s);
    char number[12];
    snprintf(number, sizeof number, "%d", label);
    if (s->shapes && label && !is_called_background(s, label))
        note(log, "%s: no label is called background, so %s is taken for it; --background-label N names another", name,
             *s->legend.of.name[label] ? s->legend.of.name[label] : number);
}

void label_seeds_free(label_seeds *s)
{
    free(s->value);
    free(s->before);
    s->value = s->before = NULL;
}
