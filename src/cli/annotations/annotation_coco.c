/* SPDX-License-Identifier: MIT
 *
 * annotation_coco.c - reads COCO's JSON: {"images", "annotations", "categories"}, a list of results, the output of
 * segment-anything ("image" instead of "images"), or a single RLE. An annotation's shape is its segmentation, which is
 * polygons or an RLE. If there is none, the shape is the box. Keypoints become points.
 *
 * Annotations refer to pictures and categories by ids, which are numbers or words. The annotations may stand before the
 * pictures in the file, so the file is read several times: to choose the picture that is the photo, to collect the ids
 * of this picture, and to read its annotations. A memo lists all annotations once, so that reading the file again for
 * other pictures is quicker.
 */
#include <stdio.h>
#include <string.h>

#include "annotation.h"
#include "coco_runs.h"
#include "coco_shapes.h"

/* The id of a picture or category: "#7" for a number, or a text. */
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
    bytes category, image; /* two owned lists: one of `category`, one of the ids (`coco_id`) of the chosen picture */
    coco_id best;          /* id of the picture that fits best */
    bool listed;           /* true: the file lists its pictures */
    bool chosen;           /* true once a picture has been chosen, so this pass collects its ids */
} coco;

/* ---- First pass: which picture, which categories -------------------------------------------------- */

/* Reads an id. A number in quotes counts as a number. Any other value is skipped, and `id` stays as it is. Numbers too
 * large for a double to tell them apart keep their digits. */
static int read_id(json_reader *r, coco_id *id)
{
    static const double EXACT = 1e15;
    const char kind = json_kind(r);
    double number;
    if (kind == '0') {
        const char *const digits = (const char *)json_here(r).at;
        STEP(json_number(r, &number));
        if (number < EXACT) snprintf(id->word, sizeof id->word, "#%.17g", number);
        else snprintf(id->word, sizeof id->word, "#%.*s", (int)((const char *)r->at - digits), digits);
    } else if (kind == '"') {
        STEP(json_string(r));
        const char *const text = (const char *)r->text.data;
        const size_t digits = *text == '0' ? strlen(text) == 1 : strspn(text, "0123456789");
        snprintf(id->word, sizeof id->word, "%s%s", digits && !text[digits] ? "#" : "", text);
    } else {
        return json_skip(r);
    }
    return EXIT_DONE;
}

/* The members of one entry in the list of pictures. */
typedef struct record {
    coco_id id;
    char name[1024]; /* the name in this entry that fits the photo best, or its id if it has no name */
    int rank, width, height;
} record;

/* True if the current key gives the name of a picture. */
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
    for (json_enter(r, '{'); json_more(r);) {
        if (json_is_key(r, "width")) STEP(annotation_side(r, &one->width));
        if (json_is_key(r, "height")) STEP(annotation_side(r, &one->height));
        if (json_is_key(r, "id") || json_is_key(r, "image_id")) STEP(read_id(r, &one->id));
        if (!names_picture(r) || json_kind(r) != '"') continue;
        STEP(json_string(r));
        take_name(c, (const char *)r->text.data, one);
    }
    STEP(r->status);
    if (!one->name[0]) take_name(c, one->id.word, one);
    return EXIT_DONE;
}

/* Refuses a file in which another picture has the same id as the chosen one, as in carelessly merged files: the file
 * then does not say which of the two a shape is on. */
static int check_alone(const coco *c, const record *other)
{
    if (!*c->best.word || strcmp(c->best.word, other->id.word) != 0) return EXIT_DONE;
    return json_refuse(c->r, "%.120s and %.120s have the same id, so which of them a shape is on is not told",
                       c->pictures.name, other->name);
}

/* In the first pass, offers the picture. After the choice, collects the ids of the chosen picture, which may have
 * several entries. */
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
    for (json_enter(r, '{'); json_more(r);) {
        if (json_is_key(r, "id")) STEP(read_id(r, &one.id));
        if (json_has_text(r, "name"))
            one.wanted = annotation_wants(c->request, (const char *)r->text.data, &one.role);
    }
    STEP(r->status);
    return bytes_append(&c->category, &one, sizeof one) ? EXIT_DONE : annotation_no_memory(r);
}

static int read_each(coco *c, int (*read)(coco *))
{
    for (json_enter(c->r, '['); json_more(c->r);) STEP(read(c));
    return c->r->status;
}

