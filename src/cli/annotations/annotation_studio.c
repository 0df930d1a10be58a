/* SPDX-License-Identifier: MIT
 *
 * annotation_studio.c - Label Studio's JSON: a list of tasks [{"data": {"image"}, "annotations": [{"result": [{
 * "original_width", "original_height", "value": {"points", "polygonlabels"}}]}]}], or one task. In the short form the
 * members of a value stand in a list of the task itself. Coordinates are percentages of the picture's width and height.
 * A brush is the alpha channel of a picture, packed as by thi.ng/rle-pack; a bitmask is a picture in base64.
 */
#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotation.h"

enum { X, Y, WIDTH, HEIGHT, ROTATION, RADIUS_X, RADIUS_Y, FULL_WIDTH, FULL_HEIGHT, TURNED, ITEM, MEMBERS };

static const char *const members[MEMBERS] = {"x", "y", "width", "height", "rotation", "radiusX", "radiusY",
                                             "original_width", "original_height", "image_rotation",
                                             "item_index"};

/* One shape, while its members are read. */
typedef struct region {
    double value[MEMBERS];
    bool given[MEMBERS];
    bool open, wanted; /* open: the points are a line, not a polygon */
    bool labelled, related; /* related: the result is not a region but a relation between two */
    uint64_t id;            /* hash of the result's id; 0: it has none */
    shape_role role;
    json_mark points, runs, picture;
} region;

typedef struct studio {
    const annotation_request *request;
    json_reader *r;
    shapes *out;
    annotation_pictures pictures;
    bool chosen;
    int drawings; /* number of annotations of the chosen picture that were not cancelled */
    bytes named;  /* sorted list of uint64_t: hashes of the ids of regions with a label; owned */
} studio;

/* ---- Brushes ------------------------------------------------------------------------------------- */

typedef struct bit_reader {
    const uint8_t *data;
    size_t at, end; /* the next bit, and the number of bits */
} bit_reader;

/* Reads the next `count` bits. Returns false if fewer are left. */
static bool take_bits(bit_reader *b, int count, uint32_t *value)
{
    *value = 0;
    if (b->end - b->at < (size_t)count) return false;
    for (; count > 0; count--, b->at++) *value = *value << 1 | (b->data[b->at / 8] >> (7 - b->at % 8) & 1);
    return true;
}

/* Unpacks runs into `pixels`. A pixel has four channels, of which only alpha counts: the pixel is set if
 * alpha is not 0. */
static bool unpack(bit_reader *b, size_t count, uint8_t *pixels)
{
    uint32_t number, word, size[4], repeated, which, length, value = 0;
    if (!take_bits(b, 32, &number) || number != 4 * count || !take_bits(b, 5, &word)) return false;
    for (int i = 0; i < 4; i++)
        if (!take_bits(b, 4, &size[i])) return false;
    for (size_t at = 0; at < number;) {
        if (!take_bits(b, 1, &repeated) || !take_bits(b, 2, &which) || !take_bits(b, (int)size[which] + 1, &length))
            return false;
        if (length >= number - at) return false;
        for (uint32_t i = 0; i <= length; i++, at++) {
            if ((!i || !repeated) && !take_bits(b, (int)word + 1, &value)) return false;
            if (at % 4 == 3) pixels[at / 4] = value != 0;
        }
    }
    return true;
}

static int read_packed(json_reader *r, bytes *out)
{
    double value;
    for (json_enter(r, '['); json_more(r);) {
        STEP(json_number(r, &value));
        const uint8_t byte = (uint8_t)fmin(fmax(value, 0), 255);
        if (fabs(value - byte) > 0) return json_refuse(r, "%g is no byte of a brush", value);
        if (!bytes_append(out, &byte, 1)) return annotation_no_memory(r);
    }
    return r->status;
}

static int add_brush(studio *s, const region *g)
{
    json_reader *const r = s->r;
    const int width = (int)g->value[FULL_WIDTH], height = (int)g->value[FULL_HEIGHT];
    const size_t count = (size_t)width * (size_t)height;
    bytes packed = {0};
    int status;
    json_go(r, &g->runs);
    status = read_packed(r, &packed);
    uint8_t *const pixels = status ? NULL : calloc(count, 1);
    bit_reader bits = {packed.data, 0, packed.size * 8};
    if (!status && !pixels) status = annotation_no_memory(r);
    if (!status && !unpack(&bits, count, pixels))
        status = json_refuse(r, "a brush whose \"rle\" is none of %dx%d pixels", width, height);
    if (!status && !shapes_add_pixels(s->out, 0, 0, width, height, pixels)) status = annotation_no_memory(r);
    free(pixels);
    bytes_free(&packed);
    return status;
}

