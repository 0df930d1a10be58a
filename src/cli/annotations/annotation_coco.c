/* SPDX-License-Identifier: MIT
 *
 * annotation_coco.c - reads COCO's JSON: {"images", "annotations", "categories"}, a list of results, the output of
 * segment-anything ("image" instead of "images"), or a single RLE. The shape of an annotation is its segmentation,
 * polygons or RLE, or else its box. Its keypoints are points.
 *
 * Annotations refer to pictures and categories by numbers, and may precede them in the file. So the file is read twice.
 */
#include <math.h>
#include <string.h>

#include "annotation.h"
#include "coco_runs.h"

typedef struct category {
    double id;
    bool wanted, background;
} category;

typedef struct coco {
    const annotation_request *request;
    json_reader *r;
    shapes *out;
    bytes category; /* owned */
    int images;
    int matched;    /* how well one of them fits: 2 by the photo's name, 1 by the name without extension */
    double image;   /* the number of that picture */
    bool numbered;  /* it has a number            */
} coco;

static bool equal(double a, double b)
{
    return !(a < b) && !(a > b);
}

/* ---- First pass: which picture, which categories -------------------------------------------------- */

/* How well a name fits the photo's: 2 equal, 1 equal without extension, 0 not. */
static int match(const coco *c, const char *name)
{
    if (!c->request->photo) return 0;
    const char *const a = annotation_base(name), *const b = annotation_base(c->request->photo);
    const char *const a_dot = strrchr(a, '.'), *const b_dot = strrchr(b, '.');
    const size_t a_stem = a_dot ? (size_t)(a_dot - a) : strlen(a), b_stem = b_dot ? (size_t)(b_dot - b) : strlen(b);
    if (!strcmp(a, b)) return 2;
    return a_stem == b_stem && !strncmp(a, b, a_stem);
}

static int read_image(coco *c)
{
    json_reader *const r = c->r;
    bool numbered = false;
    int width = 0, height = 0, matches = 0;
    double id = 0;
    STEP(json_enter(r, '{'));
    while (json_more(r)) {
        if (json_is_key(r, "width")) {
            STEP(annotation_side(r, &width));
        } else if (json_is_key(r, "height")) {
            STEP(annotation_side(r, &height));
        } else if ((json_is_key(r, "id") || json_is_key(r, "image_id")) && json_kind(r) == '0') {
            STEP(json_number(r, &id));
            numbered = true;
        } else if (json_is_key(r, "file_name") && json_kind(r) == '"') {
            STEP(json_string(r));
            matches = match(c, (const char *)r->text.data);
        } else {
            STEP(json_skip(r));
        }
    }
    STEP(r->status);
    if (c->images++ && c->matched >= matches) return EXIT_DONE;
    c->matched = matches;
    c->image = id;
    c->numbered = numbered;
    c->out->width = width;
    c->out->height = height;
    return EXIT_DONE;
}

static int read_category(coco *c)
{
    json_reader *const r = c->r;
    category one = {.wanted = !c->request->label};
    STEP(json_enter(r, '{'));
    while (json_more(r)) {
        if (json_is_key(r, "id") && json_kind(r) == '0') {
            STEP(json_number(r, &one.id));
        } else if (json_is_key(r, "name") && json_kind(r) == '"') {
            STEP(json_string(r));
            one.wanted = annotation_wants(c->request, (const char *)r->text.data, &one.background);
        } else {
            STEP(json_skip(r));
        }
    }
    STEP(r->status);
    return bytes_append(&c->category, &one, sizeof one) ? EXIT_DONE : annotation_no_memory(r);
}

static int read_each(coco *c, int (*read)(coco *))
{
    STEP(json_enter(c->r, '['));
    while (json_more(c->r)) STEP(read(c));
    return c->r->status;
}

static int look_over(coco *c)
{
    json_reader *const r = c->r;
    if (json_kind(r) == '[') return json_skip(r);
    STEP(json_enter(r, '{'));
    while (json_more(r)) {
        if (json_is_key(r, "images")) STEP(read_each(c, read_image));
        else if (json_is_key(r, "image") && json_kind(r) == '{') STEP(read_image(c));
        else if (json_is_key(r, "categories")) STEP(read_each(c, read_category));
        else STEP(json_skip(r));
    }
    STEP(r->status);
    if (c->images < 2 || c->matched) return EXIT_DONE;
    return fail(r->why, EXIT_SEEDS, "%s: is about %d pictures, and %s%.200s", r->name, c->images,
                c->request->photo ? "none of them has the name of " : "which of them is meant is not told here",
                c->request->photo ? c->request->photo : "");
}

/* ---- Second pass: the annotations of that picture --------------------------------------------------- */

typedef struct counts {
    double height, width;
    json_mark at;
} counts;

