/* SPDX-License-Identifier: MIT
 *
 * annotation_coco_write.c - writes COCO's JSON with one annotation per object, for one picture or many. The format
 * `coco` has polygons, `coco-rle` has compressed RLE as pycocotools writes it. COCO's polygons have no holes, so the
 * outline of an object with holes becomes a keyhole: one ring that reaches each hole by a cut (keyhole.h).
 */
#include "coco_runs.h"
#include "json.h"
#include "keyhole.h"

/* ---- The same for every mask ---------------------------------------------------------------------- */

static void put_picture(json *j, const annotation_about *about, int id)
{
    json_open(j, NULL, '{');
    json_integer(j, "id", id);
    json_text(j, "file_name", about->photo);
    JSON_MEMBERS(j, about, width, height);
    json_close(j, '}');
}

static void put_categories(json *j, const annotation_about *about)
{
    json_open(j, "categories", '[');
    for (int i = 0; i < (about->objects ? about->objects : 1); i++) {
        json_open(j, NULL, '{');
        json_integer(j, "id", i + 1);
        json_text(j, "name", about->objects ? about->object[i].label : about->label);
        json_text(j, "supercategory", "");
        json_close(j, '}');
    }
    json_close(j, ']');
}

typedef struct extent {
    int left, top, right, bottom; /* bounds of the pixels, inclusive */
    int64_t area;                 /* number of foreground pixels */
} extent;

static extent extent_of(const annotation_about *about, const uint8_t *mask)
{
    extent e = {about->width, about->height, -1, -1, 0};
    for (int y = 0; y < about->height; y++)
        for (int x = 0; x < about->width; x++) {
            if (!mask[(size_t)y * (size_t)about->width + (size_t)x]) continue;
            e.area++;
            if (x < e.left) e.left = x;
            if (x > e.right) e.right = x;
            if (y < e.top) e.top = y;
            e.bottom = y;
        }
    return e;
}

static void put_extent(json *j, const extent *e)
{
    const int32_t box[] = {e->left, e->top, e->right - e->left + 1, e->bottom - e->top + 1};
    json_integer(j, "area", e->area);
    json_fixed(j, "bbox", box, 4, 1);
}

/* ---- Segmentations ------------------------------------------------------------------------------- */

static void put_polygon(void *to, const int32_t *corner, size_t count, int unit)
{
    json_fixed(to, NULL, corner, count, unit);
}

static bool put_polygons(json *j, const annotation_about *about, const uint8_t *mask)
{
    json_open(j, "segmentation", '[');
    const bool room = keyholes(mask, about->alpha, about->width, about->height, put_polygon, j);
    json_close(j, ']');
    return room;
}

static bool put_runs(json *j, const annotation_about *about, const uint8_t *mask)
{
    bytes runs = {0}, text = {0};
    const bool room = outline_runs(mask, about->width, about->height, &runs) &&
                      coco_runs_write((const uint32_t *)(const void *)runs.data, runs.size / sizeof(uint32_t), &text) &&
                      bytes_append(&text, "", 1);
    json_open(j, "segmentation", '{');
    json_fixed(j, "size", (const int32_t[]){about->height, about->width}, 2, 1);
    json_text(j, "counts", room ? (const char *)text.data : "");
    json_close(j, '}');
    bytes_free(&runs);
    bytes_free(&text);
    return room;
}

/* ---- The whole ----------------------------------------------------------------------------------- */

/* Adds the objects on picture number `picture`. Returns false if memory ran out. */
static bool put_objects(coco_file *to, const annotation_about *about, const uint8_t *mask, int picture)
{
    json *const j = &to->objects;
    const char *unused;
    const uint8_t *one;
    bool room = true;
    for (int i = 0; room && annotation_take(about, mask, i, &unused, &one); i++) {
        const extent e = extent_of(about, one);
        if (!e.area) continue;
        json_open(j, NULL, '{');
        json_integer(j, "id", ++to->count);
        json_integer(j, "image_id", picture);
        json_integer(j, "category_id", i + 1);
        json_integer(j, "iscrowd", 0);
        put_extent(j, &e);
        room = (to->runs ? put_runs : put_polygons)(j, about, one);
        json_close(j, '}');
    }
    return room;
}

bool coco_add(coco_file *to, const annotation_about *about, const uint8_t *mask, bool same)
{
    if (!to->pictures.out.size) {
        json_open(&to->pictures, NULL, '{');
        json_open(&to->pictures, "images", '[');
        json_open(&to->objects, "annotations", '[');
    }
    if (!same) put_picture(&to->pictures, about, ++to->number);
    return put_objects(to, about, mask, to->number);
}

int coco_end(coco_file *from, const annotation_about *about, bytes *sink, failure *why)
{
    json *const j = &from->pictures;
    json_close(j, ']');
    json_close(&from->objects, ']');
    const bool room = !from->objects.failed && bytes_append(&j->out, ", ", 2) &&
                      bytes_append(&j->out, from->objects.out.data, from->objects.out.size);
    put_categories(j, about);
    json_close(j, '}');
    const bool done = room && !j->failed && bytes_append(&j->out, "\n", 1) &&
                      bytes_append(sink, j->out.data, j->out.size);
    coco_free(from);
    return done ? EXIT_DONE : fail(why, EXIT_RESOURCES, "not enough memory for an outline of the mask");
}

void coco_free(coco_file *file)
{
    json_free(&file->pictures);
    json_free(&file->objects);
}

static int write_with(bool runs, const annotation_about *about, const uint8_t *mask, bytes *sink, failure *why)
{
    coco_file file = {.runs = runs};
    if (coco_add(&file, about, mask, false)) return coco_end(&file, about, sink, why);
    coco_free(&file);
    return fail(why, EXIT_RESOURCES, "not enough memory for an outline of the mask");
}

int coco_write_polygons(const annotation_about *about, const uint8_t *mask, bytes *sink, failure *why)
{
    return write_with(false, about, mask, sink, why);
}

static int write_runs(const annotation_about *about, const uint8_t *mask, bytes *sink, failure *why)
{
    return write_with(true, about, mask, sink, why);
}

const annotation_format annotation_coco_rle = {
    .name = "coco-rle",
    .line = "COCO-RLE write        run lengths, compressed as pycocotools does",
    .extensions = " .rle.json ",
    .many = true,
    .write = write_runs,
    .without_outlines = true,
};