/* ---- Other shapes -------------------------------------------------------------------------------- */

static int add_points(studio *s, const region *g, double across, double down)
{
    json_reader *const r = s->r;
    json_go(r, &g->points);
    if (!shapes_begin(s->out, g->open ? SHAPE_LINE : SHAPE_AREA) || !shapes_begin_ring(s->out))
        return annotation_no_memory(r);
    for (json_enter(r, '['); json_more(r);) STEP(annotation_read_position(r, s->out));
    STEP(r->status);
    const shape_ring *const ring = shapes_ring_at(s->out, shapes_last(s->out)->first);
    const size_t count = ring->ends - ring->first;
    double *const at = (double *)(void *)s->out->point.data + 2 * ring->first;
    for (size_t i = 0; i < 2 * count; i++) at[i] *= i % 2 ? down : across;
    if (count >= (g->open ? 1 : 3)) return EXIT_DONE;
    return json_refuse(r, "a polygon of %zu point%s", count, count == 1 ? "" : "s");
}

/* Adds a rectangle, rotated around its upper left corner. */
static int add_rectangle(studio *s, const region *g, double x, double y, double w, double h)
{
    const double angle = g->value[ROTATION] * 3.14159265358979323846 / 180, c = cos(angle), d = sin(angle);
    const double corner[4][2] = {{0, 0}, {w, 0}, {w, h}, {0, h}};
    const bool turned = fabs(g->value[ROTATION]) > 0;
    double at[8];
    for (int i = 0; i < 4; i++) {
        const double u = corner[i][0], v = corner[i][1];
        at[2 * i] = turned ? x + u * c - v * d : x + u;
        at[2 * i + 1] = turned ? y + u * d + v * c : y + v;
    }
    return shapes_add_ring(s->out, turned ? SHAPE_AREA : SHAPE_BOX, at, 4) ? EXIT_DONE : annotation_no_memory(s->r);
}

static int add_region(studio *s, const region *g)
{
    const double *const v = g->value, across = v[FULL_WIDTH] / 100, down = v[FULL_HEIGHT] / 100;
    const double at[2] = {v[X] * across, v[Y] * down}, radius[2] = {v[RADIUS_X] * across, v[RADIUS_Y] * down};
    if (!g->points.at && !g->runs.at && !g->picture.at && !g->given[X])
        return g->labelled ? json_refuse(s->r, "a labelled region that is no polygon, rectangle, ellipse, brush, "
                                         /* a labelled choice or text has no shape */
                                         "bitmask or key point") : EXIT_DONE;
    if (fabs(v[TURNED]) > 0)
        return json_refuse(s->r, "a shape on a picture that was turned by %g degrees; turn it back to 0", v[TURNED]);
    if (v[ITEM] > 0) return json_refuse(s->r, "a shape on another picture of its task, number %g", v[ITEM] + 1);
    for (int i = FULL_WIDTH; i <= FULL_HEIGHT; i++)
        if (!(v[i] >= 1 && v[i] <= 65536) || v[i] > floor(v[i]))
            return json_refuse(s->r, "a shape without \"%s\"", members[i]);
    s->out->width = (int)v[FULL_WIDTH], s->out->height = (int)v[FULL_HEIGHT];
    if (g->picture.at) return annotation_read_picture(s->r, &g->picture, (const int[4]){0}, s->out);
    if (g->runs.at) return add_brush(s, g);
    if (g->points.at) return add_points(s, g, across, down);
    if (!g->given[Y]) return json_refuse(s->r, "a shape with \"x\" and without \"y\"");
    if (g->given[RADIUS_X] && g->given[RADIUS_Y])
        return shapes_add_ellipse(s->out, at, radius, v[ROTATION] * 3.14159265358979323846 / 180)
                   ? EXIT_DONE : annotation_no_memory(s->r);
    if (g->given[WIDTH] && g->given[HEIGHT])
        return add_rectangle(s, g, at[0], at[1], v[WIDTH] * across, v[HEIGHT] * down);
    return shapes_add_ring(s->out, SHAPE_LINE, at, 1) ? EXIT_DONE : annotation_no_memory(s->r);
}