/* Reads the id of an annotation's picture. A value that is not an object gets an empty id. */
static int read_image_of(json_reader *r, coco_id *id)
{
    *id = (coco_id){""};
    if (json_kind(r) != '{') return json_skip(r);
    for (json_enter(r, '{'); json_more(r);)
        if (json_is_key(r, "image_id")) STEP(read_id(r, id));
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

/* An annotation that a memo lists. */
typedef struct place {
    json_mark at;
    size_t id;   /* offset of its picture's id in the memo's `ids`            */
    bool broken; /* true: the annotation cannot be read: an error for every picture */
} place;

/* The members of an annotation. */
typedef struct members {
    coco_id image, category;
    double box[4];
    bool boxed, segmented; /* segmented: the mask is a picture file of its own         */
    bool drawn;            /* true: the annotation has a shape's key; its value may be empty */
    bool runs;             /* true: the annotation is an entry in a list of RLE masks  */
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

/* Enters the list of annotations that begins here in the memo, unless the memo holds another list. *listed becomes true
 * if the memo holds this one. */
static int list_annotations(coco *c, bool *listed)
{
    json_reader *const r = c->r;
    annotation_memo *const memo = c->request->memo;
    const json_mark begin = json_here(r);
    *listed = memo && memo->begin.at == begin.at;
    if (!memo || memo->begin.at || json_kind(r) != '[') return EXIT_DONE;
    for (json_enter(r, '['); json_more(r);) STEP(list_annotation(r, memo));
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

/* For files without a list of pictures: offers the pictures that the annotations name. */
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

/* Skips a member of the outermost object. If the member is the list in the memo, jumps to the end of the list. */
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
    for (json_enter(r, '{'); json_more(r);) {
        if (json_is_key(r, "images")) STEP(read_each(c, read_image));
        else if (json_is_key(r, "image") && json_kind(r) == '{') STEP(read_image(c));
        else if (json_is_key(r, "categories")) STEP(read_each(c, read_category));
        else STEP(skip_member(c));
    }
    return r->status;
}

/* Offers the pictures that the annotations name, in a file that has no list of pictures. */
static int look_over_annotations(coco *c)
{
    json_reader *const r = c->r;
    for (json_enter(r, '{'); json_more(r);)
        if (json_is_key(r, "annotations")) STEP(offer_annotations(c));
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

static int read_members(json_reader *r, members *f)
{
    for (json_enter(r, '{'); json_more(r);) {
        const char kind = json_kind(r);
        const bool box = json_is_key(r, "bbox"), area = json_is_key(r, "segmentation");
        f->drawn |= box || area || json_is_key(r, "keypoints");
        if ((box || area) && !strchr("[{n", kind))
            return json_refuse(r, "a \"%s\" that is no list", (const char *)r->key.data);
        if (area && kind != 'n') f->segmentation = json_here(r);
        f->segmented |= json_is_key(r, "segments_info");
        f->runs |= json_is_key(r, "counts");
        if (json_is_key(r, "keypoints") && kind == '[') f->keypoints = json_here(r);
        if (json_is_key(r, "image_id")) STEP(read_id(r, &f->image));
        if (json_is_key(r, "category_id")) STEP(read_id(r, &f->category));
        if (box && kind == '[') STEP(coco_read_box(r, f->box, &f->boxed));
    }
    return r->status;
}

/* True if the annotation's category is wanted. In a file without categories only their ids are known, so no
 * label can match. */
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

/* True if the annotation is on the chosen picture. An annotation that names no picture counts if the file
 * has only one. */
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
    const json_mark start = json_here(r);
    STEP(read_members(r, &f));
    if (f.runs && !f.drawn) f.drawn = true, f.segmentation = start;
    if (!is_about(c, f.image.word) || !wants(c, &f, &role)) return EXIT_DONE;
    const json_mark here = json_here(r);
    coco_shape drawing = {c->request, r, c->out, false};
    if (!f.drawn && !f.segmented)
        return json_refuse(r, "an annotation without \"segmentation\", \"bbox\" or \"keypoints\"");
    if (f.segmented) return json_refuse(r, "segments_info of COCO's panoptic form, whose masks are pictures beside it");
    if (f.segmentation.at) {
        json_go(r, &f.segmentation);
        STEP(coco_read_segmentation(&drawing));
    }
    if (!drawing.drawn && f.boxed) STEP(coco_put_box(&drawing, f.box));
    if (f.keypoints.at) {
        json_go(r, &f.keypoints);
        STEP(coco_read_keypoints(&drawing));
    }
    json_go(r, &here);
    shapes_set_role(c->out, before, role);
    return EXIT_DONE;
}

static int read_annotation(coco *c)
{
    return annotation_try(c->request, c->r, c->out, read_annotation_or_fail, c);
}

/* Reads a list of annotations. If the memo holds it, reads only the annotations that are on the picture or
 * are broken. */
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
    bool listed = false;
    if (json_kind(r) == '[') return read_list(c);
    for (json_enter(r, '{'); json_more(r);) {
        listed |= json_is_key(r, "annotations");
        STEP(json_is_key(r, "annotations") ? read_list(c) : skip_member(c));
    }
    STEP(r->status);
    if (listed) return EXIT_DONE;
    json_go(r, &start);
    return read_annotation_or_fail(c);
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
    .items = " image_id category_id segmentation counts ",
    .read = read_coco,
    .many = true,
    .write = coco_write_polygons,
};
