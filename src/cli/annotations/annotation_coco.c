/* SPDX-License-Identifier: MIT
 *
 * annotation_coco.c - reads COCO's JSON: {"images", "annotations", "categories"}, a list of results, the output of
 * segment-anything ("image" instead of "images"), or a single RLE. The shape of an annotation is its segmentation,
 * polygons or RLE, or else its box. Its keypoints are points.
 *
 * Annotations refer to pictures and categories by numbers or words, and may precede them in the file. So the file is
 * read several times: what pictures there are, the records of the one that is the photo, their annotations. With a memo
 * the annotations are listed once, and of each further picture only its own are read.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "annotation.h"
#include "coco_runs.h"

/* A number or a text that names a picture or a category: "#7", or the text. */
typedef struct coco_id {
    char word[200];
} coco_id;

typedef struct category {
    coco_id id;
    bool wanted;
    shape_role role;
} category;

typedef struct coco {
    const annotation_request *request;
    json_reader *r;
    shapes *out;
    annotation_pictures pictures;
    bytes category, image; /* of category; of coco_id: the records of the chosen picture; owned */
    coco_id best;          /* of the picture that fits best */
    bool listed;           /* the file lists its pictures */
    bool chosen;           /* one of them has been chosen, so their records are looked for */
    bool drawn;            /* the annotation has a segmentation that is not empty */
} coco;

/* ---- First pass: which picture, which categories -------------------------------------------------- */

/* A number in quotes is that number. Skips anything else, of which `id` stays. */
static int read_id(json_reader *r, coco_id *id)
{
    const char kind = json_kind(r);
    double number;
    if (kind == '0') {
        STEP(json_number(r, &number));
        snprintf(id->word, sizeof id->word, "#%.17g", number);
    } else if (kind == '"') {
        STEP(json_string(r));
        const char *const text = (const char *)r->text.data;
        const size_t digits = *text == '0' ? strlen(text) == 1 : strspn(text, "0123456789");
        snprintf(id->word, sizeof id->word, "%s%s", digits && digits < 16 && !text[digits] ? "#" : "", text);
    } else {
        return json_skip(r);
    }
    return EXIT_DONE;
}

/* What a record says of its picture. */
typedef struct record {
    coco_id id;
    char name[1024]; /* the first of its names that fits best, else its id */
    int rank, width, height;
} record;