/* Reads a list of labels, which are texts under a key that ends with "labels". */
static int read_labels(const studio *s, region *g)
{
    json_reader *const r = s->r;
    g->labelled = true;
    for (json_enter(r, '['); json_more(r);) {
        shape_role role;
        if (json_kind(r) != '"') continue;
        STEP(json_string(r));
        g->wanted |= annotation_wants(s->request, (const char *)r->text.data, &role);
        if (role != SHAPE_OBJECT) g->role = role;
    }
    return r->status;
}

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), size = strlen(end);
    return length >= size && !strcmp(text + length - size, end);
}

static int read_id(json_reader *r, uint64_t *id)
{
    STEP(json_string(r));
    *id = 0xcbf29ce484222325; /* the hash is FNV-1a, which starts with this number */
    for (const uint8_t *c = r->text.data; *c; c++) *id = (*id ^ *c) * 0x100000001b3;
    return EXIT_DONE;
}

/* Reads the members of a result, or of its "value". */
static int read_members(const studio *s, region *g)
{
    json_reader *const r = s->r;
    for (json_enter(r, '{'); json_more(r);) {
        const char kind = json_kind(r);
        int member = 0;
        while (member < MEMBERS && !json_is_key(r, members[member])) member++;
        g->related |= json_is_key(r, "from_id");
        if (json_is_key(r, "id") && kind == '"') STEP(read_id(r, &g->id));
        if (json_is_key(r, "points") && kind == '[') g->points = json_here(r);
        if (json_is_key(r, "rle") && kind == '[') g->runs = json_here(r);
        if (json_is_key(r, "imageDataURL") && kind == '"') g->picture = json_here(r);
        if (json_is_key(r, "closed") && kind == 't') g->open = *r->at == 'f';
        if (member < MEMBERS && kind == '0') {
            STEP(json_number(r, &g->value[member]));
            g->given[member] = true;
        } else if (json_is_key(r, "value") && kind == '{') {
            STEP(read_members(s, g));
        } else if (kind == '[' && ends_with((const char *)r->key.data, "labels")) {
            STEP(read_labels(s, g));
        }
    }
    return r->status;
}