static int read_size(json_reader *r, counts *found)
{
    double *const to[2] = {&found->height, &found->width};
    STEP(json_enter(r, '['));
    for (int i = 0; json_more(r); i++) {
        if (i > 1) return json_refuse(r, "the \"size\" of an RLE is height and width");
        STEP(json_number(r, to[i]));
    }
    return r->status;
}

static int read_plain_runs(coco *c)
{
    json_reader *const r = c->r;
    double run;
    STEP(json_enter(r, '['));
    while (json_more(r)) {
        STEP(json_number(r, &run));
        if (!(run >= 0 && run <= UINT32_MAX) || run > floor(run))
            return json_refuse(r, "%g is no length of a run", run);
        if (!shapes_add_run(c->out, (uint32_t)run)) return annotation_no_memory(r);
    }
    return r->status;
}

static int read_text_runs(coco *c)
{
    json_reader *const r = c->r;
    uint32_t before[2] = {0, 0};
    STEP(json_string(r));
    const char *text = (const char *)r->text.data;
    for (size_t i = 0; *text; i++) {
        uint32_t run = 0;
        if (!coco_runs_read(&text, i > 2 ? (int64_t)before[i % 2] : 0, &run))
            return json_refuse(r, "run %zu of the RLE is none", i + 1);
        before[i % 2] = run;
        if (!shapes_add_run(c->out, run)) return annotation_no_memory(r);
    }
    return EXIT_DONE;
}

/* Checks that all runs together cover the picture. Its size comes from the file or from the RLE. */
static int check_runs(coco *c, const counts *found)
{
    json_reader *const r = c->r;
    shapes *const out = c->out;
    const double least = 1, most = 65536;
    if (!(found->width >= least && found->width <= most && found->height >= least && found->height <= most))
        return json_refuse(r, "an RLE whose \"size\" is %gx%g", found->width, found->height);
    if ((out->width && !equal(out->width, found->width)) || (out->height && !equal(out->height, found->height)))
        return json_refuse(r, "an RLE of %gx%g pixels, but the picture is %dx%d", found->width, found->height,
                           out->width, out->height);
    out->width = (int)found->width;
    out->height = (int)found->height;
    const shape *const s = shapes_last(out);
    const uint32_t *const run = (const uint32_t *)(const void *)out->run.data;
    uint64_t sum = 0;
    for (size_t i = s->first; i < s->ends; i++) sum += run[i];
    const uint64_t pixels = (uint64_t)out->width * (uint64_t)out->height;
    if (sum == pixels) return EXIT_DONE;
    return json_refuse(r, "the runs of an RLE make %llu pixels, but %dx%d are %llu", (unsigned long long)sum,
                       out->width, out->height, (unsigned long long)pixels);
}

static int read_runs(coco *c)
{
    json_reader *const r = c->r;
    counts found = {0};
    STEP(json_enter(r, '{'));
    while (json_more(r)) {
        if (json_is_key(r, "counts")) found.at = json_here(r);
        if (json_is_key(r, "size")) STEP(read_size(r, &found));
        else STEP(json_skip(r));
    }
    STEP(r->status);
    if (!found.at.at) return json_refuse(r, "an RLE without \"counts\"");
    const json_mark here = json_here(r);
    json_go(r, &found.at);
    if (!shapes_begin(c->out, SHAPE_RUNS)) return annotation_no_memory(r);
    STEP(json_kind(r) == '[' ? read_plain_runs(c) : read_text_runs(c));
    STEP(check_runs(c, &found));
    json_go(r, &here);
    return EXIT_DONE;
}

/* Reads polygons [[x, y, ...], ...], or an RLE. Each polygon is a separate area, so polygons are united. */
static int read_segmentation(coco *c)
{
    json_reader *const r = c->r;
    if (json_kind(r) == '{') return read_runs(c);
    STEP(json_enter(r, '['));
    while (json_more(r)) {
        if (json_kind(r) == '{') {
            STEP(read_runs(c));
            continue;
        }
        if (!shapes_begin(c->out, SHAPE_AREA) || !shapes_begin_ring(c->out)) return annotation_no_memory(r);
        STEP(annotation_read_pairs(r, c->out));
        const shape_ring *const ring = shapes_ring_at(c->out, shapes_last(c->out)->first);
        if (ring->ends - ring->first < 3) return json_refuse(r, "a polygon of %zu points", ring->ends - ring->first);
    }
    return r->status;
}

/* Reads x, y, visibility; visibility 0 means not labelled. */
static int read_keypoints(coco *c)
{
    json_reader *const r = c->r;
    double value[3];
    bool begun = false;
    STEP(json_enter(r, '['));
    for (int i = 0; json_more(r); i++) {
        STEP(annotation_coordinate(r, &value[i % 3]));
        if (i % 3 < 2 || !(value[2] > 0)) continue;
        if (!begun && !shapes_begin(c->out, SHAPE_LINE)) return annotation_no_memory(r);
        begun = true;
        if (!shapes_begin_ring(c->out) || !shapes_add_point(c->out, value[0], value[1])) return annotation_no_memory(r);
    }
    return r->status;
}

