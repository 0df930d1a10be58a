/* SPDX-License-Identifier: MIT
 *
 * annotation_coco_write.c - writes COCO's JSON for one picture with one annotation an object: polygons (`coco`), or
 * compressed RLE like pycocotools (`coco-rle`). COCO's polygons have no holes, so an object with holes becomes a
 * keyhole (keyhole.h).
 */
#include "coco_runs.h"
#include "json.h"
#include "keyhole.h"

/* ---- The same for every mask ---------------------------------------------------------------------- */

static void put_picture(json *j, const annotation_about *about)
{
    json_open(j, "images", '[');
    json_open(j, NULL, '{');
    json_integer(j, "id", 1);
    json_text(j, "file_name", about->photo);
    json_integer(j, "width", about->width);
    json_integer(j, "height", about->height);
    json_close(j, '}');
    json_close(j, ']');
}

static void put_categories(json *j, const annotation_about *about, const uint8_t *mask)
{
    const char *label;
    const uint8_t *unused;
    json_open(j, "categories", '[');
    for (int i = 0; annotation_take(about, mask, i, &label, &unused); i++) {
        json_open(j, NULL, '{');
        json_integer(j, "id", i + 1);
        json_text(j, "name", label);
        json_text(j, "supercategory", "");
        json_close(j, '}');
    }
    json_close(j, ']');
}

typedef struct extent {
    int left, top, right, bottom; /* bounds of the pixels, inclusive */
    int64_t area;                 /* 0: there is no foreground              */
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

typedef bool put_segmentation(json *j, const annotation_about *about, const uint8_t *mask);

/* The annotation of one object, the only one of its category. False: no memory. */
static bool put_object(json *j, const annotation_about *about, const uint8_t *mask, int category, int *id,
                       put_segmentation *put)
{
    const extent e = extent_of(about, mask);
    if (!e.area) return true;
    json_open(j, NULL, '{');
    json_integer(j, "id", ++*id);
    json_integer(j, "image_id", 1);
    json_integer(j, "category_id", category);
    json_integer(j, "iscrowd", 0);
    put_extent(j, &e);
    const bool room = put(j, about, mask);
    json_close(j, '}');
    return room;
}

static int write_with(put_segmentation *put, const annotation_about *about, const uint8_t *mask, bytes *sink,
                      failure *why)
{
    json j = {.out = *sink};
    const char *unused;
    const uint8_t *one;
    bool room = true;
    int id = 0;
    json_open(&j, NULL, '{');
    put_picture(&j, about);
    json_open(&j, "annotations", '[');
    for (int i = 0; room && annotation_take(about, mask, i, &unused, &one); i++)
        room = put_object(&j, about, one, i + 1, &id, put);
    json_close(&j, ']');
    put_categories(&j, about, mask);
    return annotation_write_end(&j, sink, room, why);
}

int coco_write_polygons(const annotation_about *about, const uint8_t *mask, bytes *sink, failure *why)
{
    return write_with(put_polygons, about, mask, sink, why);
}

static int write_runs(const annotation_about *about, const uint8_t *mask, bytes *sink, failure *why)
{
    return write_with(put_runs, about, mask, sink, why);
}

const annotation_format annotation_coco_rle = {
    .name = "coco-rle",
    .line = "COCO-RLE write        run lengths, compressed as pycocotools does",
    .extensions = " .rle.json ",
    .many = true,
    .write = write_runs,
    .without_outlines = true,
};