static int compare_ids(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Lists the ids of an annotation's regions that have a label. An answer about a region, such as a choice or a text, is
 * a result of its own with the region's id and shape; in some projects so is the region's label. */
static int list_named(studio *s)
{
    json_reader *const r = s->r;
    const json_mark start = json_here(r);
    s->named.size = 0;
    for (json_enter(r, '['); json_more(r);) {
        region g = {.wanted = false};
        failure *const why = r->why;
        failure unread = {0};
        const json_mark here = json_here(r);
        if (json_kind(r) != '{') continue;
        r->why = &unread;
        const bool read = read_members(s, &g) == EXIT_DONE;
        r->why = why;
        json_go(r, &here);
        STEP(json_skip(r));
        if (read && g.labelled && g.id && !bytes_append(&s->named, &g.id, sizeof g.id)) return annotation_no_memory(r);
    }
    STEP(r->status);
    json_go(r, &start);
    if (s->named.size) qsort(s->named.data, s->named.size / sizeof(uint64_t), sizeof(uint64_t), compare_ids);
    return EXIT_DONE;
}

/* True if the result has no label, but another result with the same id has one. */
static bool is_labelled_elsewhere(const studio *s, const region *g)
{
    return !g->labelled && g->id && s->named.size &&
           bsearch(&g->id, s->named.data, s->named.size / sizeof g->id, sizeof g->id, compare_ids);
}

static int read_region(void *context)
{
    studio *const s = context;
    json_reader *const r = s->r;
    const size_t first = shapes_count(s->out);
    region g = {.wanted = !s->request->label};
    if (json_kind(r) != '{') return json_skip(r);
    STEP(read_members(s, &g));
    if (g.related || is_labelled_elsewhere(s, &g)) return EXIT_DONE;
    const json_mark here = json_here(r);
    if (g.wanted) STEP(add_region(s, &g));
    json_go(r, &here);
    shapes_set_role(s->out, first, g.role);
    return EXIT_DONE;
}

/* ---- Tasks --------------------------------------------------------------------------------------- */

/* Finds the photo's name in a text. Uploads are named "0123abcd-photo.png", local files
 * "/data/local-files/?d=folder/photo.png". */
static void take_name(studio *s, const char *text, char name[1024], int *rank)
{
    const char *const local = strstr(text, "?d="), *const whole = local ? local + 3 : text;
    const char *const base = annotation_base(whole);
    int letters = 0;
    while (isxdigit((unsigned char)base[letters])) letters++;
    const char *const ways[] = {whole, letters == 8 && base[8] == '-' ? base + 9 : whole};
    for (size_t i = 0; i < 2; i++) {
        const int fit = annotation_rank(s->request, &s->pictures, ways[i]);
        if (!*ways[i] || (*name && fit <= *rank)) continue;
        *rank = fit;
        strncpy(name, ways[i], 1023);
    }
}

/* Looks for the photo's name in the texts of the task's "data". */
static int read_data(studio *s, char name[1024], int *rank)
{
    json_reader *const r = s->r;
    for (json_enter(r, '{'); json_more(r);) {
        if (json_kind(r) != '"') continue;
        STEP(json_string(r));
        take_name(s, (const char *)r->text.data, name, rank);
    }
    return r->status;
}

static int read_regions(studio *s)
{
    json_reader *const r = s->r;
    for (json_enter(r, '['); json_more(r);) STEP(annotation_try(s->request, r, s->out, read_region, s));
    return r->status;
}

static int read_annotation(studio *s)
{
    json_reader *const r = s->r;
    json_mark result = {NULL, 0, 0};
    bool cancelled = false;
    for (json_enter(r, '{'); json_more(r);) {
        if (json_is_key(r, "result") && json_kind(r) == '[') result = json_here(r);
        if (json_is_key(r, "was_cancelled")) cancelled = json_kind(r) == 't' && *r->at == 't';
    }
    STEP(r->status);
    if (cancelled || !result.at) return EXIT_DONE;
    const json_mark here = json_here(r);
    json_go(r, &result);
    s->drawings++;
    STEP(list_named(s));
    STEP(read_regions(s));
    s->named.size = 0;
    json_go(r, &here);
    return EXIT_DONE;
}

/* Reads the shapes of the chosen task: from its annotations or, if the file has the short form, from every list of
 * objects in the task. */
static int read_lists(studio *s)
{
    json_reader *const r = s->r;
    const size_t before = shapes_count(s->out);
    bool predicted = false;
    for (json_enter(r, '{'); json_more(r);) {
        const bool list = json_kind(r) == '[', full = json_is_key(r, "annotations") || json_is_key(r, "completions");
        if (list && full) {
            for (json_enter(r, '['); json_more(r);) STEP(read_annotation(s));
            STEP(r->status);
        } else if (list && !json_is_key(r, "predictions") && !json_is_key(r, "drafts")) {
            STEP(read_regions(s));
        } else {
            predicted |= list && r->end - r->at > 1 && r->at[1] != ']';
        }
    }
    if (r->status || !predicted || s->drawings || shapes_count(s->out) > before) return r->status;
    return annotation_tried(s->request, json_refuse(r, "predictions or drafts alone, which are not read"), s->out,
                            shapes_now(s->out), r->why);
}

static int read_task(studio *s)
{
    json_reader *const r = s->r;
    const json_mark start = json_here(r);
    char name[1024] = "";
    int rank = 0;
    for (json_enter(r, '{'); json_more(r);) {
        if (json_has_text(r, "image") || json_has_text(r, "file_upload"))
            take_name(s, (const char *)r->text.data, name, &rank);
        else if (json_is_key(r, "data") && json_kind(r) == '{') STEP(read_data(s, name, &rank));
    }
    STEP(r->status);
    if (!s->chosen) annotation_offer(&s->pictures, name, rank);
    if (!s->chosen || !annotation_is_chosen(&s->pictures, name)) return EXIT_DONE;
    const json_mark here = json_here(r);
    json_go(r, &start);
    STEP(read_lists(s));
    json_go(r, &here);
    return EXIT_DONE;
}

static int read_tasks(studio *s)
{
    json_reader *const r = s->r;
    if (json_kind(r) == '{') return read_task(s);
    for (json_enter(r, '['); json_more(r);) STEP(read_task(s));
    return r->status;
}

static int read_studio(const annotation_request *request, json_reader *r, shapes *out, notes *log)
{
    studio s = {.request = request, .r = r, .out = out};
    const json_mark start = json_here(r);
    int status = read_tasks(&s);
    if (!status) status = annotation_decide(request, &s.pictures, log, r->why);
    s.chosen = true;
    json_go(r, &start);
    if (!status) status = read_tasks(&s);
    annotation_pictures_free(&s.pictures);
    bytes_free(&s.named);
    if (!status && s.drawings > 1)
        note(log, "%s: %d annotations are about this photo; the shapes of all count", request->name, s.drawings);
    return status;
}

/* ---- Writing ------------------------------------------------------------------------------------ */

typedef struct bit_writer {
    uint8_t *data; /* the bits written so far; NULL: bits are only counted */
    size_t bit;
} bit_writer;

static void put_bits(bit_writer *b, int count, uint32_t value)
{
    for (int i = count - 1; i >= 0; i--, b->bit++)
        if (b->data && value >> i & 1) b->data[b->bit / 8] |= (uint8_t)(128 >> b->bit % 8);
}

/* Widths in bits that a run's length can have; each run uses the smallest that fits. */
static const int sizes[] = {3, 4, 8, 16};

static void put_run(bit_writer *b, uint64_t length, uint32_t value)
{
    while (length) {
        const uint32_t now = length < 65536 ? (uint32_t)length : 65536;
        uint32_t which = 0;
        while (now > 1U << sizes[which]) which++;
        put_bits(b, 1, 1);
        put_bits(b, 2, which);
        put_bits(b, sizes[which], now - 1);
        put_bits(b, 8, value);
        length -= now;
    }
}

/* Packs the mask as runs. A pixel has four bytes, all 255 or all 0. */
static void pack(bit_writer *b, const uint8_t *mask, size_t count)
{
    put_bits(b, 32, (uint32_t)(4 * count));
    put_bits(b, 5, 7);
    for (int i = 0; i < 4; i++) put_bits(b, 4, (uint32_t)sizes[i] - 1);
    for (size_t at = 0, end; at < count; at = end) {
        for (end = at + 1; end < count && !mask[end] == !mask[at];) end++;
        put_run(b, 4 * (uint64_t)(end - at), mask[at] ? 255 : 0);
    }
}

static bool put_runs(json *j, const uint8_t *mask, size_t count)
{
    bit_writer b = {NULL, 0};
    pack(&b, mask, count);
    const size_t size = (b.bit + 7) / 8;
    b = (bit_writer){calloc(size, 1), 0};
    if (b.data) pack(&b, mask, count);
    json_open(j, "rle", '[');
    for (size_t i = 0; b.data && i < size; i++) json_integer(j, NULL, b.data[i]);
    json_close(j, ']');
    free(b.data);
    return b.data != NULL;
}

static bool put_region(json *j, const annotation_about *about, int number, const char *label, const uint8_t *mask)
{
    char id[24];
    snprintf(id, sizeof id, "tilecut-%d", number);
    json_open(j, NULL, '{');
    json_text(j, "id", id);
    json_text(j, "type", "brushlabels");
    json_text(j, "from_name", "tag");
    json_text(j, "to_name", "image");
    json_integer(j, "original_width", about->width);
    json_integer(j, "original_height", about->height);
    json_integer(j, "image_rotation", 0);
    json_open(j, "value", '{');
    json_text(j, "format", "rle");
    const bool room = put_runs(j, mask, (size_t)about->width * (size_t)about->height);
    json_open(j, "brushlabels", '[');
    json_text(j, NULL, label);
    json_close(j, ']');
    json_close(j, '}');
    json_close(j, '}');
    return room;
}

/* Writes one task with one annotation, for import into a project with <BrushLabels name="tag" toName="image"> and
 * <Image name="image" value="$image">. */
static int write(const annotation_about *about, const uint8_t *mask, bytes *sink, failure *why)
{
    json j = {.out = *sink};
    const char *label;
    const uint8_t *one;
    bool room = (uint64_t)about->width * (uint64_t)about->height < 1U << 30;
    json_open(&j, NULL, '{');
    json_open(&j, "data", '{');
    json_text(&j, "image", about->photo);
    json_close(&j, '}');
    json_open(&j, "annotations", '[');
    json_open(&j, NULL, '{');
    json_open(&j, "result", '[');
    for (int i = 0; room && annotation_take(about, mask, i, &label, &one); i++)
        room = put_region(&j, about, i + 1, label, one);
    json_close(&j, ']');
    json_close(&j, '}');
    json_close(&j, ']');
    return annotation_write_end(&j, sink, room, why);
}

const annotation_format annotation_studio = {
    .name = "label-studio",
    .line = "LabelStu read, write  polygons, rectangles, ellipses, brushes, points of Label Studio; brushes are "
            "written",
    .named = true,
    .extensions = " .studio.json ",
    .keys = " data annotation_id file_upload ",
    .items = " data annotation_id file_upload annotator lead_time ",
    .read = read_studio,
    .many = true,
    .write = write,
    .without_outlines = true,
};
