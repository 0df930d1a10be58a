/* SPDX-License-Identifier: MIT
 *
 * exports_scan.c - scans in the page, by scan_desk.h, which the program's editor of scans also uses, in memory that
 * JavaScript fills and reads. One instance has the planes, the strokes and the sketch; another one cuts the scan, and a
 * third finds where the sketch is unsure.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exports.h"
#include "scan_desk.h"

static struct {
    job base;
    scan_options options; /* none */
    scan_job read;
    scan_desk desk;
    uint8_t *labels, *mask;
    bytes plane;
} open;

/* Writes lines like those of desk_add_scan(). */
static void describe(char *text)
{
    const scan_desk *const d = &open.desk;
    const double *const range = open.base.run.range;
    char sides[4];
    scan_desk_sides(d, sides);
    snprintf(text, EDIT_ANSWER_BYTES, "sides\t%s\nmeaning\t%.17g %.17g\nrange\t%.17g %.17g\nmissing\t%.0f\n", sides,
             d->low, d->step, range[0], range[1], (double)open.read.missing);
}

/* Sets the scan, once for an instance. `head`: width, height, depth, type (enum scan_kind), 1 if the byte order differs
 * from that of this machine, slope, offset, spacing along x, y and z (0: unknown), 1 if the place is known, and its 12
 * numbers. `voxels`: as they are in the file. */
EXPORT(web_scan) int web_scan(const double head[], const uint8_t *voxels)
{
    const web_photo_parts web = web_parts();
    scan *const s = &open.read.scan;
    const enum scan_kind kind = (enum scan_kind)head[3];
    open.read.base = &open.base, open.read.options = &open.options;
    *s = (scan){.width = (int)head[0], .height = (int)head[1], .depth = (int)head[2], .type = scan_type_of(kind),
                .slope = head[5], .offset = head[6], .placed = head[10] != 0};
    memcpy(s->spacing, head + 7, sizeof s->spacing);
    memcpy(s->place, head + 11, sizeof s->place);
    const size_t count = scan_count(s);
    s->voxels = malloc(count * scan_voxel_bytes(s->type));
    open.labels = open.base.seeds.label = calloc(count, 1);
    open.mask = calloc(count, 1);
    if (!s->voxels || !open.labels || !open.mask)
        return web_end(fail(web.why, EXIT_RESOURCES, "not enough memory for the scan"));
    scan_convert(kind, head[4] != 0, voxels, s->voxels, count);
    int status = scan_count_missing(s, NULL, "the scan", &open.read.missing, &open.base.run.notes, web.why);
    if (!status) status = scan_desk_begin(&open.desk, &open.read, web.why);
    if (!status) describe(web.text);
    return web_end(status);
}

EXPORT(web_scan_patch) int web_scan_patch(const int box[6], const uint8_t *labels, size_t count)
{
    return web_end(scan_desk_patch(&open.desk, box, labels, count, web_parts().why));
}

/* Several labels: scan_desk_name(). */
EXPORT(web_scan_name) int web_scan_name(const uint8_t *text, size_t size)
{
    bool anew;
    return web_end(scan_desk_name(&open.desk, text, size, open.mask, &anew, web_parts().why));
}

EXPORT(web_scan_keep) int web_scan_keep(void) { return scan_desk_keep(&open.desk, open.mask); }

EXPORT(web_scan_prior) int web_scan_prior(int number)
{
    if (scan_desk_prior(&open.desk, number)) return EXIT_DONE;
    return web_end(fail(web_parts().why, EXIT_RESOURCES, "not enough memory for the mask to correct"));
}

EXPORT(web_scan_cells) size_t web_scan_cells(void) { return scan_desk_cells(&open.desk); }

/* Returns labels and mask of one object in cells, one after the other, for web_scan_unsure() in another instance. NULL
 * if memory ran out. */
EXPORT(web_scan_one) const uint8_t *web_scan_one(int code)
{
    static uint8_t *one;
    const size_t cells = scan_desk_cells(&open.desk);
    if (!one) one = malloc(2 * cells);
    if (one) scan_desk_one(&open.desk, code, one, one + cells);
    return one;
}

/* scan_desk_unsure(), as text. */
EXPORT(web_scan_unsure) int web_scan_unsure(const char *text, size_t size, const uint8_t *one)
{
    const web_photo_parts web = web_parts();
    const tilecut_params params = tilecut_params_default();
    edit_options options;
    int status = edit_read_options(text, size, &options, web.why);
    if (!status)
        status = scan_desk_unsure(&open.desk, one, one + scan_desk_cells(&open.desk), &options, &params, web.text,
                                  web.why);
    return web_end(status);
}

/* Cuts along `labels` into open.mask, or sketches if `labels` is NULL. */
static int cut(const char *text, size_t size, const uint8_t *labels)
{
    const web_photo_parts web = web_parts();
    const tilecut_params params = tilecut_params_default();
    edit_options options;
    edit_answer answer;
    int status = edit_read_options(text, size, &options, web.why);
    if (!status)
        status = labels ? scan_desk_cut(&open.desk, labels, &options, &params, open.mask, &answer, web.why)
                        : scan_desk_sketch(&open.desk, &options, &params, &answer, web.why);
    if (!status) edit_describe(&answer, web.text);
    return web_end(status);
}

/* Sketches. `framed`: only the object is painted, so the faces of the scan count as background. */
EXPORT(web_scan_sketch) int web_scan_sketch(const char *text, size_t size, int framed)
{
    open.desk.framed = framed;
    return cut(text, size, NULL);
}

/* Cuts along web_scan_labels() and writes web_scan_mask(). `prior`: the mask that strokes correct, a byte a voxel, or
 * NULL. */
EXPORT(web_scan_cut) int web_scan_cut(const char *text, size_t size, uint8_t *prior)
{
    open.desk.prior = prior;
    const int status = cut(text, size, open.labels);
    open.desk.prior = NULL;
    return status;
}

/* Takes web_scan_mask() as the mask to show, after another instance of this module has written its cut there. */
EXPORT(web_scan_proved) void web_scan_proved(void) { scan_desk_proved(&open.desk); }

/* Returns the samples of a plane, if they are wanted, and after them the mask there; NULL if memory ran out. */
EXPORT(web_scan_plane) const uint8_t *web_scan_plane(int axis, int index, int samples)
{
    scan_plane plane = {.axis = axis, .index = index};
    open.plane.size = 0;
    const bool good = scan_desk_plane(&open.desk, &plane) &&
                      (!samples || scan_desk_add_samples(&open.desk, &plane, &open.plane)) &&
                      scan_desk_add_mask(&open.desk, &plane, open.mask, &open.plane);
    return good ? open.plane.data : NULL;
}

/* Returns labels, a byte a voxel. With `take` they are made from the strokes first, for a cut by another instance. */
EXPORT(web_scan_labels) uint8_t *web_scan_labels(int take)
{
    static uint8_t *all;
    if (!take) return open.labels;
    if (!all) all = malloc(scan_desk_voxels(&open.desk));
    if (all) scan_desk_labels(&open.desk, all);
    return all;
}

/* Returns the mask that strokes correct, or NULL. */
EXPORT(web_scan_given) const uint8_t *web_scan_given(void) { return open.desk.prior; }

EXPORT(web_scan_mask) uint8_t *web_scan_mask(void) { return open.mask; }
