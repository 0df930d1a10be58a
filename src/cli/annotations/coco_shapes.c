/* SPDX-License-Identifier: MIT */
#include "coco_shapes.h"

#include <math.h>

#include "coco_runs.h"

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

static int read_plain_runs(coco_shape *c)
{
    json_reader *const r = c->r;
    double run;
    for (json_enter(r, '['); json_more(r);) {
        STEP(json_number(r, &run));
        if (!(run >= 0 && run <= UINT32_MAX) || run > floor(run))
            return json_refuse(r, "%g is no length of a run", run);
        if (!shapes_add_run(c->out, (uint32_t)run)) return annotation_no_memory(r);
    }
    return r->status;
}

static int read_text_runs(coco_shape *c)
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

/* Checks that the runs together cover the picture. Its size is given in the file or in the RLE. */
static int check_runs(coco_shape *c, const counts *found)
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
    coco_shape *const c = context;
    json_reader *const r = c->r;
    counts found = {0};
    for (json_enter(r, '{'); json_more(r);) {
        if (json_is_key(r, "counts")) found.at = json_here(r);
        if (json_is_key(r, "size")) STEP(read_size(r, &found));
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

/* Reads a polygon. An empty one means that there is no segmentation; the box is used instead. */
static int read_polygon(void *context)
{
    coco_shape *const c = context;
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

int coco_read_segmentation(coco_shape *c)
{
    json_reader *const r = c->r;
    const json_mark here = json_here(r);
    if (json_kind(r) == '{') {
        STEP(json_enter(r, '{'));
        if (!json_more(r)) return r->status; /* {} means no segmentation, as [] does */
        json_go(r, &here);
        c->drawn = true;
        return read_runs(c);
    }
    for (json_enter(r, '['); json_more(r);) {
        if (json_kind(r) == '0') {
            json_go(r, &here);
            return read_polygon(c);
        }
        STEP(annotation_try(c->request, r, c->out, read_polygon, c));
    }
    return r->status;
}

int coco_read_keypoints(coco_shape *c)
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

int coco_read_box(json_reader *r, double box[4], bool *given)
{
    int count = 0;
    for (json_enter(r, '['); json_more(r); count++) {
        if (count == 4) return json_refuse(r, "a \"bbox\" of more than x, y, width and height");
        STEP(annotation_coordinate(r, &box[count]));
    }
    STEP(r->status);
    *given = count == 4;
    return count == 4 || !count ? EXIT_DONE : json_refuse(r, "a \"bbox\" of %d numbers", count);
}

int coco_put_box(coco_shape *c, const double box[4])
{
    if (box[2] < 0 || box[3] < 0) return json_refuse(c->r, "a \"bbox\" of %g x %g pixels", box[2], box[3]);
    const double at[] = {box[0], box[1], box[0] + box[2], box[1] + box[3]};
    return shapes_add_ring(c->out, SHAPE_BOX, at, 2) ? EXIT_DONE : annotation_no_memory(c->r);
}