static int read_box(json_reader *r, double box[4], bool *given)
{
    int count = 0;
    STEP(json_enter(r, '['));
    for (; json_more(r); count++) {
        if (count == 4) return json_refuse(r, "a \"bbox\" of more than x, y, width and height");
        STEP(annotation_coordinate(r, &box[count]));
    }
    STEP(r->status);
    *given = count == 4;
    return count == 4 || !count ? EXIT_DONE : json_refuse(r, "a \"bbox\" of %d numbers", count);
}

static int put_box(coco *c, const double box[4])
{
    shapes *const out = c->out;
    return shapes_begin(out, SHAPE_BOX) && shapes_begin_ring(out) && shapes_add_point(out, box[0], box[1]) &&
                   shapes_add_point(out, box[0] + box[2], box[1] + box[3])
               ? EXIT_DONE : annotation_no_memory(c->r);
}

typedef struct found {
    double image, category, box[4];
    bool imaged, categorised, boxed;
    json_mark segmentation, keypoints;
} found;

static int read_members(json_reader *r, found *f)
{
    STEP(json_enter(r, '{'));
    while (json_more(r)) {
        const char kind = json_kind(r);
        if (json_is_key(r, "image_id") && kind == '0') {
            f->imaged = true;
            STEP(json_number(r, &f->image));
        } else if (json_is_key(r, "category_id") && kind == '0') {
            f->categorised = true;
            STEP(json_number(r, &f->category));
        } else if (json_is_key(r, "bbox") && kind == '[') {
            STEP(read_box(r, f->box, &f->boxed));
        } else {
            if (json_is_key(r, "segmentation") && (kind == '[' || kind == '{')) f->segmentation = json_here(r);
            if (json_is_key(r, "keypoints") && kind == '[') f->keypoints = json_here(r);
            STEP(json_skip(r));
        }
    }
    return r->status;
}

/* Whether the annotation's category is wanted. If the file has no categories, only their numbers are known. */
static bool wants(const coco *c, const found *f, bool *background)
{
    const category *const list = (const category *)(const void *)c->category.data;
    *background = false;
    for (size_t i = 0; f->categorised && i < c->category.size / sizeof *list; i++)
        if (equal(list[i].id, f->category)) {
            *background = list[i].background;
            return list[i].wanted;
        }
    return !c->request->label;
}

static int read_annotation(coco *c)
{
    json_reader *const r = c->r;
    const size_t before = shapes_count(c->out);
    bool background = false;
    found f = {0};
    STEP(read_members(r, &f));
    if (f.imaged && !c->images && c->numbered && !equal(c->image, f.image))
        return json_refuse(r, "is about several pictures, and does not say which is which");
    if (f.imaged && !c->images) c->image = f.image, c->numbered = true;
    if ((f.imaged && c->numbered && !equal(c->image, f.image)) || !wants(c, &f, &background)) return EXIT_DONE;
    const json_mark here = json_here(r);
    if (f.segmentation.at) {
        json_go(r, &f.segmentation);
        STEP(read_segmentation(c));
    }
    if (shapes_count(c->out) == before && f.boxed) STEP(put_box(c, f.box));
    if (f.keypoints.at) {
        json_go(r, &f.keypoints);
        STEP(read_keypoints(c));
    }
    json_go(r, &here);
    for (size_t i = before; i < shapes_count(c->out); i++)
        ((shape *)(void *)c->out->item.data)[i].background = background;
    return EXIT_DONE;
}

static int read_annotations(coco *c)
{
    json_reader *const r = c->r;
    const json_mark start = json_here(r);
    bool listed = false, single = false;
    if (json_kind(r) == '[') return read_each(c, read_annotation);
    STEP(json_enter(r, '{'));
    while (json_more(r)) {
        listed |= json_is_key(r, "annotations");
        single |= json_is_key(r, "counts");
        STEP(json_is_key(r, "annotations") ? read_each(c, read_annotation) : json_skip(r));
    }
    STEP(r->status);
    if (listed) return EXIT_DONE;
    json_go(r, &start);
    return single ? read_runs(c) : read_annotation(c);
}

static int read(const annotation_request *request, json_reader *r, shapes *out, notes *log)
{
    coco c = {.request = request, .r = r, .out = out};
    const json_mark start = json_here(r);
    int status = look_over(&c);
    json_go(r, &start);
    if (!status) status = read_annotations(&c);
    if (!status && c.images == 1 && !c.matched && request->photo)
        note(log, "%s: is about one picture, of another name than %s", request->name, request->photo);
    bytes_free(&c.category);
    return status;
}

const annotation_format annotation_coco = {
    .name = "coco",
    .line = "COCO     read, write  polygons; RLE, boxes, keypoints are read",
    .extensions = " .coco.json ",
    .keys = " annotations images counts segmentation ",
    .read = read,
    .write = coco_write_polygons,
};