/* The keys under which the name of a picture stands. */
static bool names_picture(const json_reader *r)
{
    static const char *const keys[] = {"file_name", "path", "coco_url", "flickr_url", "url", "name"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (json_is_key(r, keys[i])) return true;
    return false;
}

static void take_name(coco *c, const char *name, record *one)
{
    const int rank = annotation_rank(c->request, &c->pictures, name);
    if (!*name || (one->name[0] && rank <= one->rank)) return;
    one->rank = rank;
    snprintf(one->name, sizeof one->name, "%s", name);
}

static int read_record(coco *c, record *one)
{
    json_reader *const r = c->r;
    *one = (record){.rank = 0};
    STEP(json_enter(r, '{'));
    while (json_more(r)) {
        if (json_is_key(r, "width")) {
            STEP(annotation_side(r, &one->width));
        } else if (json_is_key(r, "height")) {
            STEP(annotation_side(r, &one->height));
        } else if (json_is_key(r, "id") || json_is_key(r, "image_id")) {
            STEP(read_id(r, &one->id));
        } else if (names_picture(r) && json_kind(r) == '"') {
            STEP(json_string(r));
            take_name(c, (const char *)r->text.data, one);
        } else {
            STEP(json_skip(r));
        }
    }
    STEP(r->status);
    if (!one->name[0]) take_name(c, one->id.word, one);
    return EXIT_DONE;
}

/* Files that were put together may have two pictures of one number, and then of none is known what is on it. */
static int check_alone(const coco *c, const record *other)
{
    if (!*c->best.word || strcmp(c->best.word, other->id.word) != 0) return EXIT_DONE;
    return json_refuse(c->r, "%.120s and %.120s have the same id, so which of them a shape is on is not told",
                       c->pictures.name, other->name);
}

/* First offers the picture; when one is chosen, keeps the number of each of its records. */
static int read_image(coco *c)
{
    record one;
    STEP(read_record(c, &one));
    c->listed = true;
    if (!c->chosen) {
        c->pictures.id = one.id.word;
        annotation_offer(&c->pictures, one.name, one.rank);
        c->pictures.id = NULL;
        if (c->pictures.name && !strcmp(c->pictures.name, one.name)) c->best = one.id;
        return EXIT_DONE;
    }
    if (!annotation_is_chosen(&c->pictures, one.name)) return check_alone(c, &one);
    if (one.width) c->out->width = one.width;
    if (one.height) c->out->height = one.height;
    return !one.id.word[0] || bytes_append(&c->image, &one.id, sizeof one.id) ? EXIT_DONE : annotation_no_memory(c->r);
}

static int read_category(coco *c)
{
    json_reader *const r = c->r;
    category one = {.wanted = !c->request->label};
    if (c->chosen) return json_skip(r);
    STEP(json_enter(r, '{'));
    while (json_more(r)) {
        if (json_is_key(r, "id")) {
            STEP(read_id(r, &one.id));
        } else if (json_is_key(r, "name") && json_kind(r) == '"') {
            STEP(json_string(r));
            one.wanted = annotation_wants(c->request, (const char *)r->text.data, &one.role);
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

/* Reads the picture of an annotation; what is no object has none. */
static int read_image_of(json_reader *r, coco_id *id)
{
    *id = (coco_id){""};
    if (json_kind(r) != '{') return json_skip(r);
    STEP(json_enter(r, '{'));
    while (json_more(r)) STEP(json_is_key(r, "image_id") ? read_id(r, id) : json_skip(r));
    return r->status;
}

static void offer_word(coco *c, const char *word)
{
    if (*word) annotation_offer(&c->pictures, word, annotation_rank(c->request, &c->pictures, word));
}

static int offer_annotation(coco *c)
{
    coco_id id;
    STEP(read_image_of(c->r, &id));
    offer_word(c, id.word);
    return EXIT_DONE;
}

/* An annotation in a memo. */
typedef struct place {
    json_mark at;
    size_t id;   /* where in the memo's `ids` the name of its picture begins */
    bool broken; /* it cannot be read, which is told whatever the picture is */
} place;

/* What an annotation says. */
typedef struct members {
    coco_id image, category;
    double box[4];
    bool boxed, segmented; /* segmented: a picture beside the file has its mask */
    bool drawn;            /* it has a key of a shape, if nothing under it     */
    json_mark segmentation, keypoints;
} members;

static int read_members(json_reader *r, members *f);

static int list_annotation(json_reader *r, annotation_memo *memo)
{
    place one = {.at = json_here(r), .id = memo->ids.size};
    failure *const why = r->why, unread = {0};
    coco_id id;
    members f = {.boxed = false};
    STEP(read_image_of(r, &id));
    const json_mark end = json_here(r);
    json_go(r, &one.at);
    r->why = &unread;
    one.broken = read_members(r, &f) != EXIT_DONE;
    r->why = why;
    json_go(r, &end);
    return bytes_append(&memo->ids, id.word, strlen(id.word) + 1) && bytes_append(&memo->places, &one, sizeof one)
               ? EXIT_DONE : annotation_no_memory(r);
}

/* *listed: the memo knows the list of annotations that begins here. It keeps the first one of a file. */
static int list_annotations(coco *c, bool *listed)
{
    json_reader *const r = c->r;
    annotation_memo *const memo = c->request->memo;
    const json_mark begin = json_here(r);
    *listed = memo && memo->begin.at == begin.at;
    if (!memo || memo->begin.at || json_kind(r) != '[') return EXIT_DONE;
    STEP(json_enter(r, '['));
    while (json_more(r)) STEP(list_annotation(r, memo));
    STEP(r->status);
    memo->begin = begin;
    memo->end = json_here(r);
    json_go(r, &begin);
    *listed = true;
    return EXIT_DONE;
}

static size_t places(const coco *c, const place **first)
{
    *first = (const place *)(const void *)c->request->memo->places.data;
    return c->request->memo->places.size / sizeof **first;
}

/* Offers the pictures of a list of annotations, for files that do not list their pictures. */
static int offer_annotations(coco *c)
{
    const place *one;
    bool listed;
    STEP(list_annotations(c, &listed));
    if (!listed) return read_each(c, offer_annotation);
    const size_t count = places(c, &one);
    for (size_t i = 0; i < count; i++) offer_word(c, (const char *)c->request->memo->ids.data + one[i].id);
    json_go(c->r, &c->request->memo->end);
    return EXIT_DONE;
}

/* Skips a member of the outermost object; a list that the memo knows is not looked at. */
static int skip_member(coco *c)
{
    const annotation_memo *const memo = c->request->memo;
    const json_mark here = json_here(c->r);
    if (!memo || memo->begin.at != here.at) return json_skip(c->r);
    json_go(c->r, &memo->end);
    return EXIT_DONE;
}

static int look_over(coco *c)
{
    json_reader *const r = c->r;
    if (json_kind(r) == '[') return c->chosen ? json_skip(r) : offer_annotations(c);
    STEP(json_enter(r, '{'));
    while (json_more(r)) {
        if (json_is_key(r, "images")) STEP(read_each(c, read_image));
        else if (json_is_key(r, "image") && json_kind(r) == '{') STEP(read_image(c));
        else if (json_is_key(r, "categories")) STEP(read_each(c, read_category));
        else STEP(skip_member(c));
    }
    return r->status;
}

/* Offers the pictures of the annotations in an object that does not list them. */
static int look_over_annotations(coco *c)
{
    json_reader *const r = c->r;
    STEP(json_enter(r, '{'));
    while (json_more(r)) STEP(json_is_key(r, "annotations") ? offer_annotations(c) : json_skip(r));
    return r->status;
}

static int choose_picture(coco *c, notes *log)
{
    json_reader *const r = c->r;
    const json_mark start = json_here(r);
    STEP(look_over(c));
    json_go(r, &start);
    if (!c->listed && json_kind(r) == '{') STEP(look_over_annotations(c));
    STEP(annotation_decide(c->request, &c->pictures, log, r->why));
    c->chosen = true;
    json_go(r, &start);
    if (c->listed) STEP(look_over(c));
    json_go(r, &start);
    return EXIT_DONE;
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
    const int width = (int)found->width, height = (int)found->height;
    if ((out->width && out->width != width) || (out->height && out->height != height))
        return json_refuse(r, "an RLE of %gx%g pixels, but the picture is %dx%d", found->width, found->height,
                           out->width, out->height);
    out->width = width;
    out->height = height;
    shape *const s = shapes_last(out);
    s->width = width;
    s->height = height;
    const uint32_t *const run = (const uint32_t *)(const void *)out->run.data;
    uint64_t sum = 0;
    for (size_t i = s->first; i < s->ends; i++) sum += run[i];
    const uint64_t pixels = (uint64_t)out->width * (uint64_t)out->height;
    if (sum == pixels) return EXIT_DONE;
    return json_refuse(r, "the runs of an RLE make %llu pixels, but %dx%d are %llu", (unsigned long long)sum,
                       out->width, out->height, (unsigned long long)pixels);
}

static int read_runs(void *context)
{
    coco *const c = context;
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

/* An empty polygon stands for none: then the box counts. */
static int read_polygon(void *context)
{
    coco *const c = context;
    json_reader *const r = c->r;
    const json_mark here = json_here(r);
    if (json_kind(r) == '{') return read_runs(c);
    STEP(json_enter(r, '['));
    if (!json_more(r)) return r->status;
    json_go(r, &here);
    c->drawn = true;
    if (!shapes_begin(c->out, SHAPE_AREA) || !shapes_begin_ring(c->out)) return annotation_no_memory(r);
    STEP(annotation_read_pairs(r, c->out));
    const shape_ring *const ring = shapes_ring_at(c->out, shapes_last(c->out)->first);
    const size_t count = ring->ends - ring->first;
    return count < 3 ? json_refuse(r, "a polygon of %zu point%s", count, count == 1 ? "" : "s") : EXIT_DONE;
}

/* Reads polygons [[x, y, ...], ...], one polygon [x, y, ...], or an RLE. Each polygon is a separate area, so polygons
 * are united. */
static int read_segmentation(coco *c)
{
    json_reader *const r = c->r;
    const json_mark here = json_here(r);
    if (json_kind(r) == '{') return read_runs(c);
    STEP(json_enter(r, '['));
    while (json_more(r)) {
        if (json_kind(r) == '0') {
            json_go(r, &here);
            return read_polygon(c);
        }
        STEP(annotation_try(c->request, r, c->out, read_polygon, c));
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

static int read_members(json_reader *r, members *f)
{
    STEP(json_enter(r, '{'));
    while (json_more(r)) {
        const char kind = json_kind(r);
        f->drawn |= json_is_key(r, "bbox") || json_is_key(r, "segmentation") || json_is_key(r, "keypoints");
        if (json_is_key(r, "image_id")) {
            STEP(read_id(r, &f->image));
        } else if (json_is_key(r, "category_id")) {
            STEP(read_id(r, &f->category));
        } else if (json_is_key(r, "bbox") && kind == '[') {
            STEP(read_box(r, f->box, &f->boxed));
        } else {
            if (json_is_key(r, "segmentation") && (kind == '[' || kind == '{')) f->segmentation = json_here(r);
            f->segmented |= json_is_key(r, "segments_info");
            if (json_is_key(r, "keypoints") && kind == '[') f->keypoints = json_here(r);
            STEP(json_skip(r));
        }
    }
    return r->status;
}

/* Whether the annotation's category is wanted. If the file has no categories, only their numbers are known. */
static bool wants(const coco *c, const members *f, shape_role *role)
{
    const category *const list = (const category *)(const void *)c->category.data;
    *role = SHAPE_OBJECT;
    for (size_t i = 0; f->category.word[0] && i < c->category.size / sizeof *list; i++)
        if (!strcmp(list[i].id.word, f->category.word)) {
            *role = list[i].role;
            return list[i].wanted;
        }
    return !c->request->label;
}

/* Whether the annotation is about the chosen picture. One without a picture is, if there is only one. */
static bool is_about(const coco *c, const char *word)
{
    const coco_id *const list = (const coco_id *)(const void *)c->image.data;
    const size_t count = c->image.size / sizeof *list;
    if (!*word || (c->listed && !count)) return !c->pictures.several;
    if (!c->listed) return annotation_is_chosen(&c->pictures, word);
    for (size_t i = 0; i < count; i++)
        if (!strcmp(list[i].word, word)) return true;
    return false;
}

static int read_annotation_or_fail(void *context)
{
    coco *const c = context;
    json_reader *const r = c->r;
    const size_t before = shapes_count(c->out);
    shape_role role;
    members f = {.boxed = false};
    STEP(read_members(r, &f));
    if (!is_about(c, f.image.word) || !wants(c, &f, &role)) return EXIT_DONE;
    const json_mark here = json_here(r);
    c->drawn = false;
    if (!f.drawn && !f.segmented)
        return json_refuse(r, "an annotation without \"segmentation\", \"bbox\" or \"keypoints\"");
    if (f.segmented) return json_refuse(r, "segments_info of COCO's panoptic form, whose masks are pictures beside it");
    if (f.segmentation.at) {
        json_go(r, &f.segmentation);
        c->drawn = json_kind(r) == '{';
        STEP(read_segmentation(c));
    }
    if (!c->drawn && f.boxed) STEP(put_box(c, f.box));
    if (f.keypoints.at) {
        json_go(r, &f.keypoints);
        STEP(read_keypoints(c));
    }
    json_go(r, &here);
    shapes_set_role(c->out, before, role);
    return EXIT_DONE;
}

static int read_annotation(coco *c)
{
    return annotation_try(c->request, c->r, c->out, read_annotation_or_fail, c);
}

/* Of a list that the memo knows, only what is about the picture or cannot be read. */
static int read_list(coco *c)
{
    const place *one;
    bool known;
    STEP(list_annotations(c, &known));
    if (!known) return read_each(c, read_annotation);
    STEP(json_enter(c->r, '['));
    const size_t count = places(c, &one);
    for (size_t i = 0; i < count; i++) {
        if (!one[i].broken && !is_about(c, (const char *)c->request->memo->ids.data + one[i].id)) continue;
        json_go(c->r, &one[i].at);
        STEP(read_annotation(c));
    }
    json_go(c->r, &c->request->memo->end);
    return EXIT_DONE;
}

static int read_annotations(coco *c)
{
    json_reader *const r = c->r;
    const json_mark start = json_here(r);
    bool listed = false, single = false;
    if (json_kind(r) == '[') return read_list(c);
    STEP(json_enter(r, '{'));
    while (json_more(r)) {
        listed |= json_is_key(r, "annotations");
        single |= json_is_key(r, "counts");
        STEP(json_is_key(r, "annotations") ? read_list(c) : skip_member(c));
    }
    STEP(r->status);
    if (listed) return EXIT_DONE;
    json_go(r, &start);
    return single ? read_runs(c) : read_annotation_or_fail(c);
}

static int read_coco(const annotation_request *request, json_reader *r, shapes *out, notes *log)
{
    coco c = {.request = request, .r = r, .out = out};
    const bool results = json_kind(r) == '[';
    int status = choose_picture(&c, log);
    if (status == EXIT_SEEDS && results && request->missed) {
        *request->missed = true;
        *r->why = (failure){0};
        status = EXIT_DONE;
    } else if (!status) {
        status = read_annotations(&c);
    }
    annotation_pictures_free(&c.pictures);
    bytes_free(&c.category);
    bytes_free(&c.image);
    return status;
}

const annotation_format annotation_coco = {
    .name = "coco",
    .line = "COCO     read, write  polygons; RLE, boxes, keypoints are read",
    .named = true,
    .extensions = " .coco.json ",
    .keys = " annotations images counts segmentation ",
    .items = " image_id category_id segmentation ",
    .read = read_coco,
    .many = true,
    .write = coco_write_polygons,
};
